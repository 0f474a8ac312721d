// The box turned, and what is suggested.

import assert from "node:assert/strict";
import test from "node:test";
import { nearest, profile, suggest, turned } from "boxrules-form";
import { conformance } from "./helper.js";

const BOX = { width: 48, depth: 141, height: 184 };
const carton = profile("tuck-end", "carton-300");

/** Boxes as text, such as "141 48 184 same". */
const texts = (boxes) => boxes.map((box) => Object.values(box).join(" "));

const unit = (axis, sign) => [0, 1, 2].map((i) => (i == axis ? sign : 0));

/** A profile in which only one box is not valid. */
const without = (...box) => ({
  decimals: 3,
  "~rules": [{ when: [box.flatMap((x, axis) => [1, -1].map((sign) => ({ a: unit(axis, sign), k: sign * x * 1000 - 1 })))], variables: () => {}, asWritten: () => false }],
});

test("width and depth exchanged come first, then the turns that let another side open", () => {
  assert.deepEqual(texts(turned(without(1, 2, 3), { width: 1, depth: 2, height: 3 })), [
    "2 1 3 same", "1 3 2 other", "3 2 1 other", "2 3 1 other", "3 1 2 other",
  ]);
  assert.deepEqual(texts(turned(without(1, 2, 2), { width: 1, depth: 2, height: 2 })), ["2 1 2 same", "2 2 1 other"]);
  assert.deepEqual(texts(turned(without(1, 2, 1), { width: 1, depth: 2, height: 1 })), ["2 1 1 same", "1 1 2 other"]);
  assert.deepEqual(texts(turned(without(1, 1, 2), { width: 1, depth: 1, height: 2 })), ["1 2 1 other", "2 1 1 other"]);
  assert.deepEqual(turned(without(2, 2, 2), { width: 2, depth: 2, height: 2 }), []);
});

test("those that are valid, of a box that is not", () => {
  assert.deepEqual(texts(carton.turned(BOX)), ["141 48 184 same", "184 141 48 other", "184 48 141 other"]);
  assert.deepEqual(carton.turned({ width: 141, depth: 48, height: 184 }), []);
  assert.deepEqual(carton.turned({ ...BOX, depth: 500 }), []);
});

test("the dimensions are exactly those given", () => {
  assert.deepEqual(carton.turned({ width: 48.00049, depth: 141.0001, height: 184 })[0], { width: 141.0001, depth: 48.00049, height: 184, opening: "same" });
  const of = turned(without(-0, 1, 2), { width: -0, depth: 1, height: 2 })[0];
  assert.ok(Object.is(of.depth, 0), "-0 is no dimension");
  const close = { width: 1, depth: 2, height: 2.0001 }; // on the grid 1 × 2 × 2
  assert.deepEqual(texts(turned(without(1, 2, 2), close)), ["2 1 2.0001 same", "2.0001 2 1 other"]);
});

test("a turned box goes before the nearest", () => {
  assert.deepEqual(carton.suggest(BOX), { width: 141, depth: 48, height: 184, opening: "same" });
  assert.deepEqual(carton.suggest({ ...BOX, depth: 500 }, 5), { width: 48, depth: 45, height: 184, changed: ["depth"] });
  const valid = { width: 48, depth: 48, height: 184 };
  assert.deepEqual(carton.suggest(valid), { ...valid, changed: [] });
  let seen = 0;
  for (const { article, material, ...dims } of conformance("illustrative-constraint").cases.filter((_, i) => i % 7 == 0)) {
    const box = profile(article, material);
    const [best] = box.turned(dims);
    if (best) seen++;
    assert.ok(!best || box.check(best).ok);
    assert.deepEqual(box.suggest(dims), best ?? box.nearest(dims));
    assert.deepEqual(box.suggest(dims, 0.5), suggest(box, dims, 0.5));
  }
  assert.ok(seen > 20, `${seen} turned boxes`);
});

test("of so many decimals as the profile has", () => {
  const two = { ...without(1, 2, 3), decimals: 2 };
  assert.equal(turned(two, { width: 1, depth: 2, height: 3 }).length, 5);
  for (const ask of [turned, suggest]) assert.throws(() => ask(two, { width: 1.005, depth: 2, height: 3 }), { field: "width" });
  assert.throws(() => suggest(two, { width: 1, depth: 2, height: 3 }, 0.005), { field: "step" });
  assert.equal(suggest(two, { width: 1, depth: 2, height: 3 }, 0.05).opening, "same");
});

test("it is suggest, not nearest, that turns", () => assert.deepEqual(nearest(carton, BOX), { width: 48, depth: 48, height: 184, changed: ["depth"] }));
