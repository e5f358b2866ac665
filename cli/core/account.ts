import { Client } from "../../provider/client/client";
import { settingsFrom } from "../../provider/client/config";
import { ApiError, MalformedAnswer, OutOfReach } from "../../provider/client/errors";
import { UserError } from "./errors";

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
    if (error instanceof ApiError || error instanceof OutOfReach || error instanceof MalformedAnswer) {
      throw new UserError(error.message);
    }
    throw error;
  } finally {
    await client.close();
  }
}
