// Whatever any function of the package is given, in any place: an answer, or one error that names
// what is wrong.

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { JSDOM } from "jsdom";
import * as index from "boxrules-form";
import * as evaluator from "boxrules-form/evaluator";
import * as search from "boxrules-form/nearest";
import * as advice from "boxrules-form/suggest";
import de from "boxrules-form/locales/de";
import { bundle } from "./helper.js";

const DIMS = { width: 48, depth: 141, height: 184 };
const box = index.profile("tuck-end", "carton-300");

const revoked = () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
};
const fail = () => {
  throw new SyntaxError("from without");
};
const throwing = new Proxy({}, { get: fail, has: fail, ownKeys: fail, getPrototypeOf: fail, getOwnPropertyDescriptor: fail });

/** Made for each test, as some change when they are read. */
const odd = () => [
  undefined, null, true, false, 0, -0, 1, 48, -1, NaN, Infinity, 1e300, 0.0001, 1n, 10n ** 400n, Symbol("s"), Symbol.iterator,
  "", " ", "48", "4e1", "toString", "__proto__", "constructor", "tuck-end", "de", "\ud800", "{width}", "x".repeat(1e5),
  [], [48], [[]], [null], ["tuck-end"], {}, { width: 1 }, Object.create(null), Object.create({ width: 48 }), Object.freeze({}),
  new Date(), new Date(NaN), new Number(48), new String("48"), new Boolean(true), Object(1n), Object(Symbol("s")), new Map(), /x/, new Error("e"),
  () => 1, class {}, function* () {}, Promise.resolve(48), new Proxy({}, {}), throwing, revoked(), globalThis,
  { valueOf: () => 48 }, { toString: fail }, { valueOf: fail, toString: fail }, { [Symbol.toPrimitive]: fail }, { length: 2 ** 31 },
  { get width() { fail(); } }, { toString: 1, valueOf: 1 }, { "~rules": null }, { lang: Symbol("s") }, { lang: revoked() },
];

/** A box that has something odd in each place, or in one. */
const oddBoxes = () => [
  ...odd().map((x) => ({ width: x, depth: x, height: x })),
  ...Object.keys(DIMS).flatMap((field) => odd().map((x) => ({ ...DIMS, [field]: x }))),
  ...Object.keys(DIMS).map((field) => Object.defineProperty({ ...DIMS }, field, { get: fail, enumerable: true })),
  // Other values each time that they are read.
  ...odd().map((x) => {
    let reads = 0;
    return { ...DIMS, get depth() { return reads++ % 2 ? x : 141; } };
  }),
];

const functions = {
  "index.profile": [index.profile, "tuck-end", "carton-300", de],
  "index.parse": [index.parse, "48,5", "de"],
  "index.nearest": [index.nearest, box, DIMS, 1],
  "index.turned": [index.turned, box, DIMS],
  "index.suggest": [index.suggest, box, DIMS, 1],
  "evaluator.parse": [evaluator.parse, "48,5", "de"],
  "nearest.nearest": [search.nearest, box, DIMS, 1],
  "suggest.turned": [advice.turned, box, DIMS],
  "suggest.suggest": [advice.suggest, box, DIMS, 1],
  ...Object.fromEntries(Object.keys(box).filter((key) => typeof box[key] == "function").map((key) => ["profile." + key, [box[key], DIMS, ...(key == "nearest" || key == "suggest" ? [1] : [])]])),
  "~standard.validate": [box["~standard"].validate, DIMS],
};

test("these are all", () => {
  // What boxrules writes is the argument of evaluator, and InputError has only texts.
  const own = ["InputError", "evaluator", "FIELDS", "dot", "firstInFloat", "get", "grid", "gridStep", "holds", "numberReader", "offEdge", "rulesIn", "sidesOf"];
  for (const [name, module] of Object.entries({ index, evaluator, nearest: search, suggest: advice })) {
    for (const [key, f] of Object.entries(module)) {
      if (typeof f == "function" && !own.includes(key)) assert.ok(functions[name + "." + key], name + "." + key);
    }
  }
  for (const key of ["check", "checkAll", "borderline", "ranges", "validate", "nearest", "turned", "suggest"]) assert.ok(functions["profile." + key], key);
});

const refused = (error, name) => {
  assert.ok(error instanceof index.InputError, `${name}: ${error.stack}`);
  assert.match(error.message, /^(article|material|dims|width|depth|height|step|profile): [^\n]+$/, name);
  assert.ok(error.message.startsWith(error.field + ": "), name);
};

