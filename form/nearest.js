// The nearest valid box is the one that changes the fewest dimensions. If there are several, it is the one with the smallest
// total change. It is found by branch and bound. A region is a set of boxes with a lower bound on the change of its boxes.
// The search always takes the region with the lowest bound. If the nearest box of that region is valid, it is the answer.
// If not, the region is divided: by the parts of an "or" that has to hold in it, or else into halves.

import { dot, FIELDS, firstInFloat, grid, gridStep, holds, offEdge, rulesIn, sidesOf } from "./evaluator.js";

const { abs, ceil, floor, max, min } = Math;
const AXES = [0, 1, 2];
const FREE = [[[]], [[0], [1], [2]], [[0, 1], [0, 2], [1, 2]], [AXES]]; // the axes that may change, fewest first

/**
 * The work that one search may do. Comparing a half-space with a region counts as 1, and longer operations count as more.
 * The shipped articles need at most 13,559 (handle-box from 10 x 10 x 500 on a step of 0.003). Rule files that are made to
 * be hard use all of it, which takes 0.01 to 0.05 s before the browser has compiled the code.
 */
const EFFORT = 4e4;

/** The sum of f over the axes. */
const total = (f) => f(0) + f(1) + f(2);
const roundDown = (x, step) => floor(x / step) * step;
const roundUp = (x, step) => ceil(x / step) * step;
const gcd = (a, b) => (b ? gcd(b, a % b) : abs(a));

/** The smallest a·p for points from low to high. With low and high exchanged it is the largest. */
const smallestSum = (a, low, high) =>
  a[0] * (a[0] > 0 ? low : high)[0] + a[1] * (a[1] > 0 ? low : high)[1] + a[2] * (a[2] > 0 ? low : high)[2];

/** The complement of a condition. Each half-space becomes its complement, "or" becomes "and", and "and" becomes "or". */
const complement = (condition) =>
  condition.a ? { a: condition.a.map((c) => -c), k: -condition.k - 1 } : condition.map(complement);

/** A face [a, b, c, k] is a·w + b·d + c·h >= k. Returns the tightest face with the same multiples of the step. */
const tightened = (face, step) => {
  const divisor = gcd(gcd(face[0], face[1]), face[2]) || 1;
  return face.map((x, i) => (i > 2 ? roundUp(ceil(x / divisor), step) : x / divisor));
};

/**
 * Whether it is proved that no multiple of the step meets all faces. The proof is Fourier-Motzkin elimination: faces are
 * added in pairs so that one axis after the other drops out. For example, w - d >= 2 and d - w >= -1 add up to 0 >= 1,
 * which is false. There is no proof if it would need too many faces, or numbers that are too large to be exact.
 */
const isEmpty = (faces, step, spend, axis = 0) => {
  if (axis > 2 || faces.length > 100) return axis > 2 && faces.some((face) => face[3] > 0);
  const sums = {};
  const add = (face) => {
    // Of several faces with the same direction, only the tightest one matters.
    const direction = face[0] + "," + face[1] + "," + face[2];
    if (!(sums[direction]?.[3] >= face[3])) sums[direction] = face;
  };
  const opposite = faces.filter((face) => face[axis] < 0);
  for (const f of faces) {
    const m = f[axis];
    if (!m) add(f);
    if (m <= 0) continue;
    for (const g of opposite) {
      // f has m > 0 along this axis, and g has -n. In n·f + m·g the two cancel.
      if (!spend()) return false;
      const n = -g[axis];
      const isExact = (x) => abs(x) < 2 ** 52 / max(m, n);
      if (f.every(isExact) && g.every(isExact)) add(tightened(f.map((x, i) => n * x + m * g[i]), step));
    }
  }
  return isEmpty(Object.values(sums), step, spend, axis + 1);
};

