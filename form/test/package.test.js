// What is published.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { build } from "esbuild";
import { folder } from "./helper.js";

const manifest = JSON.parse(readFileSync(folder + "package.json", "utf8"));

const modules = ["dom", "evaluator", "index", "locales/de", "locales/en", "locales/fr", "nearest", "suggest"];
const files = [...modules.flatMap((name) => [name + ".d.ts", name + ".js"]), "README.md", "package.json"];

test("exactly these files", () => {
  const options = { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] };
  const [packed] = JSON.parse(execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], options));
  assert.deepEqual(packed.files.map(({ path }) => path).filter((path) => path != "LICENSE").sort(), files.sort());
});

test("no dependencies", () => {
  for (const key of ["dependencies", "peerDependencies", "optionalDependencies", "bundledDependencies"]) assert.equal(manifest[key], undefined);
  for (const [name, version] of Object.entries(manifest.devDependencies)) assert.match(version, /^\d+\.\d+\.\d+$/, name);
});

// Whatever a strict Content-Security-Policy stops, or a package without dependencies cannot have.
const forbidden = /\beval\b|\bFunction\s*\(|\bimport\s*\(|\brequire\s*\(|\b(inner|outer)HTML\b|insertAdjacentHTML|document\.write|WebAssembly|\bset(Timeout|Interval)\s*\(\s*["'`]|\bfetch\s*\(|XMLHttpRequest|https?:|\bprocess\b|from "node:/;

test("nothing that a Content-Security-Policy stops", () => {
  for (const file of modules.map((name) => name + ".js")) {
    const code = readFileSync(folder + file, "utf8");
    assert.doesNotMatch(code, forbidden, file);
    for (const [, from] of code.matchAll(/\bfrom\s*"([^"]*)"/g)) assert.match(from, /^\.\//, file);
  }
});

test("what is looked for would be found", () => {
  for (const code of ["eval(x)", "new Function('x')", "import('x')", 'require("x")', "a.innerHTML = b", "new WebAssembly.Module(x)", "setTimeout('x')"]) {
    assert.match(code, forbidden);
  }
});

test("what is not used is not bundled", async () => {
  for (const name of modules) {
    const contents = `import * as all from "./${name}.js"; import { parse } from "./index.js"; console.log(parse.name);`;
    const { metafile } = await build({ stdin: { contents, resolveDir: folder }, bundle: true, write: false, format: "esm", metafile: true });
    const [{ inputs }] = Object.values(metafile.outputs);
    assert.deepEqual(Object.keys(inputs).map((path) => path.replace(/^.*\//, "")).sort(), ["<stdin>", "evaluator.js", "index.js"], name);
  }
});

// They share the arithmetic of the grid, and have no declarations for it.
const internal = { evaluator: ["FIELDS", "dot", "firstInFloat", "get", "grid", "gridStep", "holds", "numberReader", "offEdge", "rulesIn", "sidesOf"] };

test("what is declared is what there is", async () => {
  for (const name of modules) {
    const declarations = readFileSync(folder + name + ".d.ts", "utf8");
    const declared = [...declarations.matchAll(/^export (?:declare )?(?:const|function|class) (\w+)|^export (default) /gm)].map((m) => m[1] ?? m[2]);
    const exported = Object.keys(await import(name == "index" ? "boxrules-form" : "boxrules-form/" + name));
    assert.deepEqual([...declared, ...(internal[name] ?? [])].sort(), exported.sort(), name);
  }
});
