// react-hook-form with zod: the component of examples/libraries, in a page.

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { JSDOM } from "jsdom";
import { bundle, documented, FIELDS, load } from "./helper.js";

let code;

before(async () => {
  const examples = documented("tsx");
  assert.equal(examples.length, 1, "examples/libraries has one component");
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
  const input = (field) => document.querySelector(`[name=${field}]`);
  return {
    quotes,
    input,
    type: (field, text) =>
      act(async () => {
        Object.getOwnPropertyDescriptor(Object.getPrototypeOf(input(field)), "value").set.call(input(field), text);
        input(field).dispatchEvent(new window.Event(input(field).matches("select") ? "change" : "input", { bubbles: true }));
      }),
    submit: () => act(async () => document.querySelector("button:not([type])").click()),
    suggestion: () => document.querySelector("[type=button]"),
    use: () => act(async () => document.querySelector("[type=button]").click()),
    materials: () => [...input("material").options].map((option) => option.value),
    /** The message at each field. */
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
  assert.deepEqual(page.quotes, [], "the rest is missing");
  await page.type("quantity", "500");
  await page.type("email", "a@example.com");
  await page.submit();
  const rest = { article: "tuck-end", material: "carton-300", quantity: 500, email: "a@example.com" };
  assert.deepEqual(page.quotes, [{ ...rest, width: 48, depth: 48, height: 184 }]);
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
  assert.deepEqual(page.messages(), ["Enter a width.", "Enter a depth.", "Enter a height."]);
  await page.close();
});

test("the chosen article has its materials, and decides", async () => {
  const page = await open();
  for (const [field, text] of [["width", "100"], ["depth", "60"], ["height", "80"]]) await page.type(field, text);
  assert.deepEqual(page.messages(), ["", "", ""]);
  await page.type("material", "carton-400");
  await page.type("article", "mailer");
  assert.deepEqual(page.materials(), ["e-flute", "b-flute"]);
  assert.equal(page.input("material").value, "e-flute");
  await page.type("article", "roll-over-tray");
  assert.equal(page.input("material").value, "carton-400");
  assert.deepEqual(page.messages(), ["", "", "Height must be at most 60 mm."]);
  await page.close();
});

test("a button for the suggestion", async () => {
  const page = await open();
  await page.type("width", "48");
  await page.type("depth", "141");
  assert.equal(page.suggestion(), null);
  await page.type("height", "184");
  assert.equal(page.suggestion().textContent, "Use 141 × 48 × 184 mm");
  await page.use();
  assert.deepEqual(FIELDS.map((field) => page.input(field).value), ["141", "48", "184"]);
  assert.deepEqual(page.messages(), ["", "", ""]);
  assert.equal(page.suggestion(), null);
  await page.close();
});
