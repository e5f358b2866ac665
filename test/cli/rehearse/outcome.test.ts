import { leftOutText } from "../../../cli/objects/kind";
import { changedUserTokens, zonesOf } from "../../../cli/rehearse/account";
import type { AccountState, Document } from "../../../cli/rehearse/copy";
import { compare } from "../../../cli/rehearse/outcome";
import { conditions, meets, type Report } from "../../../cli/rehearse/report";
import type { Resource } from "../../../cli/rehearse/stack";
import { summarize } from "../../../cli/rehearse/summary";
import { unknownsOf } from "../../../cli/rehearse/unknowns";
import { withZones } from "../../../cli/rehearse/zones";

const projects = [
  { id: "prj_web", name: "web" },
  { id: "prj_shop", name: "shop" },
];
const account = (rows: Omit<Document, "copyOf">): AccountState => ({
  document: { copyOf: "https://api.example.com", projects, ...rows },
  aliases: new Map(),
  deployments: new Map(),
});
const declared = (type: string, name: string, id: string, outputs: Resource["outputs"] = {}): Resource => ({
  ...{ urn: `urn:pulumi:dev::web::slipway:index:${type}::${name}`, type: `slipway:index:${type}` },
  ...{ id, custom: true, inputs: {}, outputs, marked: [] },
});
const domain = (name: string, more: object = {}) => ({ project: "prj_web", name, verified: true, ...more });

/** A run that turns domains into others, each declared by the resource of its place in the list. */
function rehearsed(before: object[], after: object[], isHosted = false) {
  const states = [account({ domains: before }), account({ domains: after })] as const;
  const resources = [before, after].map((rows) =>
    (rows as { project: string; name: string }[]).map(({ project, name }, at) =>
      declared("ProjectDomain", `domain-${at}`, `${project}/${name}`),
    ),
  );
  const compared = compare(...states, { before: resources[0] ?? [], after: resources[1] ?? [] });
  return {
    summary: summarize({ ...compared, refusals: [], exitCode: 0 }, "up"),
    changes: compared.changes,
    matches: conditions.filter((one) =>
      meets({ ...compared, refusals: [], unknown: [] } as unknown as Report, one),
    ),
    unknown: unknownsOf(
      states[0].document,
      compared,
      {
        ...{ source: {}, copy: { leftOut: [], assumedRecords: [], isHosted } as never },
        ...{ refusals: [], resources: [], refused: [], otherTokens: [], userTokens: [] },
      },
      states[1].document,
    ),
  };
}

describe("a domain of production", () => {
  it("is deleted when its resource gets another name, and the new name may belong to another account", () => {
    const { summary, changes, unknown } = rehearsed(
      [domain("old.com")],
      [domain("new.com", { verified: false })],
    );
    expect(summary).toBe("Deletes the production domain old.com of project web, and makes 1 other change.");
    expect(changes.map(({ effect, name, resource }) => [effect, name, resource])).toEqual([
      ["delete", "old.com", "domain-0"],
      ["create", "new.com", "domain-0"],
    ]);
    expect(unknown).toEqual(["whether another account has the domain new.com"]);
  });

  it("may belong to another account also where the copy verifies it at once, unless its parent is verified", () => {
    const [before, after] = [
      domain("old.com"),
      ["new.com", "www.old.com", "old.com"].map((name) => domain(name)),
    ];
    const unknownOn = (isHosted: boolean) => rehearsed([before], after, isHosted).unknown;
    expect(unknownOn(true)).toEqual(["whether another account has the domain new.com"]);
    expect(unknownOn(false)).toEqual([]);
  });

  it("is named with the others that are deleted", () => {
    const { summary } = rehearsed([domain("a.com"), domain("b.com"), domain("c.com")], [domain("d.com")]);
    expect(summary).toBe(
      "Deletes the production domains a.com, b.com, c.com of project web, and makes 1 other change.",
    );
  });

  it("moves to another project", () => {
    const { summary, changes } = rehearsed([domain("a.com")], [domain("a.com", { project: "prj_shop" })]);
    expect(summary).toBe("Moves the production domain a.com of project web to project shop.");
    expect(changes).toMatchObject([
      { effect: "replace", fields: [{ field: "project", before: "web", after: "shop" }] },
    ]);
  });

  it("leaves production when it gets a branch", () => {
    const { summary, changes, matches } = rehearsed(
      [domain("a.com")],
      [domain("a.com", { gitBranch: "feat" })],
    );
    expect(summary).toBe("Takes the domain a.com of project web off production.");
    expect(changes).toMatchObject([{ effect: "change", isProduction: true, leavesProduction: true }]);
    expect(matches).toEqual(["change", "delete"]);
  });

  it("is not taken off production by another setting or by a branch that changes", () => {
    for (const [before, after] of [
      [domain("a.com"), domain("a.com", { redirect: "b.com" })],
      [domain("a.com", { gitBranch: "feat" }), domain("a.com", { gitBranch: "fix" })],
      [domain("a.com", { gitBranch: "feat" }), domain("a.com")],
    ] as const)
      expect(rehearsed([before], [after]).matches).toEqual(["change"]);
  });
});

