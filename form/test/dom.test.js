// The helper for forms, in pages of many kinds.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { before, test } from "node:test";
import { JSDOM } from "jsdom";
import { bundle, FIELDS, folder } from "./helper.js";

const plain = FIELDS.map((name) => `<label>${name} <input name="${name}" type="number" step="any"></label>`).join("");
const choice = `
  <select name="article"><option value=""><option>tuck-end<option>tray<option>nope</select>
  <select name="material"><option value=""><option>carton-300<option>carton-400<option>e-flute</select>`;
const page = `<form>${plain}</form>`;

const BOX = { width: 48, depth: 500, height: 184 }; // turned it is no better
const TURNABLE = { width: 48, depth: 141, height: 184 };
const TOO_DEEP = "Depth must be at most 48 mm.";

let code;

before(async () => {
  code = await bundle(`
    export { attach } from "./dom.js";
    export { articles, profile } from "./boxrules.js";
    export { default as de } from "./locales/de.js";
    export { default as en } from "./locales/en.js";
    export { default as fr } from "./locales/fr.js";
    export { act, createElement, useState } from "react";
    export { createRoot } from "react-dom/client";`);
});

/** A page with its own clock, and what a visitor can do to its form. */
const open = (html, fill = {}) => {
  const { window } = new JSDOM("<!doctype html>" + html, { runScripts: "outside-only" });
  const { document } = window;
  let now = 0;
  let tasks = [];
  window.setTimeout = (run, wait = 0) => (tasks.push({ run, at: now + wait }), tasks.at(-1));
  window.clearTimeout = (task) => (tasks = tasks.filter((other) => other != task));
  // React uses it for its tests alone; that of node keeps the process alive.
  window.MessageChannel = class {
    port1 = {};
    port2 = { postMessage: () => setTimeout(() => this.port1.onmessage()) };
  };
  window.IS_REACT_ACT_ENVIRONMENT = true;
  window.eval(code);
  const form = document.querySelector("form");
  for (const name in fill) form.elements[name].value = fill[name];
  const { exports } = window;
  return {
    ...exports,
    window,
    document,
    form,
    box: exports.profile("tuck-end", "carton-300"),
    wait: (time) => {
      now += time;
      for (const task of tasks.filter(({ at }) => at <= now)) {
        tasks = tasks.filter((other) => other != task);
        task.run();
      }
    },
    fire: (name, type) => form.elements[name].dispatchEvent(new window.Event(type, { bubbles: type != "invalid" })),
    type: (values) => {
      for (const name in values) {
        form.elements[name].value = values[name];
        const at = form.elements[name];
        (at.form ? at : [...at].find((radio) => radio.checked)).dispatchEvent(new window.Event("input", { bubbles: true }));
      }
    },
    /** The message at a control. */
    said: (name) => document.querySelector(`[data-boxrules-message=${name}]`).textContent,
    button: () => document.querySelector("[data-boxrules-suggestion]"),
    status: () => document.querySelector("[data-boxrules-status]"),
    bounds: (name) => [form.elements[name].min, form.elements[name].max],
  };
};

// ---- Messages

test("at the blamed control, as its validity, its description and for the eye", () => {
  const { attach, form, box, said } = open(page, BOX);
  attach(form, { profile: box });
  const { depth, width } = form.elements;
  assert.equal(depth.validationMessage, TOO_DEEP);
  assert.equal(said("depth"), TOO_DEEP);
  assert.equal(depth.getAttribute("aria-invalid"), "true");
  assert.equal(width.getAttribute("aria-invalid"), "false");
  assert.ok(width.validity.valid && !depth.validity.valid);
  assert.equal(said("width"), "");
});

test("an empty control is not complained of before it was changed or the form submitted, and keeps it from being sent", () => {
  for (const attempt of [({ form }) => form.checkValidity(), ({ fire }) => fire("width", "change")]) {
    const opened = open(page);
    const { attach, form, box, said } = opened;
    attach(form, { profile: box });
    const { width } = form.elements;
    assert.deepEqual([width.validationMessage, said("width"), width.getAttribute("aria-invalid")], ["Enter a width.", "", "false"]);
    opened.type({ height: 5 });
    opened.type({ width: 5 });
    opened.type({ width: "" });
    assert.equal(said("width"), "", "who is typing is not done");
    attempt(opened);
    assert.deepEqual([said("width"), width.getAttribute("aria-invalid")], ["Enter a width.", "true"]);
  }
});

test("after a reset the form is as it was at first", () => {
  const { attach, form, box, said, type, wait } = open(`<form>${plain}<button type=reset></button></form>`);
  attach(form, { profile: box });
  form.checkValidity();
  type(BOX);
  assert.equal(said("depth"), TOO_DEEP);
  form.querySelector("[type=reset]").click();
  wait(0);
  assert.deepEqual(FIELDS.map(said), ["", "", ""], "what has been touched is not any more");
  assert.equal(form.elements.depth.validationMessage, "Enter a depth.", "it was not checked after the reset");
});

