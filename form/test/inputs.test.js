// What is not a box, not a step, not an article: every module throws the one InputError, which
// says what is accepted.

import assert from "node:assert/strict";
import test from "node:test";
import * as index from "boxrules-form";
import * as evaluator from "boxrules-form/evaluator";
import * as search from "boxrules-form/nearest";
import * as advice from "boxrules-form/suggest";
import { FIELDS } from "./helper.js";

const box = index.profile("tuck-end", "carton-300");
const DIMS = { width: 48, depth: 141, height: 184 };

/** What is thrown: its field and its message. */
const thrown = (act) => {
  try {
    act();
  } catch (error) {
    for (const { InputError } of [index, evaluator]) assert.ok(error instanceof InputError, error);
    assert.ok(error.message.startsWith(error.field + ": "), error.message);
    return [error.field, error.message.slice(error.field.length + 2)];
  }
  assert.fail("nothing is thrown");
};

const methods = {
  check: (dims) => box.check(dims),
  checkAll: (dims) => box.checkAll(dims),
  ranges: (dims) => box.ranges(dims),
  nearest: (dims) => box.nearest(dims),
  "nearest of the index": (dims) => index.nearest(box, dims),
  "nearest of its module": (dims) => search.nearest(box, dims),
  turned: (dims) => box.turned(dims),
  "turned of its module": (dims) => advice.turned(box, dims),
  suggest: (dims) => box.suggest(dims),
  "suggest of its module": (dims) => advice.suggest(box, dims),
};

test("one class in all modules", () => {
  assert.equal(index.InputError, evaluator.InputError);
  assert.equal(index.nearest, search.nearest);
  assert.equal(index.turned, advice.turned);
  assert.equal(index.suggest, advice.suggest);
  assert.equal(index.parse, evaluator.parse);
});

for (const [name, ask] of Object.entries(methods)) {
  test("what is not a box: " + name, () => {
    for (const [dims, named] of [[null, "null"], [undefined, "undefined"], [5, "5"], [NaN, "NaN"], ["48", '"48"'], [true, "boolean"], [5n, "bigint"], [Symbol("s"), "symbol"]]) {
      assert.deepEqual(thrown(() => ask(dims)), ["dims", named + " is not a box; accepted: an object with the numbers width, depth and height"]);
    }
    for (const dims of [{}, [], [1, 2, 3], () => 1, new Date(), Object.create(null)]) {
      assert.deepEqual(thrown(() => ask(dims)), ["width", "undefined is not a number from -1000000 to 1000000"]);
    }
  });

  test("what is not a dimension: " + name, () => {
    const values = [
      [undefined, "undefined"], [null, "null"], ["48", '"48"'], ["", '""'], [NaN, "NaN"], [-Infinity, "-Infinity"], [1e6 + 0.001, "1000000.001"],
      [5n, "bigint"], [Symbol("s"), "symbol"], [[48], "object"], [Object.create(null), "object"], [{ valueOf: () => 48 }, "object"],
      [{ toString() { throw new Error("no"); } }, "object"], [() => 48, "function"], [false, "boolean"],
    ];
    for (const field of FIELDS) {
      for (const [value, named] of values) {
        assert.deepEqual(thrown(() => ask({ ...DIMS, [field]: value })), [field, named + " is not a number from -1000000 to 1000000"]);
      }
    }
  });
}

test("what is not a step", () => {
  const steps = [
    [null, "null"], ["1", '"1"'], ["", '""'], [NaN, "NaN"], [0, "0"], [-1, "-1"], [0.0015, "0.0015"], [0.0001, "0.0001"], [1000.001, "1000.001"],
    [Infinity, "Infinity"], [true, "boolean"], [1n, "bigint"], [[1], "object"], [{}, "object"], [Symbol("s"), "symbol"],
  ];
  for (const [step, named] of steps) {
    for (const ask of [() => box.nearest(DIMS, step), () => search.nearest(box, DIMS, step), () => box.suggest(DIMS, step), () => box.suggest({ ...DIMS, depth: 500 }, step)]) {
      assert.deepEqual(thrown(ask), ["step", named + " is not a multiple of 0.001 from 0.001 to 1000"]);
    }
  }
  assert.deepEqual(box.nearest(DIMS, undefined), box.nearest(DIMS, 1));
});

test("what is not a profile", () => {
  for (const profile of [null, undefined, {}, "tuck-end", index.profile]) {
    for (const ask of [search.nearest, advice.turned, advice.suggest]) {
      const [field, message] = thrown(() => ask(profile, DIMS));
      assert.equal(field, "profile");
      assert.match(message, / is not a profile; accepted: what the function profile returns$/);
    }
  }
});

test("what is not an article or material", () => {
  const hostile = { toString() { throw new Error("no"); } };
  for (const [code, named] of [["nope", '"nope"'], [undefined, "undefined"], [null, "null"], [5, "5"], [Symbol("s"), "symbol"], [["tray"], "object"], [hostile, "object"]]) {
    const [field, message] = thrown(() => index.profile(code, "carton-300"));
    assert.equal(field, "article");
    assert.ok(message.startsWith(named + " is not one of tuck-end, tuck-end-slim, "), message);
    assert.deepEqual(thrown(() => index.profile("tuck-end", code)), ["material", named + " is not one of carton-300, carton-400"]);
  }
});

test("what is not text is not a number", () => {
  for (const text of [undefined, null, 48, 5n, {}, ["48"], Symbol("s"), { length: 2, toString: () => "48" }]) assert.ok(Number.isNaN(index.parse(text)));
});