for (const [name, [f, ...good]] of Object.entries(functions)) {
  test(name, () => {
    f(...good); // does not throw
    let thrown = 0;
    const attempt = (...given) => {
      try {
        f(...given);
      } catch (error) {
        thrown++;
        refused(error, name);
      }
    };
    attempt();
    for (const place of good.keys()) {
      for (const x of [...odd(), ...(good[place] == DIMS ? oddBoxes() : [])]) {
        const given = [...good];
        given[place] = x;
        attempt(...given);
      }
    }
    for (const x of odd()) attempt(...good.map(() => x));
    const never = /parse|blank|validate/.test(name);
    assert.ok(never ? thrown == 0 : thrown > 50, `${thrown} errors`);
  });
}

test("what is said of odd input is said in words", () => {
  for (const input of [...odd(), ...oddBoxes()]) {
    for (const issue of box.validate(input).issues ?? []) assert.doesNotMatch(issue.message, /[{}]|undefined|null|NaN|\[object|function/);
  }
});

test("odd messages are as none", () => {
  for (const messages of [...odd(), ...odd().filter((x) => typeof x != "string").map((x) => ({ atMost: x, depth: x, lang: x, mm: x }))]) {
    assert.equal(index.profile("tuck-end", "carton-300", messages).validate(DIMS).issues[0].message, "Depth must be at most 48 mm.");
  }
  const inherited = index.profile("tuck-end", "carton-300", { atMost: "{toString}{constructor}{__proto__}{max}" });
  assert.equal(inherited.validate(DIMS).issues[0].message, "48");
});

test("a unit that is called as what every object has", () => {
  const rules = [{ code: "A_0001", stage: "boundary", asWritten: ({ width, max_width }) => width > max_width }];
  for (const unit of ["toString", "constructor", "__proto__", "valueOf", "hasOwnProperty"]) {
    const limits = { width: { min: 1, max: 9 }, depth: { min: 1, max: 9 }, height: { min: 1, max: 9 } };
    const articles = { a: { title: "A", limits, all: [0], materials: { m: [] } } };
    const tables = { unit, decimals: 3, rules, planes: [[-1, 0, 0, [0]], [1, 0, 0, [0]]], halves: [], conditions: [[0, 1]], all: [], materials: {}, articles };
    const texts = { lang: "en", width: "Width", atMost: "{field}: {max} {unit}" };
    const made = evaluator.evaluator({ ...tables, planes: [...Array(6)].map((_, i) => [i == 1 ? 1 : 0, 0, 0, [0]]) }, texts)("a", "m");
    assert.equal(made.validate({ width: 10, depth: 5, height: 5 }).issues[0].message, "Width: 9 " + unit);
  }
});

test("the example of a number has no more decimals than one may have", () => {
  const limits = { width: { min: 1, max: 9 }, depth: { min: 1, max: 9 }, height: { min: 1, max: 9 } };
  const planes = Array(6).fill([0, 0, 0, [0]]);
  const tables = { unit: "mm", rules: [], planes, halves: [], conditions: [], all: [], materials: {}, articles: { a: { title: "A", limits, all: [], materials: { m: [] } } } };
  for (const [decimals, example] of [50, 48.5, 48.5, 48.5].entries()) {
    const { issues } = evaluator.evaluator({ ...tables, decimals }, { number: "{example}" })("a", "m").validate({ width: "x", depth: 5, height: 5 });
    assert.deepEqual([issues[0].params.example, issues[0].message], [example, String(example)]);
  }
});

// ---- attach

let code;

before(async () => {
  code = await bundle(`export { attach } from "./dom.js"; export { profile } from "./boxrules.js";`);
});

test("dom.attach", () => {
  const { window } = new JSDOM(`<!doctype html><form><input name=width value=48><input name=depth value=141><input name=height value=184></form><p>`, { runScripts: "outside-only" });
  window.eval(code);
  const { attach, profile } = window.exports;
  const form = window.document.querySelector("form");
  const html = form.outerHTML;
  const carton = profile("tuck-end", "carton-300");
  let thrown = 0;
  const attempt = (field, ...given) => {
    try {
      attach(...given).detach();
    } catch (error) {
      thrown++;
      assert.ok(error instanceof window.RangeError, error.stack);
      assert.equal(error.field, field);
      assert.match(error.message, new RegExp(`^${field}: what was given is not a [^\n]+$`));
    }
    assert.equal(form.outerHTML, html);
  };
  attempt("form");
  for (const x of [...odd(), window.document, window.document.querySelector("p")]) {
    attempt("form", x, { profile });
    attempt("profile", form, x);
    if (typeof x != "function") attempt("profile", form, { profile: x }); // a function may be one that gives profiles
    if (typeof x != "function") attempt("onresult", form, { profile, onresult: x });
    attempt("step", form, { profile: carton, step: x });
    attempt("messages", form, { profile: carton, messages: x });
    attempt("messages", form, { profile: carton, messages: { lang: x, turn: x, use: x, valid: x, articleChoice: x } });
  }
  assert.ok(thrown > 200, `${thrown} errors`);
});
