// zod for the rest of a quote: the schema of examples/libraries, and the two one after the other.

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { profile } from "boxrules-form";
import { z } from "zod";
import { documented, load } from "./helper.js";

const typed = { article: "tuck-end", material: "carton-300", email: "a@example.com", quantity: "500", width: "143", depth: "50", height: "303" };
const box = profile("tuck-end", "carton-300");

let quote;

before(async () => {
  ({ quote } = await load(documented("tsx")[0]));
});

const said = ({ error }) => (error?.issues ?? []).map(({ path, message }) => [path.join("."), message]);

test("a quote in order", () => {
  assert.deepEqual(quote.parse(typed), { ...typed, quantity: 500, width: 143, depth: 50, height: 303 });
});

test("path and message of a wrong box are kept, beside zod's own", () => {
  const wrong = ["depth", "Depth must be at most 48 mm."];
  assert.deepEqual(said(quote.safeParse({ ...typed, width: "48", depth: "141" })), [wrong]);
  const both = said(quote.safeParse({ ...typed, quantity: "0", width: "48", depth: "141" }));
  assert.deepEqual(both.map(([path]) => path).sort(), ["depth", "quantity"]);
  assert.deepEqual(both.find(([path]) => path == "depth"), wrong);
  assert.deepEqual(said(quote.safeParse({ ...typed, width: "", depth: undefined })).map(([path]) => path), ["width", "depth"]);
});

test("superRefine on numbers that zod has read", () => {
  const number = z.coerce.number();
  const schema = z.object({ quantity: number, width: number, depth: number, height: number }).superRefine((value, context) => {
    for (const { message, path, code } of box.validate(value).issues ?? []) {
      context.addIssue({ code: "custom", message, path: [...path], params: { code } });
    }
  });
  assert.equal(schema.parse(typed).depth, 50);
  const { error } = schema.safeParse({ ...typed, width: "48", depth: "141" });
  assert.deepEqual(said({ error }), [["depth", "Depth must be at most 48 mm."]]);
  assert.equal(error.issues[0].params.code, "BOX_3100");
});

test("the box first, then zod on what it gives", () => {
  const rest = z.looseObject({ quantity: z.coerce.number(), width: z.number() });
  assert.deepEqual(rest.parse(box.validate(typed).value), { ...typed, quantity: 500, width: 143, depth: 50, height: 303 });
});
