// The evaluator: the verdicts, ranges and messages of the tables that boxrules makes from a rule file and a
// limit file. All arithmetic is on whole thousandths and stays below 2^53, so it is exact.

const FIELDS = ["width", "depth", "height"];
const SCALE = 1000;
const MOST = 1e6; // the greatest dimension that is accepted, in units
const END = MOST * SCALE;

class InputError extends RangeError {
  constructor(field, message) {
    super(field + ": " + message).field = field;
  }
}

/** A plain decimal as a number; NaN for any other text. */
const parse = (text) => (text.length <= 64 && /^-?\d+(\.\d+)?$/.test(text) ? +text : NaN);

const accepted = (x) => typeof x == "number" && x >= -MOST && x <= MOST;

const toGrid = (x) => Math.floor(x * SCALE + 0.5);

/** The dimensions in thousandths. */
const grid = (dims) =>
  FIELDS.map((field) => {
    if (!accepted(dims[field])) throw new InputError(field, dims[field] + " is not within ±1000000");
    return toGrid(dims[field]);
  });

/** Whether a condition holds at a point: a half-space a·p > k, or a list of conditions, any or all of them. */
const holds = (condition, p, all = false) => {
  const a = condition.a;
  if (a) return a[0] * p[0] + a[1] * p[1] + a[2] * p[2] > condition.k;
  for (const part of condition) if (holds(part, p, !all) != all) return !all;
  return all;
};

/** The half-spaces that make a condition hold at a point, where it does. Of several that each would, the first. */
const reasons = (condition, p, all) =>
  condition.a
    ? [condition]
    : (all ? condition : [condition.find((part) => holds(part, p, !all))]).flatMap((part) => reasons(part, p, !all));

const firstOf = (rules, p) => rules.find((rule) => holds(rule.when, p));

/** The line through a point along an axis, in pieces of one first violated rule, from min to max in units. */
const along = (rules, point, axis) => {
  const p = [...point];
  p[axis] = 0;
  const starts = [-END];
  for (const { a, k } of rules.map((rule) => rule.when).flat(1 / 0)) {
    // c·x > rest changes between x = start - 1 and x = start.
    const rest = k - a[0] * p[0] - a[1] * p[1] - a[2] * p[2];
    const c = a[axis];
    const start = c > 0 ? Math.floor(rest / c) + 1 : 0 - Math.floor(rest / -c);
    if (c && start > -END && start <= END) starts.push(start);
  }
  const pieces = [];
  let last;
  for (const start of starts.sort((a, b) => a - b)) {
    p[axis] = start;
    const rule = firstOf(rules, p);
    if (last) {
      if (last.rule == rule) continue;
      last.max = (start - 1) / SCALE;
    }
    pieces.push((last = { min: start / SCALE, max: MOST, rule }));
  }
  return pieces;
};

/** Makes the function profile(article, material, messages) of the tables, with texts for the messages not given. */
const evaluator = (tables, texts) => {
  const half = ([plane, k]) => ({ a: tables.planes[plane], k });

  const pick = (from, key, field) => {
    if (!Object.hasOwn(from, key)) throw new InputError(field, key + " is none of " + Object.keys(from));
    return from[key];
  };

  return (article, material, messages) => {
    const entry = pick(tables.articles, article, "article");
    const special = pick(entry.materials, material, "material");
    const limits = entry.limits;
    const word = (key) => messages?.[key] ?? texts[key];
    // The first half-spaces are those beyond the article's limits.
    const beyond = FIELDS.flatMap((field, axis) => [
      [2 * axis, -toGrid(limits[field].min)],
      [2 * axis + 1, toGrid(limits[field].max)],
    ]);
    const halves = [...beyond, ...tables.halves].map(half);
    const build = (tree) => (tree.map ? tree.map(build) : halves[tree]);
    const rules = [...tables.all, ...entry.all, ...special]
      .sort((a, b) => a - b)
      .map((i) => tables.conditions[i])
      .map(([rule, tree]) => ({ ...tables.rules[rule], when: build(tree) }));
    const violation = ({ code, stage }) => ({ code, stage });
    const violated = (p) => rules.filter((rule) => holds(rule.when, p));

    const issue = (field, kind, params, code) => {
      params = { field, ...params, unit: tables.unit };
      // The field has a name in each language, and the unit may have.
      const message = (word(code) ?? word(kind)).replace(/{(\w+)}/g, (_, name) =>
        (word(params[name]) ?? params[name] ?? "").toLocaleString(word("lang"), { useGrouping: false }),
      );
      return { message, path: [field], ...(code && { code }), kind, params };
    };

    /** What to say of a violated rule: the dimension to blame, and how far it may go. */
    const blame = (rule, p, dims) => {
      // The values of a dimension nearest to the box's, within its limits, that violate none of the rules.
      const around = (rules, axis) => {
        const field = FIELDS[axis];
        const { [field]: value } = dims;
        const near = { value };
        for (const piece of along(rules, p, axis)) {
          const min = Math.max(piece.min, limits[field].min);
          const max = Math.min(piece.max, limits[field].max);
          if (piece.rule || min > max) continue;
          if (min > value) near.min ??= min;
          else near.max = max;
        }
        return ["min" in near ? ("max" in near ? "either" : "atLeast") : "max" in near ? "atMost" : "together", near];
      };
      const axes = reasons(rule.when, p).flatMap((half) => half.a[3]);
      const enough = (rules) => axes.find((axis) => around(rules, axis)[0] != "together");
      const alone = enough(rules);
      const axis = alone ?? enough([rule]) ?? axes[0] ?? 0;
      // A rule about one dimension tells its bound even where other rules object whatever its value.
      return issue(FIELDS[axis], ...around((alone ?? axes.find((a) => a != axis)) >= 0 ? rules : [rule], axis), rule.code);
    };

    const validate = (input) => {
      const value = { ...input }; // with whatever else the form has
      const issues = [];
      for (const field of FIELDS) {
        const given = input?.[field];
        const x = (value[field] = typeof given == "string" ? parse(given) : given);
        if (!accepted(x)) {
          const number = typeof x == "number" && x == x;
          issues.push(issue(field, number ? "range" : (given ?? "") === "" ? "required" : "number", number && { value: x, min: -MOST, max: MOST }));
        }
      }
      if (!issues[0]) {
        const p = grid(value);
        const failed = violated(p);
        issues.push(...failed.filter((rule) => rule.stage == failed[0].stage).map((rule) => blame(rule, p, value)));
      }
      return issues[0] ? { issues } : { value };
    };

    return {
      article,
      material,
      limits,
      check(dims) {
        const rule = firstOf(rules, grid(dims));
        return rule ? { ok: false, ...violation(rule) } : { ok: true };
      },
      checkAll(dims) {
        return violated(grid(dims)).map(violation);
      },
      ranges(dims) {
        const p = grid(dims);
        const found = (axis) =>
          along(rules, p, axis).flatMap(({ min, max, rule }, i, pieces) =>
            rule ? [] : [{ min, max, min_code: pieces[i - 1]?.rule.code, max_code: pieces[i + 1]?.rule.code }],
          );
        return { width: found(0), depth: found(1), height: found(2) };
      },
      validate,
      "~standard": { version: 1, vendor: "boxrules", validate },
      "~rules": rules,
    };
  };
};

export { evaluator, parse, InputError, grid, FIELDS };
