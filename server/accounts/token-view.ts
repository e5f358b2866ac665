import type { TokenRow } from "../access/object";
import type { Token } from "./token-schema";

export const tokenPrefix = "vcp_";

/** An access token as an answer, without the token itself. */
export function viewToken(row: TokenRow): Token {
  const lifetime = {
    createdAt: row.created_at,
    ...(row.expires_at === null ? {} : { expiresAt: row.expires_at }),
    origin: "manual" as const,
  };
  const teamId = row.account_id === null || row.account_id === row.user_id ? undefined : row.account_id;
  return {
    ...lifetime,
    id: row.id,
    name: row.name,
    type: "token",
    ...(row.suffix === null ? {} : { prefix: tokenPrefix, suffix: row.suffix }),
    ...(teamId === undefined ? {} : { teamId }),
    scopes: [teamId === undefined ? { type: "user", ...lifetime } : { type: "team", teamId, ...lifetime }],
    // @choice The server does not record when a token was used.
    activeAt: row.created_at,
  };
}
