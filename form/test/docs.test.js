// What docs/forms.md and README.md show works. The React example is in react.test.js, the
// commands are run in Go.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { inspect } from "node:util";
import { brotliCompressSync } from "node:zlib";
import { build } from "esbuild";
import { JSDOM } from "jsdom";
import { profile } from "boxrules-form";
import { bundle, documented, FIELDS, folder, forms, load } from "./helper.js";

const readme = readFileSync(folder + "README.md", "utf8");

/** A page whose module script has run, and what a visitor can do to it. */
const open = async (html) => {
  const script = /<script type="module">(.*?)<\/script>/s;
  const { window } = new JSDOM(html.replace(script, ""), { runScripts: "outside-only" });
  const { document } = window;
  const form = document.querySelector("form");
  const sent = [];
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    sent.push(Object.fromEntries(new window.FormData(form)));
  });
  window.eval(await bundle(html.match(script)[1]));
  return {
    sent,
    form,
    type: (name, text) => {
      form.elements[name].value = text;
      form.elements[name].dispatchEvent(new window.Event("input", { bubbles: true }));
    },
    submit: () => form.querySelector("button:not([type=button])").click(),
    suggestion: () => form.querySelector("[data-boxrules-suggestion]"),
    messages: () => FIELDS.map((name) => form.querySelector(`[data-boxrules-message=${name}]`).textContent),
    close: () => window.close(),
  };
};

const visit = async (html) => {
  const page = await open(html);
  const names = ["article", "material", ...FIELDS];
  assert.deepEqual(names.filter((name) => !page.form.elements[name]), []);
  page.submit();
  assert.deepEqual(page.sent, [], "an empty form was submitted");
  page.type("width", "48");
  page.type("depth", "141");
  page.type("height", "184");
  assert.deepEqual(page.messages(), ["", "Depth must be at most 48 mm.", ""]);
  page.submit();
  assert.deepEqual(page.sent, [], "an invalid box was submitted");
  assert.equal(page.suggestion().hidden, false);
  assert.equal(page.suggestion().textContent, "Turn the box: 141 × 48 × 184 mm");
  page.suggestion().click();
  assert.deepEqual(page.messages(), ["", "", ""]);
  assert.equal(page.suggestion().hidden, true);
  page.submit();
  assert.deepEqual(page.sent, [{ article: "tuck-end", material: "carton-300", width: "141", depth: "48", height: "184" }]);
  page.close();
};

const [lines, page] = documented("html");

test("the page", () => visit(page));

test("the lines of the quick start, in the page's form", () => {
  const codes = { article: "tuck-end", material: "carton-300" };
  const form = page.replace(/<script.*<\/script>/s, "").replace(/name="(article|material)">/g, (name, which) => `${name}<option>${codes[which]}`);
  return visit(form + lines);
});

/** What a script writes to the console, and in comments says that it does. */
const run = async (t, code) => {
  const written = [];
  t.mock.method(console, "log", (...values) => written.push(values.map((v) => (typeof v == "string" ? v : inspect(v))).join(" ")));
  await load(code.replaceAll('"boxrules-form"', '"./boxrules.js"'));
  return [written.join("\n"), [...code.matchAll(/^\/\/ (.*)\n/gm)].map((m) => m[1]).join("\n")];
};

for (const [name, document] of Object.entries({ "docs/forms.md": forms, "README.md": readme })) {
  const scripts = documented("js", document);
  test(`the scripts of ${name}`, async (t) => {
    assert.ok(scripts.length > 0);
    for (const code of scripts) assert.equal(...(await run(t, code)));
  });
}

test("the methods of a profile are those of the table", () => {
  const box = profile("tuck-end", "carton-300");
  const table = forms.slice(forms.indexOf("## The module")).match(/^\|.*\|$/gm).map((row) => row.split("|")[1]).join();
  const named = [...table.matchAll(/`(\w+)`/g)].map((m) => m[1]);
  for (const key of Object.keys(box)) {
    if (!/^~|^(article|material)$/.test(key)) assert.ok(named.includes(key), key);
  }
});

test("the sizes", async () => {
  const size = async (file) => {
    const { outputFiles } = await build({ entryPoints: [folder + file], bundle: true, minify: true, write: false, format: "esm" });
    return brotliCompressSync(outputFiles[0].contents).length / 1000;
  };
  for (const [file, pattern] of [["index.js", /([\d.]+) kB for all 20/], ["dom.js", /`dom\.js` ([\d.]+) kB/]]) {
    const [, said] = forms.match(pattern);
    assert.ok(Math.abs((await size(file)) - said) <= 0.1, `${file} takes ${await size(file)} kB, the document says ${said}`);
  }
});