test("what a browser fills in when it goes back is checked", () => {
  const { attach, form, box, window } = open(page);
  const { detach } = attach(form, { profile: box });
  const back = (dims) => {
    for (const name in dims) form.elements[name].value = dims[name];
    window.dispatchEvent(new window.Event("pageshow"));
  };
  back({ ...BOX, depth: 40 });
  assert.ok(form.checkValidity());
  back(BOX);
  assert.equal(form.elements.depth.validationMessage, TOO_DEEP);
  detach();
  back(BOX);
  assert.equal(form.elements.depth.validationMessage, "");
});

test("a detached form is not checked by a reset that was under way", () => {
  const { attach, form, box, wait } = open(`<form>${plain}<button type=reset></button></form>`, BOX);
  const { detach } = attach(form, { profile: box });
  form.querySelector("[type=reset]").click();
  detach();
  wait(0);
  assert.ok(form.checkValidity());
});

test("what is not a number is not taken for an empty control", () => {
  const { attach, form, box, said, type } = open(page, { width: 48, height: 184 });
  attach(form, { profile: box });
  // As browsers have it: jsdom has no such state.
  Object.defineProperty(form.elements.depth, "validity", { value: { badInput: true } });
  type({ width: 48 });
  assert.equal(said("depth"), "Depth must be a plain number, such as 48 or 48.5.");
});

test("a nought is said to be too small", () => {
  const { attach, form, box, said } = open(page, { ...BOX, width: 0 });
  attach(form, { profile: box });
  assert.equal(said("width"), "Width must be at least 20 mm.");
});

test("in an input of type text a decimal comma is read and written where the language has one", () => {
  const { attach, form, profile, de, said, button, bounds, type } = open(page.replaceAll("number", "text"), { width: "371,5", depth: 30, height: 100 });
  const attached = (messages) => attach(form, { profile: profile("tuck-end", "carton-300", messages), messages });
  attached(de);
  assert.ok(form.checkValidity());
  assert.deepEqual(bounds("width"), ["30", "400"]);
  type({ width: "1.234" });
  assert.equal(said("width"), "1.234 ist nicht eindeutig: Schreiben Sie 1234 oder 1,234.");
  type({ width: "600,125", depth: "30.5" });
  assert.equal(button().textContent, "400 × 30,5 × 100 mm übernehmen (ändert: Länge)");
  type({ width: "48,001", depth: "141" });
  assert.equal(button().textContent, "Schachtel drehen: 141 × 48,001 × 100 mm");
  button().click();
  assert.deepEqual(FIELDS.map((name) => form.elements[name].value), ["141", "48,001", "100"], "48.001 could be 48001");
  assert.ok(form.checkValidity());
  attached();
  assert.equal(said("depth"), "48,001 is not clear: write 48001 or 48.001.");
  type({ width: "48.001", depth: "141" });
  button().click();
  assert.deepEqual(FIELDS.map((name) => form.elements[name].value), ["141", "48.001", "100"]);
});

test("an input of type number has a point in every language", () => {
  const { attach, form, profile, de, said, type, button } = open(page, { width: "48.125", depth: "141", height: "184.5" });
  attach(form, { profile: profile("tuck-end", "carton-300", de), messages: de });
  assert.equal(said("depth"), "Die Breite darf höchstens 48,125 mm betragen.");
  button().click();
  assert.deepEqual(FIELDS.map((name) => form.elements[name].value), ["141", "48.125", "184.5"]);
  assert.ok(form.checkValidity());
  for (const text of ["4e1", ".5"]) { // which the server would refuse
    type({ depth: text });
    assert.match(said("depth"), /ohne Tausendertrennzeichen/, text);
  }
});

test("the choice of an article and a material", () => {
  for (const language of ["de", "en", "none"]) {
    const { attach, form, profile, type, said, ...more } = open(`<form>${choice}${plain}</form>`, BOX);
    const messages = more[language];
    const { articleChoice, materialChoice } = messages ?? more.en;
    const results = [];
    attach(form, { profile, messages, onresult: (result) => results.push(result) });
    const { article } = form.elements;
    assert.deepEqual([article.validationMessage, said("article"), article.getAttribute("aria-invalid")], [articleChoice, "", "false"], language);
    type({ article: "nope" });
    assert.deepEqual([article.validationMessage, said("article"), said("material")], [articleChoice, articleChoice, ""]);
    assert.deepEqual(JSON.parse(JSON.stringify(results.at(-1))), { issues: [{ message: articleChoice, path: ["article"], kind: "choice" }] });
    type({ article: "tuck-end" });
    assert.deepEqual([said("article"), form.elements.material.validationMessage, said("material")], ["", materialChoice, ""]);
    type({ material: "e-flute" });
    assert.equal(said("material"), materialChoice);
    assert.equal(said("depth"), "");
    type({ material: "carton-300" });
    assert.deepEqual([said("article"), said("material"), article.validationMessage], ["", "", ""]);
    assert.equal(said("depth"), profile("tuck-end", "carton-300", messages).validate(BOX).issues[0].message);
  }
});