describe("a variable of production", () => {
  const variable = (given: object) => ({
    ...{ project: "prj_web", id: "env_1", key: "API_KEY", type: "encrypted", target: ["production"] },
    ...given,
  });
  const declaredAs = (id: string) => [declared("EnvVar", "key", `prj_web/${id}`)];
  const run = (before: object[], after: object[], ids = ["env_1", "env_1"]) => {
    const [old = "", now = ""] = ids;
    const compared = compare(account({ env: before }), account({ env: after }), {
      before: declaredAs(old),
      after: declaredAs(now),
    });
    return {
      summary: summarize({ ...compared, refusals: [], exitCode: 0 }, "up"),
      matches: meets({ ...compared, refusals: [], unknown: [] } as unknown as Report, "delete"),
      effects: compared.changes.map(({ effect, name }) => `${effect} ${name}`),
    };
  };
  const preview = { target: ["preview"] };

  it.each<[string, object[], object[], string]>([
    [
      "gets another target",
      [variable({})],
      [variable(preview)],
      "Removes API_KEY from production of project web.",
    ],
    [
      "loses one of its targets",
      [variable({ target: ["production", "preview"] })],
      [variable(preview)],
      "Removes API_KEY from production of project web.",
    ],
    [
      "gets another key",
      [variable({})],
      [variable({ key: "API_KEY2" })],
      "Renames API_KEY to API_KEY2 in production of project web.",
    ],
    [
      "gets another key and target",
      [variable({})],
      [variable({ ...preview, key: "API_KEY2" })],
      "Removes API_KEY from production of project web.",
    ],
  ])("that %s is removed", (_, before, after, summary) => {
    expect(run(before, after)).toMatchObject({ summary, matches: true });
  });

  it("that is replaced by one of another target is removed", () => {
    const sensitive = variable({ type: "sensitive" });
    expect(run([sensitive], [variable({ ...preview, id: "env_2" })], ["env_1", "env_2"])).toEqual({
      summary: "Removes API_KEY from production of project web.",
      matches: true,
      effects: ["replace API_KEY (production)"],
    });
    expect(run([sensitive], [variable({ id: "env_2" })], ["env_1", "env_2"])).toMatchObject({
      summary: "Replaces the production variable API_KEY (production) of project web.",
      matches: false,
    });
  });

  it("is not removed while production gets its key from another one", () => {
    const shared = variable({ target: ["production", "preview"] });
    expect(run([shared], [variable(preview), variable({ id: "env_2" })])).toEqual({
      summary: "Changes the production variable API_KEY (preview) of project web, and makes 1 other change.",
      matches: false,
      effects: ["change API_KEY (preview)", "create API_KEY (production)"],
    });
  });

  it("is not removed by another value or a further target", () => {
    expect(run([variable({})], [variable({ target: ["production", "preview"] })]).matches).toBe(false);
    expect(run([variable({ value: "a" })], [variable({ value: "b" })]).matches).toBe(false);
  });
});

it("lists deletions first, of production before others, and those with a project after its own", () => {
  const variable = { project: "prj_web", id: "env_1", key: "A", target: ["preview"] };
  const before = account({
    domains: [domain("shop.com", { project: "prj_shop" }), domain("gone.com")],
    env: [variable],
  });
  const [web] = projects;
  const after = account({
    projects: [
      { id: "prj_api", name: "api" },
      { ...web, settings: { framework: "astro" } },
    ],
  });
  const { changes } = compare(before, after, { before: [], after: [] });
  expect(changes.map(({ effect, kind, name, isWithProject }) => [effect, kind, name, isWithProject])).toEqual(
    [
      ["delete", "domain", "gone.com", false],
      ["delete", "project", "shop", false],
      ["delete", "variable", "A (preview)", false],
      ["delete", "domain", "shop.com", true],
      ["change", "project", "web", false],
      ["create", "project", "api", false],
    ],
  );
  expect(changes[4]?.fields).toEqual([{ field: "framework", before: null, after: "astro" }]);
});

