// The evaluator computes verdicts, ranges and messages from the tables that boxrules writes for a rule file and a limit
// file. Verdicts are exact: they are computed with whole thousandths, and no number reaches 2^53. A proposed box is also
// valid if the conditions are computed in floating point, as they are written.

const FIELDS = ["width", "depth", "height"];
const SCALE = 1000;
const MAX_DIMENSION = 1e6; // in units
const MAX_COORDINATE = MAX_DIMENSION * SCALE;

class InputError extends RangeError {
  constructor(field, message) {
    super(field + ": " + message);
    this.field = field;
  }
}

/** Describes a value in an error: by its text, or by its type if it has no text or the text could be misleading. */
const describeValue = (value) => {
  if (typeof value == "string") return JSON.stringify(value);
  return typeof value == "number" || value == null ? String(value) : typeof value;
};

/** A property of an object that the caller passed. It is undefined if reading it throws an error. */
const get = (from, key) => {
  try {
    return from[key];
  } catch {}
};

/** The languages in which to read and write numbers: lang and then English, or only English if lang is no language tag. */
const languages = (lang) => {
  try {
    return Intl.getCanonicalLocales([lang ?? "en", "en"]);
  } catch {
    return "en";
  }
};

/** Writes a number in the notation of a language, but always with the digits 0 to 9. */
const writeNumber = (x, lang) => x.toLocaleString(lang, { useGrouping: false, numberingSystem: "latn" });

/**
 * Makes the function that reads plain decimals in the notation of a language. It returns NaN for any other text, but a
 * module in inches has the function readFraction for texts such as 12 3/8.
 */
const numberReader = (lang, readFraction) => {
  const hasComma = writeNumber(0.5, languages(lang)).includes(",");
  // Languages with a decimal comma may separate thousands with a point. So 1.234 is refused, but 0.234, 1.23 and 1234.5
  // can only have a decimal point.
  const plain = hasComma ? /^-?(?![1-9]\d{0,2}\.\d{3}$)\d+([.,]\d+)?$/ : /^-?\d+(\.\d+)?$/;
  return (text) => {
    if (typeof text != "string" || text.length > 64) return NaN;
    return plain.test(text) ? +text.replace(",", ".") : +readFraction?.(text);
  };
};

const parse = (text, lang) => numberReader(lang)(text);

const isDimension = (x) => typeof x == "number" && x >= -MAX_DIMENSION && x <= MAX_DIMENSION;

const toGrid = (x) => Math.floor(x * SCALE + 0.5);

/** The dimensions of a point, in units. */
const sidesOf = (point) => point.map((x) => x / SCALE + 0); // never -0

/** Whether a dimension may have as many decimals as x. If three are allowed, more are accepted and rounded. */
const hasValidDecimals = (x, decimals) => decimals > 2 || Math.floor(x * 10 ** decimals + 0.5) / 10 ** decimals == x;

/** The dimensions of a box as they were given. Throws an InputError if one of them is not valid. */
const sidesIn = (dims, decimals = 3) => {
  if (Object(dims) !== dims) {
    throw new InputError("dims", describeValue(dims) + " is not a box; accepted: an object with the numbers width, depth and height");
  }
  return FIELDS.map((field) => {
    const x = get(dims, field);
    if (!isDimension(x)) throw new InputError(field, `${describeValue(x)} is not a number from -${MAX_DIMENSION} to ${MAX_DIMENSION}`);
    if (!hasValidDecimals(x, decimals)) throw new InputError(field, `${x} is not a multiple of ${1 / 10 ** decimals}`);
    return x;
  });
};

/** The point of a box: its dimensions in thousandths. */
const grid = (dims, decimals) => sidesIn(dims, decimals).map(toGrid);

/** A step in thousandths, which is by default that of the profile. Throws an InputError if dimensions cannot be multiples of it. */
const gridStep = ({ decimals = 3, defaultStep = 1 }, step = defaultStep) => {
  const thousandths = typeof step == "number" ? toGrid(step) : NaN;
  const smallest = 1 / 10 ** decimals;
  if (thousandths / SCALE === step && step >= smallest && step <= SCALE && hasValidDecimals(step, decimals)) return thousandths;
  throw new InputError("step", `${describeValue(step)} is not a multiple of ${smallest} from ${smallest} to 1000`);
};

const dot = (a, point) => a[0] * point[0] + a[1] * point[1] + a[2] * point[2];