test("without a locale it says the English of the locale", () => {
  const said = (messages) => {
    const { attach, form, profile, wait, type, button, status, en } = open(`<form>${choice}${plain}</form>`, { ...BOX, article: "tuck-end", material: "carton-300" });
    attach(form, { profile, messages: messages && en });
    const use = button().textContent;
    type({ depth: 48 });
    wait(500);
    return [use.replace(/: \w+/, (word) => word.toLowerCase()), status().textContent];
  };
  assert.deepEqual(said(false), said(true));
  assert.match(said(false)[0], /^Use 48 × 48 × 184 mm \(changes: depth\)$/);
});

test("another error of the profile is not taken for a choice", () => {
  const { attach, form } = open(page);
  assert.throws(() => attach(form, { profile: () => { throw new TypeError("no choice"); } }), /no choice/);
});

test("material as radio buttons", () => {
  const radios = ["carton-300", "e-flute"].map((name) => `<label><input type=radio name=material value="${name}">${name}</label>`).join("");
  const { attach, form, profile, said, type, en } = open(`<form><input name=article value=tuck-end>${radios}${plain}</form>`, BOX);
  attach(form, { profile });
  const [first] = form.elements.material;
  assert.equal(first.validationMessage, en.materialChoice);
  type({ material: "e-flute" });
  assert.deepEqual([said("material"), first.getAttribute("aria-invalid"), said("depth")], [en.materialChoice, "true", ""]);
  type({ material: "carton-300" });
  assert.deepEqual([said("material"), first.validationMessage, said("depth")], ["", "", TOO_DEEP]);
});

// ---- The attributes of the controls

test("min and max are the range of a valid box, and of what is blamed", () => {
  const { attach, form, box, bounds, type } = open(page.replaceAll("step=\"any\"", "step=2"), { width: 143, depth: 50, height: 303 });
  attach(form, { profile: box });
  assert.deepEqual(bounds("depth"), ["15", "143"]);
  assert.equal(form.elements.depth.step, "any");
  type(TURNABLE);
  assert.deepEqual(bounds("depth"), ["15", "48"]);
  assert.equal(box.ranges(TURNABLE).width[0].min, 141);
  const { min, max } = box.limits.width;
  assert.deepEqual(bounds("width"), [min, max].map(String), "not blamed: the article's limits, not the range from 141");
});

test("nothing that is said or set is borderline", () => {
  const third = { width: 60.3, depth: 25, height: 400 }; // a third of 60.3 is 20.1, but not in floating point
  const { attach, form, profile, bounds, said, button } = open(page, third);
  attach(form, { profile: profile("tuck-end-slim", "carton-300"), step: 0.1 });
  assert.equal(said("depth"), "Depth must be at most 20.099 mm.");
  assert.deepEqual(bounds("depth"), ["5", "20.099"]);
  assert.match(button().textContent, /^Use 60.3 × 20 × 400 mm/);
});

test("the step is that of the profile's decimals", () => {
  for (const [decimals, step] of ["1", "0.1", "0.01", "any"].entries()) {
    const { attach, form, box } = open(page, { width: 143, depth: 50, height: 303 });
    attach(form, { profile: { ...box, decimals } });
    for (const name of FIELDS) assert.equal(form.elements[name].step, step);
    assert.ok(form.checkValidity());
  }
});

test("the browser does not object to a valid box that was rounded", () => {
  const { attach, form, box, said } = open(page, { width: 100.0004, depth: 100.0003, height: 184 });
  assert.equal(box.validate({ width: 100.0004, depth: 100.0003, height: 184 }).issues, undefined);
  attach(form, { profile: box });
  assert.ok(form.checkValidity(), FIELDS.map((name) => form.elements[name].max).join());
  assert.deepEqual(FIELDS.map(said), ["", "", ""]);
});

test("nor to what is beyond its limits while another dimension is missing", () => {
  const { attach, form, box } = open(page, { depth: 50, height: 9999 });
  attach(form, { profile: box });
  assert.ok(form.elements.height.validity.valid);
  assert.deepEqual([form.elements.width.min, form.elements.width.max], [box.limits.width.min, box.limits.width.max].map(String), "an empty control is not 0");
});

test("no bounds of a choice that is no more", () => {
  const { attach, form, profile, type, bounds } = open(`<form>${choice}${plain}</form>`, { ...BOX, depth: 48, article: "tuck-end", material: "carton-300" });
  attach(form, { profile });
  assert.deepEqual(bounds("depth"), ["15", "48"]);
  type({ material: "e-flute", depth: 141 });
  assert.deepEqual(bounds("depth"), ["", ""]);
  assert.ok(form.elements.depth.validity.valid);
  type({ material: "carton-300" });
  assert.deepEqual(bounds("depth"), ["15", "48"]);
});

