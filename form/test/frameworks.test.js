// Vue, Svelte and Angular with the snippets of examples/libraries.

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { JSDOM } from "jsdom";
import { compile } from "svelte/compiler";
import { bundle, documented, FIELDS, load } from "./helper.js";

const TOO_DEEP = "Depth must be at most 48 mm.";

const snippet = (library) => documented("ts").find((code) => code.includes(`from "${library}"`));

// ---- Vue

/** A component that uses the snippet, as the document tells. */
const openVue = async () => {
  const { window } = new JSDOM("<!doctype html><main></main>", { runScripts: "outside-only" });
  const code = `${snippet("vee-validate")}
    import { createApp, h, nextTick } from "vue";
    export const quotes = [];
    export const settled = async () => { for (let i = 0; i < 20; i++) await nextTick(); };
    createApp({ setup() {
      const { defineField, errors, handleSubmit } = useQuote();
      const fields = ["width", "depth", "height"].map((name) => [name, ...defineField(name)]);
      const submit = handleSubmit((values) => quotes.push(box.validate(values).value));
      return () => h("form", { onSubmit: submit }, fields.map(([name, value, props]) => [
        h("input", { name, value: value.value, ...props.value, onInput: (event) => (value.value = event.target.value) }),
        h("span", { id: name }, errors.value[name]),
      ]));
    } }).mount("main");`;
  const define = { __VUE_OPTIONS_API__: "true", __VUE_PROD_DEVTOOLS__: "false", __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: "false", "process.env.NODE_ENV": '"production"' };
  window.eval(await bundle(code, { define, alias: { vue: "vue/dist/vue.runtime.esm-bundler.js" } }));
  const { quotes, settled } = window.exports;
  const { document } = window;
  const fire = async (element, type) => {
    element.dispatchEvent(new window.Event(type, { bubbles: true, cancelable: true }));
    await settled();
  };
  const messages = () => FIELDS.map((name) => document.getElementById(name).textContent);
  return {
    type: async (name, text) => {
      const input = document.querySelector(`[name=${name}]`);
      input.value = text;
      await fire(input, "input");
    },
    submit: () => fire(document.querySelector("form"), "submit"),
    /** Waits until the page says so: VeeValidate waits for more changes. */
    says: async (...expected) => {
      for (let i = 0; i < 500 && String(messages()) != String(expected); i++) await new Promise((done) => setTimeout(done, 10));
      assert.deepEqual(messages(), expected);
    },
    /** Waits for as many quotes as were sent. */
    sends: async (...expected) => {
      for (let i = 0; i < 500 && quotes.length < expected.length; i++) await new Promise((done) => setTimeout(done, 10));
      assert.equal(JSON.stringify(quotes), JSON.stringify(expected));
    },
  };
};

test("Vue: VeeValidate", async () => {
  const page = await openVue();
  await page.submit();
  await page.says("Enter a width.", "Enter a depth.", "Enter a height.");
  await page.type("width", "48");
  await page.type("depth", "141");
  await page.type("height", "184");
  await page.says("", TOO_DEEP, "");
  await page.submit();
  await page.type("width", "143"); // the other dimension mends it
  await page.says("", "", "");
  await page.submit();
  await page.sends({ width: 143, depth: 141, height: 184 }); // and not what was submitted before
});

// ---- Svelte

let svelte;

before(async () => {
  const [component] = documented("svelte");
  const { js, warnings } = compile(component, { generate: "client", filename: "Quote.svelte" });
  assert.deepEqual(warnings, []);
  svelte = await bundle(`${js.code.replace("export default function Quote", "function Quote")}
    export { mount, unmount, flushSync } from "svelte";
    export { Quote };`, { conditions: ["browser", "svelte"] });
});

test("Svelte", async () => {
  const { window } = new JSDOM("<!doctype html><main></main>", { runScripts: "outside-only" });
  window.eval(svelte);
  const { mount, unmount, flushSync, Quote } = window.exports;
  const { document } = window;
  const component = mount(Quote, { target: document.querySelector("main") });
  flushSync();
  const said = (name) => document.querySelector(`[data-boxrules-message=${name}]`).textContent;
  const asked = () => document.querySelector("button:not([data-boxrules-suggestion])").textContent;
  assert.equal(said("depth"), TOO_DEEP);
  const button = document.querySelector("[data-boxrules-suggestion]");
  assert.equal(button.textContent, "Turn the box: 141 × 48 × 184 mm");
  button.click();
  flushSync();
  assert.equal(asked(), "Ask for a quote for 141 × 48 × 184", "bind:value heard of it");
  assert.equal(said("depth"), "");
  const depth = document.querySelector("[name=depth]");
  depth.value = "500";
  depth.dispatchEvent(new window.Event("input", { bubbles: true }));
  flushSync();
  assert.equal(said("depth"), "Depth must be at most 141 mm.");
  assert.equal(asked(), "Ask for a quote for 141 × 500 × 184");
  await unmount(component);
  assert.equal(document.querySelector("main").textContent, "");
});

// ---- Angular

test("Angular: a reactive form", async () => {
  const { newQuote, canBeMade } = await load(`import "@angular/compiler"; // Angular's own code is compiled where it runs
    ${snippet("@angular/forms")}`);
  const quote = newQuote();
  assert.equal(quote.valid, false);
  assert.deepEqual(quote.errors, { width: "Enter a width.", depth: "Enter a depth.", height: "Enter a height." });
  quote.setValue({ width: "48", depth: "141", height: "184" });
  assert.deepEqual(quote.errors, { depth: TOO_DEEP });
  quote.controls.width.setValue("143");
  assert.equal(quote.errors, null);
  assert.equal(quote.valid, true);
  assert.equal(canBeMade(quote), null);
  quote.controls.height.disable();
  assert.equal(quote.errors, null, "a dimension that cannot be changed is one");
  quote.controls.height.setValue("500");
  assert.deepEqual(Object.keys(quote.errors), ["height"]);
});
