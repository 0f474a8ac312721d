import type { Dims, Field, Profile } from "./evaluator.js";

export interface Suggestion extends Dims {
  /** The dimensions that differ from those asked about. */
  changed: Field[];
  /** The search was given up before it was sure that no box is nearer, which takes a very fine step. */
  unproved?: true;
}

/**
 * The valid box that changes the fewest dimensions, and of those the least in total; of several the smallest.
 * Changed dimensions are multiples of step, 1 where it is absent. The box itself where it is valid; undefined
 * where none was found. Throws InputError for what is not a box, and where step is not a multiple of 0.001 from 0.001
 * to 1000.
 */
export declare function nearest(profile: Profile, dims: Dims, step?: number): Suggestion | undefined;