/** Whether a condition holds at a point. It is a half-space a·p > k, or a list. all says if a list means "and" or "or". */
const holds = (condition, point, all = false) => {
  if (condition.a) return dot(condition.a, point) > condition.k;
  // An "and" is decided by the first part that does not hold, an "or" by the first part that does.
  for (const part of condition) {
    if (holds(part, point, !all) != all) return !all;
  }
  return all;
};

/** The half-spaces that make a condition hold at a point. Of an "or", they are those of the first part that holds. */
const reasons = (condition, point, all = false) => {
  if (condition.a) return [condition];
  const parts = all ? condition : [condition.find((part) => holds(part, point, true))];
  return parts.flatMap((part) => reasons(part, point, !all));
};

const firstViolated = (rules, point) => rules.find((rule) => holds(rule.when, point));

/**
 * The first rule that a box with these sides violates if the conditions are computed in floating point, as they are
 * written. On the edge of a rule it can differ from the rule that is violated exactly, for example if the depth is exactly a
 * third of the width.
 */
const firstInFloat = (rules, sides) => {
  const values = rules[0]?.variables(sides); // the same for all rules of a profile
  return rules.find((rule) => rule.asWritten(values));
};

/** A condition that also holds on the edge of the given one. */
const withEdge = (condition) => (condition.a ? { ...condition, k: condition.k - condition.outside } : condition.map(withEdge));

/** Rules that also reject the boxes on their edges. A box that violates none of them is valid in floating point, too. */
const offEdge = (rules) => rules.map((rule) => ({ ...rule, when: withEdge(rule.when) }));

/**
 * The first coordinate along an axis that is in a half-space, if it begins there, or no longer in it, if it ends there. It
 * is NaN if the half-space does not depend on this axis. For 2w - d > 7 at a depth of 4, 2w has to exceed 11, so along the
 * width the half-space begins at 6.
 */
const crossing = ({ a, k }, origin, axis) => {
  const slope = a[axis];
  const rest = k - dot(a, origin); // slope·x > rest
  if (slope > 0) return Math.floor(rest / slope) + 1;
  return slope < 0 ? -Math.floor(rest / -slope) : NaN;
};

/**
 * Divides the multiples of the step on the line through a point along an axis into pieces. All boxes in a piece have the
 * same first violated rule. The min and max of a piece are in units.
 */
const sweep = (rules, point, axis, step) => {
  const p = [...point];
  p[axis] = 0;
  // The first violated rule can change only at coordinates at which a half-space begins or ends. So it is enough to check the
  // first multiple of the step at or after each of them. The filter drops NaN, and + 0 turns -0 into 0.
  const starts = rules
    .map((rule) => rule.when)
    .flat(Infinity)
    .map((half) => Math.ceil(crossing(half, p, axis) / step) * step + 0)
    .filter((start) => start > -MAX_COORDINATE && start <= MAX_COORDINATE);
  const pieces = [];
  let piece;
  for (const start of [-MAX_COORDINATE, ...starts].sort((a, b) => a - b)) {
    p[axis] = start;
    const rule = firstViolated(rules, p);
    if (piece && piece.rule == rule) continue;
    if (piece) piece.max = (start - step) / SCALE;
    piece = { min: start / SCALE, max: MAX_DIMENSION, rule };
    pieces.push(piece);
  }
  return pieces;
};

/** The ranges of valid values on the line through a point and within the limits, with the codes beyond their ends. */
const rangesOn = (rules, point, axis, step, limits = { min: -MAX_DIMENSION, max: MAX_DIMENSION }) => {
  const isBorderline = (x) => firstInFloat(rules, sidesOf(point).map((side, i) => (i == axis ? x : side))) != null;
  return sweep(rules, point, axis, step).flatMap((piece, i, pieces) => {
    const min = Math.max(piece.min, limits.min);
    const max = Math.min(piece.max, limits.max);
    if (piece.rule || min > max) return [];
    const range = { min, max, min_code: pieces[i - 1]?.rule.code, max_code: pieces[i + 1]?.rule.code };
    if (isBorderline(min)) range.min_borderline = true;
    if (isBorderline(max)) range.max_borderline = true;
    // Usually the next value inside is not borderline. If it is, the sweep below looks for a value that is on no edge.
    const setSafe = (key, end, offset) => {
      const next = (Math.round(end * SCALE) + offset) / SCALE;
      if (next >= min && next <= max && !isBorderline(next)) range[key] = next;
    };
    if (range.min_borderline) setSafe("safe_min", min, step);
    if (range.max_borderline) setSafe("safe_max", max, -step);
    const needsMin = range.min_borderline && range.safe_min == null;
    const needsMax = range.max_borderline && range.safe_max == null;
    if (!needsMin && !needsMax) return [range];
    for (const safe of sweep(offEdge(rules), point, axis, step)) {
      if (safe.rule || safe.max < min || safe.min > max) continue;
      if (needsMin) range.safe_min ??= Math.max(safe.min, min);
      if (needsMax) range.safe_max = Math.min(safe.max, max);
    }
    return [range];
  });
};

