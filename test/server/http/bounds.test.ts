import { useTestServer } from "../../support/world";

const world = useTestServer();

beforeEach(() => world.seed({ projects: [{ id: "prj_web", team: "acme", name: "web" }] }));

const texts = (count: number, text = "x"): string[] => Array(count).fill(text);
const record = (count: number, value = "x"): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`key-${at}`, value]));

const paths = (count: number, value = "/x") => ({
  optionsAllowlist: { paths: texts(count, value).map((path) => ({ value: path })) },
});
const trustedIps = (count: number) => ({
  trustedIps: {
    deploymentType: "all",
    protectionMode: "additional",
    addresses: texts(count).map(() => ({ value: "192.0.2.255/32", note: "x".repeat(20) })),
  },
});
const trustedSources = (length: number) => ({
  trustedSources: {
    projects: { prj_1: { label: "x".repeat(length - '{"projects":{"prj_1":{"label":""}}}'.length) } },
  },
});
const tracing = (length: number) => ({ tracing: { domains: "x".repeat(length - '{"domains":""}'.length) } });
const policy = (length: number) => {
  const empty = { enabled: true, environments: [], sources: [{ provider: "github", org: "" }] };
  const shell = JSON.stringify({ gitSources: [empty] }).length;
  const sources = [{ provider: "github", org: "x".repeat(length - shell) }];
  return { deploymentPolicy: { gitSources: [{ ...empty, sources }] } };
};

const update = ["PATCH", "/v9/projects/web"] as const;
const link = ["POST", "/v9/projects/web/link"] as const;
const environment = ["POST", "/v9/projects/web/custom-environments"] as const;
const deployment = ["POST", "/v13/deployments"] as const;
const drain = ["POST", "/v1/log-drains"] as const;
const drainBody = { url: "https://example.com", deliveryFormat: "json", sources: ["external"] };
const meta = (length: number) => ({ name: "web", meta: { a: "x".repeat(length - '{"a":""}'.length) } });
const matcher = (length: number) => ({
  slug: "staging",
  branchMatcher: { type: "equals", pattern: "x".repeat(length) },
});

/** The largest value that is accepted, and one that is not. */
const bounds: [string, readonly [method: string, path: string], accepted: object, refused: object][] = [
  ["at least one path of the allowlist", update, paths(1), paths(0)],
  ["at most five paths of the allowlist", update, paths(5), paths(6)],
  ["allowlist paths that begin with a slash", update, paths(1, "/"), paths(1, "x/")],
  [
    "at most 1000 characters of an allowlist path",
    update,
    paths(1, `/${"x".repeat(999)}`),
    paths(1, `/${"x".repeat(1000)}`),
  ],
  [
    "a function timeout of at most 900 seconds",
    update,
    { resourceConfig: { functionDefaultTimeout: 900 } },
    { resourceConfig: { functionDefaultTimeout: 901 } },
  ],
  [
    "at most 100 default regions",
    update,
    { resourceConfig: { functionDefaultRegions: texts(100) } },
    { resourceConfig: { functionDefaultRegions: texts(101) } },
  ],
  [
    "at most 100 failover regions",
    update,
    { sandbox: { failoverRegions: texts(100) } },
    { sandbox: { failoverRegions: texts(101) } },
  ],
  ["at most 1000 trusted addresses", update, trustedIps(1000), trustedIps(1001)],
  [
    "at most 256 characters of autoAssignCustomDomainsUpdatedBy",
    update,
    { autoAssignCustomDomainsUpdatedBy: "x".repeat(256) },
    { autoAssignCustomDomainsUpdatedBy: "x".repeat(257) },
  ],
  [
    "at most 256 characters of a connector id",
    update,
    { passport: { connectorId: "x".repeat(256) } },
    { passport: { connectorId: "x".repeat(257) } },
  ],
  [
    "at most 100 domains of skew protection",
    update,
    { skewProtectionAllowedDomains: texts(100, "x".repeat(253)) },
    { skewProtectionAllowedDomains: texts(101) },
  ],
  [
    "at most 253 characters of a domain of skew protection",
    update,
    { skewProtectionAllowedDomains: ["x".repeat(253)] },
    { skewProtectionAllowedDomains: ["x".repeat(254)] },
  ],
  ["at most 64 KiB of trusted sources", update, trustedSources(65_536), trustedSources(65_537)],
  ["at most 64 KiB of tracing", update, tracing(65_536), tracing(65_537)],
  ["at most 64 KiB of a deployment policy", update, policy(65_536), policy(65_537)],
  [
    "at most 500 characters of a repository's name",
    link,
    { type: "github", repo: `a/${"x".repeat(498)}` },
    { type: "github", repo: `a/${"x".repeat(499)}` },
  ],
  ["at most 100 characters of a branch pattern", environment, matcher(100), matcher(101)],
  [
    "at most 100 members of metadata",
    deployment,
    { name: "web", meta: record(100) },
    { name: "web", meta: record(101) },
  ],
  ["at most 32 KiB of metadata", deployment, meta(32_768), meta(32_769)],
  [
    "a sampling rate of at least 0.01",
    drain,
    { ...drainBody, samplingRate: 0.01 },
    { ...drainBody, samplingRate: 0.009 },
  ],
  [
    "at most 8192 characters of headers",
    drain,
    { ...drainBody, headers: { "x-a": "x".repeat(4096), "x-b": "x".repeat(4090) } },
    { ...drainBody, headers: { "x-a": "x".repeat(4096), "x-b": "x".repeat(4091) } },
  ],
  [
    "at most seven sources of a drain",
    drain,
    { ...drainBody, sources: texts(7, "edge") },
    { ...drainBody, sources: texts(8, "edge") },
  ],
];

