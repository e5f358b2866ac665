import type { Plain } from "../../../provider/core/values";
import { project } from "../../../provider/resources/project";
import { retentionPeriods } from "../../../provider/vocabulary";
import { byProfile } from "../../support/profile";
import { newerRows } from "../fields/newer";
import { platformRows } from "../fields/platform";
import { memberOf, part, patch, setting } from "../fields/settings";
import { trustedSourcesRows } from "../fields/trusted-sources";
import type { Harness } from "../stack";
import { existing, life, type Row, type Subject } from "../subject";

const trusted = {
  deploymentType: "all",
  addresses: [{ value: "10.0.0.1", note: "office" }, { value: "10.0.0.2" }],
  protectionMode: "additional",
};
const allowed = { paths: [{ value: "/a" }, { value: "/b" }] };
const password = { deploymentType: "all", password: "canary-1" };
const secret = (letter: string): string => letter.repeat(32);
const untold = "the service does not tell it";
const storedSecrets = (expected: readonly string[]): Plain => ({
  protectionBypass: Object.fromEntries(expected.map((one) => [one, expect.anything()])),
});
const revoke: Row["drift"] = async (w, id) => {
  const { protectionBypass } = (await w.curl("GET", `/v9/projects/${id}`)) as Plain;
  for (const one of Object.keys(protectionBypass as Plain)) {
    const body = { revoke: { secret: one, regenerate: false } };
    await w.curl("PATCH", `/v1/projects/${id}/protection-bypass`, body);
  }
};
const pause = (w: Harness, id: string) => w.curl("POST", `/v1/projects/${id}/pause`);
const repository = { type: "github", repo: "acme/web" };
const cache = (disabled: boolean): Row["drift"] => {
  return (w, id) => w.curl("PATCH", `/v1/data-cache/projects/${id}`, { disabled });
};

const expire = (period: string): Row["drift"] => {
  const body = {
    expiration: period,
    expirationProduction: period,
    expirationCanceled: period,
    expirationErrored: period,
  };
  return (w, id) => w.curl("PATCH", `/v9/projects/${id}/deployment-expiration`, body);
};
const dayNames = {
  preview: "expirationDays",
  production: "expirationDaysProduction",
  canceled: "expirationDaysCanceled",
  errored: "expirationDaysErrored",
} as const;
/** These periods in the answer of a project, by kind. */
const retained = (periods: Partial<Record<keyof typeof dayNames, unknown>>) => ({
  deploymentExpiration: expect.objectContaining(
    Object.fromEntries(
      Object.entries(periods).map(([kind, period]) => [
        dayNames[kind as keyof typeof dayNames],
        retentionPeriods[period as keyof typeof retentionPeriods],
      ]),
    ),
  ),
});

