// Profiles in the form libraries, as TypeScript sees them. It is compiled, not run.

import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { FormApi, formOptions } from "@tanstack/form-core";
import { profile } from "boxrules-form";
import type { Field } from "boxrules-form";
import { useForm } from "react-hook-form";

const box = profile("tuck-end", "carton-300");

export function hookForm() {
  const { register, handleSubmit, formState } = useForm({ resolver: standardSchemaResolver(box) });
  register("width");
  // @ts-expect-error: a box has no such dimension
  register("weight");
  const message: string | undefined = formState.errors.depth?.message;
  return [message, handleSubmit(({ width, depth, height }) => width * depth * height)];
}

export function tanstackForm() {
  const defaultValues: Record<Field, number | string> = { width: "", depth: "", height: "" };
  return new FormApi({ defaultValues, validators: { onChange: box } });
}

// What examples/libraries shows, for values of other types than a profile takes.
export function tanstackOptions() {
  const onChange = ({ value }: { value: unknown }) => box.validate(value).issues;
  const text = formOptions({ defaultValues: { width: "", depth: "", height: "", email: "" }, validators: { onChange } });
  const numbers = formOptions({ defaultValues: { width: 48, depth: 1, height: 1 }, validators: { onChange } });
  const width: string = new FormApi(text).state.values.width;
  return [width, new FormApi({ ...text, onSubmit: ({ value }) => box.validate(value).value }), new FormApi(numbers)];
}
