import { articles, decimals, illustrative, parse, profile, unit } from "../index.js";
import { attach } from "../dom.js";
import en from "../locales/en.js";
import de from "../locales/de.js";
import fr from "../locales/fr.js";
import { drawBox, drawTrack } from "./drawing.js";
import { texts } from "./texts.js";

const FIELDS = ["width", "depth", "height"];
const locales = { en, de, fr };
const byId = (id) => document.getElementById(id);
const form = byId("box");
const { article, material } = form.elements;

let lang; // of the page
let words; // the page's own, in that language
let chosen; // the profile that was checked last
let near; // the answer to the last search for the nearest box; null if none was made since

/** An article's title, in the page's language if the page has one. */
const title = (code) => (illustrative && words.titles?.[code]) || articles[code].title;
/** The title without the name of the standard, for small spaces. */
const shortTitle = (code) => (illustrative ? title(code).replace(/ \([A-Z].*\)$/, "") : title(code));

/** The step of a slider: a round part of its range. */
const grain = ({ min, max }) =>
  Math.max(1 / 10 ** decimals, +Math.min(1, 10 ** Math.floor(Math.log10((max - min) / 60))).toFixed(decimals));
/** The step of suggestions. */
const step = (limits) => Math.min(...FIELDS.map((field) => grain(limits[field])));

/** The nearest box. The form calls this if the box cannot be turned. */
const nearest = (dims) => (near = chosen.nearest(dims, step(chosen.limits)));

// ---- Words and numbers

const fill = (template, values) => template.replace(/{(\w+)}/g, (_, key) => values[key]);
const number = (x) => x.toLocaleString(lang, { useGrouping: false });
const length = (x) => `${number(x)}\u00a0${unit}`;
/** The number in a field, or NaN. */
const read = (field) => parse(form.elements[field].value, lang);
const write = (field, x) => (form.elements[field].value = number(x));
const size = (...lengths) => `${lengths.map(number).join("\u00a0×\u00a0")}\u00a0${unit}`;

const element = (name, className, ...children) => {
  const made = document.createElement(name);
  made.className = className;
  made.append(...children);
  return made;
};

for (const node of document.querySelectorAll("[data-text]")) texts.en[node.dataset.text] = node.textContent;
for (const node of document.querySelectorAll("[data-label]")) texts.en[node.dataset.label] = node.getAttribute("aria-label");

function speak(language) {
  const numbers = FIELDS.filter((field) => read(field) < Infinity).map((field) => form.elements[field]);
  lang = language;
  words = texts[lang];
  for (const input of numbers) input.value = input.value.replace(/[.,]/, number(0.5)[1]);
  document.documentElement.lang = lang;
  for (const node of document.querySelectorAll("[data-text]")) node.textContent = words[node.dataset.text];
  for (const node of document.querySelectorAll("[data-label]")) node.setAttribute("aria-label", words[node.dataset.label]);
  for (const button of document.querySelectorAll(".languages button")) button.ariaPressed = button.value == lang;
  for (const option of article.options) option.text = shortTitle(option.value);
  // Attaching again replaces what was attached, and checks.
  attach(form, {
    profile: (...choice) => {
      chosen = profile(...choice);
      near = null;
      return { ...chosen, nearest };
    },
    messages: locales[lang],
    onresult: show,
  });
}

// ---- After each check

function show(result) {
  const dims = Object.fromEntries(FIELDS.map((field) => [field, read(field)]));
  const issues = result.issues ?? [];
  const isBox = !issues.length || Boolean(issues[0].code); // else something is not a number
  showVerdict(dims, issues, isBox);
  showWays(dims, issues, isBox);
  showRanges(dims, isBox);
  byId("box-heading").textContent = title(article.value);
  const open = !isBox || FIELDS.some((field) => dims[field] <= 0);
  form.classList.toggle("open", open);
  if (open) {
    hideBox();
  } else {
    moveBox(dims, issues.map((issue) => issue.path[0]));
  }
  remember();
}

function showVerdict(dims, issues, isBox) {
  form.dataset.verdict = !issues.length ? "good" : isBox ? "bad" : "open";
  byId("headline").textContent = words[form.dataset.verdict];

  const items = issues.map(({ message, code }) => element("li", "", message, ...(code ? [" ", element("span", "code", code)] : [])));
  if (isBox) {
    const what = { article: title(article.value), material: material.value, size: size(...FIELDS.map((field) => dims[field])) };
    items.unshift(element("li", "what", fill(words.of, what)));
  }
  byId("reasons").replaceChildren(...items);

  const meaning = byId("meaning");
  const code = issues[0]?.code;
  meaning.hidden = !code;
  if (!code) return;
  const { stage } = chosen.check(dims);
  meaning.querySelector("summary").textContent = fill(words.means, { code });
  meaning.querySelector("p").textContent = words[stage == "size" ? "sizeStage" : stage];
}

// ---- What can be made: the turned box, other sizes, and the same box as another article

