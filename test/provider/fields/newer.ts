import type { Plain } from "../../../provider/core/values";
import type { Row } from "../subject";
import { put } from "./paths";
import { part, patch, setting } from "./settings";

const tracing = {
  domains: "example.com",
  ignorePaths: ["/health"],
  samplingRules: [{ rate: 0.5, env: "production", requestPath: "/api", destination: "internal" }],
};
const passport = { connectorId: "con_1", deploymentType: "preview" };
const network = {
  envId: "production",
  connectConfigurationId: "net_1",
  passive: false,
  buildsEnabled: false,
};
const github = { provider: "github", org: "acme", repo: "web" };
const gitlab = { provider: "gitlab", namespace: "acme", project: "web" };
const policy = {
  gitSources: [{ enabled: true, environments: ["production"], sources: [github] }],
  deploymentSources: [{ enabled: true, environments: ["production"], sources: ["git"] }],
};
const ofGitLab = put(policy as Plain, "gitSources[].sources", [gitlab]);

/** A network as the service tells it, which adds when it was made and changed. */
const shownNetworks = (networks: unknown): Plain => ({
  connectConfigurations:
    (networks as object[] | undefined)?.map((one) => expect.objectContaining(one)) ?? null,
});

/** A policy as the service tells it, where each environment is an object. */
function shownPolicy({ deploymentPolicy }: Plain): Plain {
  const objectOf = (name: string) =>
    name.startsWith("env_") ? { type: "custom", environmentId: name } : { type: "system", target: name };
  const rules = (list: unknown) =>
    (list as { environments: string[] }[]).map((rule) => ({
      ...rule,
      environments: rule.environments.map(objectOf),
    }));
  const kinds = Object.entries((deploymentPolicy as Plain | null) ?? {});
  return {
    deploymentPolicy: deploymentPolicy
      ? Object.fromEntries(kinds.map(([kind, list]) => [kind, rules(list)]))
      : null,
  };
}

type Member = [path: string, first: unknown, second: unknown, required?: RegExp];

/** Rows of the members of a setting: others are there when it drifts. */
const members = (top: string, whole: unknown, drifted: unknown, rows: readonly Member[]): Row[] =>
  rows.map(([path, first, second, required]) => ({
    path: `${top}.${path}`,
    given: { [top]: whole },
    first,
    second,
    changed: "update",
    cleared: required ?? "update",
    shown: (value) => put({ [top]: whole } as Plain, `${top}.${path}`, value),
    drift: patch({ [top]: drifted }),
  }));

/** Settings of the newest API. */
export const newerRows: readonly Row[] = [
  setting("enableExternalRewriteCaching", true, false, false, true),
  setting("skewProtectionAllowedDomains", ["a.example.com"], ["*.example.com", "b.example.com"], [], []),
  ...[
    setting("staticIps", { enabled: true }, { enabled: false }, { enabled: false }, { enabled: true }),
    {
      ...part("staticIps", { enabled: true }, ".enabled", true, false),
      drift: patch({ staticIps: { enabled: true } }),
    },
  ].map(
    (row): Row => ({
      ...row,
      shown: (value) => ({ staticIps: expect.objectContaining(row.shown(value).staticIps as Plain) }),
    }),
  ),
  setting("tracing", tracing, { ignorePaths: ["/b"] }, null, null),
  ...members("tracing", tracing, { ignorePaths: [] }, [
    ["domains", "example.com", "example.org"],
    ["ignorePaths", ["/a"], ["/b", "/a"]],
    ["samplingRules", [{ rate: 1 }], [{ rate: 0.1, env: "preview" }]],
    ["samplingRules[].rate", 0.5, 1, /rate is missing/],
    ["samplingRules[].env", "production", "preview"],
    ["samplingRules[].requestPath", "/a", "/b"],
    ["samplingRules[].destination", "internal", "external"],
  ]),
  setting("passport", passport, { connectorId: "con_2", deploymentType: "all" }, null, null),
  ...members("passport", passport, null, [["connectorId", "con_1", "con_2", /connectorId is missing/]]),
  {
    ...part("passport", passport, ".deploymentType", "preview", "all"),
    cleared: "update",
    shown: (deploymentType = "all") => ({ passport: { ...passport, deploymentType } }),
    drift: patch({ passport }),
  },
  // A setting that leaves the program is kept, and no longer managed.
  setting("sandbox", { region: "iad1" }, { region: "fra1" }, { region: "fra1" }, { region: "sfo1" }),
  ...members("sandbox", { region: "iad1", failoverRegions: ["cdg1"] }, { region: "sfo1" }, [
    ["region", "iad1", "fra1"],
    ["failoverRegions", ["fra1"], ["cdg1", "sfo1"]],
  ]),
  ...[
    setting("deploymentPolicy", policy, { gitSources: policy.gitSources }, null, null),
    ...members("deploymentPolicy", policy, { gitSources: [] }, [
      ["gitSources", policy.gitSources, []],
      ["gitSources[].enabled", true, false, /enabled is missing/],
      ["gitSources[].environments", ["production"], ["env_1", "preview"], /environments is missing/],
      ["gitSources[].sources", [github], [gitlab], /sources is missing/],
      ["gitSources[].sources[].provider", "github", "bitbucket", /provider is missing/],
      ["gitSources[].sources[].org", "acme", "other", /must have org/],
      ["gitSources[].sources[].repo", "web", "shop"],
      ["deploymentSources", policy.deploymentSources, []],
      ["deploymentSources[].enabled", true, false, /enabled is missing/],
      ["deploymentSources[].environments", ["production"], ["env_1"], /environments is missing/],
      ["deploymentSources[].sources", ["git"], ["cli", "v0"], /sources is missing/],
    ]),
    ...members("deploymentPolicy", ofGitLab, { gitSources: [] }, [
      ["gitSources[].sources[].namespace", "acme", "other", /must have org/],
      ["gitSources[].sources[].project", "web", "shop"],
    ]),
  ].map((row): Row => ({ ...row, shown: (value) => shownPolicy(row.shown(value)) })),
  {
    ...setting(
      "connectConfigurations",
      [network],
      [
        { ...network, passive: true },
        { ...network, envId: "preview" },
      ],
      null,
      null,
    ),
    shown: shownNetworks,
  },
  ...(
    [
      ["envId", "production", "preview"],
      ["connectConfigurationId", "net_1", "net_2"],
      ["passive", false, true],
      ["buildsEnabled", false, true],
    ] as const
  ).map(
    ([name, first, second]): Row => ({
      ...part("connectConfigurations", [network], `[].${name}`, first, second),
      shown: (value) => shownNetworks([{ ...network, [name]: value }]),
      drift: patch({ connectConfigurations: null }),
    }),
  ),
];
