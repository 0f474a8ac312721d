// This file imports nothing, so that it can be used with any generated module.

type Field = "width" | "depth" | "height";
type Dims = { [field in Field]: number };

/** What is wrong with a dimension. A generated module declares it in more detail. */
export interface DimensionIssue {
  readonly message: string;
  readonly path: readonly [Field];
  /** The code of the violated rule. Absent if the value is not a dimension. */
  readonly code?: string;
  readonly kind: "required" | "number" | "unclear" | "range" | "decimals" | "atLeast" | "atMost" | "either" | "together";
  readonly params: {
    readonly field: Field;
    readonly value?: number;
    readonly min?: number;
    readonly max?: number;
    readonly example?: number | string;
    readonly text?: string;
    readonly whole?: number;
    readonly fraction?: number;
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

/** A box that can be made, or why the form has none. */
export type FormResult =
  | { readonly value: Readonly<Dims>; readonly issues?: undefined }
  | { readonly issues: readonly DimensionIssue[] | readonly ChoiceIssue[] };

/**
 * The part of a profile that attach needs. The profile of any generated module has it. A module that was generated
 * --without-nearest has no turned and no nearest, and then the form suggests nothing.
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
   * A profile, or the function `profile` of a generated module. The function is called at each change, with the values of
   * the form's controls named article and material. If you pass a profile, give it the messages when you make it.
   */
  profile: Checks | ((article: any, material: any, messages?: any) => Checks);
  /** A locale, such as locales/de.js. Without one, English. */
  messages?: { readonly [key: string]: string | undefined };
  /**
   * The changed dimensions of a suggestion are multiples of this step, as with `nearest`. It is a multiple of 0.001 from
   * 0.001 to 1000 with no more decimals than a dimension may have. By default it is the `defaultStep` of the profile, or 1.
   */
  step?: number;
  /** Is called after each check, for example to draw the box. */
  onresult?(result: FormResult): void;
}

export interface Attached {
  /** Checks the form again. Call it after a script has set the value of a control, or disabled one. */
  check(): void;
  /**
   * Restores the form as it was before attach, with empty custom validities. The page's own elements keep the id of a
   * message, the type of the button and the role of the status.
   */
  detach(): void;
}

/**
 * Checks the form's controls named width, depth and height at each input. Each can be an input of type number, text or
 * range. If the messages' language has a decimal comma, an input of type text accepts a comma, and the button writes one; the
 * form sends what was typed. Attaching a form again replaces the earlier attachment.
 *
 * - The message is the custom validity of the blamed control, so that the form cannot be submitted, and the control has
 *   `aria-invalid`. An empty control gets no message until it has been changed or the visitor has tried to submit the form.
 * - A control that is disabled, read-only or of type hidden is part of the box, and its message is shown, but it does not stop
 *   the form. If every blamed control is of that kind, another control gets the first message as its custom validity: the
 *   first one whose change alone makes the box valid, or else the first one that can stop the form. If the visitor can change
 *   none, nothing stops the form. A suggestion never changes a control that the visitor cannot change.
 * - `min` and `max` of a control are the smallest and the largest valid value if the other dimensions do not change, or
 *   `safe_min` and `safe_max` if the profile has them. Values between two ranges only have a custom validity. If there is no
 *   valid value, and for the dimensions of an invalid box that are not blamed, they are the limits of the article. If the
 *   dimension is not blamed, they also include its value, so that the browser does not object to it.
 * - An input of type range always gets the article's limits, which also include its value, because the browser moves the value
 *   of such an input into its bounds. Without a known article and material, only such inputs have `min` and `max`.
 * - `step` is "any". If dimensions have fewer than three decimals, it is what all values are multiples of, such as 0.01.
 * - Only the button changes the value of a control.
 * - attach uses the form's elements with these attributes, and makes those that are missing:
 *   `data-boxrules-message="width"` (and depth, height, article, material) describes the control in text;
 *   `data-boxrules-suggestion` is a button that offers the box turned or, if that is not valid, the nearest valid box;
 *   `data-boxrules-status` is a polite live region, which only screen readers perceive if attach makes it. It speaks half a
 *   second after the last input, and only if there is news.
 * - attach throws a RangeError for an argument that is not a form, a profile or a step. Its `field` says which, as in an
 *   InputError. If the form has no article and material at first, a step that has too many decimals for those chosen later
 *   is such an error then, and there is no suggestion.
 * - The form needs exactly one control with each name. If a dimension has both a number and a slider, only one of them has the
 *   name. article and material may be radio buttons.
 * - attach listens to the form only. If a control is elsewhere in the page, with `form="…"`, call check after its input events.
 */
export function attach(form: HTMLFormElement, options: AttachOptions): Attached;