const rows: readonly Row[] = [
  {
    ...setting("name", "web", "site", undefined, "elsewhere"),
    cleared: /^name is missing/,
    isAutoNamed: true,
  },
  setting("framework", "nextjs", "astro", null, "vue"),
  setting("buildCommand", "a", "b", null, "c"),
  setting("commandForIgnoringBuildStep", "a", "b", null, "c"),
  setting("devCommand", "a", "b", null, "c"),
  setting("installCommand", "a", "b", null, null),
  setting("outputDirectory", "a", "b", null, "c"),
  setting("rootDirectory", "a", "b", null, "c"),
  setting("serverlessFunctionRegion", "iad1", "fra1", null, "sfo1"),
  setting("enableAffectedProjectsDeployments", true, false, false, true),
  {
    ...setting("publicSource", true, false, null, true),
    ...byProfile({}, { shown: () => ({ publicSource: null }), drift: "the hosted API ignores it" }),
  },
  setting("skipGitConnectDuringLink", true, false, false, true),
  setting("serverlessFunctionZeroConfigFailover", true, false, false, true),
  // A setting that leaves the program is kept, and no longer managed.
  { ...setting("nodeVersion", "20.x", "18.x", "18.x", "16.x") },
  setting("autoAssignCustomDomains", false, true, true, false),
  setting("autoAssignCustomDomainsUpdatedBy", "ada", "bob", "bob", "eve"),
  setting("autoExposeSystemEnvs", false, true, true, false),
  setting("customerSupportCodeVisibility", true, false, false, true),
  setting("directoryListing", true, false, false, true),
  setting("enablePreviewFeedback", true, false, null, null),
  setting("enableProductionFeedback", true, false, null, true),
  setting("gitForkProtection", false, true, true, false),
  setting("gitLFS", true, false, false, true),
  setting("previewDeploymentsDisabled", true, false, false, true),
  setting("sourceFilesOutsideRootDirectory", false, true, true, false),
  setting("skewProtectionBoundaryAt", 5, 6, 0, 7),
  setting("skewProtectionMaxAge", 5, 6, 0, 7),

  {
    ...setting("oidcTokenConfig", { enabled: false }, { enabled: true }, undefined, { enabled: false }),
    shown: (value) => ({ oidcTokenConfig: expect.objectContaining(value ?? { enabled: true }) }),
  },
  memberOf("oidcTokenConfig", { issuerMode: "team" }, "enabled", false, true, true, false),
  memberOf("oidcTokenConfig", { enabled: true }, "issuerMode", "team", "global", "global", "team"),
  setting("optionsAllowlist", allowed, { paths: [{ value: "/c" }] }, null, null),
  {
    ...part("optionsAllowlist", allowed, ".paths", [{ value: "/c" }, { value: "/a" }], [{ value: "/b" }]),
    drift: patch({ optionsAllowlist: allowed }),
  },
  {
    ...part("optionsAllowlist", allowed, ".paths[].value", "/c", "/d"),
    drift: patch({ optionsAllowlist: allowed }),
  },
  setting("ssoProtection", { deploymentType: "all" }, { deploymentType: "preview" }, null, null),
  {
    ...part("ssoProtection", { deploymentType: "all" }, ".deploymentType", "all", "preview"),
    drift: patch({ ssoProtection: { deploymentType: "all" } }),
  },

  setting("trustedIps", trusted, { ...trusted, addresses: [{ value: "10.0.0.0/8" }] }, null, null),
  {
    ...part("trustedIps", trusted, ".deploymentType", "preview", "production"),
    drift: patch({ trustedIps: trusted }),
  },
  {
    ...part(
      "trustedIps",
      trusted,
      ".addresses",
      [{ value: "10.0.0.3" }],
      [{ value: "10.0.0.3" }, { value: "10.0.0.4", note: "home" }],
    ),
    drift: patch({ trustedIps: trusted }),
  },
  {
    ...part("trustedIps", trusted, ".addresses[].value", "10.0.0.3", "10.0.0.4"),
    drift: patch({ trustedIps: trusted }),
  },
  {
    ...part("trustedIps", trusted, ".addresses[].note", "home", "away"),
    cleared: "update",
    drift: patch({ trustedIps: trusted }),
  },
  {
    ...part("trustedIps", trusted, ".protectionMode", "additional", "exclusive"),
    drift: patch({ trustedIps: trusted }),
  },

  {
    ...setting("passwordProtection", password, { ...password, deploymentType: "preview" }, null, null),
    shown: (value) => ({
      passwordProtection: value ? { deploymentType: (value as typeof password).deploymentType } : null,
    }),
  },
  {
    ...part("passwordProtection", password, ".deploymentType", "all", "preview"),
    shown: (deploymentType) => ({ passwordProtection: { deploymentType } }),
    drift: patch({ passwordProtection: { deploymentType: "all" } }),
  },
  {
    ...part("passwordProtection", password, ".password", "canary-2", "canary-3"),
    shown: () => ({ passwordProtection: { deploymentType: "all" } }),
    drift: untold,
  },
];

const linkOf = (repo: string, more: Plain = {}): Plain => {
  const [org, name] = repo.split("/");
  return { link: expect.objectContaining({ type: "github", org, repo: name, ...more }) };
};
const unlink: Row["drift"] = (w, id) => w.curl("DELETE", `/v9/projects/${id}/link`);
const relink: Row["drift"] = async (w, id) => {
  await w.curl("DELETE", `/v9/projects/${id}/link`);
  await w.curl("POST", `/v9/projects/${id}/link`, { ...repository, repo: "acme/api" });
};

const repositoryRows: readonly Row[] = [
  {
    ...setting("gitRepository", repository, { ...repository, repo: "acme/other" }, undefined, undefined),
    shown: (value) => (value ? linkOf((value as typeof repository).repo) : { link: null }),
    drift: unlink,
  },
  {
    ...part("gitRepository", repository, ".type", "github", "gitlab"),
    shown: (type) => ({ link: expect.objectContaining({ type }) }),
    drift: relink,
  },
  {
    ...part("gitRepository", repository, ".repo", "acme/web", "acme/other"),
    shown: (repo) => linkOf(String(repo)),
    drift: relink,
  },
  {
    ...part("gitRepository", repository, ".productionBranch", "main", "stable"),
    // A setting that leaves the program is kept, and no longer managed.
    cleared: "update",
    shown: (branch = "stable") => linkOf("acme/web", { productionBranch: branch }),
    drift: (w, id) => w.curl("PATCH", `/v9/projects/${id}/branch`, { branch: "trunk" }),
  },
];

