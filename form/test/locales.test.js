// The messages in three languages.

import assert from "node:assert/strict";
import test from "node:test";
import { readdirSync } from "node:fs";
import { parse, profile } from "boxrules-form";
import { evaluator } from "boxrules-form/evaluator";
import { conformance, FIELDS, folder, isComplete } from "./helper.js";

const languages = readdirSync(folder + "locales").filter((name) => name.endsWith(".js")).map((name) => name.slice(0, -3));
const locales = {};
for (const language of languages) locales[language] = (await import(`boxrules-form/locales/${language}`)).default;
const { en, de, fr } = locales;

const placeholders = (text) => [...text.matchAll(/{(\w+)}/g)].map((m) => m[1]).sort();

test("all have the same keys, and say the same of each", () => {
  assert.deepEqual(languages.sort(), ["de", "en", "fr"]);
  for (const [language, locale] of Object.entries(locales)) {
    assert.equal(locale.lang, language);
    assert.deepEqual(Object.keys(locale), Object.keys(en), language);
    for (const [key, text] of Object.entries(locale)) {
      assert.ok(text.trim(), `${language} ${key}`);
      assert.deepEqual(placeholders(text), placeholders(en[key]), `${language} ${key}`);
      assert.equal(text.replace(/{\w+}/g, "").match(/[{}]/), null, `${language} ${key}`);
    }
  }
});

test("they are three languages", () => {
  for (const key of Object.keys(en)) {
    if (!/^(lang|width|depth|height)$/.test(key)) assert.equal(new Set([en[key], de[key], fr[key]]).size, 3, key);
  }
});

// Boxes that together cause every message.
const inputs = () => {
  const odd = [{}, { width: "x", depth: 1e9, height: "" }, { width: -0.001, depth: Infinity, height: "1e3" }];
  const all = odd.map((dims) => ["tuck-end", "carton-300", dims]);
  for (const stage of ["boundary", "constraint", "size"]) {
    for (const c of conformance("illustrative-" + stage).cases) all.push([c.article, c.material, c]);
  }
  return all;
};

test("the English of the module is that of locales/en.js", () => {
  const kinds = new Set();
  for (const [article, material, dims] of inputs()) {
    const built = profile(article, material).validate(dims);
    assert.deepEqual(built, profile(article, material, en).validate(dims));
    for (const { kind } of built.issues ?? []) kinds.add(kind);
  }
  for (const kind of ["required", "number", "range", "atLeast", "atMost", "either", "together"]) assert.ok(kinds.has(kind), kind);
});

test("too many decimals", () => {
  const limits = Object.fromEntries(FIELDS.map((field) => [field, { min: 1, max: 9 }]));
  const planes = FIELDS.flatMap((_, axis) => [-1, 1].map((sign) => [...FIELDS.map((_, i) => (i == axis ? sign : 0)), [axis]]));
  const none = { rules: [], halves: [], conditions: [], all: [], materials: {} };
  const articles = { a: { title: "", limits, all: [], materials: { m: [] } } };
  const make = evaluator({ unit: "mm", decimals: 2, planes, articles, ...none }, en);
  const [{ message, ...issue }] = make("a", "m").validate({ width: 2.25, depth: "2.125", height: 2 }).issues;
  assert.equal(message, "Depth has too many decimals: at most 2.");
  const params = { field: "depth", value: 2.125, decimals: 2, unit: "mm" };
  assert.deepEqual(issue, { path: ["depth"], kind: "decimals", params });
  for (const locale of [de, fr]) {
    const [{ message }] = make("a", "m", locale).validate({ width: 2, depth: 2.125, height: 2 }).issues;
    assert.ok(isComplete(message) && message.includes(locale.depth) && message.includes("2"), message);
  }
});

