const tables = {
  unit: "mm",
  decimals: 3,
  // In check order.
  rules: [
    { code: "LOW_0001", stage: "boundary", message: "too narrow" },
    { code: "LOW_0002", stage: "boundary", message: "too low" },
    { code: "FORM_0001", stage: "constraint", message: "no shape" },
    { code: "FORM_0002", stage: "constraint", message: "flat" },
    { code: "FORM_0003", stage: "constraint", message: "too thick" },
    { code: "SIZE_0001", stage: "size", message: "too large" },
  ],
  // The factors of width, depth and height, and the axes to blame in turn.
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
  // A plane, and the thousandths that are exceeded; the six half-spaces beyond an article's limits come before.
  halves: [
    [4, -5001],
    [6, 0],
    [7, 0],
    [8, 0],
    [9, 0],
    [10, 0],
    [11, 0],
    [11, -1],
    [12, 985000],
    [13, 925000],
    [13, 885000],
    [12, 979500],
    [13, 919500],
    [13, 879500],
  ],
  // The rule, and where it is violated: a half-space, or a list of which any one, in it all, in that any one, … hold.
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
  articles: {
    "tray": {
      title: "Tray <\/script> \"quoted\"",
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
