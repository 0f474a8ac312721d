const english = {
  lang: "en", // a BCP 47 language tag, such as en-GB: numbers are written as there
  width: "Width",
  depth: "Depth",
  height: "Height",
  required: "{field} is required.",
  number: "{field} must be a plain number, such as 48 or {example}.",
  range: "{field} must be from {min} to {max}.",
  decimals: "{field} has too many decimals: at most {decimals}.",
  atLeast: "{field} must be at least {min} {unit}.",
  atMost: "{field} must be at most {max} {unit}.",
  either: "{field} must be at most {max} {unit} or at least {min} {unit}.",
  together: "{field}: changing it alone is not enough.",
  // For dom.js:
  articleChoice: "Choose an article.",
  materialChoice: "Choose a material.",
  valid: "This box can be made.",
  use: "Use {width} × {depth} × {height} {unit} (changes: {changed})",
  turn: "Turn the box: {width} × {depth} × {height} {unit}",
  turnOther: "Turn the box: {width} × {depth} × {height} {unit} (another side opens)",
};

export default english;
