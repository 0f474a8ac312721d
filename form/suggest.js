// Suggestions for a box that is not valid. Turning the box costs nothing, so it comes before any change of the size.

import { FIELDS, firstInFloat, get, grid, gridStep, holds, rulesIn, sidesOf } from "./evaluator.js";
import { nearest } from "./nearest.js";

/** The axes that become width, depth and height, best first. In all except the first, another side opens. */
const TURNS = [[1, 0, 2], [0, 2, 1], [2, 1, 0], [1, 2, 0], [2, 0, 1]];

/**
 * The valid boxes that a box can be turned into, best first, without borderline ones. The list is empty for a valid box.
 * Throws InputError.
 */
const turned = (profile, dims) => {
  const rules = rulesIn(profile);
  const isValid = (point) => !rules.some((rule) => holds(rule.when, point));
  if (isValid(grid(dims, profile.decimals))) return [];
  // The service may or may not round the dimensions, so check the box both ways.
  const isBorderline = (sides, point) => firstInFloat(rules, sides) || firstInFloat(rules, sidesOf(point));
  const found = {}; // by point, because two turns give the same box if two dimensions are equal
  TURNS.forEach((axes, i) => {
    const [width, depth, height] = axes.map((axis) => get(dims, FIELDS[axis]) || 0); // never -0
    const box = { width, depth, height, opening: i ? "other" : "same" };
    const point = grid(box, profile.decimals);
    if (isValid(point) && !isBorderline([width, depth, height], point)) found[point] ??= box;
  });
  return Object.values(found);
};

/** The best turned box or, if there is none, the nearest valid box. Throws InputError. */
const suggest = (profile, dims, step) => {
  const [best] = turned(profile, dims);
  gridStep(profile, step);
  return best ?? nearest(profile, dims, step);
};

export { turned, suggest };
