import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Resource } from "../../provider/core/resource";
import { type Plain, unknown } from "../../provider/core/values";
import { blobStoreConnection } from "../../provider/resources/blob-store-connection";
import { deployment } from "../../provider/resources/deployment";
import { dnsRecord } from "../../provider/resources/dns-record";
import { edgeConfig } from "../../provider/resources/edge-config";
import { edgeConfigItem } from "../../provider/resources/edge-config-item";
import { edgeConfigToken } from "../../provider/resources/edge-config-token";
import { envVar } from "../../provider/resources/env-var";
import { envVars } from "../../provider/resources/env-vars";
import { integrationProjectAccess } from "../../provider/resources/integration-project-access";
import { logDrain } from "../../provider/resources/log-drain";
import { project } from "../../provider/resources/project";
import { projectDomain } from "../../provider/resources/project-domain";
import { promotion } from "../../provider/resources/promotion";
import { sharedEnvVar } from "../../provider/resources/shared-env-var";
import { sharedEnvVarLink } from "../../provider/resources/shared-env-var-link";
import { traceDrain } from "../../provider/resources/trace-drain";
import { webhook } from "../../provider/resources/webhook";
import { urnOf } from "../support/fake-cli";
import { openRecordingProxy } from "../support/recording-proxy";
import { type Harness, startHarness } from "./stack";

let w: Harness;
beforeEach(async () => {
  w = await startHarness();
  await w.curl("POST", "/v10/projects", { name: "web" });
});
afterEach(() => w.close());

const reasons = async (resource: Resource, news: Plain, name?: string): Promise<string[]> => {
  const step = name === undefined ? {} : { urn: urnOf(resource.type, name) };
  return (await resource.declare(w.run, {}, news, step)).map(({ reason }) => reason);
};

const variable = { project: "web", key: "K", value: "v", target: ["production"] };
const missing: [input: string, resource: Resource, news: Plain][] = [
  ["project", envVar, { ...variable, project: "prj_missing" }],
  ["customEnvironmentIds", envVar, { ...variable, customEnvironmentIds: ["env_missing"] }],
  [
    "customEnvironmentIds",
    envVars,
    { project: "web", variables: { K: { value: "v", customEnvironmentIds: ["env_missing"] } } },
  ],
  [
    "customEnvironmentId",
    projectDomain,
    { project: "web", name: "www.example.com", customEnvironmentId: "env_missing" },
  ],
  ["redeploy", deployment, { project: "web", redeploy: "dpl_missing" }],
  ["customEnvironmentId", deployment, { project: "web", ref: "main", customEnvironmentId: "env_missing" }],
  ["edgeConfigId", edgeConfigItem, { edgeConfigId: "ecfg_missing", key: "k", value: 1 }],
  ["edgeConfigId", edgeConfigToken, { edgeConfigId: "ecfg_missing", label: "l" }],
  ["projectIds", webhook, { url: "https://example.com", events: [], projectIds: ["prj_missing"] }],
  ["projectIds", logDrain, { name: "d", endpoint: "https://example.com", projectIds: ["prj_missing"] }],
  ["projectIds", traceDrain, { name: "d", endpoint: "https://example.com", projectIds: ["prj_missing"] }],
  ["projectIds", sharedEnvVar, { key: "K", value: "v", target: ["preview"], projectIds: ["prj_missing"] }],
  ["blobStoreId", blobStoreConnection, { project: "web", blobStoreId: "store_missing" }],
  ["installationId", integrationProjectAccess, { project: "web", installationId: "icfg_missing" }],
  ["sharedEnvVarId", sharedEnvVarLink, { project: "web", sharedEnvVarId: "env_missing" }],
];

