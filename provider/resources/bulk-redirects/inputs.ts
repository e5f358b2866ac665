import { z } from "zod";
import { redirectStatusCodes } from "../../vocabulary";
import { projectRef } from "../names";

/** The inputs of the redirects of a project. */

const location = z
  .string()
  .max(2048)
  .regex(/^(\/|https?:\/\/)\S*$/, "must be a path that begins with /, or a URL");

const redirect = z.strictObject({
  /** Path to redirect, such as /old. It has no wildcards. */
  source: location,
  /** Path or URL to which requests are redirected. */
  destination: location,
  /** Status of the response: 307 (default) or 302 for a temporary redirect, 308 or 301 for a permanent one. */
  statusCode: z.literal(redirectStatusCodes).optional(),
  /** Whether upper and lower case differ in the path of a request. Default: false. */
  caseSensitive: z.boolean().optional(),
  /** Whether the query parameters of a request count when it is compared with `source`. Default: false. */
  query: z.boolean().optional(),
  /** Whether the destination gets the query parameters of the request. Default: false. */
  preserveQueryParams: z.boolean().optional(),
});
export type Redirect = z.output<typeof redirect>;

export const inputs = z.strictObject({
  /** Id or name of the project. Changing it replaces the resource. */
  project: projectRef,
  /** Redirects of the project, each with another `source`. Their order does not matter. */
  redirects: z.array(redirect).max(10_000),
  /**
   * Effect of deleting the resource on the redirects. keep: they stay (default). remove: those that the resource declares
   * are removed.
   */
  onDelete: z.enum(["keep", "remove"]).optional(),
  /**
   * Takes over a project that has redirects. They stay, unless the program declares others with the same `source`. If
   * false, the create fails when the project has redirects. Default: false.
   */
  adopt: z.boolean().optional(),
});
export type Inputs = z.output<typeof inputs>;