test.each(bounds)("accepts %s, and refuses what is beyond", async (_, [method, path], accepted, refused) => {
  const beyond = await world.call(method, path, { body: refused });
  expect([beyond.status, beyond.body.error?.code]).toEqual([400, "bad_request"]);
  const within = await world.call(method, path, { body: accepted });
  expect([Math.floor(within.status / 100), within.body.error]).toEqual([2, undefined]);
});

it("refuses a redeployment whose metadata and that of its source have more than 100 members", async () => {
  const { body: source } = await world.call(...deployment, { body: { name: "web", meta: record(100) } });
  const again = { deploymentId: source.id, meta: { another: "x" } };
  const { status, body } = await world.call(...deployment, { body: again });
  expect([status, body.error.message]).toEqual([400, expect.stringContaining("at most 100 members")]);
  expect((await world.call(...deployment, { body: { deploymentId: source.id } })).status).toBe(200);
});

it("shows a project with every setting and deployment at its bound in less than 1 MB", async () => {
  expect((await world.call(...link, { body: { type: "github", repo: `a/${"x".repeat(498)}` } })).status).toBe(
    200,
  );
  const settings = Object.assign(
    {},
    ...bounds.filter(([, path]) => path === update).map(([, , accepted]) => accepted),
  );
  const body = { ...settings, ...paths(5, `/${"x".repeat(999)}`), ...texts256 };
  expect((await world.call(...update, { body })).status).toBe(200);
  for (let at = 0; at < 6; at++)
    expect(
      (await world.call(...deployment, { body: { ...meta(32_768), target: "production" } })).status,
    ).toBe(200);
  await world.advance(60_000);
  const { body: view } = await world.call("GET", "/v9/projects/web");
  expect(view.latestDeployments).toHaveLength(5);
  expect(Buffer.byteLength(JSON.stringify(view))).toBeLessThan(1_000_000);
});

const longest = "x".repeat(256);
const texts256 = {
  buildCommand: longest,
  commandForIgnoringBuildStep: longest,
  devCommand: longest,
  installCommand: longest,
  outputDirectory: longest,
  rootDirectory: longest,
};
