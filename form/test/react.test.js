// react-hook-form with the Standard Schema resolver: the component of docs/forms.md, in a page.

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { JSDOM } from "jsdom";
import { bundle, documented, FIELDS, load } from "./helper.js";

let code;

before(async () => {
  const examples = documented("tsx");
  assert.equal(examples.length, 2, "docs/forms.md has a form and a resolver for React");
  code = await bundle(`${examples[0]}
    export { act, createElement } from "react";
    export { createRoot } from "react-dom/client";`);
});

/** The form on a page of its own, and what a visitor can do to it. */
const open = async () => {
  const dom = new JSDOM("<!doctype html><main></main>", { runScripts: "outside-only" });
  const { window } = dom;
  const { document } = window;
  window.IS_REACT_ACT_ENVIRONMENT = true;
  // jsdom has none, and that of node keeps the process alive. React uses it for its tests alone.
  window.MessageChannel = class {
    port1 = {};
    port2 = { postMessage: () => setTimeout(() => this.port1.onmessage()) };
  };
  window.eval(code);
  const { act, createElement, createRoot, QuoteForm } = window.exports;
  const quotes = [];
  const root = createRoot(document.querySelector("main"));
  await act(async () => root.render(createElement(QuoteForm, { onQuote: (values) => quotes.push(structuredClone(values)) })));
  const input = (field) => document.querySelector(`input[name=${field}]`);
  return {
    quotes,
    input,
    type: (field, text) =>
      act(async () => {
        Object.getOwnPropertyDescriptor(window.HTMLInputElement.prototype, "value").set.call(input(field), text);
        input(field).dispatchEvent(new window.Event("input", { bubbles: true }));
      }),
    submit: () => act(async () => document.querySelector("button").click()),
    /** What is said at each field. */
    messages: () => FIELDS.map((field) => document.getElementById(input(field).getAttribute("aria-describedby")).textContent),
    close: async () => {
      await act(async () => root.unmount());
      window.close();
    },
  };
};

test("an invalid box is not submitted, a corrected one is, as numbers", async () => {
  const page = await open();
  await page.type("width", "48");
  assert.deepEqual(page.messages(), ["", "", ""], "of what is still empty nothing is said");
  await page.type("depth", "141");
  await page.type("height", "184");
  assert.deepEqual(page.messages(), ["", "Depth must be at most 48 mm.", ""]);
  assert.deepEqual(FIELDS.map((field) => page.input(field).getAttribute("aria-invalid")), ["false", "true", "false"]);

  await page.submit();
  assert.deepEqual(page.quotes, []);
  assert.deepEqual(page.messages(), ["", "Depth must be at most 48 mm.", ""]);

  await page.type("depth", "48");
  assert.deepEqual(page.messages(), ["", "", ""]);
  await page.submit();
  assert.deepEqual(page.quotes, [{ width: 48, depth: 48, height: 184 }]);
  await page.close();
});

test("another dimension can mend an error", async () => {
  const page = await open();
  await page.type("width", "48");
  await page.type("depth", "141");
  await page.type("height", "184");
  assert.equal(page.messages()[1], "Depth must be at most 48 mm.");
  await page.type("width", "143");
  assert.deepEqual(page.messages(), ["", "", ""]);
  await page.type("width", "48,5");
  assert.deepEqual(page.messages(), ["Width must be a plain number, such as 48 or 48.5.", "", ""]);
  await page.close();
});

test("an empty form is not submitted", async () => {
  const page = await open();
  await page.submit();
  assert.deepEqual(page.quotes, []);
  assert.deepEqual(page.messages(), ["Width is required.", "Depth is required.", "Height is required."]);
  await page.close();
});

test("a resolver that asks the chosen profile", async () => {
  const { resolver, createFormControl } = await load(`${documented("tsx")[1]}
    export { createFormControl } from "react-hook-form";`);
  const box = { width: "100", depth: "60", height: "80" };
  const errors = (values) => resolver(values, undefined, { fields: {}, shouldUseNativeValidation: false }).errors;
  assert.deepEqual(Object.keys(errors({ ...box, article: "roll-over-tray", material: "carton-400" })), ["height"]);
  assert.deepEqual(Object.keys(errors({ ...box, article: "tuck-end", material: "carton-300" })), []);
  // As when another article is chosen, and the material is still the one before.
  assert.deepEqual(errors({ ...box, article: "mailer", material: "carton-300" }), { material: { type: "choice", message: "Choose a material." } });
  for (const article of ["", "hat", undefined]) {
    assert.deepEqual(errors({ ...box, article, material: "carton-300" }), { article: { type: "choice", message: "Choose an article." } });
  }
  assert.deepEqual(errors({ ...box, depth: "", article: "tuck-end", material: "carton-300" }), { depth: { type: "required", message: "Depth is required." } });
  assert.throws(() => resolver(null), TypeError);

  const { formControl } = createFormControl({ resolver, defaultValues: { ...box, article: "mailer", material: "carton-300" } });
  const sent = [];
  const submit = formControl.handleSubmit((values) => sent.push(values), (failed) => sent.push(Object.keys(failed)));
  await submit();
  formControl.setValue("article", "tuck-end");
  await submit();
  assert.deepEqual(sent, [["material"], { article: "tuck-end", material: "carton-300", width: 100, depth: 60, height: 80 }]);
});
