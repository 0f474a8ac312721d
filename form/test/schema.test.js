// Standard Schema: what form libraries rely on.

import assert from "node:assert/strict";
import test from "node:test";
import { articles, profile } from "boxrules-form";
import { conformance, FIELDS, isComplete } from "./helper.js";

const box = profile("tuck-end", "carton-300");
const schema = box["~standard"];

const KINDS = ["required", "number", "range", "atLeast", "atMost", "either", "together"];

/** Asserts all that is promised of a result, and returns it. */
const sound = (result) => {
  if (!result.issues) {
    for (const field of FIELDS) assert.equal(typeof result.value[field], "number");
    return result;
  }
  assert.ok(result.issues.length > 0);
  assert.ok(!("value" in result));
  for (const issue of result.issues) {
    assert.equal(issue.path.length, 1);
    assert.ok(FIELDS.includes(issue.path[0]), issue.path[0]);
    assert.ok(isComplete(issue.message), issue.message);
    assert.ok(KINDS.includes(issue.kind), issue.kind);
    assert.equal(issue.params.field, issue.path[0]);
    assert.equal(issue.params.unit, "mm");
    assert.equal("code" in issue, !["required", "number", "range"].includes(issue.kind));
    for (const end of ["min", "max"]) {
      const needs = { atLeast: ["min"], atMost: ["max"], either: ["min", "max"], range: ["min", "max"] }[issue.kind] ?? [];
      assert.equal(typeof issue.params[end], needs.includes(end) ? "number" : "undefined", `${issue.kind} ${end}`);
    }
  }
  return result;
};

test("the interface", () => {
  assert.equal(schema.version, 1);
  assert.equal(schema.vendor, "boxrules");
  assert.equal(schema.validate, box.validate);
});

test("a box that can be made", () => {
  assert.deepEqual(sound(schema.validate({ width: 143, depth: 50, height: 303 })), { value: { width: 143, depth: 50, height: 303 } });
});

test("text becomes numbers, and all else is kept", () => {
  const given = { width: "143", depth: "50.50", height: 303, email: "a@example.com", quantity: "500", extra: [1] };
  const before = structuredClone(given);
  assert.deepEqual(sound(schema.validate(given)), { value: { ...given, width: 143, depth: 50.5 } });
  assert.deepEqual(given, before, "the input was changed");
});

test("a box beyond the limits", () => {
  const { issues } = sound(schema.validate({ width: 5, depth: 999, height: 100 }));
  assert.deepEqual(issues, [
    {
      message: "Width must be at least 20 mm.",
      path: ["width"],
      code: "BOX_2100",
      kind: "atLeast",
      params: { field: "width", value: 5, min: 20, unit: "mm" },
    },
    {
      message: "Depth must be at most 250 mm.",
      path: ["depth"],
      code: "BOX_2103",
      kind: "atMost",
      params: { field: "depth", value: 999, max: 250, unit: "mm" },
    },
  ]);
});

test("a box that breaks a constraint", () => {
  assert.deepEqual(sound(schema.validate({ width: 48, depth: 141, height: 184 })), {
    issues: [
      {
        message: "Depth must be at most 48 mm.",
        path: ["depth"],
        code: "BOX_3100",
        kind: "atMost",
        params: { field: "depth", value: 141, max: 48, unit: "mm" },
      },
    ],
  });
});

test("a box whose blank is too large", () => {
  const { issues } = sound(schema.validate({ width: 400, depth: 250, height: 450 }));
  assert.deepEqual(issues.map(({ code }) => code), ["BOX_4100"]);
});

test("nothing typed yet", () => {
  for (const input of [{}, { width: "", depth: "", height: "" }, { width: null, depth: undefined }]) {
    const { issues } = sound(schema.validate(input));
    assert.deepEqual(issues.map(({ kind, path, message }) => [kind, path[0], message]), [
      ["required", "width", "Enter a width."],
      ["required", "depth", "Enter a depth."],
      ["required", "height", "Enter a height."],
    ]);
  }
});

test("every issue is of the first stage that fails, and what it proposes is possible", () => {
  let seen = 0;
  for (const stage of ["boundary", "constraint", "size"]) {
    for (const c of conformance("illustrative-" + stage).cases) {
      const box = profile(c.article, c.material);
      const dims = { width: c.width, depth: c.depth, height: c.height };
      const { issues } = sound(box.validate(dims));
      const all = box.checkAll(dims);
      const first = all.filter((violation) => violation.stage == all[0].stage);
      assert.deepEqual((issues ?? []).map(({ code }) => code), first.map(({ code }) => code), JSON.stringify(c));
      const ranges = box.ranges(dims);
      for (const { code, params, kind } of issues ?? []) {
        const there = ranges[params.field];
        if (there.length > 0) {
          // Changing one dimension is enough, so the issue has the next valid values.
          assert.equal(params.value, dims[params.field]);
          const above = there.find(({ min }) => min > params.value);
          const below = there.findLast(({ max }) => max < params.value);
          const { min, safe_min = min } = above ?? {};
          const { max, safe_max = max } = below ?? {};
          assert.deepEqual([params.min, params.max], [safe_min, safe_max], JSON.stringify(c));
        }
        for (const end of [params.min, params.max]) {
          if (end == null) continue;
          seen++;
          const changed = { ...dims, [params.field]: end };
          assert.ok(!box.checkAll(changed).some((violation) => violation.code == code), `${JSON.stringify(c)}: ${kind} ${end} breaks ${code} again`);
        }
      }
    }
  }
  assert.ok(seen > 2000, `${seen} proposals`);
});

