import type { Dims, Profile } from "./evaluator.js";
import type { GivenUp, Suggestion } from "./nearest.js";

/** A box with its dimensions exchanged, exactly as they were given. */
export interface Turned extends Dims {
  /** Whether the side that opens is still the same, as where width and depth are exchanged. */
  opening: "same" | "other";
  changed?: undefined;
  unproved?: undefined;
  borderline?: undefined;
}

/**
 * Of a box that is not valid, those that are valid with its dimensions exchanged: width and depth first, which is the
 * same box, then those of which another side opens; without those that are borderline. Empty where none is, and for a valid
 * box. Throws InputError for what is not a box.
 */
export declare function turned(profile: Profile, dims: Dims): Turned[];

/**
 * The first of `turned`, which has an `opening`, as it needs no other size; else the answer of `nearest`, which has
 * `changed` where there is a box. Throws as nearest does.
 */
export declare function suggest(profile: Profile, dims: Dims, step?: number): Turned | Suggestion | GivenUp | undefined;