it("tells which aliases move, come and go, and the deployments that were made", () => {
  const deployment = (name: string) => ({ name, target: "production", readyState: "READY" });
  const one: [string, ReturnType<typeof deployment>] = ["dpl_1", deployment("web")];
  const two: [string, ReturnType<typeof deployment>] = ["dpl_2", deployment("shop")];
  const before = {
    ...account({}),
    aliases: new Map([
      ["a.app", "dpl_1"],
      ["b.app", "dpl_1"],
      ["c.app", "dpl_1"],
    ]),
    deployments: new Map([one]),
  };
  const after = {
    ...account({}),
    aliases: new Map([
      ["new.app", "dpl_2"],
      ["b.app", "dpl_2"],
      ["a.app", "dpl_1"],
    ]),
    deployments: new Map([one, two]),
  };
  const { aliases, changes } = compare(before, after, { before: [], after: [] });
  expect(aliases).toEqual([
    { alias: "b.app", project: "shop", from: "dpl_1", to: "dpl_2" },
    { alias: "c.app", project: "web", from: "dpl_1", to: null },
    { alias: "new.app", project: "shop", from: null, to: "dpl_2" },
  ]);
  expect(changes).toMatchObject([
    { effect: "create", kind: "deployment", name: "dpl_2", project: "shop", isProduction: true },
  ]);
});

it("what could not be known are facts that the API does not return, of objects of the stack", () => {
  const before = { ...account({}).document };
  const variable = (id: string, type: string) => ({
    ...{ project: "prj_web", id, key: id.toUpperCase(), type, value: "placeholder: the value was not read" },
  });
  before.env = [
    variable("env_1", "encrypted"),
    variable("env_2", "sensitive"),
    variable("env_3", "encrypted"),
  ];
  const deployments = new Map(
    ["dpl_1", "dpl_2"].map((id) => [id, { name: "web", target: "preview", readyState: "READY" }]),
  );
  const link = (repo: string) => ({
    projects: [{ ...projects[0], link: { type: "github", org: "acme", repo } }],
  });
  const compared = compare(
    account(link("old")),
    { ...account(link("new")), deployments },
    { before: [], after: [] },
  );
  const record = { domain: "www.acme.com", name: "_vercel.acme.com", value: "vc-domain-verify=1" };
  const run = {
    source: {},
    copy: { leftOut: [], assumedRecords: [record] } as never,
    refusals: [{ resource: null, message: "no" }],
    resources: ["prj_web/env_1", "prj_web/env_2"].map((id) => declared("EnvVar", "key", id)),
    refused: [{ status: 428 }],
    otherTokens: ["second"],
    userTokens: ["deploy"],
  };
  const rest = [
    "whether the value of ENV_1 (env_1) has drifted: it cannot be read, so a placeholder was compared",
    "whether the 2 deployments build: the copy builds nothing",
    "whether the access token of the provider second is for this account: the copy got the rehearsal's token instead",
    "what becomes of the access token deploy: the copy has no tokens of users, so a change was only tried there",
    "whether the account may use the Git repository",
  ];
  const after = account({}).document;
  expect(unknownsOf(before, compared, run, after)).toEqual([
    'whether the TXT record _vercel.acme.com "vc-domain-verify=1" of www.acme.com is published: the rehearsal assumed it',
    ...rest,
    "whether the account has the add-on or the plan: the API does not return it",
  ]);
  // Without a failure, the status says nothing.
  const expected = { ...run, copy: { leftOut: [], assumedRecords: [] } as never, refusals: [] };
  expect(unknownsOf(before, compared, expected, after)).toEqual(rest);
});

it("names the access tokens that a run creates, replaces or deletes", () => {
  const tokens = (...ids: [name: string, id: string][]) =>
    ids.map(([name, id]) => declared("UserToken", name, id));
  const before = tokens(["same", "t1"], ["replaced", "t2"], ["deleted", "t3"]);
  const after = [
    ...tokens(["same", "t1"], ["replaced", "t4"], ["created", "t5"]),
    declared("Webhook", "hook", "h"),
  ];
  expect(changedUserTokens(before, after).sort()).toEqual(["created", "deleted", "replaced"]);
});

it("what the token may not read could not be known either", () => {
  const placeholders = [
    "the webhooks of the account (the token may not read them)",
    "project web: its firewall bypasses (the token may not read them)",
    "the plan of the account: hobby is assumed",
    "project web: the value of KEY (env_1)",
    "the secret of the webhook account_hook_1",
  ];
  const { document } = account({});
  const run = {
    ...{ source: { placeholders }, copy: { leftOut: [], assumedRecords: [] } as never },
    ...{ refusals: [], resources: [], refused: [], otherTokens: [], userTokens: [] },
  };
  expect(unknownsOf(document, { changes: [], aliases: [] }, run, document)).toEqual([
    "the webhooks of the account: they could not be read, so the copy has none",
    "project web: its firewall bypasses: they could not be read, so the copy has none",
  ]);
});

