// The nearest valid box: the one that changes the fewest dimensions, and of those the least in total. Valid boxes are
// listed as convex cells, and each is searched by branch and bound: a range of boxes is halved until its nearest box
// is valid, and passed over where even its bound is no better than what was found.

import { dot, FIELDS, grid, InputError, shown } from "./evaluator.js";

const AXES = [0, 1, 2];
const FREE = [[[]], [[0], [1], [2]], [[0, 1], [0, 2], [1, 2]], [AXES]]; // the axes that may change, fewest first

/** How many ranges one search may look at, and how many cells it may look in, before it gives up. */
const EFFORT = 1e5;
const CELLS = 2000;

/** The sum of a number for each axis. */
const total = (f) => f(0) + f(1) + f(2);
const floor = (x, unit) => Math.floor(x / unit) * unit;
const ceil = (x, unit) => Math.ceil(x / unit) * unit;
const gcd = (a, b) => (b ? gcd(b, a % b) : Math.abs(a));

/**
 * The range from low to high as far as the faces a·p >= b leave it, in multiples of the unit; undefined where they leave
 * nothing. It may be larger than need be.
 */
const narrow = (faces, unit, low, high) => {
  low = [...low];
  high = [...high];
  for (let round = 0, changed = true; changed && round < 8; round++) {
    changed = false;
    for (const { a, b } of faces) {
      const most = AXES.map((axis) => a[axis] * (a[axis] > 0 ? high : low)[axis]);
      const rest = b - total((axis) => most[axis]);
      if (rest > 0) return;
      for (const axis of AXES) {
        const bound = (rest + most[axis]) / a[axis]; // of c·x >= rest + most
        const up = ceil(Math.ceil(bound), unit);
        const down = floor(Math.floor(bound), unit);
        if (a[axis] > 0 && up > low[axis]) low[axis] = up;
        else if (a[axis] < 0 && down < high[axis]) high[axis] = down;
        else continue;
        if (low[axis] > high[axis]) return;
        changed = true;
      }
    }
  }
  return { low, high };
};

/** A face over integers as it binds multiples of the unit. */
const reduced = (a, b, unit) => {
  const divisor = a.reduce(gcd, 0) || 1;
  return { a: a.map((c) => c / divisor), b: ceil(Math.ceil(b / divisor), unit) };
};

/**
 * Whether faces leave no multiple of the unit, found by adding them up so that one axis after the other drops out. It
 * may not be found where that makes too many faces, or numbers that are too large to be exact.
 */
const isEmpty = (faces, unit, axis = 0) => {
  if (axis > 2 || faces.length > 200) return faces.some(({ a, b }) => b > 0 && !a.some(Boolean));
  const sums = new Map();
  const add = (...sum) => {
    const face = reduced(...sum, unit);
    if (!(sums.get("" + face.a)?.b >= face.b) && sum.flat().every(Number.isSafeInteger)) sums.set("" + face.a, face);
  };
  for (const { a, b } of faces) {
    if (!a[axis]) add(a, b);
    for (const { a: c, b: d } of faces) {
      if (a[axis] > 0 && c[axis] < 0) add(AXES.map((i) => c[i] * a[axis] - a[i] * c[axis]), d * a[axis] - b * c[axis]);
    }
  }
  return isEmpty([...sums.values()], unit, axis + 1);
};

/** The parts of the cells where a condition does not hold. */
const without = (cells, condition, all) => {
  if (condition.a) {
    // Not a·p > k is -a·p >= -k.
    const face = { a: AXES.map((axis) => -condition.a[axis]), b: -condition.k };
    return cells.flatMap(({ faces, low, high }) => {
      faces = [...faces, face];
      const left = narrow(faces, 1, low, high);
      return left ? [{ faces, ...left }] : [];
    });
  }
  if (!all) return condition.reduce((kept, part) => without(kept, part, true), cells);
  return condition.flatMap((part) => without(cells, part, false));
};

/** Cells that together hold all valid boxes; some of them where there would be more than CELLS. */
const validCells = (rules) =>
  rules.reduce((cells, rule) => without(cells, rule.when).slice(0, CELLS), [
    { faces: [], low: [-1e9, -1e9, -1e9], high: [1e9, 1e9, 1e9] },
  ]);

/** A step in thousandths. */
const inThousandths = (step) => {
  const unit = typeof step == "number" ? Math.floor(step * 1000 + 0.5) : NaN;
  if (unit >= 1 && unit <= 1e6 && unit / 1000 == step) return unit;
  throw new InputError("step", shown(step) + " is not a multiple of 0.001 from 0.001 to 1000");
};

