// The nearest valid box: the one that changes the fewest dimensions, and of those the least in total.

import { FIELDS, grid, InputError } from "./evaluator.js";

const AXES = [0, 1, 2];

/** How much one search may look at, and how many convex pieces it may look in, before it gives up. */
const EFFORT = 2e5;
const CELLS = 2000;

/**
 * The extent of a cell, narrowed as far as its faces a·p >= b tell axis by axis; undefined where it is empty.
 * It may be larger than need be, unless the other two axes have one value each.
 */
const narrow = (faces, low, high) => {
  low = [...low];
  high = [...high];
  for (let round = 0, changed = true; changed && round < 8; round++) {
    changed = false;
    for (const { a, b } of faces) {
      const most = AXES.map((axis) => a[axis] * (a[axis] > 0 ? high : low)[axis]);
      const all = most[0] + most[1] + most[2];
      if (all < b) return;
      for (const axis of AXES) {
        const c = a[axis];
        const rest = b - (all - most[axis]); // c·x >= rest
        if (c > 0 && Math.ceil(rest / c) > low[axis]) {
          low[axis] = Math.ceil(rest / c);
          changed = true;
        } else if (c < 0 && Math.floor(rest / c) < high[axis]) {
          high[axis] = Math.floor(rest / c);
          changed = true;
        }
      }
      if (AXES.some((axis) => low[axis] > high[axis])) return;
    }
  }
  return { faces, low, high };
};

/** The parts of the cells where a condition does not hold. */
const without = (cells, condition, all) => {
  if (condition.a) {
    // Not a·p > k is -a·p >= -k.
    const face = { a: condition.a.slice(0, 3).map((c) => -c), b: -condition.k };
    return cells.map(({ faces, low, high }) => narrow([...faces, face], low, high)).filter(Boolean);
  }
  if (!all) return condition.reduce((kept, part) => without(kept, part, true), cells);
  return condition.flatMap((part) => without(cells, part, false));
};

const replaced = (p, axis, value) => p.map((x, i) => (i == axis ? value : x));

const size = (p) => p[0] + p[1] + p[2];

/** Whether p is preferred to q at equal changes: the smaller box, then the one smaller in width, depth, height. */
const better = (p, q) => {
  const by = [size(p) - size(q), ...AXES.map((axis) => p[axis] - q[axis])].find(Boolean);
  return by < 0;
};

/** Convex pieces that together hold all valid boxes; whole is false where there are too many to list. */
const validCells = (rules) => {
  let cells = [{ faces: [], low: [-1e9, -1e9, -1e9], high: [1e9, 1e9, 1e9] }];
  let whole = true;
  for (const rule of rules) {
    cells = without(cells, rule.when);
    whole &&= cells.length <= CELLS;
    cells.length = Math.min(cells.length, CELLS);
  }
  return { cells, whole };
};

/** The nearest valid box of a profile on a step, undefined where there is none. Throws InputError. */
const nearest = (profile, dims, step = 1) => {
  const at = grid(dims);
  const unit = Math.floor(step * 1000 + 0.5);
  if (!(unit >= 1 && unit <= 1e6 && unit / 1000 == step)) {
    throw new InputError("step", step + " is no step; accepted: a multiple of 0.001 from 0.001 to 1000");
  }
  const rules = profile["~rules"];
  const { cells, whole } = (rules.cells ??= validCells(rules));
  let effort = EFFORT;
  let best, total;

  // Tries the values of the first free axis, nearest first, and for each the best of the other free axes.
  const descend = (cell, [axis, ...later], step, changed) => {
    const distance = (axis) => Math.max(0, cell.low[axis] - at[axis], at[axis] - cell.high[axis]);
    const rest = later.reduce((sum, axis) => sum + distance(axis), changed);
    const x = at[axis];
    const first = Math.ceil(cell.low[axis] / step) * step;
    const last = Math.floor(cell.high[axis] / step) * step;
    let below = Math.min(Math.floor(x / step) * step, last);
    let above = Math.max(below + step, first);
    while (below >= first || above <= last) {
      const value = below < first || (above <= last && above - x < x - below) ? above : below;
      if (value == above) above += step;
      else below -= step;
      const change = Math.abs(value - x);
      if (rest + change > total || effort-- < 1) return; // and all that follow are farther
      const low = replaced(cell.low, axis, value);
      if (later.length) {
        const slice = narrow(cell.faces, low, replaced(cell.high, axis, value));
        if (slice) descend(slice, later, step, changed + change);
      } else if (!(changed + change >= total) || (changed + change == total && better(low, best))) {
        best = low;
        total = changed + change;
      }
    }
  };

  for (const sets of [[[]], [[0], [1], [2]], [[0, 1], [0, 2], [1, 2]], [[0, 1, 2]]]) {
    // A coarse step soon finds a box that is nearly as near, beyond which the fine one need not look.
    for (const factor of [100, 10, 1]) {
      if (factor > 1 && unit * factor > 1e4) continue;
      for (const free of sets) {
        for (const { faces, low, high } of cells) {
          if (AXES.some((axis) => !free.includes(axis) && (at[axis] < low[axis] || at[axis] > high[axis]))) continue;
          const held = (end) => AXES.map((axis) => (free.includes(axis) ? end : at)[axis]);
          const cell = narrow(faces, held(low), held(high));
          if (!cell) continue;
          if (free.length) descend(cell, free, unit * factor, 0);
          else best = at;
        }
      }
    }
    if (best) break;
  }
  const proof = whole && effort >= 0 ? {} : { unproved: true };
  if (!best) return;
  const found = { changed: FIELDS.filter((_, axis) => best[axis] != at[axis]) };
  const [width, depth, height] = best.map((x) => (x + 0) / 1000);
  return { width, depth, height, ...found, ...proof };
};

export { nearest };