describe("an id in an input", () => {
  it.each(missing)("is refused when its object does not exist: %s", async (input, resource, news) => {
    expect(await reasons(resource, news)).toEqual([
      expect.stringMatching(new RegExp(`^The [\\w ]+ \\w+_missing in ${input} does not exist\\.`)),
    ]);
  });

  it.each(missing)("is not refused to a token without permission: %s", async (_input, resource, news) => {
    const proxy = await openRecordingProxy(w.server.url);
    const forbidden = JSON.stringify({ error: { code: "forbidden", message: "Not authorized." } });
    proxy.before = () => ({ status: 403, body: forbidden });
    try {
      const run = w.runOf(w.another({ apiUrl: proxy.url }));
      expect(
        (await resource.declare(run, {}, news)).filter(({ reason }) => /not exist/.test(reason)),
      ).toEqual([]);
    } finally {
      await proxy.close();
    }
  });

  it("is not refused when it is not known yet, or belongs to a project that the run creates", async () => {
    expect(await reasons(edgeConfigItem, { edgeConfigId: unknown, key: "k", value: 1 })).toEqual([]);
    const later = { ...variable, project: "later", customEnvironmentIds: ["env_later"] };
    expect(await reasons(envVar, later)).toEqual([]);
  });

  it.each([
    [webhook, { url: "https://example.com", events: ["project.created"], projectIds: ["web"] }],
    [logDrain, { name: "d", endpoint: "https://example.com", projectIds: ["web"] }],
    [sharedEnvVar, { key: "K", value: "v", target: ["preview"], projectIds: ["web"] }],
  ])("is refused when it is the name of a project (%#)", async (resource, news) => {
    expect(await reasons(resource as Resource, news)).toEqual([
      expect.stringMatching(/^The project id web in projectIds does not exist\. .*not its name\.$/),
    ]);
  });

  it("is refused when it is the deployment of a promotion, and does not exist", async () => {
    expect(await reasons(promotion, { project: "web", deployment: "dpl_missing" })).toEqual([
      expect.stringMatching(/^The deployment dpl_missing does not exist\. .*getDeployment/),
    ]);
  });
});

describe("in a project that the run creates", () => {
  const declare = async (projects: string[], resource: Resource, news: Plain): Promise<string[][]> => {
    for (const name of projects) await reasons(project, { name }, name);
    return [await reasons(resource, news, "a"), await reasons(resource, news, "b")];
  };
  const ofNew = { ...variable, project: unknown };

  it("refuses the second of two variables with one key", async () => {
    const [first, second] = await declare(["new"], envVar, ofNew);
    expect(first).toEqual([]);
    expect(second).toEqual([expect.stringMatching(/both declare the variable K\/production\./)]);
  });

  it("refuses the second of two promotions", async () => {
    const [first, second] = await declare(["new"], promotion, { project: unknown, deployment: unknown });
    expect(first).toEqual([]);
    expect(second).toEqual([expect.stringMatching(/both declare/)]);
  });

  it("refuses nothing where the run creates several projects", async () => {
    expect(await declare(["new", "other"], envVar, ofNew)).toEqual([[], []]);
  });
});

describe("in an Edge Config that the run creates", () => {
  const item = { edgeConfigId: unknown, key: "banner", value: "v" };

  it("refuses the second of two items with one key, also if it adopts", async () => {
    await reasons(edgeConfig, { slug: "flags" }, "flags");
    expect(await reasons(edgeConfigItem, { ...item, adopt: true }, "a")).toEqual([]);
    expect(await reasons(edgeConfigItem, { ...item, key: "title" }, "b")).toEqual([]);
    expect(await reasons(edgeConfigItem, item, "c")).toEqual([
      expect.stringMatching(/"a" and .*"c" both declare the item new Edge Config\/banner\./),
    ]);
  });

  it("refuses nothing where the run creates several Edge Configs", async () => {
    for (const slug of ["flags", "texts"]) await reasons(edgeConfig, { slug }, slug);
    expect(await reasons(edgeConfigItem, item, "a")).toEqual([]);
    expect(await reasons(edgeConfigItem, item, "b")).toEqual([]);
  });
});

it("refuses the second of two links to a shared variable that the run creates", async () => {
  await reasons(sharedEnvVar, { key: "K", value: "v", target: ["preview"], type: "encrypted" }, "shared");
  const link = { project: "web", sharedEnvVarId: unknown };
  expect(await reasons(sharedEnvVarLink, link, "a")).toEqual([]);
  expect(await reasons(sharedEnvVarLink, link, "b")).toEqual([
    expect.stringMatching(/both declare the link to the shared variable new shared variable/),
  ]);
});

describe("forms of values", () => {
  const failuresOf = (resource: Resource, news: Plain): string[] =>
    resource.check({}, news).map(({ reason }) => reason);

  it.each([".", "./apps/web", "../x", "/apps", "/", "apps/web/", "apps//web", "apps/../x", "apps\\web"])(
    "refuses the rootDirectory %s",
    (rootDirectory) => {
      const reason = [
        expect.stringMatching(/rootDirectory must be the path of a folder .*such as apps\/web/),
      ];
      expect(failuresOf(project, { name: "web", rootDirectory })).toEqual(reason);
      const built = { project: "web", ref: "main", projectSettings: { rootDirectory } };
      expect(failuresOf(deployment, built)).toEqual(reason);
    },
  );

  it.each(["apps/web", ".config/web", "a..b/c", "", null])(
    "accepts the rootDirectory %j",
    (rootDirectory) => {
      expect(failuresOf(project, { name: "web", rootDirectory })).toEqual([]);
    },
  );

  it("refuses a CAA record without quotes, and shows the text to write", () => {
    const record = { domain: "example.com", name: "", type: "CAA" };
    expect(failuresOf(dnsRecord, { ...record, value: "0 issue amazonaws.com" })).toEqual([
      expect.stringContaining(`'0 issue "amazonaws.com"'`),
    ]);
    expect(failuresOf(dnsRecord, { ...record, value: '0 issue "amazonaws.com"' })).toEqual([]);
  });
});

