import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { markdownReport, textReport } from "../../cli/audit/report";
import { isSecretName, isSecretValue } from "../../provider/core/secret-names";
import type { RunningServer, SeedDocument } from "../../server";
import { jsonOf, slipwayHere } from "../support/cli";
import { byProfile, startServer } from "../support/profile";

interface Report {
  projects: number;
  findings: {
    risk: string;
    severity: string;
    project: string | null;
    object: string | null;
    detail: string;
  }[];
  unread: string[];
}

const dayMs = 24 * 60 * 60 * 1000;
const twoYearsAgo = Date.now() - 730 * dayMs;
const owner = { team: "acme" };
const protectedProject = (name: string) => ({
  ...owner,
  name,
  ssoProtection: { deploymentType: "all" as const },
});

/** One instance of each risk, beside what is close to it and harmless. */
const risky: SeedDocument = {
  users: [{ username: "bob" }],
  teams: [{ slug: "acme", members: [{ user: "bob", role: "MEMBER" }] }],
  projects: [
    { ...owner, name: "open" },
    ...["secrets", "shared", "domains", "outdated", "unused"].map(protectedProject),
  ],
  deployments: [
    { ...owner, project: "outdated", target: "production", readyState: "READY", createdAt: -dayMs },
    { ...owner, project: "unused", target: "production", readyState: "READY", createdAt: -dayMs },
  ],
  env: [
    {
      ...owner,
      project: "secrets",
      key: "STRIPE_SECRET_KEY",
      value: "value-1",
      type: "encrypted",
      target: ["production"],
    },
    {
      ...owner,
      project: "secrets",
      key: "NEXT_PUBLIC_TOKEN",
      value: "value-2",
      type: "plain",
      target: ["production"],
    },
    {
      ...owner,
      project: "secrets",
      key: "DB_PASSWORD",
      value: "value-3",
      type: "encrypted",
      target: ["development"],
    },
    {
      ...owner,
      project: "shared",
      key: "SESSION",
      value: "value-4",
      type: "sensitive",
      target: ["production", "preview"],
    },
    {
      ...owner,
      project: "shared",
      key: "GREETING",
      value: "value-5",
      type: "plain",
      target: ["production", "preview"],
    },
    { ...owner, project: "outdated", key: "LIMIT", value: "value-6", type: "plain", target: ["production"] },
    ...(["preview", "production"] as const).map((target) => ({
      ...owner,
      id: `env_${target}`,
      project: "unused",
      key: target === "preview" ? "OLD" : "SERVED",
      value: "value-7",
      type: "plain" as const,
      target: [target],
      createdAt: twoYearsAgo,
      updatedAt: twoYearsAgo,
    })),
  ],
  domains: [
    { ...owner, project: "domains", name: "www.unproven.com", verified: false },
    { ...owner, project: "domains", name: "www.proven.com", verified: true },
    { ...owner, project: "domains", name: "www.elsewhere.com", verified: true },
  ],
  webhooks: [
    {
      ...owner,
      url: "http://127.0.0.1:9/path-secret",
      events: ["deployment.created"],
      projectIds: ["prj_gone"],
    },
  ],
  integrations: [
    {
      clientId: "oac_1",
      clientSecret: "client-secret",
      slug: "checks",
      owner: "dev",
      redirectUrl: "http://127.0.0.1:9/",
      scopes: ["read:project"],
    },
  ],
  installations: [
    { ...owner, id: "icfg_1", integration: "checks", installedBy: "bob", scopes: ["read:project"] },
  ],
};