it("what the copy does not have could not be known either, and URLs that were not read", () => {
  const url = "https://hooks.example.com/placeholder";
  const { document } = account({
    webhooks: [{ id: "hook_1", url }],
    logDrains: ["ld_1", "ld_2"].map((id) => ({ id, url })),
  });
  const run = {
    source: { placeholders: [leftOutText("the variable A of project web", "type: Invalid option")] },
    copy: { leftOut: ["aliases[0].deployment: there is no deployment dpl_1"], assumedRecords: [] } as never,
    ...{ refusals: [], refused: [], otherTokens: [], userTokens: [] },
    resources: [declared("Webhook", "hook", "hook_1"), declared("LogDrain", "drain", "ld_2")],
  };
  expect(unknownsOf(document, { changes: [], aliases: [] }, run, document)).toEqual([
    "the variable A of project web: the copy does not have it (type: Invalid option)",
    "aliases[0].deployment: there is no deployment dpl_1: the copy does not have this row",
    "whether the URL of the webhook hook_1 has drifted: it was not read, so a placeholder was compared",
    "whether the URL of the log drain ld_2 has drifted: it was not read, so a placeholder was compared",
  ]);
});

describe("a secret that the API does not return", () => {
  const text = "placeholder: the value was not read";
  const rows = {
    projects: [{ id: "prj_web", name: "web", passwordProtection: { deploymentType: "preview" } }],
    env: [
      { project: "prj_web", id: "env_1", key: "ONE", type: "sensitive", target: ["preview"], value: text },
      { project: "prj_web", id: "env_2", key: "TWO", type: "sensitive", target: ["preview"], value: text },
    ],
    sharedEnv: [{ id: "env_3", key: "THREE", type: "sensitive", target: ["preview"], value: text }],
    logDrains: [{ id: "ld_1", name: "drain", url: "https://logs.example.com" }],
  };
  const resources = (secret: string): Resource[] => {
    const inputs: [Resource, Resource["inputs"]][] = [
      [declared("Project", "web", "prj_web"), { passwordProtection: { password: secret } }],
      [declared("EnvVar", "one", "prj_web/env_1"), { value: secret }],
      [
        declared("EnvVars", "all", "prj_web", { projectId: "prj_web", records: { TWO: { id: "env_2" } } }),
        { variables: { TWO: { value: secret } } },
      ],
      [declared("SharedEnvVar", "shared", "env_3"), { value: secret }],
      [declared("LogDrain", "drain", "ld_1"), { secret }],
    ];
    return inputs.map(([resource, given]) => ({ ...resource, inputs: given }));
  };
  const changed = (before: string, after: string) =>
    compare(account(rows), account(rows), { before: resources(before), after: resources(after) }).changes.map(
      ({ kind, resource, fields }) => [kind, resource, fields],
    );

  it("has changed when its resource declares another", () => {
    const secret = (field: string) => [{ field, isSecret: true }];
    expect(changed("a", "b")).toEqual([
      ["log drain", "drain", secret("secret")],
      ["shared variable", "shared", secret("value")],
      ["variable", "one", secret("value")],
      ["variable", "all", secret("value")],
      ["project", "web", secret("passwordProtection")],
    ]);
    expect(changed("a", "a")).toEqual([]);
  });
});

describe("a project that is paused", () => {
  const run = (more: object) => {
    const web = (settings: object) =>
      account({ projects: [{ id: "prj_web", name: "web", ...more, ...settings }] });
    const compared = compare(web({}), web({ paused: true }), { before: [], after: [] });
    return {
      summary: summarize({ ...compared, refusals: [], exitCode: 0 }, "up"),
      matches: meets({ ...compared, refusals: [], unknown: [] } as unknown as Report, "delete"),
    };
  };

  it("takes its production offline", () => {
    expect(run({ production: "dpl_1" })).toEqual({
      summary: "Pauses the project web, whose production goes offline.",
      matches: true,
    });
  });

  it("takes nothing offline if it serves nothing", () => {
    expect(run({ production: null })).toEqual({ summary: "Changes the project web.", matches: false });
  });
});