describe("warnings", () => {
  it.each([
    ["canary\n", "ends with a line break"],
    ["canary\r\n", "ends with a line break"],
    [" canary", "begins with white space"],
    ["\tcanary ", "begins with white space and ends with white space"],
    ["\ufeffcanary", "begins with white space"],
  ])("name a variable whose value is %j, without the value", async (value, found) => {
    const expected = [expect.stringContaining(`The value of K ${found}`)];
    for (const warnings of [
      await envVar.warnings({ ...variable, value }),
      await sharedEnvVar.warnings({ key: "K", value, target: ["preview"] }),
      await envVars.warnings({ project: "web", variables: { K: value, L: "fine inside" } }),
    ]) {
      expect(warnings).toEqual(expected);
      expect(warnings.join()).not.toContain("canary");
    }
  });

  it("name the environment whose variables are larger than 64 KB together", async () => {
    const half = "x".repeat(40_000);
    const variables = { A: half, B: { value: half, target: ["preview"] }, C: "small" };
    expect(await envVars.warnings({ project: "web", target: ["production"], variables })).toEqual([]);
    expect(await envVars.warnings({ project: "web", target: ["preview"], variables })).toEqual([
      expect.stringMatching(/^The variables for preview have \d+ KB together\. .*at most 64 KB/),
    ]);
  });

  it("count the bytes of the variables, not the characters", async () => {
    const variables = { A: "\u00e9".repeat(20_000), B: "\u00e9".repeat(20_000) };
    expect(await envVars.warnings({ project: "web", target: ["preview"], variables })).toEqual([
      expect.stringMatching(/^The variables for preview have 79 KB together\./),
    ]);
  });

  it("name publicSource, which the API ignores", async () => {
    expect(await project.warnings({ name: "web", publicSource: true })).toEqual([
      expect.stringMatching(/^publicSource is deprecated.*Remove publicSource/),
    ]);
    expect(await project.warnings({ name: "web" })).toEqual([]);
  });
});

it.each([
  ["refuses", 400],
  ["ignores", 200],
])("creates, changes and keeps a project where the API %s publicSource", async (_how, status) => {
  const proxy = await openRecordingProxy(w.server.url);
  try {
    const said = "Invalid request: should NOT have additional property `publicSource`.";
    const refusal = JSON.stringify({ error: { code: "bad_request", message: said } });
    proxy.before = ({ body }) =>
      status === 400 && body.includes("publicSource") ? { status, body: refusal } : undefined;
    const stack = w.stack(project);
    stack.use(w.another({ apiUrl: proxy.url }));
    await stack.up({ name: "site", publicSource: true });
    // The API answers null.
    await w.curl("PATCH", "/v9/projects/site", { publicSource: null });
    for (const framework of ["astro", "vue"]) {
      await stack.up({ name: "site", publicSource: true, framework });
      await w.curl("PATCH", "/v9/projects/site", { publicSource: null });
      await stack.refresh();
      expect(await stack.preview({ name: "site", publicSource: true, framework })).toBe("same");
    }
    expect(await stack.up({ name: "site", framework: "vue" })).toBe("update");
  } finally {
    await proxy.close();
  }
});

describe("a folder", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "slipway-folder-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it("is not deployed with both .vercelignore and .nowignore", async () => {
    for (const name of [".vercelignore", ".nowignore", "index.html"]) writeFileSync(join(folder, name), "x");
    expect(await reasons(deployment, { project: "web", directory: folder })).toEqual([
      expect.stringMatching(/Move the rules into \.vercelignore/),
    ]);
  });

  it("of a build is deployed without the links that lead out of it, with a warning", async () => {
    writeFileSync(join(folder, "config.json"), "{}");
    mkdirSync(join(folder, "functions"));
    for (const [name, target] of [
      ["outside", "../../x"],
      ["absolute", "/etc/hosts"],
      ["inside", "../config.json"],
    ] as const)
      symlinkSync(target, join(folder, "functions", name));
    expect(await deployment.warnings({ project: "web", prebuilt: folder })).toEqual([
      expect.stringMatching(/functions\/absolute, functions\/outside\./),
    ]);
  });
});
