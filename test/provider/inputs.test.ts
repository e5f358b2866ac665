import type { Resource } from "../../provider/core/resource";
import { type Plain, unknown } from "../../provider/core/values";
import { customEnvironment } from "../../provider/resources/custom-environment";
import { deployment } from "../../provider/resources/deployment";
import { dnsRecord } from "../../provider/resources/dns-record";
import { edgeConfig } from "../../provider/resources/edge-config";
import { edgeConfigItem } from "../../provider/resources/edge-config-item";
import { edgeConfigToken } from "../../provider/resources/edge-config-token";
import { envVar } from "../../provider/resources/env-var";
import { envVars } from "../../provider/resources/env-vars";
import { firewallBypass } from "../../provider/resources/firewall-bypass";
import { logDrain } from "../../provider/resources/log-drain";
import { project } from "../../provider/resources/project";
import { projectDomain } from "../../provider/resources/project-domain";
import { promotion } from "../../provider/resources/promotion";
import { sharedEnvVar } from "../../provider/resources/shared-env-var";
import { teamMember } from "../../provider/resources/team-member";
import { traceDrain } from "../../provider/resources/trace-drain";
import { webhook } from "../../provider/resources/webhook";
import { put, withKnown } from "./fields/paths";
import { type Harness, startHarness } from "./stack";
import type { Row, Subject } from "./subject";
import { subjects } from "./subjects";

/** Inputs that accept an empty text. */
const takeEmpty: Record<string, string[]> = {
  Deployment: [
    "triggers",
    "environment.*",
    "projectSettings.buildCommand",
    "projectSettings.commandForIgnoringBuildStep",
    "projectSettings.installCommand",
    "projectSettings.outputDirectory",
    "projectSettings.rootDirectory",
    "meta.*",
  ],
  FeatureFlag: ["variants[].value"],
  FeatureFlagSegment: ["hint", "include.*.*", "exclude.*.*"],
  // A header can be empty.
  FirewallConfig: [
    "rules[].description",
    "rules[].conditionGroup[].conditions[].value",
    "rules[].conditionGroup[].conditions[].values",
  ],
  ProjectRoute: ["route.headers.*", "route.has[].value", "route.missing[].value", "route.transforms[].args"],
  Project: [
    "buildCommand",
    "commandForIgnoringBuildStep",
    "devCommand",
    "installCommand",
    "outputDirectory",
    "rootDirectory",
    // Unknown values are a warning; the service decides.
    "serverlessFunctionRegion",
    "autoAssignCustomDomainsUpdatedBy",
    "trustedIps.addresses[].note",
    "tracing.domains",
    "tracing.ignorePaths",
    "tracing.samplingRules[].requestPath",
    "trustedSources.projects.*.label",
    "trustedSources.oidcProviders.*[].label",
    "trustedSources.oidcProviders.*[].claims.*",
    "protectionBypass.*.rotation",
    "protectionBypass.*.note",
  ],
  EnvVar: ["value", "comment"],
  EnvVars: ["variables.*", "variables.*.value", "variables.*.comment"],
  CustomEnvironment: ["description"],
  DnsRecord: ["name"],
  EdgeConfig: ["schema.*"],
  LogDrain: ["headers.*"],
  TraceDrain: ["headers.*"],
  AuditLogDrain: ["headers.*"],
  SharedEnvVar: ["value", "comment"],
  TeamConfig: ["description"],
};

/** Inputs that take any JSON. */
const takeAny: Record<string, string[]> = {
  EdgeConfig: ["schema.*"],
  EdgeConfigItem: ["value"],
  FeatureFlag: ["variants[].value"],
};
const takesAny = ({ resource }: Subject, { path }: Row): boolean =>
  takeAny[resource.type]?.includes(path) ?? false;

let w: Harness;
beforeAll(async () => {
  w = await startHarness();
  await w.server.control.changeTeam("acme", { plan: "enterprise" });
  await w.server.control.seed({
    gitProviders: [{ team: "acme", type: "github", repos: ["acme/web", "acme/other", "acme/api"] }],
  });
});
afterAll(() => w.close());
afterEach(() => w.server.control.reset());

/** Makes inputs with a value of a row. */
async function declared({ prepare }: Subject): Promise<(row: Row, value: unknown) => Plain> {
  const { given, known = {} } = await prepare(w);
  return ({ path, given: own }, value) =>
    put(withKnown({ ...given, ...own }, known) as Plain, path, withKnown(value, known));
}

