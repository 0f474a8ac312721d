// Every snippet of the documents is strict TypeScript, in a folder that has what the document
// tells to put there and to install, and nothing else.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { folder } from "./helper.js";

const modules = join(folder, "node_modules");
const manifest = (name) => JSON.parse(readFileSync(join(modules, name, "package.json"), "utf8"));

/** What a project of a language has before anything is installed. */
const projects = { tsx: ["react", "@types/react"], svelte: ["svelte"], ts: ["vue", "@angular/forms"], js: [] };

/** Blocks of code with what the text before them tells to install. */
const snippets = (document) => {
  const text = readFileSync(join(folder, "..", document), "utf8");
  const installed = {}; // by language: a snippet that goes on from one before needs what that one does
  let end = 0;
  return [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].flatMap((match) => {
    const [block, language, code] = match;
    const before = text.slice(end, match.index);
    end = match.index + block.length;
    if (!(language in projects)) return [];
    installed[language] ??= [];
    installed[language].push(...[...before.matchAll(/`npm install ([^`]*)`/g)].flatMap((m) => m[1].split(" ")));
    return [{ document, language, code, packages: [...projects[language], ...installed[language]] }];
  });
};

const documents = ["README.md", "form/README.md", "examples/libraries/README.md", ...readdirSync(join(folder, "../docs")).filter((name) => name.endsWith(".md")).map((name) => "docs/" + name)];
const all = documents.flatMap(snippets);

let root;
before(() => (root = mkdtempSync(join(tmpdir(), "boxrules-"))));
after(() => rmSync(root, { recursive: true }));

/** Installs packages as npm does: with their dependencies and the peers that are not optional. */
const install = (at, names) => {
  const queue = [...names];
  for (const name of queue) {
    const link = join(at, "node_modules", name);
    if (existsSync(link) || !existsSync(join(modules, name))) continue; // an optional dependency of another machine
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(modules, name), link);
    const { dependencies, peerDependencies, peerDependenciesMeta = {} } = manifest(name);
    const peers = Object.keys(peerDependencies ?? {}).filter((peer) => !peerDependenciesMeta[peer]?.optional);
    queue.push(...Object.keys(dependencies ?? {}), ...peers);
  }
};

const strict = "--strict --noEmit --skipLibCheck --preserveSymlinks --noUncheckedIndexedAccess --target es2022 --lib es2022,dom,dom.iterable --module esnext --moduleResolution bundler --jsx react-jsx".split(" ");

const compile = (at, file, ...more) => {
  const tsc = join(modules, "typescript/bin/tsc");
  const { status, stdout, stderr } = spawnSync(process.execPath, [tsc, ...strict, ...more, file], { cwd: at, encoding: "utf8" });
  return [status, stdout + stderr];
};

test("there are some of each language", () => {
  assert.deepEqual([...new Set(all.map(({ language }) => language))].sort(), Object.keys(projects).sort());
});

test("react-hook-form knows the types, though what it has them from is not installed", () => {
  const { code, packages } = all.find(({ language }) => language == "tsx");
  const at = join(root, "wrong");
  mkdirSync(at);
  install(at, packages);
  assert.ok(!existsSync(join(at, "node_modules/@standard-schema/spec")));
  for (const file of ["index.d.ts", "index.js"]) copyFileSync(folder + file, join(at, file.replace("index", "boxrules")));
  for (const [from, to, error] of [
    ["register(name,", 'register("weight",', /'"weight"' is not assignable/],
    ["typed[name]", 'typed["weight"]', /'weight' does not exist/],
    ["(values: z.output<typeof quote>) => void", "(values: { weight: number }) => void", /'weight' is missing/],
  ]) {
    assert.ok(code.includes(from));
    writeFileSync(join(at, "snippet.tsx"), code.replace(from, to));
    const [status, text] = compile(at, "snippet.tsx", "--types", "react");
    assert.notEqual(status, 0);
    assert.match(text, error);
  }
});

for (const [i, { document, language, code, packages }] of all.entries()) {
  test(`${document}: ${code.match(/".*"/)}`, () => {
    const at = join(root, String(i));
    mkdirSync(join(at, "node_modules"), { recursive: true });
    install(at, packages);
    if (document == "form/README.md") {
      const [{ filename }] = JSON.parse(execFileSync("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", at], { cwd: folder, stdio: ["ignore", "pipe", "ignore"] }));
      execFileSync("tar", ["-xzf", filename], { cwd: at });
      cpSync(join(at, "package"), join(at, "node_modules/boxrules-form"), { recursive: true });
    } else {
      for (const [from, to] of [["index", "boxrules"], ["dom", "dom"], ["evaluator", "evaluator"]]) {
        for (const end of [".js", ".d.ts"]) copyFileSync(folder + from + end, join(at, to + end));
      }
      cpSync(folder + "locales", join(at, "locales"), { recursive: true });
    }
    const script = language == "svelte" ? code.match(/<script lang="ts">(.*?)<\/script>/s)[1] : code;
    const file = "snippet." + (language == "tsx" ? "tsx" : "ts");
    writeFileSync(join(at, file), script);
    const types = { svelte: "svelte", tsx: "react" }[language] ?? "";
    assert.deepEqual(compile(at, file, "--types", types), [0, ""]);
    // Many packages bring this one along, from which others then have types.
    install(at, ["@standard-schema/spec"]);
    assert.deepEqual(compile(at, file, "--types", types), [0, ""], "with @standard-schema/spec");
  });
}
