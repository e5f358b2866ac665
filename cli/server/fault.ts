import * as z from "zod";
import type { ControlClient } from "../../server/index";
import { columns, paint } from "../core/output";

export const faultKinds = [
  "status",
  "delay",
  "slow",
  "malformed",
  "drop-before",
  "drop-after",
] as const satisfies readonly Parameters<ControlClient["addFaults"]>[0]["kind"][];

/** A fault that the server keeps. */
export const fault = z.strictObject({
  id: z.int(),
  /** The requests that it meets, in words. */
  requests: z.string(),
  kind: z.enum(faultKinds),
  method: z.string().optional(),
  path: z.string().optional(),
  operation: z.string().optional(),
  account: z.string().optional(),
  resource: z.string().optional(),
  /** null: any number of requests. */
  times: z.int().nullable(),
  /** The requests that it has met. */
  met: z.int(),
  skip: z.int(),
  rate: z.number().optional(),
  seed: z.int().optional(),
  status: z.int(),
  code: z.string().optional(),
  message: z.string().optional(),
  page: z.string().optional(),
  /** The header `Retry-After`, in seconds. */
  retryAfter: z.int().optional(),
  delayMs: z.int(),
  jitterMs: z.int().optional(),
});
export type Fault = z.output<typeof fault>;

/** The lines that show faults, one for each. */
export const linesOf = (faults: readonly Fault[]): string[] =>
  columns(
    faults.map((one) => [
      String(one.id),
      paint("red", whatOf(one)),
      `${one.rate === undefined ? "" : `${Number((one.rate * 100).toPrecision(12))} % of `}${one.requests}${one.skip > 0 ? `, after ${one.skip}` : ""}`,
      paint("gray", `used ${one.met} ${one.times === null ? "times" : `of ${one.times}`}`),
    ]),
  );

function whatOf({ kind, status, delayMs, jitterMs = 0 }: Fault): string {
  if (kind === "status") return `status ${status}`;
  if (kind !== "delay" && kind !== "slow") return kind;
  return `${kind} ${delayMs}${jitterMs > 0 ? ` to ${delayMs + jitterMs}` : ""} ms`;
}