it("names the resource that declares several variables, whose deleted ones are no replacements", () => {
  const variable = (id: string, key: string, value: string) => ({
    ...{ project: "prj_web", id, key, type: "plain", target: ["production"], value },
  });
  const all = (ids: Record<string, string>) =>
    declared("EnvVars", "settings", "prj_web/all", {
      projectId: "prj_web",
      records: Object.fromEntries(Object.entries(ids).map(([key, id]) => [key, { id, updatedAt: 1 }])),
    });
  const { changes } = compare(
    account({ env: [variable("env_a", "A", "1"), variable("env_b", "B", "1")] }),
    account({ env: [variable("env_a", "A", "2"), variable("env_c", "C", "1")] }),
    { before: [all({ A: "env_a", B: "env_b" })], after: [all({ A: "env_a", C: "env_c" })] },
  );
  expect(changes.map(({ effect, name, resource }) => `${effect} ${name} ${resource}`)).toEqual([
    "delete B (production) settings",
    "change A (production) settings",
    "create C (production) settings",
  ]);
});

it("the settings of the team are told by name, apart from its members", () => {
  const of = (more: object) => account({ teams: [{ id: "team_1", slug: "acme", members: [], ...more }] });
  const before = of({ settings: { description: "Builds the shop" } });
  const after = of({
    settings: { description: "Builds shops", saml: { enforced: true } },
    sensitiveEnvironmentVariablePolicy: "on",
  });
  const resources = [declared("TeamConfig", "settings", "team_1")];
  expect(compare(before, after, { before: [], after: resources }).changes).toMatchObject([
    {
      ...{ effect: "change", kind: "team", name: "acme", project: null, resource: "settings" },
      fields: [
        { field: "description", before: "Builds the shop", after: "Builds shops" },
        { field: "saml", before: null, after: { enforced: true } },
        { field: "sensitiveEnvironmentVariablePolicy", before: null, after: "on" },
      ],
    },
  ]);
});

it("the domains of the account are told, apart from those of its projects", () => {
  const rows = (...names: string[]) =>
    names.map((name) => ({ team: "team_1", name, verified: false, createdAt: 1 }));
  const before = account({ accountDomains: rows("example.com", "example.net") });
  const after = account({
    accountDomains: [{ ...rows("example.com")[0], zone: true, echMode: "disabled" }, ...rows("example.org")],
  });
  const resources = ["example.com", "example.org"].map((name) => declared("Domain", name, name));
  const gone = declared("Domain", "example.net", "example.net");
  const compared = compare(before, after, { before: [gone], after: resources });
  expect(compared.changes.map(({ effect, kind, name, resource }) => [effect, kind, name, resource])).toEqual([
    ["delete", "account domain", "example.net", "example.net"],
    ["change", "account domain", "example.com", "example.com"],
    ["create", "account domain", "example.org", "example.org"],
  ]);
  expect(compared.changes[1]?.fields).toEqual([
    { field: "echMode", before: null, after: "disabled" },
    { field: "zone", before: null, after: true },
  ]);
  const facts = {
    ...{ source: {}, copy: { leftOut: [], assumedRecords: [] } as never },
    ...{ refusals: [], resources: [], refused: [], otherTokens: [], userTokens: [] },
  };
  expect(unknownsOf(before.document, compared, facts, after.document)).toEqual([
    "whether another account has the domain example.org",
  ]);
});

it("the zone of a domain, which the API does not return, is that of the stack", () => {
  const [example, net] = ["example.com", "example.net"].map((name) => ({ team: "team_1", name }));
  const { document } = account({ accountDomains: [example, net] });
  const zones = zonesOf([
    declared("Domain", "domain", "example.com", { zone: true }),
    declared("Domain", "other", "example.net"),
    declared("ProjectDomain", "www", "prj_web/example.net", { zone: true }),
  ]);
  const zoned = withZones(document, zones);
  expect(zoned.accountDomains).toEqual([{ ...example, zone: true }, net]);
  const after = account({ accountDomains: [{ ...example, zone: false }, net] });
  expect(compare(account(zoned), after, { before: [], after: [] }).changes).toMatchObject([
    { effect: "change", name: "example.com", fields: [{ field: "zone", before: true, after: false }] },
  ]);
});

it("the parts of an access group are told by the group, and its projects with their project", () => {
  const of = (role: string, members: string[]) =>
    account({
      users: [{ id: "user_ada", username: "ada", email: "ada@example.com" }],
      accessGroups: [
        { id: "ag_1", team: "team_1", name: "Developers", members, projects: [{ project: "prj_web", role }] },
      ],
    });
  const { changes } = compare(of("ADMIN", ["user_ada"]), of("PROJECT_VIEWER", []), { before: [], after: [] });
  expect(changes).toMatchObject([
    { effect: "delete", kind: "access group member", name: "ada@example.com of Developers", project: null },
    {
      ...{ effect: "change", kind: "access group project", name: "Developers", project: "web" },
      fields: [{ field: "role", before: "ADMIN", after: "PROJECT_VIEWER" }],
    },
  ]);
});

