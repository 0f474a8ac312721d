// What the declarations promise. It is compiled, not run.

import type { StandardSchemaV1 } from "@standard-schema/spec";
import { articles, decimals, illustrative, InputError, nearest, parse, profile, suggest, turned, unit } from "boxrules-form";
import type { Article, Code, Dims, Field, GivenUp, Issue, Messages, Offers, Profile, Range, Result, Stage, Suggestion, Turned } from "boxrules-form";
import { attach } from "boxrules-form/dom";
import { evaluator } from "boxrules-form/evaluator";
import type { Tables } from "boxrules-form/evaluator";
import { nearest as nearestOf } from "boxrules-form/nearest";
import { suggest as suggestOf } from "boxrules-form/suggest";
import de from "boxrules-form/locales/de";
import en from "boxrules-form/locales/en";
import fr from "boxrules-form/locales/fr";

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <A, B>(..._: Same<A, B> extends true ? [] : ["not the same", A, B]) => {};

export function catalogue() {
  profile("tuck-end", "carton-300");
  profile("mailer", "e-flute");
  // @ts-expect-error: no tuck-end carton is made of corrugated board
  profile("tuck-end", "e-flute");
  // @ts-expect-error: no such article
  profile("nope", "x");
  // @ts-expect-error: no such material
  profile("tuck-end", "x");
  // @ts-expect-error: any text could be none of the articles
  profile("tuck-end" as string, "carton-300");
  // @ts-expect-error: a material is needed
  profile("tuck-end");

  same<Offers["tuck-end"], "carton-300" | "carton-400">();
  same<Offers["slotted-case"], "b-flute">();
  same<(typeof articles)["tuck-end"]["materials"], readonly ["carton-300", "carton-400"]>();
  same<keyof typeof articles, Article>();
  const title: string = articles.mailer.title;
  same<typeof unit, "mm">();
  same<typeof decimals, 3>();
  const shipped: boolean = illustrative;
  // @ts-expect-error: the catalogue is not to be changed
  articles.mailer = articles.mailer;
  return { title, shipped };
}

export function standardSchema(box: Profile) {
  const schema: StandardSchemaV1<Record<Field, number | string>, Dims> = box;
  const loose: StandardSchemaV1 = box;
  same<StandardSchemaV1.InferInput<Profile>, Record<Field, number | string>>();
  same<StandardSchemaV1.InferOutput<Profile>, Dims>();
  // @ts-expect-error: dimensions are numbers
  const wrong: StandardSchemaV1<unknown, Record<Field, string>> = box;
  return [schema, loose, wrong];
}

export function results(box: Profile, input: unknown): string {
  const result: Result = box.validate(input);
  if (!result.issues) {
    const { width, depth, height }: Dims = result.value;
    return String(width + depth + height);
  }
  same<typeof result.value, undefined>();
  // @ts-expect-error: there is no value if there are issues
  result.value.width;
  const issue: Issue | undefined = result.issues[0];
  if (!issue) return "";
  same<Issue["path"], readonly [Field]>();
  const field: Field = issue.path[0];
  if (issue.code === "BOX_3100") return issue.message;
  // @ts-expect-error: there is no such code
  if (issue.code === "BOX_9999") return issue.message;
  const most: number | undefined = issue.params.max;
  return field + most;
}

export function verdicts(box: Profile, dims: Dims): Stage | Code | undefined {
  const verdict = box.check(dims);
  if (verdict.ok) {
    same<typeof verdict.code, undefined>();
    return undefined;
  }
  const { code, stage } = verdict;
  same<typeof code, Code>();
  same<typeof stage, Stage>();
  switch (stage) {
    case "boundary":
    case "constraint":
      return code;
    case "size":
      return stage;
    default: {
      const never: never = stage; // there is no other
      return never;
    }
  }
}

export function insight(box: Profile, dims: Dims) {
  const { width, depth, height } = box.ranges(dims);
  const all: Range[] = [...width, ...depth, ...height];
  const code: Code | undefined = all[0]?.min_code;
  const other: Code | "valid" | undefined = box.borderline(dims);
  const safe: number | undefined = all[0]?.safe_max;
  const suggestion: Suggestion | GivenUp | undefined = box.nearest(dims, 0.5) ?? nearest(box, dims);
  const changed: Field[] | undefined = suggestion?.changed;
  const least: number = box.limits.width.min;
  // @ts-expect-error: limits are not to be changed
  box.limits.width.min = 1;
  // @ts-expect-error: a box has three dimensions
  box.check({ width: 1, depth: 2 });
  // @ts-expect-error: check takes numbers; validate takes text
  box.check({ width: "1", depth: "2", height: "3" });
  const number: number = parse("48.5") + parse("48,5", "de");
  return [code, changed, least, number, other, safe];
}

export function advice(box: Profile, dims: Dims): string {
  const all: Turned[] = [...box.turned(dims), ...turned(box, dims)];
  const opening: "same" | "other" | undefined = all[0]?.opening;
  const found = box.suggest(dims, 0.5) ?? suggest(box, dims);
  same<typeof found, Turned | Suggestion | GivenUp | undefined>();
  if (!found) return "there is none";
  if (found.opening) {
    same<typeof found, Turned>();
    return `turn it: ${found.width}, ${found.opening ?? opening}`;
  }
  if (found.changed) {
    same<typeof found, Suggestion>();
    return `${found.width}, as ${found.changed.join()} would change`;
  }
  same<typeof found, GivenUp>();
  // @ts-expect-error: there is no box
  return found.width;
}

export function errors(error: unknown): string {
  if (!(error instanceof InputError)) return "";
  const range: RangeError = error;
  return error.field + range.message;
}

export function messages() {
  const mine: Messages = { ...de, BOX_3102: "{field}", required: "{field}!", ofMyOwn: "…" };
  profile("tuck-end", "carton-300", mine);
  for (const locale of [en, de, fr]) profile("tuck-end", "carton-300", locale);
  // @ts-expect-error: a message is a text
  profile("tuck-end", "carton-300", { BOX_3102: 1 });
  // @ts-expect-error: a text is no messages
  profile("tuck-end", "carton-300", "de");
}

export function subpaths(form: HTMLFormElement, tables: Tables, dims: Dims) {
  const { check, detach } = attach(form, { profile });
  attach(form, { profile: profile("tuck-end", "carton-300"), messages: de, step: 0.5, onresult: (result) => result.issues?.[0]?.message });
  // @ts-expect-error: what should be checked?
  attach(form, {});
  const own = evaluator(tables, {})("of-my-own", "board");
  const verdict = own.check(dims);
  const code: string | undefined = verdict.code;
  return [check, detach, code, nearestOf(own, dims)?.unproved, suggestOf(own, dims)?.opening];
}
