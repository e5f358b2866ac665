import type { Plain } from "../../../provider/core/values";
import type { Row } from "../subject";
import { member, put } from "./paths";

const from = { slugs: ["preview"], preset: "all-custom" };
const to = { slugs: ["production"], preset: "all-custom" };
const whole = {
  enableVercelCiSameRepository: true,
  projects: { [member]: { label: "shop", customAllow: [{ from, to }] } },
  oidcProviders: { [member]: [{ label: "runner", to, claims: { [member]: ["repo:acme/web"] } }] },
};

/** Below `trustedSources`: a value and another one, and whether it has to be there. */
const members: readonly [path: string, first: unknown, second: unknown, required?: RegExp][] = [
  ["projects", whole.projects, { [member]: { label: "blog" } }],
  ["projects.*", { label: "shop" }, { label: "blog", customAllow: [{ from, to: from }] }],
  ["projects.*.label", "shop", "blog"],
  ["projects.*.customAllow", [{ from, to }], [{ from: to, to: from }]],
  ["projects.*.customAllow[].from", from, to, /from is missing/],
  ["projects.*.customAllow[].from.slugs", ["a"], ["b", "c"]],
  ["projects.*.customAllow[].to", to, from, /to is missing/],
  ["projects.*.customAllow[].to.slugs", ["a"], ["b", "c"]],
  ["oidcProviders", whole.oidcProviders, { [member]: [{ to: from, claims: { aud: ["x"] } }] }],
  ["oidcProviders.*", [{ to, claims: { aud: ["x"] } }], [{ to: from, claims: { aud: ["y"] } }]],
  ["oidcProviders.*[].label", "runner", "robot"],
  ["oidcProviders.*[].to", to, from, /to is missing/],
  ["oidcProviders.*[].to.slugs", ["a"], ["b", "c"]],
  ["oidcProviders.*[].claims", { sub: ["a"] }, { sub: ["b"] }, /claims is missing/],
  ["oidcProviders.*[].claims.*", ["a"], ["b"]],
];

/** Others who are trusted: whatever is declared is not there then. */
const elsewhere: Row["drift"] = (w, id) =>
  w.curl("PATCH", `/v9/projects/${id}`, { trustedSources: { projects: {}, oidcProviders: {} } });

export const trustedSourcesRows: readonly Row[] = [
  {
    path: "trustedSources",
    first: whole,
    second: { projects: whole.projects },
    changed: "update",
    cleared: "update",
    shown: (value = { enableVercelCiSameRepository: true }) => ({
      trustedSources: expect.objectContaining(value as Plain),
    }),
    drift: elsewhere,
  },
  {
    path: "trustedSources.enableVercelCiSameRepository",
    first: false,
    second: true,
    changed: "update",
    cleared: "update",
    given: { trustedSources: { projects: whole.projects } },
    shown: (value = true) => ({
      trustedSources: expect.objectContaining({ enableVercelCiSameRepository: value }),
    }),
    drift: (w, id) =>
      w.curl("PATCH", `/v9/projects/${id}`, {
        trustedSources: { enableVercelCiSameRepository: false, projects: whole.projects },
      }),
  },
  ...members.map(
    ([path, first, second, required]): Row => ({
      path: `trustedSources.${path}`,
      given: { trustedSources: whole },
      first,
      second,
      changed: "update",
      cleared: required ?? "update",
      shown: (value) => put({ trustedSources: whole } as Plain, `trustedSources.${path}`, value),
      drift: elsewhere,
    }),
  ),
  // There is one preset as yet, and what is not known goes to the service.
  ...["projects.*.customAllow[].from", "projects.*.customAllow[].to", "oidcProviders.*[].to"].map(
    (path): Row => ({
      path: `trustedSources.${path}.preset`,
      given: { trustedSources: whole },
      first: "all-custom",
      second: "none-of-today",
      changed: /400 bad_request/,
      cleared: "update",
      shown: (value) => put({ trustedSources: whole } as Plain, `trustedSources.${path}.preset`, value),
      drift: elsewhere,
    }),
  ),
];