test("a range input is never moved", () => {
  const slider = `<input name=depth type=range min=0 max=1000 value=900>`;
  const { attach, form, profile, bounds, type, said } = open(`<form>${choice}<input name=width value=48>${slider}<input name=height value=184></form>`, { article: "tuck-end", material: "carton-300" });
  const { depth } = form.elements;
  attach(form, { profile });
  const { min, max } = profile("tuck-end", "carton-300").limits.depth;
  assert.deepEqual([depth.value, ...bounds("depth")], ["900", String(min), "900"]);
  assert.ok(max < 900 && said("depth").startsWith("Depth must be at most"));
  type({ depth: 141 });
  assert.deepEqual([depth.value, ...bounds("depth")], ["141", String(min), String(max)], "the limits, not the range up to 48");
  type({ depth: 20.25 });
  assert.deepEqual([depth.value, ...bounds("depth")], ["20.25", String(min), String(max)]);
  type({ material: "e-flute" });
  assert.deepEqual([depth.value, ...bounds("depth")], ["20.25", String(min), String(max)], "without any they would be 0 and 100");
});

// ---- The suggestion

test("the button makes the box, tells the page and has the focus go where it changed something", () => {
  const { attach, form, box, button, document, said } = open(page, BOX);
  attach(form, { profile: box });
  const heard = [];
  for (const type of ["input", "change"]) form.addEventListener(type, ({ target }) => heard.push(type + " " + target.name));
  assert.equal(button().type, "button");
  assert.equal(button().textContent, "Use 48 × 48 × 184 mm (changes: depth)");
  button().click();
  assert.equal(form.elements.depth.value, "48");
  assert.deepEqual(heard, ["input depth", "change depth"]);
  assert.equal(document.activeElement, form.elements.depth);
  assert.deepEqual([button().hidden, button().textContent, said("depth")], [true, "", ""]);
});

test("a box that only has to be turned", () => {
  for (const [language, words, opens] of [
    ["none", "Turn the box:", "(another side opens)"],
    ["en", "Turn the box:", "(another side opens)"],
    ["de", "Schachtel drehen:", "(eine andere Seite öffnet sich)"],
    ["fr", "Tourner la boîte :", "(un autre côté s’ouvre)"],
  ]) {
    const { attach, form, profile, type, button, document, ...locales } = open(page.replaceAll("any", "1"), TURNABLE);
    const messages = locales[language];
    attach(form, { profile: profile("tuck-end", "carton-300", messages), messages });
    const heard = [];
    for (const type of ["input", "change"]) form.addEventListener(type, ({ target }) => heard.push(type + " " + target.name));
    const half = language == "de" || language == "fr" ? "48,5" : "48.5";
    type({ width: 48.5 });
    assert.equal(button().textContent, `${words} 141 × ${half} × 184 mm`);
    heard.length = 0;
    button().click();
    assert.deepEqual(FIELDS.map((name) => form.elements[name].value), ["141", "48.5", "184"]);
    assert.deepEqual(heard, ["input width", "change width", "input depth", "change depth"], "the height stays as it was typed");
    assert.equal(document.activeElement, form.elements.width);
    assert.ok(form.checkValidity() && button().hidden);
    type({ width: 48.5, depth: 300, height: 20 });
    assert.equal(button().textContent, `${words} ${half} × 20 × 300 mm ${opens}`);
    button().click();
    assert.deepEqual(FIELDS.map((name) => form.elements[name].value), ["48.5", "20", "300"]);
    assert.ok(form.checkValidity());
  }
});

test("the turned box that is suggested leaves alone what the visitor cannot change", () => {
  const { attach, form, box, button } = open(page, TURNABLE);
  const { check } = attach(form, { profile: box });
  for (const [name, offered] of [
    ["height", "Turn the box: 141 × 48 × 184 mm"],
    ["depth", "Turn the box: 184 × 141 × 48 mm (another side opens)"],
    ["width", "Use 48 × 48 × 184 mm (changes: depth)"], // no turn is valid and leaves the width
  ]) {
    form.elements[name].disabled = true;
    check();
    assert.equal(button().textContent, offered);
    form.elements[name].disabled = false;
  }
  attach(form, { profile: { ...box, turned: undefined } });
  assert.equal(button().textContent, "Use 48 × 48 × 184 mm (changes: depth)");
});

test("in steps, in a language", () => {
  const { attach, form, profile, de, button } = open(page, { width: 1000.25, depth: 150.25, height: 1500.75 });
  const box = profile("tuck-end", "carton-300", de);
  attach(form, { profile: box, messages: de });
  assert.equal(button().textContent, "362 × 150,25 × 369 mm übernehmen (ändert: Länge, Höhe)");
  attach(form, { profile: box, messages: de, step: 0.5 });
  assert.equal(button().textContent, "362 × 150,25 × 369,5 mm übernehmen (ändert: Länge, Höhe)");
  attach(form, { profile: { ...box, nearest: () => ({ width: 1200.5, depth: 50, height: 60, changed: ["width"] }) }, messages: de });
  assert.equal(button().textContent, "1200,5 × 50 × 60 mm übernehmen (ändert: Länge)", "no grouping, which is not accepted as input");
});

test("the button's numbers can be typed, whatever digits the language has", () => {
  for (const [lang, half] of [["fa", "48.5"], ["bn", "48.5"], ["de-u-nu-arab", "48,5"]]) {
    const { attach, form, profile, said, button } = open(page.replaceAll("number", "text"), { ...BOX, width: half });
    const messages = { lang, use: "{width} {depth}", atMost: "{max}" };
    attach(form, { profile: profile("tuck-end", "carton-300", messages), messages });
    assert.equal(said("depth"), half, lang);
    assert.equal(button().textContent, half + " 48", lang);
    button().click();
    assert.ok(form.checkValidity(), lang);
  }
});

