import { isIP } from "node:net";
import { protectionAddon } from "../access/rules";
import type { Middleware } from "../http/app";
import { refuseForeignHost } from "../http/hosts";
import type { DevelopmentAccess } from "../ops/banner";
import { StartError } from "../platform/start-error";
import { tokenHash } from "../platform/vault";
import type { Tx } from "../store/store";
import type { Seed } from "./document";
import { hasToken, teamsOfTokens } from "./store";

/** Everyone knows the development tokens, so a server that accepts them must only serve its own machine. */
export const developmentToken = "slipway-dev-token";
/** For the official command-line client, which only accepts letters, digits and `_`. */
export const plainDevelopmentToken = "slipwaydevtoken";
const wellKnown = [developmentToken, plainDevelopmentToken];

/** The default seed: a user, and a team on which everything can be tried. */
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
  tokens: wellKnown.map((token) => ({ token, user: "dev", name: "development" })),
};

/** @returns undefined if the store has no development token of a member of a team */
export async function developmentAccess(tx: Tx): Promise<DevelopmentAccess | undefined> {
  const rows = await teamsOfTokens(tx, wellKnown.map(tokenHash));
  const [first] = rows;
  if (!first) return undefined;
  const hashes = new Set(rows.map(({ hash }) => hash));
  const tokens = wellKnown.filter((token) => hashes.has(tokenHash(token)));
  return { user: first.user, team: { id: first.id, slug: first.slug }, tokens };
}

/**
 * Refuses a start that would expose the development token.
 * @throws StartError when the server accepts it and listens on an address that other machines can reach
 */
export async function keepDevelopmentTokenAtHome(tx: Tx, host: string): Promise<void> {
  if (isLoopback(host)) return;
  if (!(await hasToken(tx, wellKnown.map(tokenHash)))) return;
  throw new StartError(
    `The token of the development account is public, so everybody who can reach ${host} could use it. Listen on 127.0.0.1 (--host), or use an empty --data with accounts of your own (--seed).`,
  );
}

/**
 * Guards the development token, which every web page may know. A page could make its own host name resolve to this
 * server (DNS rebinding), so the token is refused with unknown host names.
 * @throws Refusal 403
 */
export const keepDevelopmentTokenFromPages =
  (hosts: readonly string[]): Middleware =>
  async ({ headers: { authorization = "", host } }, next) => {
    if (wellKnown.some((token) => authorization.trimEnd().endsWith(token))) refuseForeignHost(host, hosts);
    return next();
  };

export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}