function showWays(dims, issues, isBox) {
  document.querySelector(".ways").hidden = !isBox;
  clearTimeout(offering);
  byId("changes").replaceChildren();
  byId("changes-lead").textContent = byId("offers-lead").textContent = "";
  byId("offers").replaceChildren();
  if (!isBox) return;
  if (issues.length) showChanges(dims, issues[0]);
  offering = setTimeout(() => showOffers(dims, others(), []), 200); // once the box is not being changed any more
}

/** Buttons for the changes that make a box valid. The form's own button has the best one. */
function showChanges(dims, { params }) {
  const key = (box) => FIELDS.map((field) => box[field]).join();
  const best = chosen.turned(dims)[0];
  if (near === null) nearest(dims);
  const boxes = [best, near?.changed && near];
  // The message proposes another change if the nearest box changes another dimension.
  if (near?.changed?.join() != params.field) {
    for (const bound of [params.min, params.max]) if (bound != null) boxes.push({ ...dims, [params.field]: bound });
  }
  const ways = new Map(boxes.filter((box) => box && chosen.check(box).ok).map((box) => [key(box), box]));
  ways.delete(key(best ?? near ?? dims)); // the form's
  byId("changes").append(...[...ways.values()].map((box) => wayButton(changeText(dims, box), () => put(box))));
  const count = ways.size + (best || near?.changed ? 1 : 0);
  byId("changes-lead").textContent = count ? (count > 1 ? words.manyWays : words.oneWay) : near ? words.givenUp : words.noWay;
}

function changeText(dims, box) {
  const changed = FIELDS.filter((field) => box[field] != dims[field]).map((field) => locales[lang][field] ?? words[field]);
  return fill(locales[lang].use, { ...Object.fromEntries(FIELDS.map((field) => [field, number(box[field])])), unit, changed: changed.join(", ") });
}

function wayButton(text, use) {
  const button = element("button", "way", text);
  button.type = "button";
  button.addEventListener("click", use);
  return button;
}

/** Puts a box into the form, as if it were typed. */
function put(box) {
  for (const field of FIELDS) write(field, box[field]);
  form.elements.width.focus(); // the button is gone
  form.elements.width.dispatchEvent(new Event("input", { bubbles: true }));
}

let offering; // the look for other articles that is under way

/** The other articles and materials, the most similar first: the same article, then those in the same material. */
function others() {
  const all = Object.entries(articles).flatMap(([code, { materials }]) => materials.map((name) => [code, name]));
  const kinship = ([code, name]) => (code == article.value ? 2 : 0) + (name == material.value ? 1 : 0);
  return all.filter((pair) => kinship(pair) < 3).sort((a, b) => kinship(b) - kinship(a));
}

/** Shows the first few articles in which the same box is valid. There may be thousands, so it checks a few at a time. */
function showOffers(dims, left, found) {
  const [most, atATime] = [4, 50];
  for (const [code, name] of left.slice(0, atATime)) {
    const isNew = code == article.value || !found.some(([other]) => other == code);
    if (found.length < most && isNew && profile(code, name).check(dims).ok) found.push([code, name]);
  }
  if (found.length < most && left.length > atATime) {
    offering = setTimeout(() => showOffers(dims, left.slice(atATime), found));
    return;
  }
  const isValid = form.dataset.verdict == "good";
  byId("offers-lead").textContent = found.length ? (isValid ? words.alsoOffers : words.offers) : words.noOffer;
  byId("offers").replaceChildren(
    ...found.map(([code, name]) => {
      const offer = { article: shortTitle(code), material: name };
      return wayButton(name == material.value ? offer.article : fill(words.offer, offer), () => choose(code, name));
    }),
  );
}

function choose(code, name) {
  article.value = code;
  offerMaterials();
  material.value = name;
  article.focus();
  material.dispatchEvent(new Event("input", { bubbles: true }));
}

function showRanges(dims, isBox) {
  const ranges = isBox && chosen.ranges(dims);
  for (const field of FIELDS) {
    const limits = chosen.limits[field];
    const slider = byId(field + "-slider");
    slider.min = limits.min;
    slider.max = limits.max;
    if (dims[field] == dims[field]) slider.value = dims[field];
    slider.ariaValueText = dims[field] == dims[field] ? length(dims[field]) : words.empty;
    drawTrack(slider.previousElementSibling, isBox ? ranges[field] : [], limits);
    byId(field + "-range").replaceChildren(...(isBox ? rangeText(ranges[field]) : []));
  }
}

/** Such as "Valid 40 – 59.999 mm, 100 – 400 mm". */
function rangeText(ranges) {
  if (!ranges.length) return [words.none];
  const spans = ranges.map(({ min, max }) => element("b", "", min == max ? length(min) : `${number(min)} – ${length(max)}`));
  return [words.valid + " ", ...spans.flatMap((span, i) => (i ? [", ", span] : [span]))];
}

// ---- The drawn box glides to its new size.

