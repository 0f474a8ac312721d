// The evaluator: the verdicts, ranges and messages of the tables that boxrules makes from a rule file and a
// limit file. Verdicts are exact: all of their arithmetic is on whole thousandths and stays below 2^53. What is proposed
// is valid besides by the conditions as they are written, in floating point.

const FIELDS = ["width", "depth", "height"];
const SCALE = 1000;
const MOST = 1e6; // the greatest dimension that is accepted, in units
const END = MOST * SCALE;

class InputError extends RangeError {
  constructor(field, message) {
    super(field + ": " + message);
    this.field = field;
  }
}

/** A value as an error names it: by its type where its text could be misleading, or fail. */
const shown = (value) => {
  if (typeof value == "string") return JSON.stringify(value);
  return typeof value == "number" || value == null ? String(value) : typeof value;
};

/** A property of what was given, undefined where reading it fails. */
const get = (from, key) => {
  try {
    return from[key];
  } catch {}
};

/** The languages to read and write numbers in: English where what is given is not a language tag. */
const languages = (lang) => {
  try {
    return Intl.getCanonicalLocales([lang ?? "en", "en"]);
  } catch {
    return "en";
  }
};

/** A number as a language writes it, in digits that are read. */
const written = (x, lang) => x.toLocaleString(lang, { useGrouping: false, numberingSystem: "latn" });

/** Makes the function that reads plain decimals as a language writes them; NaN for anything else. */
const reader = (lang) => {
  const hasComma = written(0.5, languages(lang)).includes(",");
  // Who writes a comma there may part thousands with a point: 1.234 is no number then, but 0.234, 1.23 and 1234.5 are.
  const plain = hasComma ? /^-?(?![1-9]\d{0,2}\.\d{3}$)\d+([.,]\d+)?$/ : /^-?\d+(\.\d+)?$/;
  return (text) => (typeof text == "string" && text.length <= 64 && plain.test(text) ? +text.replace(",", ".") : NaN);
};

/** A plain decimal in a language as a number; NaN for anything else. */
const parse = (text, lang) => reader(lang)(text);

const accepted = (x) => typeof x == "number" && x >= -MOST && x <= MOST;

const toGrid = (x) => Math.floor(x * SCALE + 0.5);

/** The dimensions of a point in units. */
const sidesOf = (point) => point.map((x) => x / SCALE + 0); // never -0

/** Whether a number has no more decimals than that, but for three: more are rounded. */
const fits = (x, decimals) => decimals > 2 || Math.floor(x * 10 ** decimals + 0.5) / 10 ** decimals == x;

/** The dimensions of a box as they are given. */
const sidesIn = (dims, decimals = 3) => {
  if (Object(dims) !== dims) {
    throw new InputError("dims", shown(dims) + " is not a box; accepted: an object with the numbers width, depth and height");
  }
  return FIELDS.map((field) => {
    const x = get(dims, field);
    if (!accepted(x)) throw new InputError(field, `${shown(x)} is not a number from -${MOST} to ${MOST}`);
    if (!fits(x, decimals)) throw new InputError(field, `${x} is not a multiple of ${1 / 10 ** decimals}`);
    return x;
  });
};

/** The dimensions of a box in thousandths, its point. */
const grid = (dims, decimals) => sidesIn(dims, decimals).map(toGrid);

/** A step in thousandths. */
const gridStep = (step, decimals = 3) => {
  const unit = typeof step == "number" ? toGrid(step) : NaN;
  const least = 1 / 10 ** decimals;
  if (unit / SCALE === step && step >= least && step <= SCALE && fits(step, decimals)) return unit;
  throw new InputError("step", `${shown(step)} is not a multiple of ${least} from ${least} to 1000`);
};

const dot = (a, point) => a[0] * point[0] + a[1] * point[1] + a[2] * point[2];

/** Whether a condition holds at a point. It is a half-space a·p > k, or a list of conditions, any or all of them. */
const holds = (condition, point, all = false) => {
  if (condition.a) return dot(condition.a, point) > condition.k;
  for (const part of condition) {
    if (holds(part, point, !all) != all) return !all;
  }
  return all;
};

/** The half-spaces that make a condition hold at a point, where it does. Of several that each would, the first. */
const reasons = (condition, point, all = false) => {
  if (condition.a) return [condition];
  const parts = all ? condition : [condition.find((part) => holds(part, point, true))];
  return parts.flatMap((part) => reasons(part, point, !all));
};

const firstViolated = (rules, point) => rules.find((rule) => holds(rule.when, point));

/**
 * The first rule that a box of these sides violates if its condition is computed in floating point, as it is written. On the
 * edge of a rule, as where depth is a third of width, that may be another one than the first violated rule, or none.
 */