let server: RunningServer;
/** In front of the server: it answers that one domain is misconfigured, which the server never is by itself. */
let front: Server;
let methods: Set<string>;
let refused: RegExp | undefined;
/** Changes an answer of the server. */
let edit: ((path: string, body: unknown) => void) | undefined;
beforeAll(async () => {
  server = await startServer();
  front = createServer(async (request, response) => {
    methods.add(request.method ?? "");
    const { authorization = "" } = request.headers;
    const answer = await fetch(`${server.url}${request.url}`, { headers: { authorization } });
    const body = (await answer.json()) as Record<string, unknown>;
    if (request.url?.startsWith("/v6/domains/www.elsewhere.com/config")) body.misconfigured = true;
    edit?.(request.url ?? "", body);
    const isRefused = refused?.test(request.url ?? "");
    response.writeHead(isRefused ? 403 : answer.status, { "content-type": "application/json" });
    response.end(
      JSON.stringify(isRefused ? { error: { code: "forbidden", message: "Not allowed." } } : body),
    );
  });
  await new Promise<void>((listening) => front.listen(0, "127.0.0.1", listening));
});
beforeEach(() => {
  methods = new Set();
  refused = undefined;
  edit = undefined;
});
afterEach(() => server.control.reset());
afterAll(async () => {
  front.close();
  await server.close();
});

const run = (args: string[] = [], env: NodeJS.ProcessEnv = {}) =>
  slipwayHere(["audit", ...args], {
    SLIPWAY_API_URL: `http://127.0.0.1:${(front.address() as AddressInfo).port}`,
    SLIPWAY_TOKEN: server.token,
    SLIPWAY_TEAM: "acme",
    ...env,
  });

async function seedRisks(): Promise<void> {
  await server.control.seed(risky);
  await server.control.removeMember("acme", "bob");
}

const expected = [
  ["secret-not-sensitive", "secrets", "STRIPE_SECRET_KEY (production)"],
  ["production-shared-with-preview", "shared", "SESSION (production, preview)"],
  ["domain-unverified", "domains", "www.unproven.com"],
  ["domain-misconfigured", "domains", "www.elsewhere.com"],
  ["installation-without-owner", null, "checks (icfg_1)"],
  ["preview-unprotected", "open", null],
  ["production-outdated", "outdated", null],
  ["webhook-without-project", null, expect.stringMatching(/^127\.0\.0\.1:9 \(\S+\)$/)],
  ["variable-unused", "unused", "OLD (preview)"],
];

