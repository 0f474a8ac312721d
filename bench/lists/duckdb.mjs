// node duckdb.mjs VIEW.sql LIST.csv TYPES ORDER OUT.csv | counts
// Checks a list by the view in DuckDB with two threads, and prints the seconds and the CPU seconds of the query alone and the
// peak memory of the process as JSON; for counts also the answers.
import { readFileSync } from "node:fs";
import { DuckDBInstance } from "@duckdb/node-api";

const [view, list, types, order, out] = process.argv.slice(2);
const instance = await DuckDBInstance.create(":memory:", { threads: "2", preserve_insertion_order: order });
const connection = await instance.connect();
await connection.run(`CREATE VIEW boxes AS SELECT * FROM read_csv('${list}', header = true, quote = '"', escape = '"', columns = ${types})`);
await connection.run(readFileSync(view, "utf8"));

const start = performance.now();
const before = process.cpuUsage();
const counts = {};
if (out === "counts") {
  const rows = await connection.runAndReadAll("SELECT verdict, count(*)::INTEGER FROM box_verdicts GROUP BY verdict");
  for (const [verdict, count] of rows.getRows()) counts[verdict] = count;
} else {
  await connection.run(`COPY (SELECT * FROM box_verdicts) TO '${out}' (FORMAT csv, HEADER)`);
}
const seconds = (performance.now() - start) / 1000;
const used = process.cpuUsage(before);
console.log(JSON.stringify({ seconds, cpu: (used.user + used.system) / 1e6, kilobytes: process.resourceUsage().maxRSS, counts }));
