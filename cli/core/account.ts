import { Client } from "../../provider/client/client";
import { settingsFrom } from "../../provider/client/config";
import { ApiError, MalformedAnswer, OutOfReach } from "../../provider/client/errors";
import { UserError } from "./errors";

/** The hint for a token that the API refuses. */
export const tokenHint =
  "Create a token in the account's settings, and set SLIPWAY_TOKEN. The bundled server has slipway-dev-token.";

/** The hint for a file that is not a snapshot. */
export const snapshotHint = "Write one with slipway snapshot.";

/** The hint for a refused request. The provider's own hints do not fit: they are for programs with a stack. */
function hintFor({ status, code, retryAfterMs, detail }: ApiError): string | undefined {
  if (code === "integration_configuration_disabled") return undefined;
  if (status === 401 || detail.isTokenInvalid) return tokenHint;
  // The provider's hint says how to sign in, which is the same for a command.
  if (detail.needsSaml) return undefined;
  if (status === 403) return "Check that the token may read the account that SLIPWAY_TEAM selects.";
  if (status === 404) return "Check the name, and the account that SLIPWAY_TEAM selects.";
  if (status !== 429) return undefined;
  const when = retryAfterMs === undefined ? "later" : `in ${Math.ceil(retryAfterMs / 1000)} s`;
  return `Run the command again ${when}.`;
}

/**
 * The team of the account, by id or slug; undefined for a personal account. Without SLIPWAY_TEAM, a token may select a
 * team itself.
 */
export async function teamOf(client: Client): Promise<string | undefined> {
  const { team } = client.settings;
  if (team !== undefined) return team;
  const account = await client.account();
  return account?.startsWith("team_") ? account : undefined;
}

/**
 * Calls a function with a client of the account that SLIPWAY_API_URL, SLIPWAY_TOKEN and SLIPWAY_TEAM select.
 * @throws UserError if the token is missing or a request fails, ConfigError
 */
export async function withAccount<T>(use: (client: Client) => Promise<T>): Promise<T> {
  if (!process.env.SLIPWAY_TOKEN) {
    throw new UserError(
      "No access token is given. Set SLIPWAY_TOKEN: this command does not read the configuration of a stack.",
    );
  }
  const client = new Client(settingsFrom(() => undefined));
  try {
    return await use(client);
  } catch (error) {
    if (error instanceof ApiError) {
      const hint = hintFor(error);
      throw new UserError((hint === undefined ? error : error.withHint(hint)).message);
    }
    if (error instanceof OutOfReach || error instanceof MalformedAnswer) throw new UserError(error.message);
    throw error;
  } finally {
    await client.close();
  }
}