/** The nearest valid box of a profile on a step, undefined where none is found. Throws InputError. */
const nearest = (profile, dims, step = 1) => {
  const rules = profile?.["~rules"];
  if (!Array.isArray(rules)) {
    throw new InputError("profile", shown(profile) + " is not a profile; accepted: what the function profile returns");
  }
  const at = grid(dims);
  const unit = inThousandths(step);
  const cells = (rules.cells ??= validCells(rules));
  let effort = EFFORT;
  let best, least; // its changes in total

  const changes = (p) => total((axis) => Math.abs(p[axis] - at[axis]));

  /** Looks in a cell, with its faces as they bind the free axes. */
  const search = (faces, low, high) => {
    /** A range with a bound of the changes that it takes, or its nearest box alone where that is valid. */
    const range = (low, high) => {
      const narrowed = narrow(faces, unit, low, high);
      if (!narrowed) return;
      ({ low, high } = narrowed);
      // The nearest point of the range, and its nearest multiple of the unit, the smaller of two.
      const near = AXES.map((axis) => Math.min(Math.max(at[axis], low[axis]), high[axis]));
      const first = AXES.map((axis) => {
        const below = low[axis] < high[axis] ? floor(near[axis], unit) : near[axis];
        return 2 * (near[axis] - below) > unit ? below + unit : below;
      });
      if (faces.every(({ a, b }) => dot(a, first) >= b)) return { low: first, high: first, bound: changes(first) };
      // From the nearest point a face is as far as the steepest axis takes to it.
      const far = faces.map(({ a, b }) => {
        const steepest = Math.max(...AXES.map((axis) => (low[axis] < high[axis] ? Math.abs(a[axis]) : 0)));
        return (b - dot(a, near)) / (steepest || 1);
      });
      return { low, high, bound: Math.max(changes(first), changes(near) + Math.max(...far)) };
    };
    /**
     * By how much at least what goes up does so in boxes of a range, with so many changes in all. Of equal changes what
     * goes up makes a greater box, and what goes down a smaller one.
     */
    const ups = ({ low }, changes) => {
      const up = total((axis) => Math.max(0, low[axis] - at[axis]));
      const down = total((axis) => Math.max(0, at[axis] - low[axis]));
      return Math.max(up, changes - down);
    };
    /** Below 0 where the low corner of a range is the smaller one. */
    const corners = (place, other) => AXES.reduce((order, axis) => order || place.low[axis] - other.low[axis], 0);
    /** Below 0 where a range may have a better box than another, whose changes are bounded so. */
    const order = (place, bound, other) =>
      place.bound - bound || ups(place, bound) - ups(other, bound) || corners(place, other);
    const visit = (place) => {
      if (effort-- < 1 || (best && order(place, least, { low: best }) >= 0)) return;
      const { low, high } = place;
      if (low == high) {
        best = low;
        least = place.bound;
        return;
      }
      const widest = AXES.reduce((a, b) => (high[b] - low[b] > high[a] - low[a] ? b : a));
      const moved = (p, value) => AXES.map((axis) => (axis == widest ? value : p[axis]));
      const middle = floor((low[widest] + high[widest]) / 2, unit);
      [range(low, moved(high, middle)), range(moved(low, middle + unit), high)]
        .filter(Boolean)
        .sort((a, b) => order(a, b.bound, b))
        .forEach(visit);
    };
    const whole = range(low, high);
    if (whole && (whole.low == whole.high || !isEmpty(faces, unit))) visit(whole);
  };

  for (const sets of FREE) {
    for (const free of sets) {
      for (const { faces, low, high } of cells) {
        const ends = (end, round) => AXES.map((axis) => (free.includes(axis) ? round(end[axis], unit) : at[axis]));
        // Without the axes that are held, and of the others multiples of the unit alone.
        const bound = faces.map(({ a, b }) => {
          const left = AXES.map((axis) => (free.includes(axis) ? a[axis] : 0));
          return reduced(left, b - dot(a, at) + dot(left, at), unit);
        });
        search(bound, ends(low, ceil), ends(high, floor));
      }
    }
    if (best) break;
  }
  if (!best) return;
  const [width, depth, height] = best.map((x) => x / 1000 + 0); // never -0
  const changed = FIELDS.filter((_, axis) => best[axis] != at[axis]);
  return { width, depth, height, changed, ...((cells.length == CELLS || effort < 0) && { unproved: true }) };
};

export { nearest };