it("the projects of a microfrontend group are told apart from its default application", () => {
  const of = (route: string, projects: object[]) =>
    account({
      microfrontendGroups: [
        {
          ...{ id: "mfe_1", team: "team_1", name: "shop", updatedAt: route.length },
          projects: [
            { project: "prj_api", isDefaultApp: true, defaultRoute: route, updatedAt: 1 },
            ...projects,
          ],
        },
      ],
    });
  const before = of("/", [{ project: "prj_web", defaultRoute: "/docs", updatedAt: 1 }]);
  const { changes } = compare(before, of("/home", []), { before: [], after: [] });
  expect(changes).toMatchObject([
    { effect: "delete", kind: "microfrontend", name: "shop", project: "web" },
    {
      ...{ effect: "change", kind: "microfrontend group", name: "shop", project: null },
      fields: [{ field: "defaultRoute", before: "/", after: "/home" }],
    },
  ]);
});

it("the attack challenge mode and the cron jobs of a project are told without their times", () => {
  const security = (attackModeEnabled: boolean, at: number) => ({
    security: { attackModeEnabled, attackModeUpdatedAt: at, attackModeActiveUntil: null },
  });
  const of = (settings?: object) =>
    account({ projects: [{ id: "prj_1", name: "web", ...(settings && { settings }) }] });
  const changes = (before: object | undefined, after: object) =>
    compare(of(before), of(after), { before: [], after: [] }).changes;
  expect(changes(undefined, security(true, 1))).toMatchObject([
    { effect: "change", name: "web", fields: [{ field: "attackChallengeMode", before: null, after: true }] },
  ]);
  expect(changes(security(true, 1), security(true, 2))).toEqual([]);
  expect(changes(undefined, security(false, 1))).toEqual([]);
  const crons = (disabledAt: number | null) => ({
    crons: { enabledAt: 1, disabledAt, updatedAt: disabledAt },
  });
  expect(changes(crons(null), crons(2))).toMatchObject([
    { effect: "change", fields: [{ field: "cronsEnabled", before: null, after: false }] },
  ]);
  expect(changes(crons(2), crons(3))).toEqual([]);
  const network = (passive: boolean, updatedAt: number) => ({
    connectConfigurations: [
      { envId: "preview", connectConfigurationId: "net_1", passive, createdAt: 1, updatedAt },
    ],
  });
  expect(changes(network(true, 2), network(true, 3))).toEqual([]);
  expect(changes(network(true, 2), network(false, 3))).toMatchObject([
    {
      fields: [
        {
          field: "connectConfigurations",
          before: [{ envId: "preview", connectConfigurationId: "net_1", passive: true }],
          after: [{ envId: "preview", connectConfigurationId: "net_1", passive: false }],
        },
      ],
    },
  ]);
});

it.each([
  ["github acme/web", { type: "github", org: "acme", repo: "web" }],
  ["gitlab acme/web", { type: "gitlab", projectNamespace: "acme", projectName: "web" }],
  ["bitbucket acme/web", { type: "bitbucket", owner: "acme", slug: "web" }],
])("the repository of a project is told as %s, without its deploy hooks", (after, link) => {
  const linked = { ...link, deployHooks: [{ id: "1", name: "hook", url: "https://api.example.com/canary" }] };
  const of = (more: object) => account({ projects: [{ id: "prj_1", name: "web", ...more }] });
  expect(compare(of({}), of({ link: linked }), { before: [], after: [] }).changes).toMatchObject([
    { effect: "change", fields: [{ field: "link", before: null, after }] },
  ]);
});

it("a firewall bypass is named by its domain and address, and told apart by its project", () => {
  const rule = (project: string, note: string) => ({ project, domain: "*", sourceIp: "192.0.2.1", note });
  const projects = ["one", "two"].map((name) => ({ id: `prj_${name}`, name }));
  const [before, after] = [
    account({ projects, firewallBypasses: [rule("prj_one", "a"), rule("prj_two", "a")] }),
    account({ projects, firewallBypasses: [rule("prj_one", "b"), rule("prj_two", "a")] }),
  ];
  const resources = [declared("FirewallBypass", "office", "prj_one/*/192.0.2.1")];
  expect(compare(before, after, { before: resources, after: resources }).changes).toMatchObject([
    {
      ...{
        effect: "change",
        kind: "firewall bypass",
        name: "* 192.0.2.1",
        project: "one",
        resource: "office",
      },
      fields: [{ field: "note", before: "a", after: "b" }],
    },
  ]);
});

