// What to suggest for a box that is not valid: the same box turned, which costs nothing, before any change of size.

import { FIELDS, firstInFloat, get, grid, gridStep, holds, rulesIn, sidesOf } from "./evaluator.js";
import { nearest } from "./nearest.js";

/** The axes that width, depth and height are taken from, best first. All but the first let another side open. */
const TURNS = [[1, 0, 2], [0, 2, 1], [2, 1, 0], [1, 2, 0], [2, 0, 1]];

/** The boxes that a box which is not valid can be turned into, best first: valid, in floating point too. Throws InputError. */
const turned = (profile, dims) => {
  const rules = rulesIn(profile);
  const isValid = (point) => !rules.some((rule) => holds(rule.when, point));
  if (isValid(grid(dims, profile.decimals))) return [];
  // A service may round the dimensions, or not.
  const isBorderline = (sides, point) => firstInFloat(rules, sides) || firstInFloat(rules, sidesOf(point));
  const found = {}; // by point: where two dimensions are equal, two turns give the same box
  TURNS.forEach((axes, i) => {
    const [width, depth, height] = axes.map((axis) => get(dims, FIELDS[axis]) || 0); // never -0
    const box = { width, depth, height, opening: i ? "other" : "same" };
    const point = grid(box, profile.decimals);
    if (isValid(point) && !isBorderline([width, depth, height], point)) found[point] ??= box;
  });
  return Object.values(found);
};

/** The best turned box, else the nearest valid one. Throws InputError. */
const suggest = (profile, dims, step = 1) => {
  const [best] = turned(profile, dims);
  gridStep(step, profile.decimals);
  return best ?? nearest(profile, dims, step);
};

export { turned, suggest };
