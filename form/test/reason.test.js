import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import test from "node:test";
import { articles, profile } from "../index.js";
import { blank, trees } from "../details.js";
import { reason, variables } from "../demo/reason.js";

const words = {
  number: String,
  length: (x) => `${+x.toFixed(3)} mm`,
  variable: (name) => name.replace("_", " "),
  subject: (name) => name.replace("_", " "),
  all: (texts) => texts.join(" and "),
  min: (texts) => `the least of ${texts.join(", ")}`,
  max: (texts) => `the greatest of ${texts.join(", ")}`,
  ">": "is more than", ">=": "is at least", "<": "is less than", "<=": "is at most", "==": "is", "!=": "is not",
};

test("reasons in words", () => {
  const box = { width: 48, depth: 141, height: 184 };
  const more = [">", "depth", "width"];
  const less = ["<", "height", "depth"];
  for (const [tree, want] of [
    [more, "depth (141 mm) is more than width (48 mm)"],
    [less, undefined],
    [["!", less], "height (184 mm) is at least depth (141 mm)"],
    [["!", ["==", "width", "depth"]], "width (48 mm) is not depth (141 mm)"],
    [["==", "width", 48], "width (48 mm) is 48 mm"],
    [["&&", more, [">=", "width", 48]], "depth (141 mm) is more than width (48 mm) and width (48 mm) is at least 48 mm"],
    [["&&", more, less], undefined],
    [["||", less, more], "depth (141 mm) is more than width (48 mm)"],
    [["||", more, [">", "height", 1]], "depth (141 mm) is more than width (48 mm)"],
    [["||", more, more], "depth (141 mm) is more than width (48 mm)"],
    [["&&", more, more], "depth (141 mm) is more than width (48 mm)"],
    [["!", ["||", less, ["<", "depth", "width"]]], "height (184 mm) is at least depth (141 mm) and depth (141 mm) is at least width (48 mm)"],
    [["!", ["&&", less, more]], "height (184 mm) is at least depth (141 mm)"],
    [[">", ["*", ["/", 1, 3], "depth"], ["-", "width", 1.5]], "1 / 3 × depth (47 mm) is more than width − 1.5 (46.5 mm)"],
    [["<", ["*", ["+", "width", 2], 2], ["-", "height", ["-", "depth", 60]]], "(width + 2) × 2 (100 mm) is less than height − (depth − 60) (103 mm)"],
    [["<", ["-", "width"], ["/", "depth", ["*", 2, 2]]], "−width (-48 mm) is less than depth / (2 × 2) (35.25 mm)"],
    [[">", ["max", "width", "depth"], ["min", "width", "depth", 200]], "the greatest of width, depth (141 mm) is more than the least of width, depth, 200 (48 mm)"],
    [[">", ["+", ["max", "width", "depth"], "height"], ["max", ["min", "width", "depth"], 7]],
      "(the greatest of width, depth) + height (325 mm) is more than the greatest of (the least of width, depth), 7 (48 mm)"],
    [[">", "caliper", 1], "caliper is more than 1 mm"], // not known here
    [[">", ["/", "depth", 3], ["*", 47.0000000001, 1]], undefined], // a tie but for rounding
  ]) {
    assert.equal(reason(tree, box, words), want, JSON.stringify(tree));
  }
});

test("a variable that stands alone may have an article, one that is calculated with has none", () => {
  const box = { width: 48, depth: 141, height: 184 };
  const french = { ...words, subject: (name) => "la " + name };
  for (const [tree, want] of [
    [[">", "depth", "width"], "la depth (141 mm) is more than la width (48 mm)"],
    [[">", "depth", 60], "la depth (141 mm) is more than 60 mm"],
    [[">", ["+", "width", "depth"], "width"], "width + depth (189 mm) is more than la width (48 mm)"],
    [["<", ["min", "width", "depth"], 50], "the least of width, depth (48 mm) is less than 50 mm"],
  ]) {
    assert.equal(reason(tree, box, french), want);
  }
});

test("there is a reason for exactly the rules that are violated", () => {
  const folder = new URL("../../conformance/cases/", import.meta.url);
  let violated = 0;
  for (const name of readdirSync(folder).filter((name) => name.startsWith("illustrative-"))) {
    for (const { article, material, codes, width, depth, height } of JSON.parse(readFileSync(new URL(name, folder))).cases) {
      if (!articles[article]?.materials.includes(material)) continue; // cases of what is no box
      const p = profile(article, material);
      const dims = { width, depth, height };
      const values = variables(dims, p.limits, blank(article, material, dims));
      const rules = [...new Set(p["~rules"].map((rule) => rule.code))];
      assert.deepEqual(rules.filter((code) => reason(trees[code], values, words)), codes, JSON.stringify({ article, material, dims }));
      violated += codes.length;
    }
  }
  assert.ok(violated > 1000, `${violated} violations`);
});
