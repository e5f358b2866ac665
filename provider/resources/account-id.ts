import type { Client } from "../client/client";
import { MalformedAnswer } from "../client/errors";

/** Returns the id of the account that the provider acts on, for objects whose answers do not name it. */
export async function accountIdOf(client: Client): Promise<string> {
  const account = (await client.account()) ?? (await client.userId());
  if (account !== undefined) return account;
  throw new MalformedAnswer({ method: "GET", path: "/v2/user" }, "user: missing");
}