describe("slipway audit", () => {
  it("finds each risk once, with GET requests alone", async () => {
    await seedRisks();
    const result = await run(["--json"]);
    const { findings, projects, unread } = jsonOf<Report>("audit", result);
    expect(findings.map(({ risk, project, object }) => [risk, project, object])).toEqual(expected);
    expect({ code: result.code, projects, unread }).toEqual({ code: 0, projects: 6, unread: [] });
    expect([...methods]).toEqual(["GET"]);
  });

  it("prints text and Markdown without any value", async () => {
    await seedRisks();
    const text = await run();
    expect(text.stdout).toMatch(
      /^9 risks in 6 projects of the team acme, 5 of them high\.\n\nhigh {4}secret-not-sensitive: /,
    );
    expect(text.stdout).toContain("\n        outdated: changed after the build: LIMIT\n");
    const markdown = await run(["--markdown"]);
    expect(markdown.stdout).toMatch(
      /^\*\*9 risks in 6 projects of the team acme, 5 of them high\.\*\*\n\n### secret-not-sensitive \(high\)\n/,
    );
    expect(markdown.stdout).toContain(
      "| `unused` | `OLD (preview)` | `no deployment for preview within a year` |",
    );
    for (const { stdout, stderr } of [text, markdown, await run(["--json"])]) {
      expect(stdout).not.toMatch(/value-\d|path-secret|client-secret/);
      expect(stderr).toBe("");
    }
  });

  it.each([
    [364, []],
    [366, ["OLD (preview)"]],
  ])(
    "takes a variable as used for a year after a deployment: %d days later, unused are %j",
    async (days, unused) => {
      const times = { createdAt: twoYearsAgo, updatedAt: twoYearsAgo };
      const project = { ...owner, project: "web" };
      await server.control.seed({
        projects: [protectedProject("web")],
        env: [
          { ...project, id: "env_old", key: "OLD", value: "v", type: "plain", target: ["preview"], ...times },
        ],
        deployments: [
          { ...project, target: "preview", readyState: "READY", createdAt: Date.now() - days * dayMs },
        ],
      });
      const { findings } = jsonOf<Report>("audit", await run(["--json"]));
      const found = findings.filter(({ risk }) => risk === "variable-unused");
      expect(found.map(({ object }) => object)).toEqual(unused);
    },
  );

  it("does not report a variable that is also for development as unused", async () => {
    const times = { createdAt: twoYearsAgo, updatedAt: twoYearsAgo };
    const target = ["preview" as const, "development" as const];
    await server.control.seed({
      projects: [protectedProject("web")],
      env: [
        { ...owner, project: "web", id: "env_old", key: "OLD", value: "v", type: "plain", target, ...times },
      ],
    });
    const { findings } = jsonOf<Report>("audit", await run(["--json"]));
    expect(findings.filter(({ risk }) => risk === "variable-unused")).toEqual([]);
  });

  it("leaves out what only resembles a risk, and finds what a weaker setting leaves open", async () => {
    const times = { createdAt: twoYearsAgo, updatedAt: twoYearsAgo };
    const ofWeb = { ...owner, project: "web" };
    const variable = { ...ofWeb, value: "v", type: "plain" as const };
    const preview = { ...variable, target: ["preview" as const] };
    const webhook = { ...owner, url: "http://127.0.0.1:9/", events: ["deployment.created"] };
    await server.control.seed({
      projects: [
        { ...protectedProject("web"), id: "prj_web" },
        {
          ...owner,
          name: "office",
          trustedIps: {
            deploymentType: "production",
            addresses: [{ value: "192.0.2.0/24" }],
            protectionMode: "additional",
          },
        },
      ],
      environments: [{ ...ofWeb, id: "env_staging", slug: "staging" }],
      deployments: [
        { ...ofWeb, target: "production", readyState: "READY", createdAt: -dayMs },
        { ...ofWeb, target: "preview", readyState: "READY", gitBranch: "main", createdAt: -dayMs },
      ],
      env: [
        // Production does not have it, so it cannot lack its new value.
        { ...preview, key: "NEWER" },
        { ...preview, id: "env_main", key: "MAIN", gitBranch: "main", ...times },
        { ...preview, id: "env_other", key: "OTHER", gitBranch: "other", ...times },
        { ...variable, id: "env_staged", key: "STAGED", customEnvironmentIds: ["env_staging"], ...times },
      ],
      domains: [{ ...ofWeb, name: "near.vercel.app", verified: true }],
      dns: [{ name: "near.vercel.app", type: "CNAME", value: "elsewhere.example" }],
      webhooks: [
        { ...webhook, projectIds: ["prj_web", "prj_gone"] },
        { ...webhook, url: "http://127.0.0.1:9/all" },
      ],
    });
    const { findings } = jsonOf<Report>("audit", await run(["--json"]));
    expect(findings.map(({ risk, project, object }) => [risk, project, object])).toEqual([
      ["preview-unprotected", "office", null],
      ["variable-unused", "web", "OTHER (preview, branch other)"],
    ]);
  });

  it("takes a variable for a secret by its name or its value, in every environment that serves", async () => {
    const variable = { ...owner, project: "web", value: "v", type: "plain" as const };
    await server.control.seed({
      projects: [protectedProject("web")],
      environments: [{ ...owner, project: "web", id: "env_staging", slug: "staging" }],
      env: [
        { ...variable, key: "GREETING", value: "sk_live_1", target: ["preview"] },
        { ...variable, key: "LOCAL", value: "sk_live_2", target: ["development"] },
        { ...variable, key: "API_TOKEN", type: "encrypted", target: ["preview"] },
        { ...variable, key: "SITE_PASSWORD", target: ["production", "preview"] },
        { ...variable, id: "env_1", key: "STAGE_TOKEN", customEnvironmentIds: ["env_staging"] },
      ],
    });
    const { findings } = jsonOf<Report>("audit", await run(["--json"]));
    const everybody = "type plain: everybody who sees the project can read it";
    expect(findings.map(({ risk, object, detail }) => [risk, object, detail])).toEqual([
      [
        "secret-not-sensitive",
        "API_TOKEN (preview)",
        "type encrypted: members who may decrypt it can read it",
      ],
      ["secret-not-sensitive", "GREETING (preview)", everybody],
      ["secret-not-sensitive", "SITE_PASSWORD (production, preview)", everybody],
      ["secret-not-sensitive", "STAGE_TOKEN", everybody],
      [
        "production-shared-with-preview",
        "SITE_PASSWORD (production, preview)",
        "one value for production and preview",
      ],
    ]);
  });

  it("finds an installation of a user who is no member, if the token may read the members", async () => {
    await seedRisks();
    edit = (path, body) => {
      if (!path.startsWith("/v1/integrations/configurations")) return;
      for (const one of body as { disabledReason?: string }[]) delete one.disabledReason;
    };
    const orphaned = async () => {
      const { findings, unread } = jsonOf<Report>("audit", await run(["--json"]));
      return [findings.filter(({ risk }) => risk === "installation-without-owner").length, unread];
    };
    expect(await orphaned()).toEqual([1, []]);
    refused = /\/members\b/;
    expect(await orphaned()).toEqual([0, ["the members"]]);
  });

  it("finds nothing in a clean account", async () => {
    await server.control.seed({
      projects: [protectedProject("web")],
      domains: [{ ...owner, project: "web", name: "www.example.com", verified: true }],
      env: [
        { ...owner, project: "web", key: "API_TOKEN", value: "a", type: "sensitive", target: ["production"] },
        { ...owner, project: "web", key: "API_TOKEN", value: "b", type: "sensitive", target: ["preview"] },
      ],
    });
    await server.control.advanceClock(1000);
    await server.control.deploy({ ...owner, project: "web", target: "production", readyState: "READY" });
    const { code, stdout } = await run(["--fail-on", "any"]);
    expect([code, stdout]).toEqual([0, "No risks found in 1 project of the team acme.\n"]);
    expect(jsonOf<Report>("audit", await run(["--json"])).findings).toEqual([]);
  });

  it.each([
    [
      "",
      { kind: "user", name: "dev" },
      "The personal account dev has no projects. Does SLIPWAY_TEAM name the team?",
    ],
    [
      "acme",
      { kind: "team", name: "acme" },
      "The team acme has no projects. Does SLIPWAY_TEAM name the right team?",
    ],
  ])(
    "fails with --fail-on where the account of SLIPWAY_TEAM=%j has no projects",
    async (team, account, hint) => {
      const env = { SLIPWAY_TEAM: team };
      const result = await run([], env);
      expect([result.code, result.stdout]).toEqual([0, `${hint}\n`]);
      const json = await run(["--json", "--fail-on", "any"], env);
      expect([json.code, json.stderr]).toEqual([1, `slipway: --fail-on has nothing to check. ${hint}\n`]);
      expect(jsonOf<object>("audit", json)).toMatchObject({ account, projects: 0 });
      expect((await run(["--markdown", "--fail-on", "any"], env)).stdout).toBe(`**${hint}**\n`);
    },
  );

  it("names an account that the token may not read by SLIPWAY_TEAM, or not at all", async () => {
    await server.control.seed({
      projects: [
        protectedProject("web"),
        { name: "own", team: undefined, user: "dev", ssoProtection: { deploymentType: "all" } },
      ],
    });
    refused = /\/v2\/(teams|user)/;
    expect((await run()).stdout).toMatch(/^No risks found in 1 project of the team acme\.\n/);
    expect((await run([], { SLIPWAY_TEAM: "" })).stdout).toMatch(
      /^No risks found in 1 project of the personal account\.\n/,
    );
  });

  it("reads the team that the token itself selects, with its shared variables and members", async () => {
    const token = "bound-token-000000000000";
    await seedRisks();
    const shared = { ...owner, key: "SHARED_PASSWORD", value: "canary", target: ["production" as const] };
    await server.control.seed({ sharedEnv: [shared], tokens: [{ token, user: "dev", team: "acme" }] });
    const named = jsonOf<Report>("audit", await run(["--json"]));
    const selected = await run(["--json"], { SLIPWAY_TEAM: "", SLIPWAY_TOKEN: token });
    expect(jsonOf<Report>("audit", selected)).toEqual(named);
  });

  it.each([
    ["any", 3],
    ["high", 3],
    ["low,domain-unverified", 3],
    ["medium", 0],
  ])("exits with --fail-on %s as documented: %i", async (failOn, code) => {
    await server.control.seed({
      projects: [protectedProject("web")],
      domains: [{ ...owner, project: "web", name: "www.unproven.com", verified: false }],
    });
    expect((await run(["--fail-on", failOn])).code).toBe(code);
  });

  it("suggests the risk that was meant", async () => {
    const { code, stderr } = await run(["--fail-on", "domain-unverifed"]);
    expect(code).toBe(2);
    expect(stderr).toContain("Did you mean domain-unverified?");
  });

  it.each([["audit"], ["import"], ["snapshot"]])(
    "slipway %s says where its token comes from",
    async (command) => {
      const { code, stderr } = await slipwayHere([command], {
        ...{ SLIPWAY_API_URL: server.url, SLIPWAY_TOKEN: "wrong", SLIPWAY_TEAM: "acme" },
      });
      expect([code, stderr]).toEqual([
        1,
        expect.stringMatching(
          byProfile(
            /: 401 .*\. Create a token in the account's settings, and set SLIPWAY_TOKEN\. The bundled server has slipway-dev-token\./,
            /: 403 .*\. Create a token in the account's settings, and set SLIPWAY_TOKEN\. The bundled server has slipway-dev-token\./,
          ),
        ),
      ]);
      expect(stderr).not.toMatch(/refresh|destroy|slipway:token/);
    },
  );

  it("names what the token may not read", async () => {
    await seedRisks();
    refused = /\/env\b|webhooks/;
    const { unread, findings } = jsonOf<Report>("audit", await run(["--json"]));
    const variables = ["domains", "open", "outdated", "secrets", "shared", "unused"].map(
      (name) => `the variables of ${name}`,
    );
    expect(unread).toEqual(["the shared variables", ...variables, "the webhooks"]);
    expect(findings.map(({ risk }) => risk)).not.toContain("secret-not-sensitive");
    for (const form of [[], ["--markdown"]])
      expect((await run(form)).stdout).toContain(
        "\nNot checked, because the token may not read it: the shared variables, the variables of domains, ",
      );
  });

  it("does not say that there are no risks, and fails for any, if it could not read everything", async () => {
    await server.control.seed({ projects: [protectedProject("web")] });
    const all = await run(["--fail-on", "any"]);
    expect([all.code, all.stdout]).toEqual([0, expect.stringContaining("No risks found in 1 project")]);
    refused = /\/v1\/env\b/;
    const some = await run(["--fail-on", "any"]);
    expect([some.code, some.stdout, some.stderr]).toEqual([
      3,
      expect.stringContaining("No risks found in what the token may read in 1 project"),
      expect.stringContaining("may not read a part of the account"),
    ]);
    expect((await run(["--fail-on", "high"])).code).toBe(0);
  });

  it("names the values of shared variables where the token may read no more than their names", async () => {
    await server.control.seed({
      projects: [protectedProject("web")],
      sharedEnv: [{ ...owner, key: "REGION", value: "eu", target: ["production"], projects: ["web"] }],
    });
    refused = /\/v1\/env\/\w+/;
    const { unread } = jsonOf<Report>("audit", await run(["--json"]));
    expect(unread).toEqual(["the values of shared variables"]);
  });

  it("finds no risk in ordinary variables of production and preview", async () => {
    const target = ["production" as const, "preview" as const];
    const variable = { ...owner, project: "web", type: "encrypted" as const, target };
    await server.control.seed({
      projects: [protectedProject("web")],
      env: [
        { ...variable, key: "REGION", value: "eu" },
        { ...variable, key: "NEXT_PUBLIC_TITLE", value: "Hello" },
        { ...variable, key: "LINES", value: "one\ntwo\n" },
        { ...variable, key: "API_TOKEN", value: "canary", type: "sensitive", target: ["production"] },
      ],
      sharedEnv: [{ ...owner, key: "SHARED_REGION", value: "eu", target, projects: ["web"] }],
    });
    expect(jsonOf<Report>("audit", await run(["--json"]))).toMatchObject({ findings: [], unread: [] });
  });

  it("finds secrets and white space in values, also of shared variables, and shows no value", async () => {
    const variable = {
      ...owner,
      project: "web",
      type: "encrypted" as const,
      target: ["production" as const],
    };
    const shared = { ...owner, target: ["production" as const], projects: ["web"] };
    await server.control.seed({
      projects: [protectedProject("web")],
      env: [
        { ...variable, key: "BREAK", value: "canary\n" },
        { ...variable, key: "SPACE", value: " canary", type: "plain" },
        { ...variable, key: "BLANK", value: " " },
        { ...variable, key: "STRIPE", value: "sk_live_canary" },
      ],
      sharedEnv: [
        { ...shared, key: "SHARED_PASSWORD", value: "canary" },
        { ...shared, key: "SHARED_BREAK", value: "canary\n" },
      ],
    });
    const result = await run(["--json"]);
    const { findings } = jsonOf<Report>("audit", result);
    expect(findings.map(({ risk, project, object, detail }) => [risk, project, object, detail])).toEqual([
      ["secret-not-sensitive", null, "shared SHARED_PASSWORD (production)", expect.any(String)],
      ["secret-not-sensitive", "web", "STRIPE (production)", expect.any(String)],
      [
        "value-with-white-space",
        null,
        "shared SHARED_BREAK (production)",
        "its value ends with a line break",
      ],
      ["value-with-white-space", "web", "BLANK (production)", "its value is only white space"],
      ["value-with-white-space", "web", "BREAK (production)", "its value ends with a line break"],
      ["value-with-white-space", "web", "SPACE (production)", "its value begins with white space"],
    ]);
    expect(result.stdout + (await run()).stdout + (await run(["--markdown"])).stdout).not.toContain("canary");
  });

  it("reports a failure on one line", async () => {
    expect(await run([], { SLIPWAY_TOKEN: "" })).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(/^slipway: No access token is given\.[^\n]*\n$/),
    });
    expect(await run([], { SLIPWAY_TOKEN: "wrong" })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^slipway: [^\n]*40[13][^\n]*\n$/),
    });
  });
});

