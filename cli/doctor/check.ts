import * as z from "zod";

export const check = z.strictObject({
  name: z.string(),
  /** `skipped`: another problem comes first. */
  state: z.enum(["ok", "warning", "problem", "skipped"]),
  found: z.string(),
  /** The advice. */
  hint: z.string().nullable(),
});
export type Check = z.output<typeof check>;
