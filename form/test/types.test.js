// The declarations, with the compiler.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import test from "node:test";
import { folder } from "./helper.js";

const typescript = dirname(createRequire(import.meta.url).resolve("typescript/package.json"));

const compile = (...args) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(typescript, "bin/tsc"), ...args], { cwd: folder + "test/types", encoding: "utf8" });
  return { status, text: stdout + stderr };
};

const modes = {
  NodeNext: ["--module", "nodenext"],
  Bundler: ["--module", "esnext", "--moduleResolution", "bundler"],
};

for (const [name, mode] of Object.entries(modes)) {
  test("the package, " + name, () => assert.deepEqual(compile("-p", ".", ...mode), { status: 0, text: "" }));

  // Their declarations are not ours to check.
  const libraries = ["libraries.ts", "--ignoreConfig", "--strict", "--noEmit", "--skipLibCheck", "--target", "es2022", "--types", "react", ...mode];
  test("in form libraries, " + name, () => assert.deepEqual(compile(...libraries), { status: 0, text: "" }));
}