/** How the shipped articles close. For others it is not known. */
function closure(code) {
  if (!illustrative) return "";
  if (/^(slotted|transit)-case$/.test(code)) return "flaps";
  return /^(tuck-end|snap-lock|auto-bottom|mailer)|-carton$/.test(code) ? "lid" : "";
}

const still = matchMedia("(prefers-reduced-motion: reduce)");
let drawn; // the size that is drawn
let frame;

function moveBox(dims, blamed) {
  const svg = byId("box-drawing");
  const labels = { opening: words.opening };
  for (const field of FIELDS) labels[field] = { name: words[field], value: length(dims[field]), blamed: blamed.includes(field) };
  svg.setAttribute("aria-label", FIELDS.map((field) => `${words[field]} ${labels[field].value}`).join(", "));

  const step = () => {
    const near = FIELDS.every((field) => Math.abs(dims[field] - drawn[field]) < dims[field] / 200);
    for (const field of FIELDS) drawn[field] = near ? dims[field] : drawn[field] + (dims[field] - drawn[field]) * 0.3;
    drawBox(svg, drawn, closure(article.value), labels);
    if (!near) frame = requestAnimationFrame(step);
  };
  cancelAnimationFrame(frame);
  if (!drawn || still.matches) drawn = { ...dims };
  step();
}

/** Removes the drawing if there is no box any more. */
function hideBox() {
  cancelAnimationFrame(frame);
  drawn = null;
  const svg = byId("box-drawing");
  svg.replaceChildren();
  svg.setAttribute("aria-label", words.missing);
}

// ---- The address contains the box, so that it can be sent to somebody.

let pending;

function remember() {
  clearTimeout(pending);
  pending = setTimeout(() => {
    const query = new URLSearchParams(new FormData(form));
    // Numbers in it are written as in English, so that the box is the same in every language.
    for (const field of FIELDS) if (read(field) < Infinity) query.set(field, query.get(field).replace(",", "."));
    query.set("lang", lang);
    history.replaceState(null, "", `?${query}${location.hash}`);
  }, 300); // browsers limit how often
}

function recall() {
  const query = new URLSearchParams(location.search);
  if (Object.hasOwn(articles, query.get("article") ?? "")) article.value = query.get("article");
  offerMaterials();
  const asked = query.get("material");
  if (articles[article.value].materials.includes(asked)) material.value = asked;
  if (!illustrative) {
    // The box in index.html is for the illustrative limits.
    const { limits, nearest } = profile(article.value, material.value);
    const middle = Object.fromEntries(FIELDS.map((field) => [field, round((limits[field].min + limits[field].max) / 2, limits[field])]));
    const found = nearest(middle, step(limits));
    const box = found?.changed ? found : middle;
    for (const field of FIELDS) form.elements[field].value = box[field];
  }
  for (const field of FIELDS) if (query.has(field)) form.elements[field].value = query.get(field);
  return [query.get("lang"), ...navigator.languages.map((language) => language.slice(0, 2)), "en"].find((language) =>
    Object.hasOwn(texts, language ?? ""),
  );
}

// ---- The form

const option = (value, text) => new Option(text, value);

function offerMaterials() {
  const before = material.value;
  const { materials } = articles[article.value];
  material.replaceChildren(...materials.map((name) => option(name, name)));
  if (materials.includes(before)) material.value = before;
}

byId("notice").hidden = !illustrative;
document.querySelector("footer").hidden = !illustrative;
article.append(...Object.keys(articles).map((code) => option(code, code)));
for (const node of document.querySelectorAll(".unit")) node.textContent = unit;
// On the control itself, so that it runs before dom.js, which listens on the form.
article.addEventListener("input", offerMaterials);

/** The nearest round value within the limits, which themselves need not be round. */
function round(value, limits) {
  const { min, max } = limits;
  if (value <= min || value >= max) return value <= min ? min : max;
  const to = grain(limits);
  return Math.max(min, Math.min(max, +(Math.round(value / to) * to).toFixed(decimals)));
}

const KEYS = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10 };

for (const field of FIELDS) {
  const slider = byId(field + "-slider");
  const slide = (value) => {
    write(field, round(value, chosen.limits[field]));
    form.elements[field].dispatchEvent(new Event("input", { bubbles: true }));
  };
  // The step is "any", so that the slider can be at any value. It moves in round steps nevertheless.
  slider.addEventListener("input", (event) => {
    event.stopPropagation();
    slide(slider.valueAsNumber);
  });
  slider.addEventListener("keydown", (event) => {
    if (!KEYS[event.key] || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const to = grain(chosen.limits[field]);
    const at = +(slider.valueAsNumber / to).toFixed(6);
    const by = KEYS[event.key];
    slide(((by > 0 ? Math.floor(at) : Math.ceil(at)) + by) * to);
  });
}

for (const button of document.querySelectorAll(".languages button")) {
  button.addEventListener("click", () => speak(button.value));
}

speak(recall());
// Without this script they are not visible.
for (const node of document.querySelectorAll("[data-live]")) node.hidden = false;
