import * as z from "zod";

export const check = z.strictObject({
  name: z.string(),
  /** `skipped`: the check depends on one that found a problem. */
  state: z.enum(["ok", "warning", "problem", "skipped"]),
  found: z.string(),
  /** The advice. */
  hint: z.string().nullable(),
});
export type Check = z.output<typeof check>;
