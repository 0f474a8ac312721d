const tables = {
  unit: "mm",
  decimals: 3,
  // In check order. asWritten computes the condition in floating point.
  rules: [
    { code: "LOW_0001", stage: "boundary", message: "too narrow", asWritten: (v) => v.width < v.min_width },
    { code: "LOW_0002", stage: "boundary", message: "too low", asWritten: (v) => v.height <= 5 },
    { code: "FORM_0001", stage: "constraint", message: "no shape", asWritten: (v) => v.depth > v.width && (v.height > v.width || v.height > 2 * v.depth) },
    { code: "FORM_0002", stage: "constraint", message: "flat", asWritten: (v) => Math.max(v.width, v.depth) > 3 * v.height },
    { code: "FORM_0003", stage: "constraint", message: "too thick", messages: { "en": "too thick", "de": "zu dick" }, asWritten: (v) => v.caliper > 1 },
    { code: "SIZE_0001", stage: "size", message: "too large", asWritten: (v) => v.blank_width > v.sheet_width },
  ],
  // The factors of width, depth and height, and the axes to blame, in this order.
  planes: [
    [-1, 0, 0, [0]],
    [1, 0, 0, [0]],
    [0, -1, 0, [1]],
    [0, 1, 0, [1]],
    [0, 0, -1, [2]],
    [0, 0, 1, [2]],
    [-1, 1, 0, [1, 0]],
    [-1, 0, 1, [2, 0]],
    [0, -2, 1, [2, 1]],
    [1, 0, -3, [0, 1, 2]],
    [0, 1, -3, [0, 1, 2]],
    [0, 0, 0, []],
    [1, 0, 2, [0, 2]],
    [1, 0, 0, [0, 2]],
  ],
  // The index of a plane, and the thousandths k that the sum must exceed. The six half-spaces beyond an article's limits come
  // before these. A third number n means that the half-space has an edge: in floating point, sums that exceed only k - n may
  // seem to be in it.
  halves: [
    [4, -5001],
    [6, 0],
    [7, 0],
    [8, 0],
    [9, 0, 1],
    [10, 0, 1],
    [11, 0],
    [11, -1],
    [12, 985000, 1],
    [13, 925000, 1],
    [13, 885000, 1],
    [12, 979500, 1],
    [13, 919500, 1],
    [13, 879500, 1],
  ],
  // The rule, and its condition: a half-space, or a list. The outer list means "or", a list in it "and", and so on by turns.
  conditions: [
    [0, 0],
    [1, 6],
    [2, [[7,[8,9]]]],
    [3, [10,11]],
    [4, 12],
    [4, 13],
    [5, [[[14,15],16]]],
    [5, [[[17,18],19]]],
  ],
  // The conditions of all articles, of each article, and of its materials.
  all: [0, 1, 3],
  materials: {
    "thin": { caliper: 0.5, glue_flap: 15, sheet_width: 1000, sheet_height: 700 },
    "thick": { caliper: 3, glue_flap: 20.5, sheet_width: 1000, sheet_height: 700 },
  },
  articles: {
    "tray": {
      title: "Tray <\/script> \"quoted\"",
      blank: (v) => ({ blank_width: v.width + 2 * Math.min(Math.max(v.height, 30), 50) + v.glue_flap, blank_height: v.depth + v.height / 3 }),
      limits: { width: { min: 20, max: 400 }, depth: { min: 20, max: 400 }, height: { min: 10, max: 300 } },
      all: [2],
      materials: { "thin": [4, 6], "thick": [5, 7] },
    },
    "lid": {
      title: "lid",
      limits: { width: { min: 20, max: 200 }, depth: { min: 20, max: 200 }, height: { min: 10, max: 50 } },
      all: [],
      materials: { "thin": [] },
    },
  },
};

export const unit = tables.unit;
export const decimals = tables.decimals;
export const illustrative = false;

export const articles = /* @__PURE__ */ Object.fromEntries(
  Object.entries(tables.articles).map(([article, { title, materials }]) => [article, { title, materials: Object.keys(materials) }]),
);

const make = /* @__PURE__ */ evaluator(tables, english);

export const profile = (article, material, messages) => {
  const made = make(article, material, messages);
  made.nearest = (dims, step) => nearest(made, dims, step);
  made.turned = (dims) => turned(made, dims);
  made.suggest = (dims, step) => suggest(made, dims, step);
  return made;
};

export { InputError, parse, nearest, turned, suggest };