/** The nearest values in the ranges that can be proposed: max is the nearest one below the value, min the nearest above it. */
const neighbours = (ranges, value) => {
  const near = {};
  // The ranges are in ascending order: the first one above the value is the nearest, and so is the last one below it.
  for (const range of ranges) {
    const lowest = range.min_borderline ? range.safe_min : range.min;
    const highest = range.max_borderline ? range.safe_max : range.max;
    if (lowest == null && highest == null) continue; // every value of this range is borderline
    if (range.min > value) near.min ??= lowest ?? highest;
    else near.max = highest ?? lowest;
  }
  return near;
};

/** The kind of the message that proposes the neighbours. */
const kindOf = ({ min, max }) => {
  if (min == null && max == null) return "together";
  if (min == null) return "atMost";
  return max == null ? "atLeast" : "either";
};

/** Makes the function that computes the variables of conditions from the sides of a box. */
const variablesOf = ({ limits, constants, blank }, material) => {
  // The names are those of the rule language: min_width, max_width and so on.
  const ends = FIELDS.flatMap((field) => ["min", "max"].map((end) => [end + "_" + field, limits[field][end]]));
  const known = { ...material, ...Object.fromEntries(ends), ...constants };
  return ([width, depth, height]) => {
    const values = { ...known, width, depth, height };
    return { ...values, ...blank?.(values) };
  };
};

/** The rules of an article in a material, in check order. when is the condition under which a box violates the rule. */
const rulesOf = (tables, article, material) => {
  const ofMaterial = lookUp(article.materials, material, "material");
  const variables = variablesOf(article, tables.materials[material]);
  // The half-spaces beyond the article's limits have the first indices.
  const limitHalves = FIELDS.flatMap((field, axis) => [
    [2 * axis, -toGrid(article.limits[field].min)],
    [2 * axis + 1, toGrid(article.limits[field].max)],
  ]);
  const halves = [...limitHalves, ...tables.halves].map(([plane, k, outside = 0]) => {
    const [w, d, h, axes] = tables.planes[plane];
    return { a: [w, d, h], k, outside, axes };
  });
  const condition = (tree) => (Array.isArray(tree) ? tree.map(condition) : halves[tree]);
  return [...tables.all, ...article.all, ...ofMaterial]
    .sort((a, b) => a - b)
    .map((i) => {
      const [rule, tree] = tables.conditions[i];
      return { ...tables.rules[rule], when: condition(tree), variables };
    });
};

/** Makes the functions that read numbers and make issues, in the language of the messages. */
const wording = ({ unit, readFraction }, texts, messages) => {
  const textOf = (key) => [get(messages, key), texts[key]].find((text) => typeof text == "string");
  const lang = languages(textOf("lang"));
  // Every language has a name for each field, but not for each unit.
  const translated = (param) => (typeof param == "string" ? (textOf(param) ?? param) : (param ?? ""));
  const issue = (field, kind, details, { code, message: ruleMessage, messages: byLanguage } = {}) => {
    const params = { field, ...details, unit };
    const text = textOf(code) ?? byLanguage?.[lang[0].split("-")[0]] ?? ruleMessage ?? textOf(kind) ?? kind;
    const message = text.replace(/{(\w+)}/g, (_, name, offset) => {
      const value = Object.hasOwn(params, name) ? writeNumber(translated(params[name]), lang) : "";
      return offset ? value : value.replace(/^[a-z]/, (letter) => letter.toUpperCase()); // sentences begin with a capital
    });
    return { message, path: [field], ...(code && { code }), kind, params };
  };
  return { read: numberReader(textOf("lang"), readFraction), issue };
};

/** The entry of a table for a code. It throws an InputError if there is none. */
const lookUp = (from, code, field) => {
  if (typeof code == "string" && Object.hasOwn(from, code)) return from[code];
  throw new InputError(field, `${describeValue(code)} is not one of ${Object.keys(from).join(", ")}`);
};

