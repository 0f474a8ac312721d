/** The tables that `boxrules generate js` writes into a module. They are not meant to be written by hand. */
export interface Tables {
  readonly unit: string;
  readonly decimals: number;
  /** asWritten computes the condition from the values of its variables, in floating point. */
  readonly rules: readonly (Violation & {
    readonly message?: string;
    /** The message by language, if there are several. */
    readonly messages?: Readonly<Record<string, string>>;
    readonly asWritten: (values: any) => boolean;
  })[];
  readonly planes: readonly (readonly [number, number, number, readonly number[]])[];
  readonly halves: readonly (readonly [plane: number, k: number, outside?: number])[];
  readonly conditions: readonly (readonly [rule: number, tree: Tree])[];
  readonly all: readonly number[];
  readonly materials: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly articles: Readonly<
    Record<
      string,
      {
        readonly title: string;
        readonly blank?: (values: any) => { readonly blank_width: number; readonly blank_height: number };
        /** The limits that have more decimals than a dimension may have, and the shop's own values that the blank needs. */
        readonly constants?: Readonly<Record<string, number>>;
        readonly limits: Readonly<Record<Field, { readonly min: number; readonly max: number }>>;
        readonly all: readonly number[];
        readonly materials: Readonly<Record<string, readonly number[]>>;
      }
    >
  >;
}
export type Tree = number | readonly Tree[];

/** Makes the function that returns the profile of an article in a material. The texts are used if messages has no text. */
export declare function evaluator(tables: Tables, texts: Messages): (article: string, material: string, messages?: Messages) => Profile;

export type Code = string;

export type Field = "width" | "depth" | "height";

/** The three groups of checks. They run in this order, and the first group with a violation ends the check. */
export type Stage = "boundary" | "constraint" | "size";

/** The dimensions of a box, in `unit`. */
export interface Dims {
  width: number;
  depth: number;
  height: number;
}

export interface Violation {
  code: Code;
  stage: Stage;
}

export type Verdict = { ok: true; code?: undefined; stage?: undefined } | ({ ok: false } & Violation);

/** A range of valid values of a dimension; both ends are valid. The codes are those of the next values beyond the ends. */
export interface Range {
  min: number;
  max: number;
  min_code?: Code;
  max_code?: Code;
  /** Whether the box with that end is borderline: see the function borderline. */
  min_borderline?: true;
  max_borderline?: true;
  /** What to propose if an end is borderline: the next value inside that is not borderline. Absent if there is none. */
  safe_min?: number;
  safe_max?: number;
}

/** The valid values of each dimension if the other two do not change, in ascending order. */
export type Ranges = Record<Field, Range[]>;

/** The kind of an issue: of a violated rule, or of a value that is not a dimension. */
export type Kind = "required" | "number" | "unclear" | "range" | "decimals" | "atLeast" | "atMost" | "either" | "together";

export interface Issue {
  /** A full sentence, such as "Depth must be at most 48 mm.", or the message of your own rule with its placeholders filled in. */
  readonly message: string;
  /** The dimension to blame. */
  readonly path: readonly [Field];
  /** The code of the violated rule. Absent if the value is not a dimension; the service documents no code for that. */
  readonly code?: Code;
  readonly kind: Kind;
  readonly params: {
    readonly field: Field;
    /** The value of the dimension. */
    readonly value?: number;
    /** The next larger value that is valid and not borderline. */
    readonly min?: number;
    /** The next smaller value that is valid and not borderline. */
    readonly max?: number;
    /** An example of a number, for the issue that a text is not a number: 48.5, 50 if dimensions have no decimals, or "12 3/8". */
    readonly example?: number | string;
    /** What was typed, for the issue that it is not clear, and the two numbers that it may mean. */
    readonly text?: string;
    readonly whole?: number;
    readonly fraction?: number;
    /** How many decimals a dimension may have, for the issue that it has more. */
    readonly decimals?: number;
    readonly unit: string;
  };
}

/** The result of `validate`, as in Standard Schema: the value with its dimensions as numbers, or issues. */
export type Result =
  | { readonly value: Dims; readonly issues?: undefined }
  | { readonly value?: undefined; readonly issues: readonly Issue[] };

/**
 * Texts that replace the English ones. The keys are kinds, codes and the names of the dimensions; the text for a code comes
 * before the text for the kind. A text may contain the params of the issue: {field}, {value}, {min}, {max}, {decimals},
 * {example}, {text}, {whole}, {fraction} and {unit}. If it begins with one of them, a small letter from a to z becomes a
 * capital there. Numbers are read and written as in `lang`, a BCP 47 language tag, or as in English if it is not valid.
 */
export type Messages = { readonly [key in Kind | Field | Code | "lang"]?: string } & {
  readonly [key: string]: string | undefined;
};

/**
 * The error for invalid arguments. `field` says which one is wrong: a dimension, "dims" if there are no dimensions at all,
 * "article", "material", "step" or "profile". The message says what is accepted.
 */
export declare class InputError extends RangeError {
  readonly field: string;
  constructor(field: string, message: string);
}

/**
 * Reads a plain decimal: an optional minus, digits, and optionally a point and digits. Returns NaN for anything else.
 * If the language lang writes decimals with a comma, a comma is accepted, too. A point is then accepted only if it cannot
 * separate thousands: 1,234 and 1234.5 are numbers, but 1.234 is not. If the unit of the module is in, fractions such as
 * 12 3/8 are accepted, too.
 */
export declare function parse(text: string, lang?: string): number;

/** The rules for one article in one material. */
export interface Profile {
  readonly article: string;
  readonly material: string;
  /** The article's limits, both inclusive. */
  readonly limits: Readonly<Record<Field, { readonly min: number; readonly max: number }>>;
  /** How many decimals a dimension may have. If it is 3, further decimals are rounded; if it is less, they are an error. */
  readonly decimals: number;
  /** The default step of suggestions, if it is not 1: 0.1 for limits in cm, 0.001 for m and 0.125 for inches. */
  readonly defaultStep?: number;
  /**
   * The first rule that a box violates. Throws InputError if a dimension is not a number from -1,000,000 to 1,000,000, or has
   * too many decimals.
   */
  check(dims: Dims): Verdict;
  /** Every rule that a box violates, in check order. Throws as check does. */
  checkAll(dims: Dims): Violation[];
  /**
   * A service that computes in floating point may decide otherwise about a box on the edge of a rule, for example if the
   * depth is exactly a third of the width. Returns the code that it reports, or "valid". Returns undefined for most boxes,
   * about which it decides as check does. Throws as check does.
   */
  borderline(dims: Dims): Code | "valid" | undefined;
  /** The valid values of each dimension if the other two do not change. Throws as check does. */
  ranges(dims: Dims): Ranges;
  /**
   * The same as "~standard".validate. Accepts numbers, and texts that `parse` reads in the lang of the messages. Never throws.
   * There is an issue for every field that is not a dimension or, if all are, for every violated rule of the first stage that
   * has any. The values that issues propose are never borderline.
   */
  validate(value: unknown): Result;
  /** Standard Schema, version 1. */
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: "boxrules";
    // This is not Result, because libraries infer the type of a box from it, without the undefined value.
    readonly validate: (value: unknown) => { readonly value: Dims; readonly issues?: undefined } | { readonly issues: readonly Issue[] };
    readonly types?: { readonly input: Record<Field, number | string>; readonly output: Dims };
  };
}
