import type { Dims, Profile } from "./evaluator.js";
import type { GivenUp, Suggestion } from "./nearest.js";

/** A box with its dimensions exchanged. They are not rounded. */
export interface Turned extends Dims {
  /** Whether the same side opens, as it does if only width and depth are exchanged. */
  opening: "same" | "other";
  changed?: undefined;
  unproved?: undefined;
  borderline?: undefined;
}

/**
 * The valid boxes that a box can be turned into, without borderline ones. First comes the one with width and depth
 * exchanged, which is the same box; in the others, another side opens. Empty for a valid box. Throws InputError for an
 * invalid box.
 */
export declare function turned(profile: Profile, dims: Dims): Turned[];

/**
 * The first box of `turned`, which has an `opening`, because turning a box needs no other size. If there is none, the answer
 * of `nearest`, which has `changed` if it is a box. Throws as nearest does.
 */
export declare function suggest(profile: Profile, dims: Dims, step?: number): Turned | Suggestion | GivenUp | undefined;