const hooks = (...expected: [name: string, ref: string][]): Plain => ({
  link: expect.objectContaining({
    deployHooks: expected.map(([name, ref]) => expect.objectContaining({ name, ref })),
  }),
});
const removeHooks: Row["drift"] = async (w, id) => {
  const { link } = (await w.curl("GET", `/v9/projects/${id}`)) as { link?: { deployHooks: Plain[] } };
  for (const hook of link?.deployHooks ?? [])
    await w.curl("DELETE", `/v2/projects/${id}/deploy-hooks/${hook.id}`);
};
const hookRows: readonly Row[] = [
  {
    path: "deployHooks",
    given: { gitRepository: repository },
    first: { content: { ref: "main" } },
    second: { content: { ref: "next" }, nightly: { ref: "main" } },
    changed: "update",
    cleared: "update",
    shown: (value) =>
      hooks(
        ...Object.entries((value ?? {}) as Record<string, { ref: string }>).map(
          ([name, { ref }]) => [name, ref] as [string, string],
        ),
      ),
    drift: removeHooks,
  },
  {
    path: "deployHooks.*",
    given: { gitRepository: repository },
    first: { ref: "main" },
    second: { ref: "next" },
    changed: "update",
    cleared: "update",
    shown: (value) => (value === undefined ? hooks() : hooks(["K", (value as { ref: string }).ref])),
    drift: removeHooks,
  },
  {
    path: "deployHooks.*.ref",
    given: { gitRepository: repository },
    first: "main",
    second: "next",
    changed: "update",
    cleared: /^deployHooks\.K\.ref is missing/,
    shown: (ref) => hooks(["K", String(ref)]),
    drift: removeHooks,
  },
];

/** Effects of other requests than an update. */
const actions: readonly Row[] = [
  {
    ...setting("paused", true, false, false, undefined),
    drift: pause,
  },
  {
    path: "dataCache",
    first: { disabled: true },
    second: { disabled: false },
    changed: "update",
    cleared: "update",
    shown: (value) => ({ dataCache: { userDisabled: (value as { disabled: boolean })?.disabled ?? false } }),
    drift: cache(true),
  },
  {
    path: "dataCache.disabled",
    first: false,
    second: true,
    changed: "update",
    cleared: /^dataCache.disabled is missing/,
    shown: (disabled) => ({ dataCache: { userDisabled: disabled } }),
    drift: cache(false),
  },
  {
    path: "cronsEnabled",
    first: false,
    second: true,
    changed: "update",
    cleared: "update",
    shown: (enabled = true) =>
      enabled
        ? { crons: expect.objectContaining({ disabledAt: null }) }
        : { crons: expect.objectContaining({ disabledAt: expect.any(Number) }) },
    drift: (w, id) => w.curl("PATCH", `/v1/projects/${id}/crons`, { enabled: false }),
  },
  {
    path: "deploymentRetention",
    first: { preview: "1w", production: "1y" },
    second: { preview: "1d", errored: "3m" },
    changed: "update",
    cleared: "update",
    shown: (value) => retained((value as Plain) ?? { preview: "unlimited", errored: "unlimited" }),
    drift: expire("2m"),
  },
  ...(["preview", "production", "canceled", "errored"] as const).map(
    (kind): Row => ({
      path: `deploymentRetention.${kind}`,
      first: "1w",
      second: "6m",
      changed: "update",
      cleared: "update",
      shown: (period = "unlimited") => retained({ [kind]: period }),
      drift: expire("2m"),
    }),
  ),
  {
    path: "protectionBypass",
    first: { a: { secret: secret("a") } },
    second: { a: { secret: secret("b") }, c: { secret: secret("c") } },
    changed: "update",
    cleared: "update",
    shown: (value) =>
      storedSecrets(Object.values((value ?? {}) as Record<string, Plain>).map((one) => String(one.secret))),
    drift: revoke,
  },
  {
    path: "protectionBypass.*",
    given: { protectionBypass: { other: { secret: secret("o") } } },
    first: { secret: secret("a") },
    second: { secret: secret("b") },
    changed: "update",
    cleared: "update",
    shown: (value) => storedSecrets([secret("o"), ...(value ? [String((value as Plain).secret)] : [])]),
    drift: revoke,
  },
  {
    path: "protectionBypass.*.secret",
    first: secret("a"),
    second: secret("b"),
    changed: "update",
    // The given one makes way for a generated one.
    cleared: "update",
    shown: (value) =>
      value === undefined
        ? { protectionBypass: expect.not.objectContaining({ [secret("b")]: expect.anything() }) }
        : storedSecrets([String(value)]),
    drift: revoke,
  },
  {
    path: "protectionBypass.*.rotation",
    first: "1",
    second: "2",
    changed: "update",
    cleared: "update",
    shown: () => ({ protectionBypass: expect.anything() }),
    drift: revoke,
  },
  {
    path: "protectionBypass.*.note",
    given: { protectionBypass: { K: { secret: secret("a") } } },
    first: "for checks",
    second: "for robots",
    changed: "update",
    cleared: "update",
    shown: (note = "") => ({ protectionBypass: { [secret("a")]: expect.objectContaining({ note }) } }),
    drift: (w, id) =>
      w.curl("PATCH", `/v1/projects/${id}/protection-bypass`, {
        update: { secret: secret("a"), note: "another" },
      }),
  },
  {
    path: "protectionBypass.*.isEnvVar",
    given: { protectionBypass: { other: { secret: secret("o") }, K: { secret: secret("a") } } },
    // With false, the service chooses.
    first: false,
    second: true,
    changed: "update",
    cleared: "update",
    shown: (isEnvVar) => ({
      protectionBypass: expect.objectContaining({
        [secret("a")]: isEnvVar ? expect.objectContaining({ isEnvVar }) : expect.anything(),
      }),
    }),
    drift: (w, id) =>
      w.curl("PATCH", `/v1/projects/${id}/protection-bypass`, {
        update: { secret: secret("o"), isEnvVar: true },
      }),
  },
  {
    path: "adopt",
    first: true,
    second: false,
    changed: "update",
    cleared: "update",
    shown: () => ({}),
    drift: "it is about how the project is made",
  },
];

