// What the tests share.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** The folder of the package. */
export const folder = fileURLToPath(new URL("..", import.meta.url));

export const FIELDS = ["width", "depth", "height"];

const file = (path) => readFileSync(folder + path, "utf8");

/** A file of the conformance suite. */
export const conformance = (name) => JSON.parse(file(`../conformance/cases/${name}.json`));

/** The document of the package. */
export const forms = file("../docs/forms.md");

const libraries = file("../examples/libraries/README.md");

/** The fenced blocks of a language in a document. */
export const documented = (language, document = forms + libraries) =>
  [...document.matchAll(/^```(\w+)\n(.*?)^```$/gms)].filter((m) => m[1] == language).map((m) => m[2]);

// In the documents the generated module is boxrules.js, and what the package has lies next to it.
const beside = {
  name: "beside",
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.\// }, ({ path, importer }) =>
      importer == "<stdin>" ? { path: folder + path.replace("boxrules.js", "index.js").slice(2) } : undefined,
    ),
};

/** A module with all that it imports, as a script that sets the variable exports. */
export const bundle = async (code, { format = "iife", ...options } = {}) => {
  const result = await build({
    stdin: { contents: code, loader: "tsx", resolveDir: folder },
    bundle: true,
    write: false,
    format,
    globalName: "exports",
    jsx: "automatic",
    plugins: [beside],
    define: { "process.env.NODE_ENV": '"development"' },
    ...options,
  });
  return result.outputFiles[0].text;
};

/** Runs a module in node and gives its exports. */
export const load = async (code) => {
  const text = await bundle(code, { format: "esm" });
  return import("data:text/javascript;base64," + Buffer.from(text).toString("base64"));
};

/** Whether a message is a complete text, without placeholders that were not filled in. */
export const isComplete = (message) =>
  typeof message == "string" && message.trim() != "" && !/[{}]|undefined|null|NaN|\[object/.test(message);