test("the unit's name is that of the messages on the button too", () => {
  const { attach, form, profile, button, said } = open(page, BOX);
  for (const [messages, unit] of [[{ mm: "millimetres" }, "millimetres"], [{ mm: "" }, ""], [{ mm: 5 }, "mm"], [{}, "mm"]]) {
    attach(form, { profile: profile("tuck-end", "carton-300", messages), messages });
    assert.equal(button().textContent, `Use 48 × 48 × 184 ${unit} (changes: depth)`);
    assert.equal(said("depth"), `Depth must be at most 48 ${unit}.`);
  }
  const { validate } = profile("tuck-end", "carton-300");
  const inUnit = (unit) => (value) => {
    const result = validate(value);
    return result.issues ? { issues: result.issues.map((issue) => ({ ...issue, params: { ...issue.params, unit } })) } : result;
  };
  for (const unit of ["constructor", "toString"]) {
    attach(form, { profile: { ...profile("tuck-end", "carton-300"), validate: inUnit(unit) } });
    assert.equal(button().textContent, `Use 48 × 48 × 184 ${unit} (changes: depth)`);
  }
});

test("a step that the profile does not take is refused at once", () => {
  const opened = open(`<form>${choice}${plain}</form>`, { width: 143, depth: 50, height: 303 });
  const { attach, form, profile, box, type, button, said } = opened;
  const before = form.outerHTML;
  const refused = (step, decimals, asked) => {
    const profileOf = () => ({ ...box, decimals });
    assert.throws(() => attach(form, { profile: asked ? profileOf : profileOf(), step }), ({ name, field, message }) => {
      assert.deepEqual([name, field], ["RangeError", "step"], String(step));
      assert.match(message, /^step: what was given is not a multiple of [\d.]+ from [\d.]+ to 1000$/);
      return true;
    });
    assert.equal(form.outerHTML, before, "what is refused changes nothing");
  };
  for (const step of [0, -1, 0.0005, 0.1234, 1000.5, 1001, NaN, Infinity, "1", null, {}, 1n, [1], new Number(1)]) {
    for (const asked of [false, true]) refused(step, undefined, asked);
  }
  for (const [step, decimals] of [[0.125, 2], [0.01, 1], [0.5, 0]]) {
    for (const asked of [false, true]) refused(step, decimals, asked);
  }
  for (const [step, decimals] of [[0.125, 3], [0.001, 3], [0.01, 2], [0.1, 1], [0.3, 1], [1, 0], [1000, 0], [undefined, 0]]) {
    attach(form, { profile: { ...box, decimals }, step }).detach();
  }

  // What was attached before stays.
  const first = attach(form, { profile: box });
  assert.throws(() => attach(form, { profile: box, step: 0 }), { field: "step" });
  type({ depth: 500 });
  assert.equal(said("depth"), "Depth must be at most 143 mm.");
  first.detach();

  // If nothing was chosen at first, the box gets its messages, but no suggestion.
  const errors = [];
  opened.window.addEventListener("error", (event) => (event.preventDefault(), errors.push(event.error.message)));
  let result;
  const decimal = (article, material) => ({ ...profile(article, material), decimals: article == "tray" ? 2 : 3 });
  attach(form, { profile: decimal, step: 0.125, onresult: (given) => (result = given) });
  type({ article: "tuck-end", material: "carton-300" });
  type(BOX);
  assert.match(button().textContent, /^Use 48/);
  assert.deepEqual(errors, []);
  type({ article: "tray" });
  assert.ok(errors[0].startsWith("step: "), errors[0]);
  assert.deepEqual([button().hidden, button().textContent], [true, ""], "of the box before");
  assert.equal(said("width"), "Width must be at least 60 mm.");
  assert.equal(result.issues[0].message, said("width"));
});

test("what has only some of a profile is none", () => {
  const { attach, form, box } = open(page);
  const before = form.outerHTML;
  for (const key of ["ranges", "validate", "limits"]) {
    const { [key]: _, ...rest } = box;
    for (const profile of [rest, { ...box, [key]: {} }, { [key]: box[key] }]) {
      assert.throws(() => attach(form, { profile }), { name: "RangeError", field: "profile" }, key);
    }
  }
  assert.equal(form.outerHTML, before);
});

test("a box that cannot be made is not sent where the blamed control cannot stop it", () => {
  for (const attributes of ["readonly", "disabled", "type=hidden"]) {
    const html = page.replace('name="depth"', `name=depth value=500 ${attributes}`).replace(/value=500 type=hidden type="number"/, "value=500 type=hidden");
    const { attach, form, box, said, type } = open(html, { width: 48, height: 184 });
    attach(form, { profile: box });
    const { width, depth, height } = form.elements;
    assert.equal(depth.willValidate, false, attributes);
    assert.equal(form.checkValidity(), false, attributes);
    assert.deepEqual([said("width"), said("depth"), said("height")], ["", TOO_DEEP, ""], "it is said where it belongs");
    assert.deepEqual([width.validationMessage, height.validationMessage], [TOO_DEEP, ""], "nothing helps alone: the first");
    // The width helps now, and then the height alone.
    depth.value = "141";
    type({ height: 184 });
    assert.deepEqual([width.validationMessage, height.validationMessage], ["Depth must be at most 48 mm.", ""]);
    type({ width: 141 });
    assert.ok(form.checkValidity());
  }
});

