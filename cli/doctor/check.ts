import * as z from "zod";

export const check = z.strictObject({
  name: z.string(),
  /** `skipped`: an earlier check found a problem, or the API does not return the needed value. */
  state: z.enum(["ok", "warning", "problem", "skipped"]),
  found: z.string(),
  /** The advice, which a passed check can have too; null if there is none. */
  hint: z.string().nullable(),
});
export type Check = z.output<typeof check>;