const firstInFloat = (rules, sides) => {
  const values = rules[0]?.variables(sides); // the rules of a profile have the same
  return rules.find((rule) => rule.asWritten(values));
};

/** A condition that holds on its edge too. */
const withEdge = (condition) => (condition.a ? { ...condition, k: condition.k - condition.outside } : condition.map(withEdge));

/** The rules such that a box on the edge of one violates it: every other box is the same in floating point. */
const offEdge = (rules) => rules.map((rule) => ({ ...rule, when: withEdge(rule.when) }));

/** The place along an axis where a half-space begins or is left, NaN where the axis runs beside it. */
const turn = ({ a, k }, origin, axis) => {
  const slope = a[axis];
  const rest = k - dot(a, origin); // slope·x > rest
  if (slope > 0) return Math.floor(rest / slope) + 1;
  return slope < 0 ? -Math.floor(rest / -slope) : NaN;
};

/** The multiples of the unit on the line through a point, in pieces of one first violated rule, from min to max in units. */
const sweep = (rules, point, axis, unit) => {
  const p = [...point];
  p[axis] = 0;
  const starts = rules
    .map((rule) => rule.when)
    .flat(Infinity)
    .map((half) => Math.ceil(turn(half, p, axis) / unit) * unit + 0)
    .filter((start) => start > -END && start <= END);
  const pieces = [];
  let last;
  for (const start of [-END, ...starts].sort((a, b) => a - b)) {
    p[axis] = start;
    const rule = firstViolated(rules, p);
    if (last && last.rule == rule) continue;
    if (last) last.max = (start - unit) / SCALE;
    last = { min: start / SCALE, max: MOST, rule };
    pieces.push(last);
  }
  return pieces;
};

/** The values on the line through a point that violate none of the rules, within limits, and what is violated beyond them. */
const rangesOn = (rules, point, axis, unit, limits = { min: -MOST, max: MOST }) => {
  const isBorderline = (x) => firstInFloat(rules, sidesOf(point).map((side, i) => (i == axis ? x : side))) != null;
  return sweep(rules, point, axis, unit).flatMap((piece, i, pieces) => {
    const min = Math.max(piece.min, limits.min);
    const max = Math.min(piece.max, limits.max);
    if (piece.rule || min > max) return [];
    const range = { min, max, min_code: pieces[i - 1]?.rule.code, max_code: pieces[i + 1]?.rule.code };
    if (isBorderline(min)) range.min_borderline = true;
    if (isBorderline(max)) range.max_borderline = true;
    // Mostly the next value inside is not borderline; else one is looked for that is on no edge at all.
    const setSafe = (key, end, by) => {
      const next = (Math.round(end * SCALE) + by) / SCALE;
      if (next >= min && next <= max && !isBorderline(next)) range[key] = next;
    };
    if (range.min_borderline) setSafe("safe_min", min, unit);
    if (range.max_borderline) setSafe("safe_max", max, -unit);
    const needsMin = range.min_borderline && range.safe_min == null;
    const needsMax = range.max_borderline && range.safe_max == null;
    if (!needsMin && !needsMax) return [range];
    for (const safe of sweep(offEdge(rules), point, axis, unit)) {
      if (safe.rule || safe.max < min || safe.min > max) continue;
      if (needsMin) range.safe_min ??= Math.max(safe.min, min);
      if (needsMax) range.safe_max = Math.min(safe.max, max);
    }
    return [range];
  });
};

/** The values next to a box's in ranges of a dimension, as they can be proposed: max below, min above. */
const around = (ranges, value) => {
  const near = {};
  for (const range of ranges) {
    const least = range.min_borderline ? range.safe_min : range.min;
    const greatest = range.max_borderline ? range.safe_max : range.max;
    if (least == null && greatest == null) continue; // nothing in it can be proposed
    if (range.min > value) near.min ??= least ?? greatest;
    else near.max = greatest ?? least;
  }
  return near;
};

/** The kind of message for the values next to a box's. */
const kindOf = ({ min, max }) => {
  if (min == null && max == null) return "together";
  if (min == null) return "atMost";
  return max == null ? "atLeast" : "either";
};

/** Makes the function that gives the variables of conditions their values for the sides of a box. */
const variablesOf = ({ limits, longLimits, blank }, material) => {
  const ends = FIELDS.flatMap((field) => ["min", "max"].map((end) => [end + "_" + field, limits[field][end]]));
  const constants = { ...material, ...Object.fromEntries(ends), ...longLimits };
  return ([width, depth, height]) => {
    const values = { ...constants, width, depth, height };
    return { ...values, ...blank?.(values) };
  };
};

