/** What somebody needs who has just started a server: where it is, as whom to ask it, and where to read on. */
export function banner({
  url,
  data,
  development,
}: {
  url: string;
  data: string;
  /** The development account, where there is one: id of its team, its token, and the one of letters and digits. */
  development: { team: string; token: string; plainToken: string } | undefined;
}): string {
  const account = development
    ? [
        `slipway: development account: user dev, team acme (${development.team})`,
        `  token      ${development.token}, or ${development.plainToken} for the official command line`,
      ]
    : ["slipway: accounts and tokens are those of the data"];
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

/** Where the data are, without what opens them. */
function withoutPassword(data: string): string {
  if (!URL.canParse(data)) return data;
  const { protocol, host, pathname } = new URL(data);
  return `${protocol}//${host}${pathname}`;
}

/** What the address says to those who ask it without a browser. */
export const signpost = (token: string | undefined): string =>
  [
    "This is Slipway, a reference of the projects API.",
    "",
    "  /docs          the API, to read and to try (in a browser)",
    "  /openapi.json  the same as an OpenAPI document",
    "  /_health       whether the server is ready",
    "",
    token
      ? `Try:  curl -H 'authorization: Bearer ${token}' 'ADDRESS/v9/projects?slug=acme'`
      : "Requests carry a token: authorization: Bearer <token>",
    "",
  ].join("\n");
