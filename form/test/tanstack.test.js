// TanStack Form with the options of examples/libraries.

import assert from "node:assert/strict";
import test from "node:test";
import { FieldApi, FormApi } from "@tanstack/form-core";
import { profile } from "boxrules-form";
import { documented, FIELDS, load } from "./helper.js";

const box = profile("tuck-end", "carton-300");
const { quote } = await load(documented("ts").find((code) => code.includes("@tanstack")));

const open = () => {
  const submitted = [];
  const form = new FormApi({
    ...quote,
    onSubmit: ({ value }) => submitted.push(box.validate(value).value),
  });
  const closers = [form.mount()];
  const fields = {};
  for (const name of FIELDS) {
    fields[name] = new FieldApi({ form, name });
    closers.push(fields[name].mount());
  }
  return {
    form,
    submitted,
    type: (name, text) => fields[name].handleChange(text),
    messages: () => FIELDS.map((name) => fields[name].state.meta.errors.map(({ message }) => message).join()),
    codes: () => FIELDS.map((name) => fields[name].state.meta.errors.map(({ code }) => code).join()),
    close: () => closers.forEach((close) => close()),
  };
};

test("an invalid box cannot be submitted, a corrected one is", async () => {
  const page = open();
  page.type("width", "48");
  page.type("depth", "141");
  page.type("height", "184");
  assert.deepEqual(page.messages(), ["", "Depth must be at most 48 mm.", ""]);
  assert.deepEqual(page.codes(), ["", "BOX_3100", ""]);
  assert.equal(page.form.state.canSubmit, false);
  await page.form.handleSubmit();
  assert.deepEqual(page.submitted, []);

  page.type("width", "143"); // the other dimension mends it
  assert.deepEqual(page.messages(), ["", "", ""]);
  assert.equal(page.form.state.canSubmit, true);
  await page.form.handleSubmit();
  assert.deepEqual(page.submitted, [{ width: 143, depth: 141, height: 184, email: "" }]);
  page.close();
});

test("an empty form cannot be submitted", async () => {
  const page = open();
  await page.form.handleSubmit();
  assert.deepEqual(page.submitted, []);
  assert.deepEqual(page.messages(), ["Enter a width.", "Enter a depth.", "Enter a height."]);
  page.close();
});
