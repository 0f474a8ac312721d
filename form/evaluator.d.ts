/** What `boxrules generate js` writes into a module; not meant to be written by hand. */
export interface Tables {
  readonly unit: string;
  readonly decimals: number;
  /** asWritten is the condition, for the numbers of its variables. */
  readonly rules: readonly (Violation & { readonly message?: string; readonly asWritten: (values: any) => boolean })[];
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
        /** The limits that have more decimals than a dimension. */
        readonly longLimits?: Readonly<Record<string, number>>;
        readonly limits: Readonly<Record<Field, { readonly min: number; readonly max: number }>>;
        readonly all: readonly number[];
        readonly materials: Readonly<Record<string, readonly number[]>>;
      }
    >
  >;
}
export type Tree = number | readonly Tree[];

/** Makes the function that gives the profile of an article in a material. texts are for what messages do not have. */
export declare function evaluator(tables: Tables, texts: Messages): (article: string, material: string, messages?: Messages) => Profile;

export type Code = string;

export type Field = "width" | "depth" | "height";

/** The three groups of checks. They run in this order, and the first failure ends the check. */
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

/** Values of a dimension, both ends valid. The codes are what a box reports with the next value beyond the ends. */
export interface Range {
  min: number;
  max: number;
  min_code?: Code;
  max_code?: Code;
  /** Whether the box with that end is borderline: see the function borderline. */
  min_borderline?: true;
  max_borderline?: true;
  /** What to propose for an end that is borderline: the next value inside that is not borderline, if there is one. */
  safe_min?: number;
  safe_max?: number;
}

/** For each dimension all its valid values while the other two stay as they are, in ascending order. */
export type Ranges = Record<Field, Range[]>;

/** What is said of a violation, or of what is not a dimension. */
export type Kind = "required" | "number" | "range" | "decimals" | "atLeast" | "atMost" | "either" | "together";

export interface Issue {
  /** Stands alone, such as "Depth must be at most 48 mm." */
  readonly message: string;
  /** The dimension to blame. */
  readonly path: readonly [Field];
  /** The violated rule's; absent for what is not a dimension, for which the service documents no code. */
  readonly code?: Code;
  readonly kind: Kind;
  readonly params: {
    readonly field: Field;
    /** What the dimension is. */
    readonly value?: number;
    /** The next value above that is possible, and not borderline. */
    readonly min?: number;
    /** The next value below that is possible, and not borderline. */
    readonly max?: number;
    /** A number, with a decimal mark where it may have one, for the issue that something is none. */
    readonly example?: number;
    /** How many decimals it may have, where it has more. */
    readonly decimals?: number;
    readonly unit: string;
  };
}

/** The result of `validate`, that of Standard Schema: what it was given with the dimensions as numbers, or issues. */
export type Result =
  | { readonly value: Dims; readonly issues?: undefined }
  | { readonly value?: undefined; readonly issues: readonly Issue[] };

/**
 * Texts in place of the English ones: of a kind, of a code (which goes before its kind), and of the dimensions'
 * names. A text may mention {field} and what the issue's params have: {value}, {min}, {max}, {decimals}, {example} and {unit}.
 * Numbers are read and written as in `lang`, a BCP 47 language tag, and as in English where it is not one.
 */
export type Messages = { readonly [key in Kind | Field | Code | "lang"]?: string } & {
  readonly [key: string]: string | undefined;
};

/**
 * Thrown for what is not a box. `field` names what is wrong: a dimension, "dims" where there are none at all, "article",
 * "material", "step" or "profile". The message says what is accepted.
 */
export declare class InputError extends RangeError {
  readonly field: string;
  constructor(field: string, message: string);
}

/**
 * A plain decimal (an optional minus, digits, and optionally a point and digits) as a number; NaN for anything else.
 * Where lang is the tag of a language that writes decimals with a comma, it may be a comma. A point may still, but not
 * where it could part thousands: 1.234 is then no number, while 1,234 and 1234.5 are.
 */
export declare function parse(text: string, lang?: string): number;

/** The rules for one article in one material. */
export interface Profile {
  readonly article: string;
  readonly material: string;
  /** The article's limits, both inclusive. */
  readonly limits: Readonly<Record<Field, { readonly min: number; readonly max: number }>>;
  /** How many decimals a dimension may have. More than three are rounded; where it is fewer, more are an error. */
  readonly decimals: number;
  /**
   * The first rule that a box violates. Throws InputError for what is not a number from -1,000,000 to 1,000,000, or has
   * more decimals than it may.
   */
  check(dims: Dims): Verdict;
  /** Every rule that a box violates, in check order. Throws as check does. */
  checkAll(dims: Dims): Violation[];
  /**
   * What a service that computes in floating point may report of a box that is on the edge of a rule, as where depth is a
   * third of width: a code, or "valid"; undefined where that is the verdict of check, as for most boxes. Throws as check does.
   */
  borderline(dims: Dims): Code | "valid" | undefined;
  /** How far each dimension may go while the other two stay as they are. Throws as check does. */
  ranges(dims: Dims): Ranges;
  /**
   * The same as "~standard".validate. Takes numbers, or text that `parse` reads in the messages' lang, and never throws. The issues
   * are all fields that are not a dimension, else all violated rules of the first stage that fails. No value that they name is
   * borderline: if the end of a range is, they name the next value inside that is not.
   */
  validate(value: unknown): Result;
  /** Standard Schema, version 1. */
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: "boxrules";
    // Not Result: libraries take the type of a box from here, without the undefined value beside issues.
    readonly validate: (value: unknown) => { readonly value: Dims; readonly issues?: undefined } | { readonly issues: readonly Issue[] };
    readonly types?: { readonly input: Record<Field, number | string>; readonly output: Dims };
  };
}