test("of those that can stop the form it is one whose change helps, else the first", () => {
  const { attach, form, box, type } = open(`<form>${choice}${plain}</form>`, { article: "tuck-end", material: "carton-300", width: 400, depth: 100, height: 500 });
  const helps = (values) => FIELDS.filter((name) => box.ranges(values)[name].length);
  const { width, depth, height, article, material } = form.elements;
  const stopped = () => [...form.elements].filter((e) => e.willValidate && !e.validity.valid).map((e) => e.name);
  const { check } = attach(form, { profile: box });
  const high = { width: 300, depth: 50, height: 500 };
  type(high);
  assert.deepEqual(helps(high), ["height"]);
  assert.deepEqual(stopped(), ["height"]);
  height.readOnly = true;
  check();
  assert.deepEqual(stopped(), ["width"], "none helps");
  height.readOnly = false;

  const large = { width: 300, depth: 180, height: 330 };
  type(large);
  assert.deepEqual([helps(large), stopped()], [["depth", "height"], ["height"]]);
  height.readOnly = true;
  check();
  assert.deepEqual(stopped(), ["depth"], "the width does not help");
  height.readOnly = false;

  const deep = { width: 48, depth: 141, height: 30 };
  type(deep);
  assert.deepEqual([helps(deep), stopped()], [["width", "depth"], ["depth"]]);
  depth.readOnly = true;
  check();
  assert.deepEqual(stopped(), ["width"]);
  width.readOnly = true;
  check();
  assert.deepEqual(stopped(), ["height"]);
  height.readOnly = true;
  check();
  assert.deepEqual(stopped(), [], "where nothing can be changed browsers let nothing stop the form");
  for (const control of [width, depth, height]) control.readOnly = false;
  check();
  assert.deepEqual(stopped(), ["depth"], "no one else's for longer than needed");

  attach(form, { profile: open("").profile });
  type({ article: "tray", material: "e-flute" });
  assert.deepEqual(stopped(), ["material"]);
  material.disabled = true;
  type({ article: "tray" });
  assert.deepEqual(stopped(), ["article"]);
});

test("a reset that the page prevents leaves all as it was", () => {
  const { attach, form, box, said, type, wait } = open(`<form>${plain}<button type=reset></button></form>`);
  attach(form, { profile: box });
  form.addEventListener("reset", (event) => event.preventDefault());
  form.checkValidity();
  type({ width: 48 });
  assert.equal(said("depth"), "Enter a depth.");
  form.querySelector("[type=reset]").click();
  wait(0);
  assert.equal(said("depth"), "Enter a depth.");
});

test("a lang that is not a language tag, and a text that is not given, are English", () => {
  for (const lang of ["xx_YY!!", "", "xx", undefined, 5]) {
    const { attach, form, box, button, status, wait, type } = open(page, { width: 1000.25, depth: 150.25, height: 1500.75 });
    attach(form, { profile: box, messages: { lang, use: undefined, valid: undefined }, step: 0.5 });
    assert.equal(button().textContent, "Use 362 × 150.25 × 369.5 mm (changes: width, height)", String(lang));
    type({ width: 143, depth: 50, height: 303 });
    wait(500);
    assert.equal(status().textContent, "This box can be made.");
  }
});

test("a text may name what there is not", () => {
  const { attach, form, box, button } = open(page, BOX);
  attach(form, { profile: box, messages: { use: "{width} {nothing}{code}{toString}{changed}" } });
  assert.equal(button().textContent, "48 depth");
});

test("two dimensions at once", () => {
  const dims = { width: 5, depth: 5, height: 184 };
  const { attach, form, box, button } = open(page, dims);
  const { check } = attach(form, { profile: box });
  const { depth } = form.elements;
  depth.disabled = true;
  check();
  assert.equal(button().hidden, true);
  depth.disabled = false;
  check();
  const suggestion = box.nearest(dims);
  assert.ok(suggestion.changed.length > 1, "choose a worse box for this test");
  button().click();
  for (const name of FIELDS) assert.equal(form.elements[name].value, String(suggestion[name]));
});

test("there is none that would change what the visitor cannot", () => {
  const { attach, form, box, button, said } = open(`<form><fieldset>${plain}</fieldset></form>`, BOX);
  const { check } = attach(form, { profile: box });
  const { depth, width } = form.elements;
  const fieldset = form.querySelector("fieldset");
  for (const [element, property, offered] of [[fieldset, "disabled", false], [depth, "disabled", false], [depth, "readOnly", false], [width, "disabled", true]]) {
    element[property] = true;
    check();
    assert.deepEqual([said("depth"), button().hidden], [TOO_DEEP, !offered], `${element.name} ${property}`);
    element[property] = false;
    check();
    assert.equal(button().hidden, false);
  }
});

