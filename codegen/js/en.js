// What is said of a box that cannot be made, in English.

const english = {
  lang: "en",
  width: "Width",
  depth: "Depth",
  height: "Height",
  required: "{field} is required.",
  number: "{field} must be a plain number, such as 48 or 48.5.",
  range: "{field} must be from {min} to {max}.",
  atLeast: "{field} must be at least {min} {unit}.",
  atMost: "{field} must be at most {max} {unit}.",
  either: "{field} must be at most {max} {unit} or at least {min} {unit}.",
  together: "{field}: changing it alone is not enough.",
};

export default english;