const violation = ({ code, stage }) => ({ code, stage });

/** The rules of a profile. It throws an InputError if the argument is not a profile. */
const rulesIn = (profile) => {
  const rules = get(profile, "~rules");
  if (Array.isArray(rules)) return rules;
  throw new InputError("profile", describeValue(profile) + " is not a profile; accepted: what the function profile returns");
};

/** Makes the function profile(article, material, messages) from the tables. Texts replace missing messages. */
const evaluator = (tables, texts) => (article, material, messages) => {
  const entry = lookUp(tables.articles, article, "article");
  const rules = rulesOf(tables, entry, material);
  const { limits } = entry;
  const { decimals } = tables;
  const step = SCALE / 10 ** decimals;
  const { read, issue } = wording(tables, texts, messages);

  const violated = (point) => rules.filter((rule) => holds(rule.when, point));

  /** The issue for a violated rule. It names the dimension to blame and its nearest valid values. */
  const blame = (rule, point, dims) => {
    const validRanges = (rules, axis) => rangesOn(rules, point, axis, step, limits[FIELDS[axis]]);
    const axes = reasons(rule.when, point).flatMap((half) => half.axes);
    const firstFixable = (rules) => axes.find((axis) => validRanges(rules, axis).length);
    const sufficient = firstFixable(rules); // changing this axis alone can make the box valid
    const axis = sufficient ?? firstFixable([rule]) ?? axes[0] ?? 0;
    // If the rule is about one dimension only, propose its bound, even if other rules reject every value.
    const alone = sufficient == null && axes.every((other) => other == axis);
    const field = FIELDS[axis];
    const near = neighbours(validRanges(alone ? [rule] : rules, axis), dims[field]);
    return issue(field, kindOf(near), { value: dims[field], ...near }, rule);
  };

  /** The issue for a given value that is not a dimension. x is its number, or NaN. */
  const inputIssue = (field, given, x) => {
    if (isDimension(x)) return issue(field, "decimals", { value: x, decimals });
    if (typeof x == "number" && !Number.isNaN(x)) return issue(field, "range", { value: x, min: -MAX_DIMENSION, max: MAX_DIMENSION });
    if (given == null || given === "") return issue(field, "required");
    // In one language 1.200 is one thousand two hundred, in another a little more than 1.
    if (typeof given == "string" && /^-?[1-9]\d{0,2}[.,]\d{3}$/.test(given)) {
      return issue(field, "unclear", { text: given, whole: +given.replace(/[.,]/, ""), fraction: +given.replace(",", ".") });
    }
    return issue(field, "number", { example: tables.readFraction && decimals == 3 ? "12 3/8" : decimals ? 48.5 : 50 });
  };

  const validate = (input) => {
    let value = {};
    try {
      value = { ...input }; // keeps the other fields of the form
    } catch {
      input = value; // an object that cannot be read has no fields
    }
    const issues = [];
    for (const field of FIELDS) {
      const given = get(input, field);
      value[field] = typeof given == "string" ? read(given) : given;
      if (!isDimension(value[field]) || !hasValidDecimals(value[field], decimals)) issues.push(inputIssue(field, given, value[field]));
    }
    if (!issues.length) {
      const point = grid(value, decimals);
      const failed = violated(point);
      const ofFirstStage = failed.filter((rule) => rule.stage == failed[0].stage);
      issues.push(...ofFirstStage.map((rule) => blame(rule, point, value)));
    }
    return issues.length ? { issues } : { value };
  };

  return {
    article,
    material,
    limits,
    decimals,
    check(dims) {
      const rule = firstViolated(rules, grid(dims, decimals));
      return rule ? { ok: false, ...violation(rule) } : { ok: true };
    },
    checkAll(dims) {
      return violated(grid(dims, decimals)).map(violation);
    },
    ranges(dims) {
      const point = grid(dims, decimals);
      const [width, depth, height] = FIELDS.map((_, axis) => rangesOn(rules, point, axis, step));
      return { width, depth, height };
    },
    borderline(dims) {
      const sides = sidesIn(dims, decimals);
      const other = firstInFloat(rules, sides);
      if (other != firstViolated(rules, sides.map(toGrid))) return other ? other.code : "valid";
    },
    validate,
    "~standard": { version: 1, vendor: "boxrules", validate },
    "~rules": rules,
  };
};

export { evaluator, parse, InputError, get, grid, gridStep, sidesOf, firstInFloat, offEdge, holds, rulesIn, dot, numberReader, FIELDS };
