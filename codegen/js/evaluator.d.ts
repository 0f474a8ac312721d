/** What `boxrules generate js` writes into a module; not meant to be written by hand. */
export interface Tables {
  readonly unit: string;
  readonly rules: readonly Violation[];
  readonly planes: readonly (readonly [number, number, number, readonly number[]])[];
  readonly halves: readonly (readonly [plane: number, k: number])[];
  readonly conditions: readonly (readonly [rule: number, tree: Tree])[];
  readonly all: readonly number[];
  readonly articles: Readonly<
    Record<
      string,
      {
        readonly title: string;
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

