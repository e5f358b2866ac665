import { z } from "zod";

/**
 * A rehearsal (`slipway rehearse`) runs a program against a copy of its account. The provider sends its requests to the
 * copy, but the address of the real API is the one that states contain and that is compared.
 */

/** The environment variable that describes a rehearsal, as JSON. */
export const rehearsalVariable = "SLIPWAY_REHEARSAL";

const rehearsal = z.object({
  /** The address of the copy. */
  copy: z.string(),
  /** The access token for the copy. No other token is sent. */
  token: z.string(),
  /** The address of the real API. */
  source: z.string(),
  /** The id and the slug of the account's team; empty for a personal account. */
  team: z.array(z.string()),
  /** True if the token itself selects the team, so that a provider need not name it. */
  isTeamOfToken: z.boolean().optional(),
  /** The user's value of SLIPWAY_API_URL; absent if it is not set. */
  apiUrl: z.string().optional(),
});
export type Rehearsal = z.infer<typeof rehearsal>;

/** The rehearsal in the environment. @throws Error if it is malformed, so that no request reaches the real account */
export function rehearsalIn(environment: NodeJS.ProcessEnv): Rehearsal | undefined {
  const text = environment[rehearsalVariable];
  return text ? rehearsal.parse(JSON.parse(text)) : undefined;
}