const whole = {
  name: "site",
  framework: "nextjs",
  buildCommand: "make",
  passwordProtection: { deploymentType: "all", password: "canary-password" },
  protectionBypass: { ci: {}, given: { secret: secret("a") } },
  dataCache: { disabled: true },
  cronsEnabled: false,
  deploymentRetention: { preview: "1m" },
  paused: true,
};
const other = {
  name: "website",
  framework: "astro",
  nodeVersion: "20.x",
  passwordProtection: { deploymentType: "preview", password: "canary-password-2" },
  protectionBypass: { ci: { rotation: "2" }, more: { secret: secret("b") } },
  dataCache: { disabled: false },
  deploymentRetention: { production: "1y" },
  paused: false,
};

export const subject: Subject = {
  resource: project,
  handler: "project",
  prepare: async () => ({ given: { name: "web" } }),
  look: (w, id) => w.curl("GET", `/v9/projects/${id}`),
  listed: {
    query: { search: "web" },
    names: ["web"],
  },
  managed: {
    inputs: (n) => ({ name: `p-${n}`, paused: true, protectionBypass: { ci: {} } }),
    changed: { gitLFS: true },
  },
  rows: [
    ...rows,
    ...platformRows,
    ...newerRows,
    ...trustedSourcesRows,
    ...repositoryRows,
    ...hookRows,
    ...actions,
  ],
  operations: [
    ...life(
      project,
      () => whole,
      () => other,
    ),
    {
      name: "Project: deploy hooks",
      resource: project,
      nameless: true,
      async prepare(w) {
        await w.server.control.seed({ gitProviders: [{ team: "acme", type: "github" }] });
        return {};
      },
      before: () => ({ name: "site", gitRepository: repository, deployHooks: { a: { ref: "main" } } }),
      step: "up",
      inputs: () => ({
        name: "site",
        gitRepository: repository,
        deployHooks: { a: { ref: "next" }, b: { ref: "main" } },
      }),
    },
    {
      name: "Project: adopt",
      resource: project,
      prepare: existing("/v10/projects", { name: "site", framework: "vue" }),
      step: "up",
      inputs: () => ({ ...whole, adopt: true }),
    },
  ],
};
