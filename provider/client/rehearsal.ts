import { z } from "zod";

/**
 * A rehearsal (`slipway rehearse`) runs a program against a copy of its account. The provider keeps the account's address
 * for everything that it records and compares, and sends its requests to the copy.
 */

/** The environment variable that describes a rehearsal, as JSON. */
export const rehearsalVariable = "SLIPWAY_REHEARSAL";

const rehearsal = z.object({
  /** The address of the copy. */
  copy: z.string(),
  /** The only access token that is sent. */
  token: z.string(),
  /** The address of the account. */
  source: z.string(),
  /** The id and the slug of the account's team; none: a personal account. */
  team: z.array(z.string()),
  /** The variable SLIPWAY_API_URL as the user has set it; absent: it is not set. */
  apiUrl: z.string().optional(),
});
export type Rehearsal = z.infer<typeof rehearsal>;

/** The rehearsal that an environment describes. @throws Error when it is malformed, since requests must not go elsewhere */
export function rehearsalIn(environment: NodeJS.ProcessEnv): Rehearsal | undefined {
  const text = environment[rehearsalVariable];
  return text ? rehearsal.parse(JSON.parse(text)) : undefined;
}