describe.each(subjects.map((subject) => [subject.resource.type, subject] as const))("%s", (_, subject) => {
  const { resource, rows } = subject;

  it("accepts every value of its rows, and unknown values", async () => {
    const inputs = await declared(subject);
    const refused = rows.flatMap((row) =>
      [row.first, row.second, unknown].flatMap((value) =>
        resource.check({}, inputs(row, value)).map(({ reason }) => [row.path, value, reason]),
      ),
    );
    expect(refused).toEqual([]);
  });

  it("refuses a value of another type, and names the input", async () => {
    expect.hasAssertions();
    const inputs = await declared(subject);
    for (const row of rows) {
      if (takesAny(subject, row)) continue;
      const wrong = typeof row.first === "number" ? true : 7;
      const [failure, ...others] = resource.check({}, inputs(row, wrong));
      expect([row.path, failure?.property]).toEqual([row.path, row.path.split(/[.[]/)[0]]);
      expect(others).toEqual([]);
    }
  });

  it("refuses an empty text where text is required", async () => {
    const inputs = await declared(subject);
    const emptied = rows.flatMap((row) => {
      if (typeof row.first === "string") return [{ row, empty: "" as unknown }];
      const isList = Array.isArray(row.first) && typeof row.first[0] === "string";
      return isList ? [{ row, empty: [""] }] : [];
    });
    const taken = emptied.filter(({ row, empty }) => resource.check({}, inputs(row, empty)).length === 0);
    expect(taken.map(({ row }) => row.path)).toEqual(takeEmpty[resource.type] ?? []);
  });

  it("refuses text that the service cannot store, at any depth", async () => {
    const inputs = await declared(subject);
    const refused = rows.flatMap(({ first, ...row }) => {
      if (typeof first !== "string") return [];
      const [failure] = resource.check({}, inputs({ first, ...row }, `${withKnown(first, {})}\0`));
      return [[row.path, failure?.property]];
    });
    expect(refused.length).toBeGreaterThan(0);
    expect(refused).toEqual(refused.map(([path]) => [path, path?.split(/[.[]/)[0]]));
  });
});

const objects = subjects.flatMap((subject) =>
  subject.rows
    .filter((row) => isObject(subject, row))
    .map((row) => [subject.resource.type, row.path, subject, row] as const),
);

/** True for an input with members of fixed names. */
function isObject(subject: Subject, row: Row): boolean {
  const [{ rows }, { path, first }] = [subject, row];
  if (takesAny(subject, row)) return false;
  if (typeof first !== "object" || first === null || Array.isArray(first)) return false;
  return !rows.some((other) => other.path.startsWith(`${path}.*`));
}

it.each(objects)("%s refuses unknown members of %s", async (_, __, subject, row) => {
  const inputs = await declared(subject);
  const [failure] = subject.resource.check({}, inputs(row, { ...(row.first as Plain), noSuchMember: 1 }));
  expect(failure?.reason).toContain("noSuchMember");
});

it.each([
  [project, { name: "web", skewProtectionMaxAge: -1 }, "skewProtectionMaxAge must be at least 0."],
  [project, { name: "web", skewProtectionMaxAge: "1" }, "skewProtectionMaxAge must be a number."],
  [
    project,
    { name: "web", resourceConfig: { functionDefaultTimeout: 0 } },
    "resourceConfig.functionDefaultTimeout must be at least 1.",
  ],
  ...["x10.0.0.1", "10.0.0.1x", "10.0.0.256", "10.0.0.0/33", "10.0.0"].map(
    (value): [Resource, Plain, string] => [
      project,
      {
        name: "web",
        trustedIps: { deploymentType: "all", addresses: [{ value }], protectionMode: "additional" },
      },
      "trustedIps.addresses[0].value must be an IPv4 address, or a range such as 10.0.0.0/8.",
    ],
  ),
  [
    project,
    {
      name: "web",
      trustedSources: { projects: { a: { customAllow: [{ from: { slugs: ["b"] }, to: {} }] } } },
    },
    "trustedSources.projects.a.customAllow[0].to must have slugs or a preset.",
  ],
  [webhook, { url: "https://a.test", events: [] }, "events must not be empty."],
  [
    webhook,
    { url: "see https://a.test", events: ["project.created"] },
    "url must be a URL that begins with http:// or https://, without spaces, a user or a password.",
  ],
  [
    webhook,
    { url: "https://a.test", events: ["project.created"], projectIds: Array(51).fill("prj_1") },
    "projectIds must have at most 50 items.",
  ],
  [
    logDrain,
    { name: "a", endpoint: "https://ada:canary@a.test/" },
    "endpoint must be a URL that begins with http:// or https://, without spaces, a user or a password.",
  ],
  [
    logDrain,
    { name: "a", endpoint: "https://a.test", headers: { Host: "b.test" } },
    "headers must not contain host, content-type and other headers that the service sets. Remove them.",
  ],
  [
    logDrain,
    { name: "a", endpoint: "https://a.test", headers: { a: "x".repeat(4096), b: "x".repeat(4096) } },
    "headers must have at most 8192 characters together. Shorten them.",
  ],
  [
    logDrain,
    { name: "a", endpoint: "https://a.test", headers: { "a b": "c" } },
    "headers must have header names as keys, such as authorization.",
  ],
  [
    logDrain,
    { name: "a", endpoint: "https://a.test", secret: "x" },
    "secret must have at least 32 characters.",
  ],
  [
    deployment,
    { project: "web", ref: "main", environment: JSON.parse('{ "__proto__": "x" }') },
    "a name in environment is __proto__, which is not safe in JSON. Choose another name.",
  ],
  [project, { name: "web", protectionBypass: { "": {} } }, "a name in protectionBypass must not be empty."],
  [
    project,
    { name: "web", gitRepository: { type: "github", repo: "a/b" }, deployHooks: { a: { ref: " main" } } },
    "deployHooks.a.ref must not have spaces around it.",
  ],
  [
    project,
    { name: "web", trustedSources: { projects: { a: { label: "x".repeat(65_536) } } } },
    "trustedSources must have at most 65536 characters as JSON. Shorten the lists or the labels.",
  ],
  [
    customEnvironment,
    { project: "web", slug: "a", copyEnvVarsFrom: "Production" },
    "copyEnvVarsFrom must be a target, such as production, or the slug or id of a custom environment.",
  ],
  [
    teamMember,
    { email: ".ada@example.com", role: "MEMBER" },
    "email must be an email address, such as ada@example.com.",
  ],
  [
    envVar,
    { project: "web", key: "A", value: "x".repeat(65_536), target: ["preview"] },
    "value must have at most 64 KB with its key, as much as all variables of a deployment can have together. Move a large value to a file or to an Edge Config.",
  ],
  [project, {}, "name is missing."],
  [project, { name: "web", skewProtectionMaxAge: 1.5 }, "skewProtectionMaxAge must be a whole number."],
  [project, { name: ".." }, "name must contain a letter or a digit."],
  [
    project,
    { name: "a---b" },
    "name must consist of lower case letters, digits, '.', '_' and '-', without three dashes in a row.",
  ],
  ...["a/b", ".", ".."].map((name): [Resource, Plain, string] => [
    envVar,
    { project: name, key: "A", value: "v", target: ["preview"] },
    "project must be the id or the name of a project.",
  ]),
  ...[
    ["the character U+0000", "canary\0"],
    ["half of a surrogate pair", "canary\ud83d"],
  ].flatMap(([character, text = ""]) =>
    (
      [
        [envVars, "variables.A", { variables: { A: text, B: unknown } }],
        [envVars, "variables.A.value", { variables: { A: { value: text } } }],
        [envVar, "value", { key: "A", value: text, target: ["preview"] }],
        [
          project,
          "a name in trustedSources.oidcProviders.a[0].claims",
          {
            trustedSources: { oidcProviders: { a: [{ to: { preset: "all" }, claims: { [text]: ["b"] } }] } },
          },
        ],
      ] as const
    ).map(([resource, what, inputs]): [Resource, Plain, string] => [
      resource,
      { ...(resource === project ? { name: "web" } : { project: "web" }), ...inputs },
      `${what} contains ${character}, which the service cannot store. Remove it, or encode the text, for example in base64.`,
    ]),
  ),
  [envVars, { project: "web", variables: { A: 123 } }, "variables.A must be a string or an object."],
  [envVars, { project: "web", variables: { A: { value: 123 } } }, "variables.A.value must be a string."],
  [promotion, { project: "web", deployment: "a/b" }, "deployment must be the id of a deployment."],
  [promotion, { project: "web", deployment: "a b" }, "deployment must be the id of a deployment."],
])("describes an invalid input in one sentence (%#)", (resource, inputs, reason) => {
  expect((resource as Resource).check({}, inputs)).toEqual([expect.objectContaining({ reason })]);
});

it.each([
  ["example.com", true],
  ["*.example.com", true],
  ["_acme.www.example.com", false],
  ["192.0.2.10", false],
  ["xn--0.example.com", false],
  ["xn--bcher-kva.example", true],
  ["github.io", true],
  ["www.co.uk", true],
  ["a.test", true],
  [`${"a".repeat(63)}.com`, true],
  [`${"a".repeat(64)}.com`, false],
  ["Example.com", false],
  ["example.com.", false],
  ["www.*.com", false],
  ["-a.com", false],
  ["a-.com", false],
  ["a..com", false],
  ["localhost", false],
  ["example.com/path", false],
])("takes %s for a domain name: %s", (name, isOne) => {
  const reasons = projectDomain.check({}, { project: "web", name }).map(({ reason }) => reason);
  expect(reasons).toEqual(isOne ? [] : [expect.stringMatching(/^name must be a domain name in lower case/)]);
});

it.each(["co.uk", "*.co.uk", "com.br"])(
  "does not take the suffix %s for a domain of a project or a redirect",
  (name) => {
    const web = { project: "web", name: "www.example.com" };
    const reason = expect.stringMatching(/^(name|redirect) must be a domain that somebody can register/);
    for (const given of [{ name }, { redirect: name }])
      expect(projectDomain.check({}, { ...web, ...given }).map(({ reason }) => reason)).toEqual([reason]);
  },
);

const text = (length: number): string => "a".repeat(length);
const named = (length: number, value: unknown): Plain =>
  Object.fromEntries(Array.from({ length }, (_, i) => [`N${i}`, value]));
const list = (length: number): string[] => Array.from({ length }, (_, i) => `prj_${i}`);
const dns = { domain: "example.com", name: "www", type: "TXT", value: "v" };
const variable = { project: "web", key: "A", value: "v", target: ["preview"] };
const bypass = { project: "web", domain: "*", sourceIp: "192.0.2.1" };
const drain = { name: "a", endpoint: "https://a.test" };
const shared = { key: "A", value: "v", target: ["preview"] };
const item = { edgeConfigId: "ecfg_1", key: "a", value: 1 };
const hook = { url: "https://a.test", events: ["project.created"] };
const repository = { type: "github", repo: "acme/web" };
const built = { project: "web", ref: "main" };
const promoted = { project: "web", deployment: "dpl_1" };
const trusted = (address: object): Plain => ({
  ...{ deploymentType: "all", protectionMode: "additional" },
  addresses: [{ value: "10.0.0.1", ...address }],
});

const limits: [input: string, limit: number, beyond: number, resource: Resource, of: (n: number) => Plain][] =
  [
    ["slug", 32, 33, customEnvironment, (n) => ({ project: "web", slug: text(n) })],
    [
      "description",
      256,
      257,
      customEnvironment,
      (n) => ({ project: "web", slug: "a", description: text(n) }),
    ],
    [
      "branchMatcher.pattern",
      100,
      101,
      customEnvironment,
      (n) => ({ project: "web", slug: "a", branchMatcher: { type: "equals", pattern: text(n) } }),
    ],
    ["environment", 65_536, 65_537, deployment, (n) => ({ ...built, environment: { A: text(n) } })],
    ["timeoutMs", 86_400_000, 86_400_001, deployment, (timeoutMs) => ({ ...built, timeoutMs })],
    ["ttl", 60, 59, dnsRecord, (ttl) => ({ ...dns, ttl })],
    ["comment", 500, 501, dnsRecord, (n) => ({ ...dns, comment: text(n) })],
    [
      "mxPriority",
      65_535,
      65_536,
      dnsRecord,
      (mxPriority) => ({ ...dns, type: "MX", value: "a.test", mxPriority }),
    ],
    ["slug", 64, 65, edgeConfig, (n) => ({ slug: text(n) })],
    ["key", 256, 257, edgeConfigItem, (n) => ({ ...item, key: text(n) })],
    ["description", 512, 513, edgeConfigItem, (n) => ({ ...item, description: text(n) })],
    ["label", 52, 53, edgeConfigToken, (n) => ({ edgeConfigId: "ecfg_1", label: text(n) })],
    ["key", 256, 257, envVar, (n) => ({ ...variable, key: text(n) })],
    ["value", 65_535, 65_536, envVar, (n) => ({ ...variable, value: text(n) })],
    ["gitBranch", 250, 251, envVar, (n) => ({ ...variable, gitBranch: text(n) })],
    ["comment", 500, 501, envVar, (n) => ({ ...variable, comment: text(n) })],
    ["variables", 65_535, 65_536, envVars, (n) => ({ project: "web", variables: { A: text(n) } })],
    ["variables", 1000, 1001, envVars, (n) => ({ project: "web", variables: named(n, "v") })],
    ["meta", 98, 99, deployment, (n) => ({ ...built, meta: named(n, "v") })],
    ["ref", 500, 501, deployment, (n) => ({ ...built, ref: text(n) })],
    [
      "deployHooks",
      10,
      11,
      project,
      (n) => ({ name: "web", gitRepository: repository, deployHooks: named(n, { ref: "main" }) }),
    ],
    ["note", 500, 501, firewallBypass, (n) => ({ ...bypass, note: text(n) })],
    ["name", 256, 257, logDrain, (n) => ({ ...drain, name: text(n) })],
    ["projectIds", 50, 51, logDrain, (n) => ({ ...drain, projectIds: list(n) })],
    ["samplingRate", 1, 1.01, logDrain, (samplingRate) => ({ ...drain, samplingRate })],
    ["samplingRate", 0.01, 0, logDrain, (samplingRate) => ({ ...drain, samplingRate })],
    ["headers", 4096, 4097, logDrain, (n) => ({ ...drain, headers: { a: text(n) } })],
    ["secret", 32, 31, logDrain, (n) => ({ ...drain, secret: text(n) })],
    ["secret", 1000, 1001, logDrain, (n) => ({ ...drain, secret: text(n) })],
    [
      "requestPath",
      2048,
      2049,
      traceDrain,
      (n) => ({ ...drain, samplingRules: [{ rate: 1, requestPath: text(n) }] }),
    ],
    ["rate", 1, 1.01, traceDrain, (rate) => ({ ...drain, samplingRules: [{ rate }] })],
    ["rate", 0, -0.01, traceDrain, (rate) => ({ ...drain, samplingRules: [{ rate }] })],
    ["name", 100, 101, project, (n) => ({ name: text(n) })],
    ["buildCommand", 256, 257, project, (n) => ({ name: "a", buildCommand: text(n) })],
    [
      "passwordProtection",
      72,
      73,
      project,
      (n) => ({ name: "a", passwordProtection: { deploymentType: "all", password: text(n) } }),
    ],
    ["trustedIps", 20, 21, project, (n) => ({ name: "a", trustedIps: trusted({ note: text(n) }) })],
    ["trustedIps", 32, 33, project, (n) => ({ name: "a", trustedIps: trusted({ value: `10.0.0.0/${n}` }) })],
    [
      "optionsAllowlist",
      5,
      6,
      project,
      (n) => ({ name: "a", optionsAllowlist: { paths: list(n).map((path) => ({ value: `/${path}` })) } }),
    ],
    [
      "protectionBypass",
      100,
      101,
      project,
      (n) => ({ name: "a", protectionBypass: { ci: { note: text(n) } } }),
    ],
    [
      "protectionBypass",
      32,
      31,
      project,
      (n) => ({ name: "a", protectionBypass: { ci: { secret: text(n) } } }),
    ],
    [
      "resourceConfig",
      900,
      901,
      project,
      (n) => ({ name: "a", resourceConfig: { functionDefaultTimeout: n } }),
    ],
    [
      "deployHooks",
      180,
      181,
      project,
      (n) => ({ name: "a", gitRepository: repository, deployHooks: { [text(n)]: { ref: "main" } } }),
    ],
    ["timeoutMs", 86_400_000, 86_400_001, promotion, (timeoutMs) => ({ ...promoted, timeoutMs })],
    ["comment", 500, 501, sharedEnvVar, (n) => ({ ...shared, comment: text(n) })],
    ["projectIds", 1000, 1001, sharedEnvVar, (n) => ({ ...shared, projectIds: list(n) })],
    ["email", 254, 255, teamMember, (n) => ({ email: `${text(n - 5)}@a.io`, role: "VIEWER" })],
    ["projectIds", 50, 51, webhook, (n) => ({ ...hook, projectIds: list(n) })],
  ];

it.each(
  limits.map(
    ([input, limit, beyond, resource, of]) =>
      [`${resource.type} ${input}`, limit, beyond, resource, of] as const,
  ),
)("%s is accepted with %d, and refused with %d", (_, limit, beyond, resource, of) => {
  const reasons = (n: number) => resource.check({}, of(n)).map(({ reason }) => reason);
  expect(reasons(limit)).toEqual([]);
  expect(reasons(beyond)).toHaveLength(1);
});
