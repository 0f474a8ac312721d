// Draws the box as SVG. Colours and type are in demo.css, by class.

const FRAME = { width: 440, height: 360 }; // the viewBox of the drawing

const shape = (name, attributes, ...children) => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const key in attributes) element.setAttribute(key, attributes[key]);
  element.append(...children);
  return element;
};

const path = (points) => points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");
const polygon = (kind, points) => shape("polygon", { class: kind, points: path(points) });
const between = ([a, b], [c, d]) => [(a + c) / 2, (b + d) / 2];

/**
 * Draws an open box. closure is "lid" for a lid at the back with a tuck flap, "flaps" for four flaps, otherwise empty. labels
 * has, for each dimension, its name, its value as text and whether it is to blame, and the word for the opening.
 */
export function drawBox(svg, dims, closure, labels) {
  const { width, depth, height } = dims;
  const corner = (x, y, z) => [x * width, y * height, z * depth];
  // left or right, bottom or top, front or back
  const [lbf, rbf, ltf, rtf] = [corner(-0.5, -0.5, 0.5), corner(0.5, -0.5, 0.5), corner(-0.5, 0.5, 0.5), corner(0.5, 0.5, 0.5)];
  const [lbb, rbb, ltb, rtb] = [corner(-0.5, -0.5, -0.5), corner(0.5, -0.5, -0.5), corner(-0.5, 0.5, -0.5), corner(0.5, 0.5, -0.5)];

  /** A flap of a given length on an edge, in a direction, slightly narrower at its end. */
  const flap = ([a, b], length, direction, taper) => {
    const out = (point) => point.map((x, axis) => x + length * direction[axis]);
    const along = (from, to) => from.map((x, axis) => x + (to[axis] - x) * taper);
    return [a, b, out(along(b, a)), out(along(a, b))];
  };
  const half = Math.min(width, depth) / 2;
  const [behind, before] = { lid: lid(), flaps: flaps() }[closure] ?? [[], []];

  function lid() {
    const top = flap([ltb, rtb], depth, [0, 0.94, -0.34], 0);
    const tuck = flap([top[3], top[2]], Math.min(depth / 3, 25), [0, 0.5, 0.87], 0.06);
    return [[top, tuck, flap([ltf, ltb], half, [-0.5, 0.87, 0], 0.1)], [flap([rtb, rtf], half, [0.87, 0.5, 0], 0.1)]];
  }

  function flaps() {
    const [back, left] = [flap([ltb, rtb], depth / 2, [0, 0.8, -0.6], 0.02), flap([ltf, ltb], depth / 2, [-0.8, 0.6, 0], 0.05)];
    return [[back, left], [flap([rtb, rtf], depth / 2, [0.94, 0.34, 0], 0.05), flap([rtf, ltf], depth / 2, [0, 0, 1], 0.02)]];
  }

  const at = camera([lbf, rbf, ltf, rtf, lbb, rbb, ltb, rtb, ...behind.flat(), ...before.flat()]);
  const wall = (kind, points) => polygon(kind, points.map(at));
  const rim = [ltf, rtf, rtb, ltb].map(at);
  const top = [...rim, ...behind.flat().map(at)].reduce((highest, point) => (point[1] < highest[1] ? point : highest));
  svg.replaceChildren(
    // From back to front, so that the near walls cover what they hide.
    ...behind.map((points) => wall("flap", points)),
    wall("floor", [lbf, rbf, rbb, lbb]),
    wall("inside", [lbb, rbb, rtb, ltb]),
    wall("inside dim", [lbf, lbb, ltb, ltf]),
    wall("front", [lbf, rbf, rtf, ltf]),
    wall("side-wall", [rbf, rbb, rtb, rtf]),
    polygon("rim", rim),
    ...before.map((points) => wall("flap", points)),
    opening(rim, top, labels.opening),
    dimension(at(lbf), at(rbf), labels.width, "end"),
    dimension(at(rbf), at(rbb), labels.depth, "start"),
    dimension(at(ltf), at(lbf), labels.height, "end"),
  );
  fit(svg);
}