test("only the messages depend on the language", () => {
  for (const locale of [de, fr]) {
    for (const [article, material, dims] of inputs()) {
      const english = profile(article, material).validate(dims).issues ?? [];
      const issues = profile(article, material, locale).validate(dims).issues ?? [];
      const rest = (list) => list.map(({ message, ...issue }) => issue);
      assert.deepEqual(rest(issues), rest(english));
      for (const [i, { message }] of issues.entries()) {
        assert.ok(isComplete(message), message);
        assert.notEqual(message, english[i].message);
        assert.ok(message.includes(locale[issues[i].path[0]]), message);
      }
    }
  }
});

const message = (messages, dims, article = "tuck-end", material = "carton-300") =>
  profile(article, material, messages).validate(dims).issues[0].message;

test("numbers are written as in the language", () => {
  const dims = { width: 48.5, depth: 141, height: 184 };
  assert.equal(message(undefined, dims), "Depth must be at most 48.5 mm.");
  assert.equal(message(de, dims), "Die Breite darf höchstens 48,5 mm betragen.");
  assert.match(message(fr, dims), /48,5/);
  assert.match(message(de, { ...dims, width: 1e9 }), /-1000000 und 1000000/, "no grouping, which is not accepted as input");
  assert.equal(message({ ...de, atMost: "{value} > {max}" }, { width: 48.0625, depth: 141.125, height: 184 }), "141,125 > 48,063");
});

test("in digits that can be typed, whatever the language's own are", () => {
  const dims = { width: 48.5, depth: 141, height: 184 };
  for (const lang of ["fa", "ar-EG", "mr", "bn", "de-u-nu-arab", "de", "en", "my-MM", "ne"]) {
    const { params, message: said } = profile("tuck-end", "carton-300", { lang, atMost: "{max}" }).validate(dims).issues[0];
    assert.equal(params.max, 48.5);
    assert.match(said, /^48[.,]5$/, lang);
    assert.equal(parse(said, lang), 48.5, lang);
    const missing = message({ lang, number: "{example}" }, { ...dims, depth: "x" });
    assert.equal(parse(missing, lang), 48.5, lang);
  }
});

test("two numbers are named as examples, whole ones too", () => {
  const limits = Object.fromEntries(FIELDS.map((field) => [field, { min: 1, max: 9 }]));
  const articles = { a: { title: "", limits, all: [], materials: { m: [] } } };
  const tables = { unit: "mm", decimals: 0, rules: [], planes: Array(6).fill([0, 0, 0, [0]]), halves: [], conditions: [], all: [], materials: {}, articles };
  for (const locale of [en, de, fr]) {
    const [{ message }] = evaluator(tables, en)("a", "m", locale).validate({ width: "x", depth: 2, height: 2 }).issues;
    const numbers = message.match(/[\d.,]*\d/g);
    assert.equal(new Set(numbers).size, 2, message);
    for (const number of numbers) assert.ok(Number.isInteger(parse(number, locale.lang)), message);
  }
});

test("digits that mean two numbers are unclear, and both can be typed", () => {
  const issueOf = (messages, width) => profile("tuck-end", "carton-300", messages).validate({ width, depth: 30, height: 100 }).issues[0];
  const { message, ...issue } = issueOf(de, "-1.200");
  assert.equal(message, "-1.200 ist nicht eindeutig: Schreiben Sie -1200 oder -1,2.");
  const params = { field: "width", text: "-1.200", whole: -1200, fraction: -1.2, unit: "mm" };
  assert.deepEqual(issue, { path: ["width"], kind: "unclear", params });
  assert.equal(issueOf(en, "1,200").message, "1,200 is not clear: write 1200 or 1.2.");
  assert.equal(issueOf(fr, "1.234").message, "1.234 n’est pas clair : écrivez 1234 ou 1,234.");
  for (const text of ["1.200,5", "1.200.000", "1200.", "0,200x", "1,2000"]) assert.equal(issueOf(en, text.replace(".", ",")).kind, "number", text);
  assert.equal(issueOf(en, "1.200").kind, "atLeast", "English has no other meaning for it");
});

