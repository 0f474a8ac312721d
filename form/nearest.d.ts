import type { Dims, Field, Profile } from "./evaluator.js";

export interface Suggestion extends Dims {
  /** The dimensions that differ from those asked about. */
  changed: Field[];
  opening?: undefined;
  /** The search was given up before it was sure that no box is nearer. */
  unproved?: true;
  borderline?: undefined;
}

/**
 * There is no box to propose. Either the search was given up before it found one: there may be one. It takes rules that leave
 * hardly any. Or every valid box on the step is on an edge that floating point may decide otherwise.
 */
export type GivenUp = ({ unproved: true; borderline?: undefined } | { borderline: true; unproved?: undefined }) & {
  changed?: undefined;
  opening?: undefined;
};

/**
 * The valid box that changes the fewest dimensions, and of those the least in total; of several the smallest.
 * Changed dimensions are multiples of step, 1 where it is absent; the others are rounded to thousandths, as they are
 * checked. If that box is borderline, the nearest that is on no edge at all. The box itself, so rounded, where it is
 * valid; undefined where it is proved that there is none. Throws
 * InputError for what is not a box, and where step is not a multiple of 0.001 from 0.001 to 1000, or has more decimals
 * than a dimension may.
 */
export declare function nearest(profile: Profile, dims: Dims, step?: number): Suggestion | GivenUp | undefined;
