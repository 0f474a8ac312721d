// Profiles in the form libraries, as TypeScript sees them. It is compiled, not run.

import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { FormApi } from "@tanstack/form-core";
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
