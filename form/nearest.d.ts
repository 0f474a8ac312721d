import type { Dims, Field, Profile } from "./evaluator.js";

export interface Suggestion extends Dims {
  /** The dimensions that are changed. */
  changed: Field[];
  opening?: undefined;
  /** The search was given up before it was sure that no other box is nearer. */
  unproved?: true;
  borderline?: undefined;
}

/**
 * There is no box to propose. With `unproved`, the search was given up, and there may be one; that takes rules which leave
 * hardly any valid box. With `borderline`, there are valid boxes on the step, but all of them are on the edge of a rule.
 */
export type GivenUp = ({ unproved: true; borderline?: undefined } | { borderline: true; unproved?: undefined }) & {
  changed?: undefined;
  opening?: undefined;
};

/**
 * The nearest valid box: it changes the fewest dimensions, and among such boxes has the smallest total change; of several,
 * it is the smallest. Changed dimensions are multiples of step, by default `defaultStep` or 1; others are rounded to thousandths, as for
 * a check. For a valid box, it is the box itself. If the nearest box is borderline, it is the nearest one that is on no edge.
 * It is undefined if there is a proof that no box is valid. Throws InputError for an invalid box, and if step is not a
 * multiple of 0.001 from 0.001 to 1000 or has more decimals than a dimension may have.
 */
export declare function nearest(profile: Profile, dims: Dims, step?: number): Suggestion | GivenUp | undefined;