/** Enlarges the frame if labels are longer than the space reserved for them. */
function fit(svg) {
  const margin = 6;
  const drawn = svg.getBBox();
  const [left, top] = [Math.min(0, drawn.x - margin), Math.min(0, drawn.y - margin)];
  const width = Math.max(FRAME.width, drawn.x + drawn.width + margin) - left;
  const height = Math.max(FRAME.height, drawn.y + drawn.height + margin) - top;
  const by = Math.max(width / FRAME.width, height / FRAME.height); // in its proportions, so that nothing around it moves
  const box = [left - (FRAME.width * by - width) / 2, top - (FRAME.height * by - height) / 2, FRAME.width * by, FRAME.height * by];
  svg.setAttribute("viewBox", box.map((x) => x.toFixed(1)).join(" "));
}

/** Makes the function from points of the box to the frame, seen from the right and above, so that all the points fit. */
function camera(points) {
  const [turn, tilt] = [0.62, 0.5]; // radians
  const distance = 4.4 * Math.max(...points.map((point) => Math.hypot(...point)));
  const project = ([x, y, z]) => {
    const right = x * Math.cos(turn) - z * Math.sin(turn);
    const near = x * Math.sin(turn) + z * Math.cos(turn);
    const up = y * Math.cos(tilt) - near * Math.sin(tilt);
    const scale = distance / (distance - y * Math.sin(tilt) - near * Math.cos(tilt));
    return [right * scale, -up * scale];
  };

  const room = { left: 96, right: 66, top: 30, bottom: 56 }; // for the labels
  const seen = points.map(project);
  const [xs, ys] = [0, 1].map((i) => seen.map((point) => point[i]));
  const size = [Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys)];
  const space = [FRAME.width - room.left - room.right, FRAME.height - room.top - room.bottom];
  const zoom = Math.min(space[0] / size[0], space[1] / size[1]);
  const left = room.left + (space[0] - size[0] * zoom) / 2 - Math.min(...xs) * zoom;
  const top = room.top + (space[1] - size[1] * zoom) / 2 - Math.min(...ys) * zoom;
  return (point) => {
    const [x, y] = project(point);
    return [left + x * zoom, top + y * zoom];
  };
}

/** A dimension line beside the edge from a to b, on its left-hand side as the drawing is seen, with its label. */
function dimension(a, b, { name, value, blamed }, anchor) {
  const length = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1;
  const out = [-(b[1] - a[1]) / length, (b[0] - a[0]) / length];
  const beside = ([x, y], by) => [x + out[0] * by, y + out[1] * by];
  const [from, to] = [beside(a, 14), beside(b, 14)];
  const [x, y] = beside(between(a, b), 24);
  const line = shape("path", { d: `M${path([from])}L${path([to])}` });
  const ends = shape("path", {
    class: "ends",
    d: [a, b].map((end) => `M${path([beside(end, 5)])}L${path([beside(end, 20)])}`).join(""),
  });
  const steep = Math.abs(b[1] - a[1]) > 2 * Math.abs(b[0] - a[0]);
  const lines = [name, value].map((text, i) => shape("tspan", { x, dy: i ? "1.15em" : 0 }, text));
  const label = shape("text", { x, y: y + (steep ? -2 : 10), "text-anchor": anchor }, ...lines);
  return shape("g", { class: blamed ? "dimension-line blamed" : "dimension-line" }, line, ends, label);
}

/** The word for the opening: in the opening if it fits, or else above everything. */
function opening(rim, top, word) {
  const [x, y] = between(rim[0], rim[2]);
  const [along, across] = [rim[1], rim[3]].map((corner) => [corner[0] - rim[0][0], corner[1] - rim[0][1]]);
  const area = Math.abs(along[0] * across[1] - along[1] * across[0]);
  const roomy = area / Math.max(Math.hypot(...along), Math.hypot(...across)) > 44; // the distance of the longer sides
  return shape(
    "text",
    roomy
      ? { class: "opening within", x, y: y + 5, "text-anchor": "middle" }
      : { class: "opening", x: top[0], y: top[1] - 9, "text-anchor": "middle" },
    word,
  );
}

/** Draws on a slider's track the ranges in which the box is valid. */
export function drawTrack(svg, ranges, { min, max }) {
  const percent = (value) => (100 * (value - min)) / (max - min || 1);
  const bar = (kind, from, to) => shape("rect", { class: kind, x: percent(from) + "%", width: percent(to) - percent(from) + "%", height: "100%" });
  svg.replaceChildren(bar("all", min, max), ...ranges.map((range) => bar("valid", Math.max(range.min, min), Math.min(range.max, max))));
}
