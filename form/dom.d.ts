import type { Dims, Messages, Profile, Result } from "./evaluator.js";
import type { Suggestion } from "./nearest.js";

/** What was wrong with the choice of an article or a material. */
export interface ChoiceIssue {
  message: string;
  path: ["article" | "material"];
  kind: "choice";
}

/** What the form holds: a box that can be made, or why not. */
export type FormResult = Result | { issues: ChoiceIssue[] };

/** A profile of any generated module; one without nearest has no suggestions. */
export type Checks = Profile & { nearest?(dims: Dims, step?: number): Suggestion | undefined };

export interface AttachOptions {
  /**
   * The checks: a profile, or `profile` of index.js, which is asked with the values of the form's controls named
   * article and material at each change. With a profile, give it the messages when you make it.
   */
  profile: Checks | ((article: any, material: any, messages?: any) => Checks);
  /** A locale, such as locales/de.js. Without one, English. */
  messages?: Messages;
  /** What the changed dimensions of a suggestion are multiples of; 1 when absent. */
  step?: number;
  /** Called after each check, for pages that draw. */
  onresult?: (result: FormResult) => void;
}

export interface Attached {
  /** Checks again: call it after a script has set a control's value. */
  check(): void;
  /** Puts everything back as it was before attach. */
  detach(): void;
}

/**
 * Checks the form's controls named width, depth and height at each input. Each can be an input of type number, text
 * or range. To attach again replaces what was attached before.
 *
 * - The blamed control gets the message as its custom validity, which keeps the form from being submitted, and
 *   `aria-invalid`. An empty control is complained about once it has been left or the form was submitted.
 * - `min` and `max` are the least and greatest value that the box may have there while its other dimensions stay (what
 *   lies between two ranges is left to the custom validity); the article's limits where there is none, and in a box
 *   that is not valid for the dimensions that are not blamed, so that the browser has no second opinion. An input of
 *   type range always gets the article's limits, widened to hold its value, because the browser moves the value of a
 *   range input into its bounds. `step` is "any". The value of a control is never changed but by the button.
 * - Elements with these attributes are used where the form has them, and made where it has not:
 *   `data-boxrules-message="width"` (and depth, height, article, material), the control's description in text;
 *   `data-boxrules-suggestion`, a button that offers the nearest box that can be made;
 *   `data-boxrules-status`, a polite live region, which only screen readers perceive when made here. It speaks half
 *   a second after the last input, and only when there is news.
 */
export function attach(form: HTMLFormElement, options: AttachOptions): Attached;