/** Finds the nearest point that violates no rule. The point is undefined if there is none, or if the search was given up. */
const search = (rules, at, step) => {
  let effort = EFFORT;
  const regions = []; // the regions still to be searched; the best is the last one

  const changes = (p) => total((axis) => abs(p[axis] - at[axis]));

  /** How much of a region meets a condition: 0 means nothing, 1 a part or unknown, 2 everything. */
  const extent = (condition, region, all) => {
    const { a, k } = condition;
    if (!a) {
      let result = all ? 2 : 0;
      for (const part of condition) result = (all ? min : max)(result, extent(part, region, !all));
      return result;
    }
    effort--;
    if (smallestSum(a, region.low, region.high) > k) return 2;
    return smallestSum(a, region.high, region.low) > k ? 1 : 0;
  };

  /** Shrinks the region to the smallest one that its faces allow. Returns false if nothing remains, or if the effort is used up. */
  const narrow = (region) => {
    const { faces, low, high } = region;
    for (let round = 0, changed = true; changed && round < 8; round++) {
      changed = false;
      if ((effort -= 2 * faces.length) < 0) return false;
      for (const face of faces) {
        const rest = face[3] - smallestSum(face, high, low);
        if (rest > 0) return false;
        for (const axis of AXES) {
          const c = face[axis];
          if (!c) continue;
          const bound = (rest + c * (c > 0 ? high : low)[axis]) / c; // because c·x >= rest + the largest c·x
          const end = c > 0 ? roundUp(ceil(bound), step) : roundDown(floor(bound), step);
          if (c > 0 ? end <= low[axis] : end >= high[axis]) continue;
          (c > 0 ? low : high)[axis] = end;
          if (low[axis] > high[axis]) return false;
          changed = true;
        }
      }
    }
    return true;
  };

  /** Sets the lower bound on the change of a region. Returns false if the region is a single point that is not valid. */
  const setBound = (region) => {
    const { faces, open, low, high } = region;
    const free = (axis) => low[axis] < high[axis];
    // near is the nearest point of the region, and first the multiple of the step nearest to it. If there are two, it is the
    // smaller one.
    const near = at.map((x, axis) => min(max(x, low[axis]), high[axis]));
    const first = near.map((x, axis) => {
      const lower = free(axis) ? roundDown(x, step) : x;
      return 2 * (x - lower) > step ? lower + step : lower;
    });
    region.bound = changes(first);
    if (faces.every((face) => dot(face, first) >= face[3]) && open.every((parts) => holds(parts, first))) {
      region.low = region.high = first;
      return true;
    }
    // Reaching a face from the nearest point takes at least the distance along the steepest axis.
    for (const face of faces) {
      let steepest = 1;
      for (const axis of AXES) if (free(axis)) steepest = max(steepest, abs(face[axis]));
      region.bound = max(region.bound, changes(near) + ceil((face[3] - dot(face, near)) / steepest));
    }
    return AXES.some(free);
  };

  /** A half-space as a face of the free axes; the others are constant. a·p > k is a·p >= k + 1. */
  const faceOf = ({ a, k }, free) => {
    const factors = a.map((c, axis) => (free.includes(axis) ? c : 0));
    return tightened([...factors, k + 1 - dot(a, at) + dot(factors, at)], step);
  };

  /**
   * A lower bound on the total growth of the dimensions that grow, for the boxes of a region. Of two boxes with the same
   * change, the one that grows less is smaller, so it is preferred.
   */
  const growth = ({ low, bound }) => {
    const up = total((axis) => max(0, low[axis] - at[axis]));
    const down = total((axis) => max(0, at[axis] - low[axis]));
    return max(up, bound - down);
  };

  /** The result is negative if the first region may have a better box than the other one. */
  const compare = (region, other) =>
    region.bound - other.bound ||
    region.growth - other.growth ||
    AXES.reduce((order, axis) => order || region.low[axis] - other.low[axis], 0);

  /** Adds the part of a region that is from low to high and meets the conditions, unless it is empty. */
  const addRegion = ({ free, proved, faces, open }, conditions, low, high) => {
    if ((effort -= 32 + 4 * faces.length) < 0) return;
    const region = { free, proved, faces: [...faces], open: [...open], low: [...low], high: [...high] };
    do {
      effort -= 4 * conditions.length;
      for (const condition of conditions) {
        if (condition.a) region.faces.push(faceOf(condition, free));
        else for (const part of condition) region.open.push(part.a ? [part] : part); // each entry means "or"
      }
      conditions = [];
      if (!narrow(region)) return;
      const open = [];
      for (const parts of region.open) {
        const extents = parts.map((part) => extent(part, region, true));
        if (extents.includes(2)) continue;
        const remaining = parts.filter((_, i) => extents[i]);
        if (!remaining[0]) return;
        if (remaining[1]) open.push(remaining);
        else conditions.push(remaining[0]); // only this part can hold, so it has to
      }
      region.open = open;
    } while (conditions.length);
    // A face that the whole region meets is no longer needed.
    region.faces = region.faces.filter((face) => smallestSum(face, region.low, region.high) < face[3]);
    if (!setBound(region)) return;
    region.growth = growth(region);
    regions.splice(regions.findLastIndex((other) => compare(other, region) > 0) + 1, 0, region);
  };

  /** Divides a region by the "or" with the fewest parts. In each new region one part holds, and none of the parts before it. */
  const branch = (region) => {
    const chosen = region.open.reduce((a, b) => (b.length < a.length ? b : a));
    const rest = { ...region, open: region.open.filter((parts) => parts != chosen) };
    const before = [];
    for (const part of chosen) {
      // If several parts hold for a box, it belongs only to the region of the first one, provided that is a half-space.
      addRegion(rest, [...before, part], region.low, region.high);
      if (part.a) before.push(complement(part));
    }
  };

  /** Halves a region across its widest axis. Before the first time, tries to prove that the region is empty. */
  const halve = (region) => {
    const { low, high } = region;
    if (!region.proved) {
      region.proved = true;
      const end = (sign, bound) => AXES.map((axis) => [...AXES.map((i) => (i == axis ? sign : 0)), sign * bound[axis]]);
      if (isEmpty([...region.faces, ...end(1, low), ...end(-1, high)], step, () => (effort -= 8) >= 0)) return;
    }
    const widest = AXES.reduce((a, b) => (high[b] - low[b] > high[a] - low[a] ? b : a));
    const middle = roundDown((low[widest] + high[widest]) / 2, step);
    const moved = (p, value) => p.map((x, axis) => (axis == widest ? value : x));
    addRegion(region, [], low, moved(high, middle));
    addRegion(region, [], moved(low, middle + step), high);
  };

  const required = rules.map((rule) => complement(rule.when));
  const isBox = ({ low, high }) => low == high;
  let best;
  for (const sets of FREE) {
    for (const free of sets) {
      const largest = roundDown(1e9, step);
      const ends = (end) => AXES.map((axis) => (free.includes(axis) ? end : at[axis]));
      addRegion({ free, faces: [], open: [] }, required, ends(-largest), ends(largest));
    }
    // No region has a better box than the last region. If that is a single box, the search is done.
    while (effort >= 0 && regions[0] && !isBox(regions.at(-1))) {
      const region = regions.pop();
      (region.open[0] ? branch : halve)(region);
    }
    best = regions.findLast(isBox);
    if (best) break;
  }
  return { point: best?.low, isGivenUp: effort < 0 };
};

/**
 * The nearest valid box of a profile, with changed dimensions that are multiples of the step. If that box is borderline, it
 * is the nearest box that is on no edge. It is undefined if there is none. Throws InputError.
 */
const nearest = (profile, dims, step) => {
  const rules = rulesIn(profile);
  const at = grid(dims, profile.decimals);
  const stepOnGrid = gridStep(profile, step);
  const changedIn = (point) => FIELDS.filter((_, axis) => point[axis] != at[axis]);
  let { point, isGivenUp } = search(rules, at, stepOnGrid);
  const isBorderline = point && changedIn(point).length && firstInFloat(rules, sidesOf(point));
  if (isBorderline) ({ point, isGivenUp } = search(offEdge(rules), at, stepOnGrid));
  const unproved = isGivenUp ? { unproved: true } : undefined;
  if (!point) return unproved ?? (isBorderline ? { borderline: true } : undefined);
  const [width, depth, height] = sidesOf(point);
  return { width, depth, height, changed: changedIn(point), ...unproved };
};

export { nearest };
