// It imports nothing, so that it can stand next to any generated module.

type Field = "width" | "depth" | "height";
type Dims = { [field in Field]: number };

/** What is wrong with a dimension; a generated module declares it in more detail. */
export interface DimensionIssue {
  readonly message: string;
  readonly path: readonly [Field];
  /** The violated rule's; absent for what is not a dimension. */
  readonly code?: string;
  readonly kind: "required" | "number" | "range" | "decimals" | "atLeast" | "atMost" | "either" | "together";
  readonly params: {
    readonly field: Field;
    readonly value?: number;
    readonly min?: number;
    readonly max?: number;
    readonly example?: number;
    readonly decimals?: number;
    readonly unit: string;
  };
}

/** What is wrong with the choice of an article or a material. */
export interface ChoiceIssue {
  readonly message: string;
  readonly path: readonly ["article" | "material"];
  readonly code?: undefined;
  readonly kind: "choice";
}

/** What the form holds: a box that can be made, or why not. */
export type FormResult =
  | { readonly value: Readonly<Dims>; readonly issues?: undefined }
  | { readonly issues: readonly DimensionIssue[] | readonly ChoiceIssue[] };

/**
 * What attach needs of a profile, which that of any generated module has; made --without-nearest it has no turned and no
 * nearest, and then nothing is suggested.
 */
export interface Checks {
  readonly limits: { readonly [field in Field]: { readonly min: number; readonly max: number } };
  readonly decimals?: number;
  validate(
    value: unknown,
  ): { readonly value: Readonly<Dims>; readonly issues?: undefined } | { readonly issues: readonly DimensionIssue[] };
  ranges(dims: Dims): {
    readonly [field in Field]: readonly { readonly min: number; readonly max: number; readonly safe_min?: number; readonly safe_max?: number }[];
  };
  turned?(dims: Dims): readonly (Readonly<Dims> & { readonly opening: "same" | "other" })[];
  nearest?(dims: Dims, step?: number): (Readonly<Dims> & { readonly changed: readonly Field[] }) | { readonly changed?: undefined } | undefined;
}

export interface AttachOptions {
  /**
   * The checks: a profile, or the function `profile` of a generated module, which is asked with the values of the
   * form's controls named article and material at each change. With a profile, give it the messages when you make it.
   */
  profile: Checks | ((article: any, material: any, messages?: any) => Checks);
  /** A locale, such as locales/de.js. Without one, English. */
  messages?: { readonly [key: string]: string | undefined };
  /**
   * What the changed dimensions of a suggestion are multiples of, as `nearest` takes it: a multiple of 0.001 from 0.001 to
   * 1000 with no more decimals than a dimension may have; 1 when absent.
   */
  step?: number;
  /** Called after each check, for pages that draw. */
  onresult?(result: FormResult): void;
}

export interface Attached {
  /** Checks again: call it after a script has set a control's value, or disabled one. */
  check(): void;
  /**
   * Puts everything back as it was before attach. What stays of the page's own elements: a message's id, the button's
   * type and the status's role. The custom validity is then empty.
   */
  detach(): void;
}

/**
 * Checks the form's controls named width, depth and height at each input. Each can be an input of type number, text
 * or range. In one of type text a decimal comma is read, and written by the button, where the messages' language has it;
 * what the form sends is then what was typed. To attach again replaces what was attached before.
 *
 * - The blamed control gets the message as its custom validity, which keeps the form from being submitted, and
 *   `aria-invalid`. An empty control is complained about once it has been changed or the form was submitted. A
 *   control that is disabled, read-only or of type hidden is part of the box all the same, and its message is shown, but
 *   browsers do not let it stop the form. Where all that are blamed are such, another control gets the first message as
 *   its custom validity: the first whose change alone makes the box valid, else the first that can stop the form. Where
 *   the visitor can change none, nothing stops it. No suggestion changes such a control.
 * - `min` and `max` are the least and greatest value that the box may have there while its other dimensions stay (what
 *   lies between two ranges is left to the custom validity), `safe_min` and `safe_max` if there are such; the article's
 *   limits where there is none, and in a box
 *   that is not valid for the dimensions that are not blamed. Where the dimension is not blamed they are widened to
 *   hold its value, so that the browser has no second opinion. An input of type range always gets the article's
 *   limits, widened likewise, because the browser moves the value of a range input into its bounds. Where there is no
 *   such article or material, there are no `min` and `max` but those of a range input. `step` is "any", or with a profile that takes
 *   fewer than three decimals what all values are multiples of, such as 0.01. The value of a
 *   control is never changed but by the button.
 * - Elements with these attributes are used where the form has them, and made where it has not:
 *   `data-boxrules-message="width"` (and depth, height, article, material), the control's description in text;
 *   `data-boxrules-suggestion`, a button that offers the box turned where that can be made, else the nearest that can;
 *   `data-boxrules-status`, a polite live region, which only screen readers perceive when made here. It speaks half
 *   a second after the last input, and only when there is news.
 * - What is not a form, a profile or a step is refused at once, with a RangeError whose `field` names it as that of an
 *   InputError does. Where the form has no article and material at first, a step with too many decimals for what is
 *   chosen later is such an error then: all but the suggestion is there, and there is none.
 * - The form has controls named width, depth and height, one of each: of a number and a slider of the same dimension only
 *   one has the name. article and material may be radio buttons.
 * - All is looked for and heard within the form: of a control elsewhere with `form="…"` nothing is heard. Call check
 *   after its input events.
 */
export function attach(form: HTMLFormElement, options: AttachOptions): Attached;