test("there is none without nearest, where none is turned", () => {
  const { attach, form, box, button, said } = open(page, BOX);
  attach(form, { profile: { ...box, nearest: undefined } });
  assert.deepEqual([said("depth"), button().hidden], [TOO_DEEP, true]);
});

test("React sees the change", async () => {
  const { attach, profile, act, createElement: h, createRoot, useState, document } = open("<main></main>");
  let state;
  const App = () => {
    const [values, set] = (state = useState(BOX));
    const change = ({ target }) => set((old) => ({ ...old, [target.name]: target.value }));
    return h("form", {}, FIELDS.map((name) => h("input", { key: name, name, value: values[name], onChange: change })));
  };
  const root = createRoot(document.querySelector("main"));
  await act(async () => root.render(h(App)));
  attach(document.querySelector("form"), { profile: profile("tuck-end", "carton-300") });
  await act(async () => document.querySelector("[data-boxrules-suggestion]").click());
  assert.equal(state[0].depth, "48");
  await act(async () => root.unmount());
});

// ---- The status

test("nothing is announced at load, and news once", () => {
  const { attach, form, box, type, wait, status, window } = open(page, BOX);
  attach(form, { profile: box });
  assert.equal(status().getAttribute("role"), "status");
  assert.match(status().style.position, /fixed/);
  wait(1000);
  assert.equal(status().textContent, "");
  type({ depth: 502 });
  wait(499);
  assert.equal(status().textContent, "");
  type({ depth: 503 });
  wait(499);
  assert.equal(status().textContent, "", "each input puts it off");
  wait(1);
  assert.equal(status().textContent, TOO_DEEP + " Use 48 × 48 × 184 mm (changes: depth)");

  const observer = new window.MutationObserver(() => {});
  observer.observe(status(), { childList: true, characterData: true, subtree: true });
  type({ depth: 504 });
  wait(500);
  assert.deepEqual(observer.takeRecords(), [], "the same is announced again");
  type({ depth: 48 });
  wait(500);
  assert.equal(status().textContent, "This box can be made.");
});

test("what is only as yet empty is not announced", () => {
  const { attach, form, box, type, wait, status } = open(page);
  attach(form, { profile: box });
  type({ width: 48 });
  wait(500);
  assert.equal(status().textContent, "");
});

// ---- The page's own

const own = `<form>
  <p id=hint>In mm</p>
  <label>W <input name=width type=number min=1 max=9 step=2 value=48 aria-describedby=hint aria-invalid=false></label>
  <input name=depth type=number value=141>
  <p id=mine data-boxrules-message=depth>Said by the page</p>
  <input name=height type=number value=184>
  <button type=button data-boxrules-suggestion hidden>Suggestion</button>
  <p role=status data-boxrules-status>Status</p>
</form>`;

test("its elements are used, and its description kept", () => {
  const { attach, form, box, document } = open(own);
  attach(form, { profile: box });
  const described = (name) => form.elements[name].getAttribute("aria-describedby").split(" ").map((id) => document.getElementById(id));
  const [hint, added, ...rest] = described("width");
  assert.equal(hint.id, "hint");
  assert.deepEqual(rest, []);
  assert.equal(added, form.querySelector("[data-boxrules-message=width]"));
  assert.equal(added.previousElementSibling, form.querySelector("label"), "beside the label, not in it");
  assert.deepEqual(described("depth"), [document.getElementById("mine")]);
  assert.equal(document.getElementById("mine").textContent, TOO_DEEP);
  assert.equal(form.querySelectorAll("[data-boxrules-suggestion], [data-boxrules-status]").length, 2);
});

test("detach puts everything back", () => {
  for (const html of [own, page, `<form>${choice}${plain}</form>`]) {
    const { attach, form, profile, box, button, type, wait } = open(html);
    const before = form.outerHTML;
    let results = 0;
    const { check, detach } = attach(form, { profile: html.includes("article") ? profile : box, onresult: () => results++ });
    const values = { width: 48, depth: 141, height: 184 };
    if (html.includes("article")) Object.assign(values, { article: "tuck-end", material: "carton-300" });
    type(values);
    wait(500);
    type({ depth: 142 });
    const suggested = button();
    assert.equal(suggested.hidden, false);
    detach();
    assert.equal(form.outerHTML, before);
    for (const name of FIELDS) assert.equal(form.elements[name].validity.customError, false);
    // And it hears nothing more.
    const last = results;
    type({ depth: 143 });
    check();
    wait(1000);
    if (suggested.isConnected) suggested.click();
    assert.equal(form.elements.depth.value, "143");
    assert.equal(results, last);
    assert.equal(form.outerHTML, before);
    detach();
    assert.equal(form.outerHTML, before, "twice");
  }
});