it("the reports of an audit escape names, so that they control no terminal and are no markup", () => {
  const audit = {
    account: { kind: "team" as const, name: "acme" },
    projects: 1,
    unread: [],
    findings: [
      {
        risk: "domain-unverified" as const,
        project: "a|`b`",
        object: "\u001b[31m",
        detail: "its | challenge",
      },
    ],
  };
  expect(markdownReport(audit)[0]).toBe("**1 risk in 1 project of the team acme, 1 of them high.**");
  expect(markdownReport(audit).at(-1)).toBe("| `a''b'` | `\\u{1b}[31m` | `its ' challenge` |");
  expect(textReport(audit)).toContain("        a|`b`: \\u{1b}[31m: its | challenge");
});

describe("the secrets of an audit", () => {
  it.each([
    "API_KEY",
    "STRIPE_SECRET_KEY",
    "DB_PASSWORD",
    "GITHUB_TOKEN",
    "DATABASE_URL",
    "SENTRY_DSN",
    "apikey",
  ])("include %s", (name) => expect(isSecretName(name)).toBe(true));
  it.each(["NEXT_PUBLIC_API_KEY", "KEYBOARD", "TOKENIZER", "MONKEY", "PASSWORDLESS", "GREETING"])(
    "do not include %s",
    (name) => expect(isSecretName(name)).toBe(false),
  );
  it("are known by the form of a value", () => {
    for (const value of ["sk_live_1", "postgres://me:word@host/db", "-----BEGIN RSA PRIVATE KEY-----"])
      expect(isSecretValue(value)).toBe(true);
    for (const value of ["hello", "https://example.com/a:b@c", "postgres://host/db"])
      expect(isSecretValue(value)).toBe(false);
  });
});

it.each([
  [["--json", "--markdown"], "Give --json or --markdown, not both."],
  [["--fail-on", "high,"], "A name before or after a comma is missing."],
  [["--fail-on", "low,hihg"], "hihg is unknown. Choose one of any, high, medium, low, "],
  [["--fail-on", "hihg"], "Did you mean high?"],
])("slipway audit %j is refused", async (args, reason) => {
  const { code, stderr } = await slipwayHere(["audit", ...args], { SLIPWAY_TOKEN: "token" });
  expect([code, stderr]).toEqual([2, expect.stringContaining(reason)]);
});
