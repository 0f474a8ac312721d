// The nearest valid box: the one that changes the fewest dimensions, and of those the least in total. It is found by
// branch and bound: of all regions of boxes the one with the best bound is the answer where its nearest box is valid, and
// else is parted: by the parts of a condition of which some part has to hold, or where there is none by halves.

import { dot, FIELDS, firstInFloat, grid, gridStep, holds, offEdge, rulesIn, sidesOf } from "./evaluator.js";

const { abs, ceil, floor, max, min } = Math;
const AXES = [0, 1, 2];
const FREE = [[[]], [[0], [1], [2]], [[0, 1], [0, 2], [1, 2]], [AXES]]; // the axes that may change, fewest first

/**
 * The work that one search may do: to hold a half-space against a region counts 1, and what takes longer counts more. The
 * shipped articles need up to 13,559 (handle-box from 10 x 10 x 500 on 0.003). Files made to be hard spend it all, in 0.01
 * to 0.05 s where the code is not compiled yet.
 */
const EFFORT = 4e4;

/** The sum of a number for each axis. */
const total = (f) => f(0) + f(1) + f(2);
const below = (x, unit) => floor(x / unit) * unit;
const above = (x, unit) => ceil(x / unit) * unit;
const gcd = (a, b) => (b ? gcd(b, a % b) : abs(a));

/** The least that a sum is from low to high; from high to low it is the greatest. */
const least = (a, low, high) =>
  a[0] * (a[0] > 0 ? low : high)[0] + a[1] * (a[1] > 0 ? low : high)[1] + a[2] * (a[2] > 0 ? low : high)[2];

/** The complement of a condition: half-spaces change sides, and any of a list becomes all of it. */
const complement = (condition) =>
  condition.a ? { a: condition.a.map((c) => -c), k: -condition.k - 1 } : condition.map(complement);

/** A face [a, b, c, k], a·w + b·d + c·h >= k over integers, as it binds multiples of the unit. */
const reduced = (face, unit) => {
  const divisor = gcd(gcd(face[0], face[1]), face[2]) || 1;
  return face.map((x, i) => (i > 2 ? above(ceil(x / divisor), unit) : x / divisor));
};

/**
 * Whether faces leave no multiple of the unit, found by adding them up so that one axis after the other drops out. It
 * may not be found where that makes too many faces, or numbers that are too large to be exact.
 */
const isEmpty = (faces, unit, spend, axis = 0) => {
  if (axis > 2 || faces.length > 100) return axis > 2 && faces.some((face) => face[3] > 0);
  const sums = {};
  const add = (face) => {
    const direction = face[0] + "," + face[1] + "," + face[2];
    if (!(sums[direction]?.[3] >= face[3])) sums[direction] = face;
  };
  const against = faces.filter((face) => face[axis] < 0);
  for (const f of faces) {
    const m = f[axis];
    if (!m) add(f);
    if (m <= 0) continue;
    for (const g of against) {
      if (!spend()) return false;
      const n = -g[axis];
      const isExact = (x) => abs(x) < 2 ** 52 / max(m, n);
      if (f.every(isExact) && g.every(isExact)) add(reduced(f.map((x, i) => n * x + m * g[i]), unit));
    }
  }
  return isEmpty(Object.values(sums), unit, spend, axis + 1);
};

