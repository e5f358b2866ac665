import { isIP } from "node:net";
import { StartError } from "../platform/start-error";
import { tokenHash } from "../platform/vault";
import { protectionAddon } from "../projects/rules";
import type { Tx } from "../store/store";
import type { Seed } from "./document";

/** Everybody knows these tokens: a server that takes them serves its own machine only. */
export const developmentToken = "slipway-dev-token";
/** The same account's, for the official command line, which takes letters, digits and `_` alone. */
export const plainDevelopmentToken = "slipwaydevtoken";
const wellKnown = [developmentToken, plainDevelopmentToken];

/** What a server starts with when it is given nothing: one person, and a team on which everything can be tried. */
export const developmentAccount: Seed = {
  users: [{ username: "dev", email: "dev@example.com" }],
  teams: [
    {
      slug: "acme",
      name: "Acme",
      plan: "enterprise",
      addons: [protectionAddon],
      members: [{ user: "dev", role: "OWNER" }],
    },
  ],
  tokens: wellKnown.map((token) => ({ token, user: "dev" })),
};

export async function isEmpty(tx: Tx): Promise<boolean> {
  return (await tx.selectFrom("accounts").select("id").limit(1).executeTakeFirst()) === undefined;
}

/** Id of its team, when the store has the development account. */
export async function developmentTeam(tx: Tx): Promise<string | undefined> {
  const row = await tx
    .selectFrom("tokens as t")
    .innerJoin("members as m", "m.user_id", "t.user_id")
    .select("m.team_id")
    .where("t.hash", "=", tokenHash(developmentToken))
    .executeTakeFirst();
  return row?.team_id;
}

/**
 * @throws StartError when other machines would reach a server that takes the development token
 */
export async function keepDevelopmentTokenAtHome(tx: Tx, host: string): Promise<void> {
  if (isLoopback(host)) return;
  const known = await tx
    .selectFrom("tokens")
    .select("hash")
    .where("hash", "in", wellKnown.map(tokenHash))
    .executeTakeFirst();
  if (!known) return;
  throw new StartError(
    `The development account, whose token everybody knows, would be open to all who reach ${host}. Serve on 127.0.0.1, or on an empty --data with accounts of your own from --seed.`,
  );
}

export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}
