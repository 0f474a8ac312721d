// The conformance cases for the illustrative limits. Those with rules of their own are run by the
// Go tests, which generate modules for them.

import assert from "node:assert/strict";
import test from "node:test";
import { InputError, parse, profile } from "boxrules-form";
import { conformance, FIELDS } from "./helper.js";

const failure = (act) => {
  try {
    act();
  } catch (error) {
    assert.ok(error instanceof InputError, error);
    return error.field;
  }
};

const agree = (c) => {
  const dims = Object.fromEntries(FIELDS.map((field) => [field, +c[field]])); // "NaN" and "Infinity" are texts
  let box;
  const field = failure(() => (box = profile(c.article, c.material)));
  if (c.error && field) return assert.equal(field, c.error.field);
  const result = box.validate(dims);
  if (c.error) {
    for (const ask of ["check", "checkAll", "ranges", "nearest"]) assert.equal(failure(() => box[ask](dims)), c.error.field, ask);
    assert.equal(result.issues[0].path[0], c.error.field);
    assert.equal(result.issues[0].code, undefined);
    return;
  }
  const all = box.checkAll(dims);
  assert.deepEqual(all.map(({ code }) => code), c.codes);
  const verdict = box.check(dims);
  assert.deepEqual(verdict, c.code ? { ok: false, ...all[0] } : { ok: true });
  assert.equal(verdict.code ?? "", c.code);
  assert.equal(result.issues?.[0].code ?? "", c.code);
  const bounds = result.issues?.map(({ path, params: { min, max } }) => JSON.parse(JSON.stringify({ field: path[0], min, max })));
  if (c.bounds) assert.deepEqual(bounds, c.bounds);
};

for (const [name, least] of [["boundary", 1400], ["constraint", 2300], ["size", 1700], ["input-errors", 230]]) {
  test("conformance: " + name, () => {
    const { rules, limits, cases } = conformance(name.includes("-") ? name : "illustrative-" + name);
    assert.deepEqual([rules, limits], ["rules/box_rules.yaml", "limits/illustrative.yaml"]);
    assert.ok(cases.length >= least, `${cases.length} cases`);
    for (const c of cases) {
      try {
        agree(c);
      } catch (error) {
        error.message = JSON.stringify(c) + ": " + error.message;
        throw error;
      }
    }
  });
}

test("conformance: texts", () => {
  const { texts } = conformance("texts");
  assert.ok(texts.length >= 100);
  const box = profile("tuck-end", "carton-300");
  for (const { field, text, number, error } of texts) {
    const parsed = parse(text);
    // What is too large is a number all the same.
    if (error) assert.ok(!(Math.abs(parsed) <= 1e6), text);
    else assert.equal(parsed, number, text);

    const { issues = [], value } = box.validate({ width: 100, depth: 50, height: 100, [field]: text });
    const issue = issues.find(({ path }) => path[0] == field);
    if (error) {
      assert.ok(["required", "number", "unclear", "range"].includes(issue?.kind), text);
      assert.equal(issues.length, 1, text);
    } else if (issues.length) {
      assert.ok(issues[0].code, text); // a number, of a box that cannot be made
    } else {
      assert.equal(value[field], number, text);
    }
  }
});
