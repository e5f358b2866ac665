import { resemblesPostgres } from "../platform/data-address";
import { urlOf } from "../store/postgres/errors";

/** How to use the development account. */
export interface DevelopmentAccess {
  user: string;
  team: { id: string; slug: string };
  /** The development tokens that are in the store, at least one. */
  tokens: readonly string[];
}

/** The text on a terminal after the start: the address, tokens and documentation. */
export function banner({
  url,
  data,
  development,
}: {
  url: string;
  data: string;
  /** The development account, if the store has it. */
  development: DevelopmentAccess | undefined;
}): string {
  const account = development
    ? [
        `slipway: development account: user ${development.user}, team ${development.team.slug} (${development.team.id})`,
        ...development.tokens.map(
          (token, i) => `  ${i === 0 ? "token    " : "         "}  ${withUse(token)}`,
        ),
      ]
    : ["slipway: the accounts and tokens are in the data"];
  const exports = [
    `SLIPWAY_API_URL=${url}`,
    ...(development
      ? [`SLIPWAY_TOKEN=${development.tokens[0]}`, `SLIPWAY_TEAM=${development.team.slug}`]
      : []),
  ];
  return [
    ...account,
    `  address    ${url}`,
    `  data       ${withoutPassword(data)}`,
    `  documents  ${url}/docs`,
    `  export ${exports.join(" ")}`,
    "",
  ].join("\n");
}

/** Marks a token that the official command line accepts: one of letters, digits and `_`. */
const withUse = (token: string): string =>
  /^\w+$/.test(token) ? `${token} (for the official command line)` : token;

/** The location of the data, without a password. */
function withoutPassword(data: string): string {
  const isAddress = resemblesPostgres(data);
  if (!isAddress && !URL.canParse(data)) return data;
  const { protocol, host, pathname } = isAddress ? urlOf(data) : new URL(data);
  return `${protocol}//${host}${pathname}`;
}

/** The answer of `/` to clients other than browsers. */
export const signpost = (url: string, development: DevelopmentAccess | undefined): string =>
  [
    "This is Slipway, a reference of the projects API.",
    "",
    "  /docs          the API reference, where you can try requests (in a browser)",
    "  /openapi.json  the same as an OpenAPI document",
    "  /_health       whether the server is running",
    "  /_ready        whether it can be used",
    "",
    development
      ? `Try:  curl -H 'authorization: Bearer ${development.tokens[0]}' '${url}/v9/projects?slug=${development.team.slug}'`
      : "Requests need a token: authorization: Bearer <token>",
    "",
  ].join("\n");
