// The edge: boxes for which floating point gives another verdict than exact arithmetic. None of them is proposed.

import assert from "node:assert/strict";
import test from "node:test";
import { nearest, profile, turned } from "boxrules-form";

const slim = profile("tuck-end-slim", "carton-300");
// 20.1 is a third of 60.3, but (1 / 3) * 60.3 is a little less in floating point.
const THIRD = { width: 60.3, depth: 20.1, height: 100 };
const DEEPER = { ...THIRD, depth: 25 };

test("the other verdict", () => {
  assert.equal(slim.check(THIRD).ok, true);
  assert.equal(slim.borderline(THIRD), "BOX_3119");
  assert.equal(slim.borderline({ ...THIRD, depth: 20 }), undefined);
  assert.equal(slim.borderline(DEEPER), undefined, "both refuse it");
  assert.equal(slim.check({ ...THIRD, width: 300.0004 }).ok, true, "rounded");
  assert.equal(slim.borderline({ ...THIRD, width: 300.0004 }), "BOX_2101");
  assert.equal(slim.check({ ...THIRD, width: 44.9996 }).code, "BOX_3119");
  assert.equal(profile("sleeve", "carton-300").borderline({ width: 29.9996, depth: 20, height: 50 }), "BOX_2100");
  assert.throws(() => slim.borderline({ ...THIRD, width: NaN }), { field: "width" });
});

test("refused, and valid in floating point", () => {
  const box = profile("auto-bottom", "carton-300"); // width <= (depth * 3) / 4
  const dims = { width: 67.2, depth: 89.6, height: 82 };
  assert.equal(box.check(dims).code, "BOX_3103");
  assert.equal(box.borderline(dims), "valid");
});

test("a range says so of its ends, and what to propose", () => {
  const [{ max, max_borderline, safe_max, ...rest }] = slim.ranges(DEEPER).depth;
  assert.deepEqual([max, max_borderline, safe_max], [20.1, true, 20.099]);
  assert.deepEqual(rest, { min: 5, min_code: "BOX_2102", max_code: "BOX_3119" });
  const [height] = slim.ranges(THIRD).height; // the third is on the edge, however high
  assert.deepEqual([height.min_borderline, height.max_borderline, height.safe_min, height.safe_max], [true, true, undefined, undefined]);
});

test("a message names no bound that is borderline", () => {
  const [{ message, params }] = slim.validate(DEEPER).issues;
  assert.equal(message, "Depth must be at most 20.099 mm.");
  assert.deepEqual(params, { field: "depth", value: 25, max: 20.099, unit: "mm" });
  // Without a bound that is safe it names none.
  const issues = slim.validate({ ...THIRD, height: 600 }).issues;
  assert.deepEqual(issues.map(({ kind, params }) => [kind, params]), [["together", { field: "height", value: 600, unit: "mm" }]]);
});

test("the nearest box is on no edge", () => {
  assert.deepEqual(nearest(slim, { ...THIRD, height: 600 }), { width: 60.3, depth: 20, height: 550, changed: ["depth", "height"] });
  assert.deepEqual(nearest(slim, DEEPER, 0.1), { width: 60.3, depth: 20, height: 100, changed: ["depth"] });
  assert.deepEqual(nearest(slim, DEEPER, 0.001), { width: 60.3, depth: 20.099, height: 100, changed: ["depth"] });
  assert.deepEqual(nearest(slim, THIRD, 0.1), { ...THIRD, changed: [] }, "a valid box is its own nearest");
});

test("no turned box is borderline", () => {
  assert.deepEqual(turned(slim, { width: 20.1, depth: 60.3, height: 100 }), [{ width: 100, depth: 20.1, height: 60.3, opening: "other" }]);
  // Nor one that is once it is rounded.
  assert.deepEqual(turned(slim, { width: 20.1, depth: 60.3004, height: 100 }), [{ width: 100, depth: 20.1, height: 60.3004, opening: "other" }]);
});