/** The nearest point that violates none of the rules, undefined where none is found, and whether the search was given up. */
const search = (rules, at, unit) => {
  let effort = EFFORT;
  const regions = []; // that are left to search, the best last

  const changes = (p) => total((axis) => abs(p[axis] - at[axis]));

  /** Where a condition holds in a region: 0 nowhere, 1 somewhere or unknown, 2 everywhere. */
  const where = (condition, region, all) => {
    const { a, k } = condition;
    if (!a) {
      let place = all ? 2 : 0;
      for (const part of condition) place = (all ? min : max)(place, where(part, region, !all));
      return place;
    }
    effort--;
    if (least(a, region.low, region.high) > k) return 2;
    return least(a, region.high, region.low) > k ? 1 : 0;
  };

  /** Takes from a region what lies beyond its faces; false where that is everything, or no effort is left. */
  const narrow = (region) => {
    const { faces, low, high } = region;
    for (let round = 0, changed = true; changed && round < 8; round++) {
      changed = false;
      if ((effort -= 2 * faces.length) < 0) return false;
      for (const face of faces) {
        const rest = face[3] - least(face, high, low);
        if (rest > 0) return false;
        for (const axis of AXES) {
          const c = face[axis];
          if (!c) continue;
          const bound = (rest + c * (c > 0 ? high : low)[axis]) / c; // of c·x >= rest + the most that c·x is
          const end = c > 0 ? above(ceil(bound), unit) : below(floor(bound), unit);
          if (c > 0 ? end <= low[axis] : end >= high[axis]) continue;
          (c > 0 ? low : high)[axis] = end;
          if (low[axis] > high[axis]) return false;
          changed = true;
        }
      }
    }
    return true;
  };

  /** Bounds the changes of a region; false where it is a point that does not meet everything. */
  const bounded = (region) => {
    const { faces, open, low, high } = region;
    const free = (axis) => low[axis] < high[axis];
    // The nearest point of the region, and its nearest multiple of the unit, the smaller of two.
    const near = at.map((x, axis) => min(max(x, low[axis]), high[axis]));
    const first = near.map((x, axis) => {
      const lower = free(axis) ? below(x, unit) : x;
      return 2 * (x - lower) > unit ? lower + unit : lower;
    });
    region.bound = changes(first);
    if (faces.every((face) => dot(face, first) >= face[3]) && open.every((parts) => holds(parts, first))) {
      region.low = region.high = first;
      return true;
    }
    // From the nearest point a face is as far as the steepest axis takes to it.
    for (const face of faces) {
      let steepest = 1;
      for (const axis of AXES) if (free(axis)) steepest = max(steepest, abs(face[axis]));
      region.bound = max(region.bound, changes(near) + ceil((face[3] - dot(face, near)) / steepest));
    }
    return AXES.some(free);
  };

  /** A half-space as a face. Without the axes that are held, a·p > k is a·p >= k + 1. */
  const faceOf = ({ a, k }, free) => {
    const left = a.map((c, axis) => (free.includes(axis) ? c : 0));
    return reduced([...left, k + 1 - dot(a, at) + dot(left, at)], unit);
  };

  /**
   * By how much at least what goes up does so in boxes of a region. Of equal changes what goes up makes a greater box, and
   * what goes down a smaller one.
   */
  const ups = ({ low, bound }) => {
    const up = total((axis) => max(0, low[axis] - at[axis]));
    const down = total((axis) => max(0, at[axis] - low[axis]));
    return max(up, bound - down);
  };

  /** Below 0 where a region may have a better box than another. */
  const order = (region, other) =>
    region.bound - other.bound ||
    region.ups - other.ups ||
    AXES.reduce((order, axis) => order || region.low[axis] - other.low[axis], 0);

  /** Adds to the regions the part of a region from low to high that meets more conditions, unless that is nothing. */
  const settle = ({ free, proved, faces, open }, conditions, low, high) => {
    if ((effort -= 32 + 4 * faces.length) < 0) return;
    const region = { free, proved, faces: [...faces], open: [...open], low: [...low], high: [...high] };
    do {
      effort -= 4 * conditions.length;
      for (const condition of conditions) {
        if (condition.a) region.faces.push(faceOf(condition, free));
        else for (const part of condition) region.open.push(part.a ? [part] : part); // a list of lists
      }
      conditions = [];
      if (!narrow(region)) return;
      const open = [];
      for (const parts of region.open) {
        const places = parts.map((part) => where(part, region, true));
        if (places.includes(2)) continue;
        const left = parts.filter((_, i) => places[i]);
        if (!left[0]) return;
        if (left[1]) open.push(left);
        else conditions.push(left[0]);
      }
      region.open = open;
    } while (conditions.length);
    // What holds everywhere in the region need not be looked at again.
    region.faces = region.faces.filter((face) => least(face, region.low, region.high) < face[3]);
    if (!bounded(region)) return;
    region.ups = ups(region);
    regions.splice(regions.findLastIndex((other) => order(other, region) > 0) + 1, 0, region);
  };

  /** Parts a region by the condition with the fewest parts: in each one of them holds, and none of those before. */
  const branch = (region) => {
    const chosen = region.open.reduce((a, b) => (b.length < a.length ? b : a));
    const rest = { ...region, open: region.open.filter((parts) => parts != chosen) };
    const before = [];
    for (const part of chosen) {
      settle(rest, [...before, part], region.low, region.high);
      if (part.a) before.push(complement(part));
    }
  };

  /** Halves a region across its widest axis, unless it is proved to have no box, which is tried once. */
  const halve = (region) => {
    const { low, high } = region;
    if (!region.proved) {
      region.proved = true;
      const end = (sign, bound) => AXES.map((axis) => [...AXES.map((i) => (i == axis ? sign : 0)), sign * bound[axis]]);
      if (isEmpty([...region.faces, ...end(1, low), ...end(-1, high)], unit, () => (effort -= 8) >= 0)) return;
    }
    const widest = AXES.reduce((a, b) => (high[b] - low[b] > high[a] - low[a] ? b : a));
    const middle = below((low[widest] + high[widest]) / 2, unit);
    const moved = (p, value) => p.map((x, axis) => (axis == widest ? value : x));
    settle(region, [], low, moved(high, middle));
    settle(region, [], moved(low, middle + unit), high);
  };

  const kept = rules.map((rule) => complement(rule.when));
  const isBox = ({ low, high }) => low == high;
  let best;
  for (const sets of FREE) {
    for (const free of sets) {
      const most = below(1e9, unit);
      const ends = (end) => AXES.map((axis) => (free.includes(axis) ? end : at[axis]));
      settle({ free, faces: [], open: [] }, kept, ends(-most), ends(most));
    }
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
 * The nearest valid box of a profile on a step, undefined where none is found. A borderline box is not proposed, but the
 * nearest on no edge. Throws InputError.
 */
const nearest = (profile, dims, step = 1) => {
  const rules = rulesIn(profile);
  const at = grid(dims, profile.decimals);
  const unit = gridStep(step, profile.decimals);
  const changedIn = (point) => FIELDS.filter((_, axis) => point[axis] != at[axis]);
  let { point, isGivenUp } = search(rules, at, unit);
  const isBorderline = point && changedIn(point).length && firstInFloat(rules, sidesOf(point));
  if (isBorderline) ({ point, isGivenUp } = search(offEdge(rules), at, unit));
  const unproved = isGivenUp ? { unproved: true } : undefined;
  if (!point) return unproved ?? (isBorderline ? { borderline: true } : undefined);
  const [width, depth, height] = sidesOf(point);
  return { width, depth, height, changed: changedIn(point), ...unproved };
};

export { nearest };
