import { urlOf } from "../store/postgres/errors";

/** The text on a terminal after the start: the address, tokens and documentation. */
export function banner({
  url,
  data,
  development,
}: {
  url: string;
  data: string;
  /** The development account, if there is one: the id of its team, its token, and its token without special characters. */
  development: { team: string; token: string; plainToken: string } | undefined;
}): string {
  const account = development
    ? [
        `slipway: development account: user dev, team acme (${development.team})`,
        `  token      ${development.token}, or ${development.plainToken} for the official command line`,
      ]
    : ["slipway: accounts and tokens are those in the data"];
  const exports = development
    ? [`SLIPWAY_API_URL=${url}`, `SLIPWAY_TOKEN=${development.token}`, "SLIPWAY_TEAM=acme"]
    : [`SLIPWAY_API_URL=${url}`];
  return [
    ...account,
    `  address    ${url}`,
    `  data       ${withoutPassword(data)}`,
    `  documents  ${url}/docs`,
    `  export ${exports.join(" ")}`,
    "",
  ].join("\n");
}

/** The location of the data, without a password. */
function withoutPassword(data: string): string {
  const isAddress = /^postgres(ql)?:/i.test(data);
  if (!isAddress && !URL.canParse(data)) return data;
  const { protocol, host, pathname } = isAddress ? urlOf(data) : new URL(data);
  return `${protocol}//${host}${pathname}`;
}

/** The answer of `/` to clients other than browsers. */
export const signpost = (token: string | undefined): string =>
  [
    "This is Slipway, a reference of the projects API.",
    "",
    "  /docs          the API reference, where you can try requests (in a browser)",
    "  /openapi.json  the same as an OpenAPI document",
    "  /_health       whether the server lives",
    "  /_ready        whether it can be used",
    "",
    token
      ? `Try:  curl -H 'authorization: Bearer ${token}' 'ADDRESS/v9/projects?slug=acme'`
      : "Requests need a token: authorization: Bearer <token>",
    "",
  ].join("\n");