it("a DNS record is named by its whole name and type, and its resource by domain and id", () => {
  const record = { id: "rec_1", domain: "example.com", name: "www", type: "A", value: "192.0.2.1", ttl: 60 };
  const [before, after] = [
    account({ dnsRecords: [record] }),
    account({
      dnsRecords: [
        { ...record, value: "192.0.2.2" },
        { ...record, id: "rec_2", name: "" },
      ],
    }),
  ];
  const resources = [declared("DnsRecord", "web", "example.com/rec_1")];
  const { changes } = compare(before, after, { before: resources, after: resources });
  expect(changes).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        ...{ effect: "change", kind: "DNS record", name: "www.example.com A", resource: "web" },
        fields: [{ field: "value", before: "192.0.2.1", after: "192.0.2.2" }],
      }),
      expect.objectContaining({ effect: "create", name: "example.com A", resource: null }),
    ]),
  );
});

it("names log drains and their resources, without headers", () => {
  const drain = {
    id: "ld_1",
    name: "audit",
    url: "https://a.test",
    deliveryFormat: "json",
    headers: { a: "canary" },
  };
  const [before, after] = [
    account({ logDrains: [drain] }),
    account({
      logDrains: [
        { ...drain, samplingRate: 0.5, headers: { a: "canary-2" } },
        { ...drain, id: "ld_2", name: "sampled" },
      ],
    }),
  ];
  const resources = [declared("LogDrain", "logs", "ld_1")];
  const { changes } = compare(before, after, { before: resources, after: resources });
  expect(changes).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        ...{ effect: "change", kind: "log drain", name: "audit", resource: "logs" },
        fields: expect.arrayContaining([
          { field: "headers", isSecret: true },
          { field: "samplingRate", before: null, after: 0.5 },
        ]),
      }),
      expect.objectContaining({ effect: "create", name: "sampled", resource: null }),
    ]),
  );
  expect(JSON.stringify(changes)).not.toContain("canary");
});

it("a member is named by address, and its resource by the ids of team and user", () => {
  const users = ["a", "b", "c"].map((id) => ({ id, username: id, email: `${id}@example.com` }));
  const stateOf = (...members: object[]) =>
    account({ users, teams: [{ id: "team_1", slug: "acme", members }] });
  const before = stateOf({ user: "a", role: "OWNER" }, { user: "b", role: "MEMBER" });
  const after = stateOf({ user: "a", role: "VIEWER" }, { user: "c", role: "MEMBER", confirmed: false });
  const resources = ["a", "b", "c"].map((name) => declared("TeamMember", name, `team_1/${name}`));
  const { changes } = compare(before, after, { before: resources, after: resources });
  expect(changes.map(({ effect, kind, name, resource }) => [effect, kind, name, resource])).toEqual([
    ["delete", "member", "b@example.com", "b"],
    ["change", "member", "a@example.com", "a"],
    ["create", "member", "c@example.com", "c"],
  ]);
  expect(changes[1]?.fields).toEqual([{ field: "role", before: "OWNER", after: "VIEWER" }]);
});

it("a member of a project is named by address, and its resource by the ids of project and user", () => {
  const users = ["a", "b"].map((id) => ({ id, username: id, email: `${id}@example.com` }));
  const projects = [{ id: "prj_one", name: "one" }];
  const stateOf = (...projectMembers: object[]) =>
    account({
      users,
      projects,
      projectMembers: projectMembers.map((one) => ({ project: "prj_one", ...one })),
    });
  const before = stateOf({ user: "a", role: "ADMIN" });
  const after = stateOf({ user: "a", role: "PROJECT_VIEWER" }, { user: "b", role: "ADMIN" });
  const resources = ["a", "b"].map((name) => declared("ProjectMember", name, `prj_one/${name}`));
  const { changes } = compare(before, after, { before: resources, after: resources });
  expect(
    changes.map(({ effect, kind, name, project, resource }) => [effect, kind, name, project, resource]),
  ).toEqual([
    ["change", "project member", "a@example.com", "one", "a"],
    ["create", "project member", "b@example.com", "one", "b"],
  ]);
  expect(changes[0]?.fields).toEqual([{ field: "role", before: "ADMIN", after: "PROJECT_VIEWER" }]);
});

