type Key =
  | ("lang" | "width" | "depth" | "height")
  | ("required" | "number" | "range" | "decimals" | "atLeast" | "atMost" | "either" | "together")
  | ("articleChoice" | "materialChoice" | "valid" | "use" | "turn" | "turnOther");

/** Messages for a generated module's profile, and for dom.js. */
declare const messages: { readonly [key in Key]: string };
export default messages;