const garbage = [
  null, undefined, true, false, 0, NaN, Infinity, -Infinity, 1e7, -1e300, Number.MIN_VALUE, 5n, 10n ** 400n, Symbol("s"),
  "", " ", "x", "48,5", "4e1", "0x10", "NaN", "Infinity", "1".repeat(65), "9".repeat(100_000), "\u0661", "\ud800", "{field}",
  [], [48], [[48]], {}, { width: 1 }, Object.create(null), new Date(NaN), new Map(), () => 1, /x/, new Proxy({}, {}),
  { trim: 1 }, { trim: true, length: 2 }, JSON.parse('{"trim": 1, "length": 1, "toString": 1, "valueOf": 1}'),
  { valueOf: () => 48 }, { toString: () => "48", length: 2 }, { trim: () => "48", length: 2, toString: () => "48" },
];
const named = (value) => typeof value + " " + (typeof value == "object" ? JSON.stringify(value) : String(value).slice(0, 20));

test("garbage as input gets issues for all three fields", () => {
  for (const value of garbage) {
    const name = named(value);
    let result;
    assert.doesNotThrow(() => (result = schema.validate(value)), name);
    assert.ok(sound(result).issues, name);
    if (!value?.width) assert.deepEqual(result.issues.map(({ path }) => path[0]), FIELDS, name);
  }
});

for (const field of FIELDS) {
  test("garbage as " + field, () => {
    for (const value of garbage) {
      const name = named(value);
      let result;
      assert.doesNotThrow(() => (result = schema.validate({ width: 143, depth: 50, height: 303, [field]: value })), name);
      sound(result);
      assert.ok(result.issues, name + " is taken for a dimension of a valid box");
      if (Math.abs(typeof value == "number" ? value : NaN) <= 1e6) continue; // a dimension after all
      assert.deepEqual(result.issues.map(({ path }) => path[0]), [field], name);
      assert.equal(result.issues[0].code, undefined, name);
    }
  });
}

test("what cannot be read is missing", () => {
  const thrower = (name) => Object.defineProperty({ width: 143, depth: 50, height: 303 }, name, { enumerable: true, get() { throw new Error(name); } });
  for (const name of ["width", "email"]) {
    assert.deepEqual(sound(schema.validate(thrower(name))).issues.map(({ kind, path }) => [kind, path[0]]), FIELDS.map((field) => ["required", field]));
  }
  const hidden = Object.defineProperty(thrower("depth"), "depth", { enumerable: false });
  assert.deepEqual(sound(schema.validate(hidden)).issues.map(({ path }) => path[0]), ["depth"]);
  class Box { get width() { return "143"; } get depth() { return 50; } height = 303; }
  assert.deepEqual(sound(schema.validate(new Box())).value, { width: 143, depth: 50, height: 303 }, "accessors of a class are read");
});

test("own keys of the input do no harm", () => {
  const given = JSON.parse('{"__proto__": {"polluted": 1}, "constructor": 1, "width": 143, "depth": 50, "height": 303}');
  const { value } = sound(schema.validate(given));
  assert.equal(value.polluted, undefined);
  assert.equal({}.polluted, undefined);
});

test("every article in every material", () => {
  for (const [article, { title, materials }] of Object.entries(articles)) {
    assert.ok(title);
    assert.ok(materials.length > 0);
    for (const material of materials) {
      const box = profile(article, material);
      assert.deepEqual([box.article, box.material], [article, material]);
      const { issues } = sound(box.validate({ width: 1, depth: 1, height: 1 }));
      assert.equal(issues[0].code, box.check({ width: 1, depth: 1, height: 1 }).code);
    }
  }
});

test("no such article, no such material", () => {
  for (const [article, material, field] of [
    ["nope", "carton-300", "article"],
    ["__proto__", "carton-300", "article"],
    ["constructor", "carton-300", "article"],
    ["", "", "article"],
    [undefined, undefined, "article"],
    ["tuck-end", "e-flute", "material"],
    ["tuck-end", "toString", "material"],
    ["tuck-end", undefined, "material"],
  ]) {
    assert.throws(() => profile(article, material), { name: /Error$/, field }, `${article} in ${material}`);
  }
});