test("a rule's message is in the language of the locale, or else its first one", () => {
  const limits = Object.fromEntries(FIELDS.map((field) => [field, { min: 1, max: 9 }]));
  const rules = [{ code: "SHOP_0001", stage: "constraint", message: "too tall", messages: { en: "too tall", de: "zu hoch" }, asWritten: ({ height }) => height > 5 }];
  const planes = [...Array(5).fill([0, 0, 0, [0]]), [0, 0, 1, [2]]];
  const articles = { a: { title: "", limits, all: [0], materials: { m: [] } } };
  const make = evaluator({ unit: "mm", decimals: 3, rules, planes, halves: [[5, 5000]], conditions: [[0, 6]], all: [], materials: { m: {} }, articles }, en);
  const said = (messages) => make("a", "m", messages).validate({ width: 2, depth: 2, height: 6 }).issues[0].message;
  for (const lang of ["en", "fr", "", "xx", "constructor"]) assert.equal(said({ lang }), "too tall", lang);
  for (const lang of ["de", "de-AT", "DE"]) assert.equal(said({ lang }), "zu hoch", lang);
  assert.equal(said({ ...de, SHOP_0001: "niedriger" }), "niedriger");
});

test("a name at the beginning of a sentence has a capital", () => {
  const dims = { width: 48, depth: 141, height: 184 };
  assert.equal(message({ depth: "side" }, dims), "Side must be at most 48 mm.");
  assert.equal(message({ atMost: "the {field}: {max}" }, dims), "the depth: 48");
  assert.equal(message({ atMost: "{field}{field}", depth: "été" }, dims), "étéété", "only letters from a to z");
});

test("what is shown can be typed", () => {
  const refused = (locale, width) => profile("tuck-end", "carton-300", locale).validate({ width, depth: 30, height: 100 }).issues?.[0].message;
  for (const locale of [de, fr]) {
    for (const text of ["371,5", "48,5", "371,50", "100", "48.5", "371.50", "100.0001"]) assert.equal(refused(locale, text), undefined, text);
    assert.deepEqual(profile("tuck-end", "carton-300", locale).validate({ width: "371,5", depth: "30,25", height: 100.5 }).value, { width: 371.5, depth: 30.25, height: 100.5 });
    const { kind, params } = profile("tuck-end", "carton-300", locale).validate({ width: "-0,5", depth: "30", height: "100" }).issues[0];
    assert.deepEqual([kind, params.value, params.min], ["atLeast", -0.5, 30]);
  }
  assert.equal(refused(de, "1.234,5"), "Die Länge muss eine Zahl ohne Tausendertrennzeichen sein, etwa 1250 oder 48,5.");
  assert.equal(refused(fr, "1 234,5"), "La longueur doit être un nombre sans séparateur de milliers, par exemple 1250 ou 48,5.");
  assert.equal(refused({ ...de, lang: "de-CH" }, "48,5"), "Die Länge muss eine Zahl ohne Tausendertrennzeichen sein, etwa 1250 oder 48.5.");
  assert.equal(refused(en, "371,5"), "Width must be a plain number, such as 48 or 48.5.");
});

test("a decimal comma in the languages that write it, and never what may part thousands", () => {
  const good = { "371,5": 371.5, "-0,5": -0.5, "1,234": 1.234, "0,001": 0.001 };
  const plain = { "371.5": 371.5, "1234.567": 1234.567, "0.234": 0.234, "1.23": 1.23, "1.2345": 1.2345, "-48": -48, 1234: 1234 };
  const open = { "1.234": 1.234, "12.345": 12.345, "-123.456": -123.456 };
  for (const lang of ["de", "fr", "de-AT", "pt-PT", "es", "it", "pl", "nl-BE", "DE"]) {
    for (const [text, x] of Object.entries({ ...good, ...plain })) assert.equal(parse(text, lang), x, `${text} in ${lang}`);
    for (const text of Object.keys(open)) assert.equal(parse(text, lang), NaN, `${text} in ${lang}`);
  }
  for (const lang of [undefined, "en", "en-GB", "de-CH", "ja", "ar", "xx", "de_DE", "", null, 5, {}, Symbol("de"), Object.create(null), 1n]) {
    for (const text of Object.keys(good)) assert.equal(parse(text, lang), NaN, text);
    for (const [text, x] of Object.entries({ ...plain, ...open })) assert.equal(parse(text, lang), x, text);
  }
  const never = ["", ",", "48,", ",5", "1.234,5", "1,234.5", "1.234.567", "1,234,567", "1 234,5", "1\u00a0234", "1'234", "1’234,5", "4e1", "4,5e1", "+1,5", "--1", " 48,5", "48,5 ", "48,5\n", "0x10", "٤٨", "1,5".padStart(65, "0")];
  for (const lang of ["en", "de", "fr", "de-CH"]) {
    for (const text of never) assert.equal(parse(text, lang), NaN, `${text} in ${lang}`);
  }
  assert.equal(parse("1,5".padStart(64, "0"), "de"), 1.5);
});

