// Says in words which comparisons of a rule's condition make it reject a box. The verdict is not made here: numbers are
// written, and a difference that only rounding makes is none.

const OPPOSITE = { "<": ">=", ">=": "<", ">": "<=", "<=": ">", "==": "!=", "!=": "==" };
const SIGNS = { "+": "+", "-": "−", "*": "×", "/": "/" };

/** What the variables of conditions are for a box, but for those of its material. flat is its blank, where it has one. */
export function variables(dims, limits, flat) {
  const values = { ...dims };
  for (const field in limits) {
    values["min_" + field] = limits[field].min;
    values["max_" + field] = limits[field].max;
  }
  if (!flat) return values;
  const { width, height, sheet } = flat;
  return { ...values, blank_width: width, blank_height: height, sheet_width: sheet.width, sheet_height: sheet.height };
}

/** The value of a tree that is a number; NaN where it has a variable that is not known. */
function valueOf(tree, values) {
  if (!Array.isArray(tree)) return typeof tree == "number" ? tree : (values[tree] ?? NaN);
  const [operator, ...operands] = tree;
  const [a, b] = operands.map((operand) => valueOf(operand, values));
  if (operator == "min" || operator == "max") return Math[operator](...operands.map((operand) => valueOf(operand, values)));
  if (operator == "*") return a * b;
  if (operator == "/") return a / b;
  const sign = operator == "-" ? -1 : 1;
  return operands.length == 1 ? sign * a : a + sign * b;
}

/** Whether a relation holds; also where that is not known. */
function holds([operator, left, right], values) {
  const difference = valueOf(left, values) - valueOf(right, values);
  const order = Math.abs(difference) < 1e-6 ? 0 : difference;
  if (Number.isNaN(order)) return true;
  const is = { "<": order < 0, "<=": order <= 0, ">": order > 0, ">=": order >= 0, "==": order == 0, "!=": order != 0 };
  return is[operator];
}

/** The relations that make a condition true, or false where it is negated; undefined where it is not. */
function causes(tree, values, negated = false) {
  const [operator, left, right] = tree;
  if (operator == "!") return causes(left, values, !negated);
  if (OPPOSITE[operator]) {
    const relation = [negated ? OPPOSITE[operator] : operator, left, right];
    return holds(relation, values) ? [relation] : undefined;
  }
  const [one, other] = [left, right].map((part) => causes(part, values, negated));
  const both = (operator == "&&") != negated;
  return both ? one && other && [...one, ...other] : (one ?? other);
}

/** A tree that is a number, as text. within is the operator of which it is an operand. */
function textOf(tree, words, within = "") {
  if (typeof tree == "number") return words.number(tree);
  if (typeof tree == "string") return words.variable(tree);
  const [operator, ...operands] = tree;
  if (operator == "min" || operator == "max") {
    const text = words[operator](operands.map((operand) => textOf(operand, words, operator)));
    return within ? `(${text})` : text;
  }
  const isSum = operator == "+" || operator == "-";
  const texts = operands.map((operand, i) => textOf(operand, words, i || operands.length == 1 ? operator + "right" : operator));
  const text = texts.length == 1 ? SIGNS[operator] + texts[0] : texts.join(` ${SIGNS[operator]} `);
  const needed = isSum ? /^[*/]|-right/ : /\/right/;
  return needed.test(within) ? `(${text})` : text;
}

/**
 * The reason for which a condition holds for a box, such as "depth (141 mm) is more than width (48 mm)"; undefined
 * where it does not. values has the variables that are known. words has what number, variable, min and max are written
 * as, subject for a variable that stands alone, length for a number with its unit, the relations by their signs, and
 * all for a list.
 */
export function reason(tree, values, words) {
  const side = (part) => {
    if (typeof part == "number") return words.length(part);
    const value = valueOf(part, values);
    const text = typeof part == "string" ? words.subject(part) : textOf(part, words);
    return text + (Number.isNaN(value) ? "" : ` (${words.length(value)})`);
  };
  const said = causes(tree, values)?.map(([operator, left, right]) => `${side(left)} ${words[operator]} ${side(right)}`);
  return said && words.all([...new Set(said)]);
}