it("an Edge Config is named by its slug, and the values of its items are not shown", () => {
  const stateOf = (slug: string, items: object[], tokens: object[] = []) =>
    account({ edgeConfigs: [{ id: "ecfg_1", slug, items, tokens }] });
  const before = stateOf("flags", [
    { key: "kept", value: [1] },
    { key: "changed", value: "canary" },
  ]);
  const after = stateOf(
    "features",
    [
      { key: "kept", value: [1] },
      { key: "changed", value: "canary-2", description: "why" },
      { key: "new", value: null },
    ],
    [{ id: "t", label: "web", token: "canary" }],
  );
  const resources = [
    declared("EdgeConfig", "flags", "ecfg_1"),
    declared("EdgeConfigItem", "changed", "ecfg_1/changed"),
    declared("EdgeConfigItem", "new", "ecfg_1/new"),
    declared("EdgeConfigToken", "web", "ecfg_1/t"),
  ];
  const { changes } = compare(before, after, { before: resources, after: resources });
  expect(
    changes.map(({ effect, kind, name, resource, fields }) => [effect, kind, name, resource, fields]),
  ).toEqual([
    [
      "change",
      "Edge Config item",
      "changed of features",
      "changed",
      [
        { field: "description", before: null, after: "why" },
        { field: "value", isSecret: true },
      ],
    ],
    ["change", "Edge Config", "features", "flags", [{ field: "slug", before: "flags", after: "features" }]],
    ["create", "Edge Config item", "new of features", "new", []],
    ["create", "Edge Config token", "web of features", "web", []],
  ]);
});

it("a shared variable is named by its key and targets, and its value is a secret", () => {
  const shared = {
    id: "env_1",
    key: "KEY",
    target: ["production"],
    type: "encrypted",
    value: "a",
    projects: [],
  };
  const [before, after] = [
    account({ sharedEnv: [shared] }),
    account({ sharedEnv: [{ ...shared, value: "b", projects: ["prj_web"] }] }),
  ];
  const resources = [declared("SharedEnvVar", "key", "env_1")];
  const { changes } = compare(before, after, { before: resources, after: resources });
  expect(changes).toEqual([
    expect.objectContaining({
      ...{ effect: "change", kind: "shared variable", name: "KEY (production)", resource: "key" },
      isProduction: true,
      fields: [
        { field: "projects", before: [], after: ["prj_web"] },
        { field: "value", isSecret: true },
      ],
    }),
  ]);
});

describe("a field that a program declares as secret", () => {
  const marked = (type: string, id: string, keys: string[]): Resource => ({
    ...declared(type, "it", id),
    marked: keys,
  });
  const run = (before: AccountState, after: AccountState, resources: Resource[]) =>
    compare(before, after, { before: [], after: resources });

  it("is not shown, and the values that the account has are secret texts", () => {
    const project = { id: "prj_web", name: "web", settings: { buildCommand: "canary-drift" } };
    const { changes, secretTexts } = run(
      account({ projects: [project] }),
      account({ projects: [{ ...project, settings: { buildCommand: "canary-new" } }] }),
      [marked("Project", "prj_web", ["buildCommand"])],
    );
    expect(changes).toMatchObject([{ fields: [{ field: "buildCommand", isSecret: true }] }]);
    expect(secretTexts).toEqual(["canary-drift", "canary-new"]);
  });

  it("does not include the value of a variable, which can be the name of an object", () => {
    const variable = { project: "prj_web", id: "env_1", key: "SITE", value: "www.a.com", target: [] };
    const state = account({ env: [variable] });
    expect(run(state, state, [marked("EnvVar", "prj_web/env_1", ["value"])]).secretTexts).toEqual([]);
  });

  it("has another name at the service", () => {
    const drain = { id: "ld_1", name: "logs", url: "https://a.test/canary-1" };
    const { changes, secretTexts } = run(
      account({ logDrains: [drain] }),
      account({ logDrains: [{ ...drain, url: "https://a.test/canary-2" }] }),
      [marked("LogDrain", "ld_1", ["endpoint"])],
    );
    expect(changes).toMatchObject([{ fields: [{ field: "url", isSecret: true }] }]);
    expect(secretTexts).toEqual(["https://a.test/canary-1", "https://a.test/canary-2"]);
  });
});

it("names a webhook by its host, because its path can be a key", () => {
  const hook = { id: "account_hook_1", url: "https://hooks.example.com/services/canary", events: [] };
  const { changes } = compare(account({}), account({ webhooks: [hook] }), { before: [], after: [] });
  expect(changes).toMatchObject([{ kind: "webhook", name: "hooks.example.com" }]);
  expect(JSON.stringify(changes)).not.toContain("canary");
});