test("a text for a code goes before that for its kind", () => {
  const dims = { width: 48, depth: 141, height: 184 };
  const own = { ...de, BOX_3100: "{field} {value} {unit}: höchstens {max}" };
  assert.equal(message(own, dims), "Breite 141 mm: höchstens 48");
  assert.equal(message(own, { ...dims, width: 5, depth: 15 }), "Die Länge muss mindestens 20 mm betragen.", "of another code it says nothing");
  assert.equal(message({ BOX_3100: "No." }, dims), "No.");
  assert.equal(message({ depth: "The short side" }, dims), "The short side must be at most 48 mm.", "the rest stays English");
});

test("a text may name what an issue does not have", () => {
  const own = { BOX_3100: "{min}{max}{value}{nothing}", required: "{value}{min}", number: "{value}" };
  for (const dims of [{ width: 48, depth: 141, height: 184 }, {}, { width: "x", depth: 1, height: 1 }]) {
    assert.doesNotThrow(() => message(own, dims));
  }
});

test("the unit may have a name in a language, and none", () => {
  const dims = { width: 48, depth: 141, height: 184 };
  assert.equal(message({ ...de, mm: "Millimeter" }, dims), "Die Breite darf höchstens 48 Millimeter betragen.");
  assert.equal(message({ atMost: "{max}{unit}", mm: "", 48: "no number has a name" }, dims), "48");
});

test("a text that is not given stays English", () => {
  const dims = { width: 48, depth: 141, height: 184 };
  assert.equal(message({ atMost: undefined, depth: undefined, lang: undefined }, dims), "Depth must be at most 48 mm.");
});

test("a lang that is not a language tag, or that no one knows, is taken for English", () => {
  const dims = { width: 48.5, depth: 141, height: 184 };
  for (const lang of ["xx_YY!!", "", " ", "de_DE", "english", "xx", "x", 5, {}, null]) {
    assert.equal(message({ ...de, lang }, dims), "Die Breite darf höchstens 48.5 mm betragen.", String(lang));
  }
  for (const lang of ["de", "de-CH-1996", "de-x-mine", "pt-BR", "DE"]) {
    assert.equal(message({ ...de, lang }, dims).includes("48,5"), lang != "de-CH-1996", lang);
  }
});

test("what is not text is not a message", () => {
  for (const none of [5, null, {}, Symbol("s"), { toString: 1 }]) {
    const own = { lang: none, depth: none, atMost: none, BOX_3100: none, mm: none };
    assert.equal(message(own, { width: 48, depth: 141, height: 184 }), "Depth must be at most 48 mm.");
  }
  for (const none of [null, 5, true, "de", [], () => 1]) assert.equal(message(none, {}), "Enter a width.");
});

test("one profile's messages are not another's", () => {
  const dims = { width: 48, depth: 141, height: 184 };
  const german = profile("tuck-end", "carton-300", de);
  const english = profile("tuck-end", "carton-300");
  for (const field of FIELDS) assert.ok(german.validate({ ...dims, [field]: "" }).issues[0].message != english.validate({ ...dims, [field]: "" }).issues[0].message);
});
