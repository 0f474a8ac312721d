// ClickHouse: a view that tells the verdict of each row, and the filter as an executable table function. It runs in chdb, which
// is ClickHouse within a process. This script runs in the folder of a release, after "npm install chdb" there, and in a clone, where
// it needs Go:
//
//     npm ci --prefix codegen/testdata/engines && node examples/clickhouse/run.mjs
//
// On a server the statements are the same, and the filter is in its folder user_scripts.
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const { Session } = chdb();
const folder = mkdtempSync(join(tmpdir(), "boxes"));
const session = new Session(folder);
const ask = (statement, format = "TabSeparated") => session.query(statement, format);
const scripts = join(folder, "user_scripts");
mkdirSync(scripts);
const boxrules = join(scripts, "boxrules");
if (existsSync(join(root, "cmd/boxrules"))) {
  execFileSync("go", ["build", "-o", boxrules, "./cmd/boxrules"], { cwd: root, stdio: "inherit" });
} else {
  copyFileSync(join(root, "boxrules"), boxrules);
}

ask(`CREATE TABLE boxes (article String, material String, width Float64, depth Float64, height Float64)
  ENGINE = MergeTree ORDER BY tuple()`);
ask(`INSERT INTO boxes SELECT * FROM file('${root}/examples/boxes.csv', CSVWithNames)`);

console.log("== the view");
const sql = execFileSync(boxrules, ["generate", "sql", "--dialect", "clickhouse", "--limits", join(root, "limits/illustrative.yaml")], {
  encoding: "utf8", stdio: ["ignore", "pipe", "inherit"],
});
for (const statement of sql.split(";\n")) {
  if (statement.trim() !== "") ask(statement);
}
console.log(ask("SELECT verdict, count() FROM box_verdicts GROUP BY verdict ORDER BY verdict").trim());

// If each machine has the limit file, no table of limits is needed. The filter exits with 1 if some box is invalid, so the exit
// code is not checked; instead we check that no row is missing.
console.log("== the filter: rows, and those with another verdict than the view's");
copyFileSync(join(root, "limits/illustrative.yaml"), join(scripts, "limits.yaml"));
console.log(ask(`
  SELECT count(), countIf(f.verdict <> v.verdict)
  FROM executable('boxrules check --limits ${scripts}/limits.yaml --input csv --format csv -', CSVWithNames,
    'article String, material String, width Float64, depth Float64, height Float64, verdict String',
    (SELECT * FROM boxes), SETTINGS check_exit_code = false, stderr_reaction = 'none') AS f
  LEFT JOIN (SELECT DISTINCT * FROM box_verdicts) AS v USING (article, material, width, depth, height)`).trim());
session.cleanup?.();
rmSync(folder, { recursive: true, force: true });

// chdb is ClickHouse, or one line that says how to get it.
function chdb() {
  try {
    const folder = existsSync(join(root, "cmd/boxrules")) ? join(root, "codegen/testdata/engines/") : root;
    return createRequire(folder)("chdb");
  } catch (error) {
    if (error.code !== "MODULE_NOT_FOUND") throw error;
    console.error("examples/clickhouse/run.mjs: chdb is missing; install it: npm ci --prefix codegen/testdata/engines");
    process.exit(2);
  }
}