test("to attach again replaces what was attached", () => {
  for (const html of [own, page]) {
    const { attach, form, profile, de, said, type } = open(html, BOX);
    let first = 0;
    attach(form, { profile: profile("tuck-end", "carton-300"), onresult: () => first++ });
    const ids = () => FIELDS.map((name) => form.elements[name].getAttribute("aria-describedby"));
    const before = ids();
    const length = form.querySelectorAll("*").length;
    attach(form, { profile: profile("tuck-end", "carton-300", de), messages: de });
    type({ depth: 142 });
    assert.equal(said("depth"), "Die Breite darf höchstens 48 mm betragen.");
    assert.equal(form.elements.depth.validationMessage, said("depth"));
    assert.equal(first, 1, "the first one hears still");
    assert.equal(form.querySelectorAll("*").length, length);
    assert.deepEqual(ids(), before, "the ids stay");
  }
});

test("two forms do not share an id", () => {
  const { attach, document, box } = open(page + page + `<p id=boxrules-width0></p>`);
  for (const form of document.forms) attach(form, { profile: box });
  const ids = [...document.querySelectorAll("[id]")].map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length);
  assert.equal(ids.length, 7);
});

test("an article is left alone where the profile does not depend on it", () => {
  const { attach, form, box } = open(`<form>${choice}${plain}</form>`);
  const before = form.elements.article.outerHTML;
  attach(form, { profile: box });
  assert.equal(form.elements.article.outerHTML, before);
  assert.equal(form.querySelector("[data-boxrules-message=article]"), null);
});

test("an empty form, and controls outside of theirs", () => {
  const { attach, document, box } = open(`<form id=there></form>` + plain.replaceAll("<input", "<input form=there value=48"));
  const form = document.querySelector("form");
  const { check } = attach(form, { profile: box });
  form.elements.depth.value = 141;
  check();
  assert.equal(form.elements.depth.validationMessage, TOO_DEEP);
  form.querySelector("[data-boxrules-suggestion]").click();
  assert.equal(form.elements.depth.value, "48");
});

// ---- The declarations

test("the locales have what is declared", async () => {
  for (const language of ["de", "en", "fr"]) {
    const declared = readFileSync(folder + `locales/${language}.d.ts`, "utf8").match(/"\w+"/g).map((name) => name.slice(1, -1));
    assert.deepEqual(declared, Object.keys((await import("boxrules-form/locales/" + language)).default), language);
  }
});

test("the declarations stand next to those of any generated module", () => {
  const typescript = dirname(createRequire(import.meta.url).resolve("typescript/package.json"));
  const at = mkdtempSync(join(tmpdir(), "boxrules-"));
  try {
    for (const file of ["dom", "locales/de"]) copyFileSync(folder + file + ".d.ts", join(at, file.replace("locales/", "") + ".d.ts"));
    const declarations = readFileSync(folder + "index.d.ts", "utf8");
    const codes = /export type Code =[^;]*;/;
    const nearest = /export interface Suggestion.*?(?=\/\*\* The rules for an article)/s;
    assert.match(declarations, codes);
    assert.match(declarations, nearest);
    writeFileSync(join(at, "boxrules.d.ts"), declarations);
    writeFileSync(join(at, "own.d.ts"), declarations.replace(codes, 'export type Code = "OWN_1" | "OWN_2";').replace(nearest, ""));
    copyFileSync(folder + "evaluator.d.ts", join(at, "evaluator.d.ts"));
    const use = (module) => `
import { attach, type Checks } from "./dom.js";
import { profile, type Profile, type Result } from "./${module}.js";
import de from "./de.js";
export function use(form: HTMLFormElement) {
  attach(form, { profile });
  attach(form, { profile, messages: de });
  attach(form, { profile: (article, material) => profile(article, material, de) });
  const box: Profile = profile("tuck-end", "carton-300", { ...de, required: "!" });
  const checks: Checks = box;
  attach(form, { profile: box, step: 0.5, messages: { ...de, use: "{width}" }, onresult: (result: Result) => result.issues?.[0]?.code });
  attach(form, {
    profile: checks,
    onresult: (result) => {
      const first = result.issues?.[0];
      if (!result.issues) return result.value.width;
      return first?.kind == "choice" ? first.path[0] == "article" : first?.params.max;
    },
  }).check();
  // @ts-expect-error: what should be checked?
  attach(form, {});
  // @ts-expect-error: this is no profile
  attach(form, { profile: { limits: box.limits } });
  // @ts-expect-error: a message is a text
  attach(form, { profile, messages: { use: 1 } });
  // @ts-expect-error: there is no such message
  return de.nothing;
}
`;
    writeFileSync(join(at, "a.ts"), use("boxrules"));
    writeFileSync(join(at, "b.ts"), use("own"));
    writeFileSync(
      join(at, "c.ts"),
      `import { attach } from "./dom.js";
import { evaluator, type Tables } from "./evaluator.js";
export const use = (form: HTMLFormElement, tables: Tables) => attach(form, { profile: evaluator(tables, {}) });
`,
    );
    const strict = "--strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess --noEmit --module esnext --moduleResolution bundler --target es2022 --lib es2022,dom".split(" ");
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(typescript, "bin/tsc"), ...strict, "a.ts", "b.ts", "c.ts"], { cwd: at, encoding: "utf8" });
    assert.deepEqual([status, stdout + stderr], [0, ""]);
  } finally {
    rmSync(at, { recursive: true });
  }
});