/** The rules of an article in a material in check order, each with the condition for a box to violate it. */
const rulesOf = (tables, article, material) => {
  const ownConditions = pick(article.materials, material, "material");
  const variables = variablesOf(article, tables.materials[material]);
  // The first half-spaces are those beyond the article's limits.
  const beyond = FIELDS.flatMap((field, axis) => [
    [2 * axis, -toGrid(article.limits[field].min)],
    [2 * axis + 1, toGrid(article.limits[field].max)],
  ]);
  const halves = [...beyond, ...tables.halves].map(([plane, k, outside = 0]) => {
    const [w, d, h, axes] = tables.planes[plane];
    return { a: [w, d, h], k, outside, axes };
  });
  const condition = (tree) => (Array.isArray(tree) ? tree.map(condition) : halves[tree]);
  return [...tables.all, ...article.all, ...ownConditions]
    .sort((a, b) => a - b)
    .map((i) => {
      const [rule, tree] = tables.conditions[i];
      return { ...tables.rules[rule], when: condition(tree), variables };
    });
};

/** Makes the functions that read numbers and word what is wrong with a dimension, in the language of the messages. */
const wording = (unit, texts, messages) => {
  const word = (key) => [get(messages, key), texts[key]].find((text) => typeof text == "string");
  const lang = languages(word("lang"));
  // The field has a name in each language, and the unit may have.
  const translated = (param) => (typeof param == "string" ? (word(param) ?? param) : (param ?? ""));
  const issue = (field, kind, found, { code, message: own } = {}) => {
    const params = { field, ...found, unit };
    const text = word(code) ?? own ?? word(kind) ?? kind;
    const message = text.replace(/{(\w+)}/g, (_, name) => (Object.hasOwn(params, name) ? written(translated(params[name]), lang) : ""));
    return { message, path: [field], ...(code && { code }), kind, params };
  };
  return { read: reader(word("lang")), issue };
};

/** The entry of a table for a code. */
const pick = (from, code, field) => {
  if (typeof code == "string" && Object.hasOwn(from, code)) return from[code];
  throw new InputError(field, `${shown(code)} is not one of ${Object.keys(from).join(", ")}`);
};

const violation = ({ code, stage }) => ({ code, stage });

/** The rules of a profile, with their conditions. */
const rulesIn = (profile) => {
  const rules = get(profile, "~rules");
  if (Array.isArray(rules)) return rules;
  throw new InputError("profile", shown(profile) + " is not a profile; accepted: what the function profile returns");
};

/** Makes the function profile(article, material, messages) of the tables, with texts for the messages not given. */
const evaluator = (tables, texts) => (article, material, messages) => {
  const entry = pick(tables.articles, article, "article");
  const rules = rulesOf(tables, entry, material);
  const { limits } = entry;
  const { decimals } = tables;
  const unit = SCALE / 10 ** decimals;
  const { read, issue } = wording(tables.unit, texts, messages);

  const violated = (point) => rules.filter((rule) => holds(rule.when, point));

  /** What to say of a violated rule: the dimension to blame, and how far it may go. */
  const blame = (rule, point, dims) => {
    const room = (rules, axis) => rangesOn(rules, point, axis, unit, limits[FIELDS[axis]]);
    const axes = reasons(rule.when, point).flatMap((half) => half.axes);
    const firstWithRoom = (rules) => axes.find((axis) => room(rules, axis).length);
    const enough = firstWithRoom(rules); // its change alone makes the box valid
    const axis = enough ?? firstWithRoom([rule]) ?? axes[0] ?? 0;
    // A rule about one dimension tells its bound even where other rules object whatever its value.
    const alone = enough == null && axes.every((other) => other == axis);
    const field = FIELDS[axis];
    const near = around(room(alone ? [rule] : rules, axis), dims[field]);
    return issue(field, kindOf(near), { value: dims[field], ...near }, rule);
  };

  /** What to say where what was given is not a dimension. x is its number, if it has one. */
  const objection = (field, given, x) => {
    if (accepted(x)) return issue(field, "decimals", { value: x, decimals });
    if (typeof x == "number" && !Number.isNaN(x)) return issue(field, "range", { value: x, min: -MOST, max: MOST });
    if (given == null || given === "") return issue(field, "required");
    return issue(field, "number", { example: decimals ? 48.5 : 50 });
  };

  const validate = (input) => {
    let value = {};
    try {
      value = { ...input }; // with whatever else the form has
    } catch {
      input = value; // of what cannot be read nothing is known
    }
    const issues = [];
    for (const field of FIELDS) {
      const given = get(input, field);
      value[field] = typeof given == "string" ? read(given) : given;
      if (!accepted(value[field]) || !fits(value[field], decimals)) issues.push(objection(field, given, value[field]));
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
      const [width, depth, height] = FIELDS.map((_, axis) => rangesOn(rules, point, axis, unit));
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

export { evaluator, parse, InputError, get, grid, gridStep, sidesOf, firstInFloat, offEdge, holds, rulesIn, dot, FIELDS };
