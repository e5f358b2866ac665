import { unversioned } from "../http/router";

/** The groups of the OpenAPI document. A path belongs to the first group that it matches without its version. */
const tags: readonly (readonly [tag: string, fits: RegExp])[] = [
  ["Environment variables", /^\/projects\/:\w+\/env|^\/env(?:\/|$)/],
  ["Custom environments", /\/custom-environments/],
  ["Promotions", /\/(?:promote|rollback)\//],
  ["Domains", /^\/projects\/:\w+\/(?:domains|alias)|domains|^\/certs/],
  ["Projects", /^\/(?:projects|data-cache|edge-cache)/],
  ["Firewall", /^\/security/],
  ["Edge Configs", /^\/edge-config/],
  ["Deployments", /^\/(?:deployments|files|aliases)/],
  ["Log drains", /drains|verify-endpoint/],
  ["Webhooks", /^\/webhooks/],
  ["Integrations", /^\/(?:integrations|oauth)/],
];

export const tagOf = (path: string): string =>
  tags.find(([, fits]) => fits.test(unversioned(path)))?.[0] ?? "Accounts";
