import type { SeedDocument } from "../../../server/seed/document";
import { useTestServer } from "../../support/world";

const world = useTestServer();

const integration = {
  clientId: "oac_a",
  clientSecret: "s",
  slug: "a",
  owner: "dev",
  redirectUrl: "https://a.example.com/callback",
  scopes: ["read:project" as const],
};
const installation = { id: "icfg_a", integration: "a", team: "acme", token: "of-a" };

/** The existing data. */
const ground: SeedDocument = {
  users: [{ username: "ada" }],
  teams: [
    { slug: "crew", members: [{ user: "ada", role: "OWNER" }] },
    { slug: "orphans", members: [{ user: "ada", role: "MEMBER" }] },
  ],
  integrations: [integration],
  projects: [
    { team: "acme", name: "web", id: "prj_web" },
    { team: "acme", name: "api", id: "prj_api" },
    { team: "crew", name: "web" },
  ],
  installations: [installation],
  deployments: [{ team: "acme", project: "web", id: "dpl_1", createdAt: 1 }],
  domains: [{ team: "acme", project: "web", name: "example.com", verified: true }],
  env: [{ team: "acme", project: "web", key: "K", value: "v", type: "plain", target: ["preview"] }],
};

const crew = { ...installation, id: "icfg_b", team: "crew", token: undefined };
const web = { team: "acme", project: "web" };

it.each<[string, SeedDocument, string]>([
  [
    "an integration under another id",
    { integrations: [{ ...integration, clientId: "oac_b" }] },
    "integrations[0].clientId: the integration a already exists with the id oac_a",
  ],
  [
    "the id of another integration",
    { integrations: [integration, { ...integration, slug: "b" }] },
    "integrations[1].clientId: the id oac_a belongs to the integration a",
  ],
  [
    "an integration of nobody",
    { integrations: [{ ...integration, owner: "none" }] },
    'integrations[0].owner: there is no user "none"',
  ],
  [
    "a copied domain after one that was written by hand",
    {
      domains: [
        { team: "acme", project: "web", name: "www.example.com" },
        { team: "crew", project: "web", name: "example.com", createdAt: 1, verified: true },
      ],
    },
    "domains[1].name: example.com is verified for another account",
  ],
  [
    "an installation of no integration",
    { installations: [{ ...crew, integration: "none" }] },
    'installations[0].integration: there is no integration "none"',
  ],
  [
    "an installation that is another account's",
    { installations: [{ ...installation, team: "crew" }] },
    "installations[0].id: the id icfg_a belongs to another installation",
  ],
  ["a token that is taken", { installations: [{ ...crew, token: "of-a" }] }, "installations[0].token: "],
  [
    "a token that is a user's",
    { installations: [{ ...crew, token: "slipway-dev-token" }] },
    "installations[0].token: another row has the same token",
  ],
  [
    "an installation for no project",
    { installations: [{ ...crew, projects: ["web", "none"] }] },
    'installations[0].projects[1]: there is no project "none"',
  ],
  [
    "who is not in the team",
    { installations: [{ ...crew, installedBy: "dev" }] },
    "installations[0].installedBy: dev is not in the team",
  ],
  [
    "an installation by nobody",
    { installations: [{ ...crew, installedBy: "none" }] },
    'installations[0].installedBy: there is no user "none"',
  ],
  [
    "a team without an owner to install",
    { installations: [{ ...crew, team: "orphans" }] },
    "installations[0].installedBy: the team has no owner to install it",
  ],
  [
    "another person on a personal account",
    { installations: [{ id: "icfg_b", integration: "a", user: "ada", installedBy: "dev" }] },
    "installations[0].installedBy: only the user of a personal account can install on it",
  ],
  [
    "the id of another project",
    { projects: [{ team: "crew", name: "other", id: "prj_web" }] },
    'projects[0].id: the id prj_web belongs to the project "web"',
  ],
  [
    "an id that is no project's",
    { projects: [{ team: "acme", name: "x", id: "prj_a b" }] },
    "projects[0].id: must be prj_ followed by 1 to 60 letters, digits or '_'",
  ],
  [
    "an id that is no deployment's",
    { deployments: [{ ...web, id: "dpl_a-b" }] },
    "deployments[0].id: must be dpl_ followed by 1 to 60 letters, digits or '_'",
  ],
  ["what is nobody's", { projects: [{ name: "x" }] }, "projects[0]: needs either a team or a user"],
  [
    "what is two accounts'",
    { projects: [{ team: "crew", user: "ada", name: "x" }] },
    "projects[0]: needs either a team or a user",
  ],
  [
    "a token with a space in it",
    { tokens: [{ token: "a b", user: "ada" }] },
    "tokens[0].token: must not contain spaces",
  ],
  [
    "a record of a name that is too long",
    { dns: [{ name: `${"a".repeat(63)}.`.repeat(4), type: "TXT", value: "v" }] },
    "dns[0].name: must be a domain name",
  ],
  [
    "a domain of no project",
    { domains: [{ ...web, project: "none", name: "example.org" }] },
    'domains[0].project: "acme" has no project "none"',
  ],
  [
    "no domain name",
    { domains: [{ ...web, name: "localhost" }] },
    'domains[0].name: "localhost" is not a domain name',
  ],
  [
    "no domain name to redirect to",
    { domains: [{ ...web, name: "example.org", redirect: "localhost" }] },
    'domains[0].redirect: "localhost" is not a domain name',
  ],
  [
    "a domain of another project",
    { domains: [{ ...web, project: "api", name: "example.com" }] },
    "domains[0].name: example.com is on another project of the account",
  ],
  [
    "a domain that another account proved",
    { domains: [{ team: "crew", project: "web", name: "example.com", verified: true }] },
    "domains[0].name: example.com is verified for another account",
  ],
  [
    "a variable that the API refuses",
    { env: [{ ...web, key: "1K", value: "v", type: "plain", target: ["preview"] }] },
    "env[0]: ",
  ],
  [
    "a team's id that is taken",
    {
      teams: [
        { slug: "new", id: "prj_web" },
        { slug: "newer", id: "prj_web" },
      ],
    },
    'teams[1].id: the id prj_web belongs to "new"',
  ],
  ...(
    [
      ["user", "users[1]: users[0]", { users: [{ username: "bob" }, { username: "bob", plan: "pro" }] }],
      ["team", "teams[1]: teams[0]", { teams: [{ slug: "bob" }, { slug: "bob", plan: "hobby" }] }],
      [
        "member",
        "teams[0].members[1]: [0] of this list",
        { teams: [{ slug: "t", members: ["OWNER", "MEMBER"].map((role) => ({ user: "ada", role })) }] },
      ],
      [
        "token",
        "tokens[1]: tokens[0]",
        { tokens: ["ada", "dev"].map((user) => ({ token: "of-two", user })) },
      ],
      [
        "project",
        "projects[1]: projects[0]",
        { projects: [{}, { framework: "nextjs" }].map((one) => ({ team: "acme", name: "two", ...one })) },
      ],
      [
        "domain of a project",
        "domains[1]: domains[0]",
        { domains: [{}, { redirect: "example.com" }].map((one) => ({ ...web, name: "a.org", ...one })) },
      ],
      [
        "variable for an environment",
        "env[2]: env[1]",
        {
          env: [["development"], ["production"], ["production", "preview"]].map((target, at) => {
            return { ...web, key: "A", value: `v${at}`, type: "plain", target };
          }),
        },
      ],
      [
        "shared variable",
        "sharedEnv[1]: sharedEnv[0]",
        { sharedEnv: ["a", "b"].map((value) => ({ team: "crew", key: "A", value, target: ["preview"] })) },
      ],
      [
        "item of an Edge Config",
        "edgeConfigs[0].items[1]: [0] of this list",
        { edgeConfigs: [{ team: "acme", slug: "s", items: [1, 2].map((value) => ({ key: "a", value })) }] },
      ],
      [
        "DNS record",
        "dnsRecords[1]: dnsRecords[0]",
        {
          dnsRecords: [60, 300].map((ttl) => {
            return { team: "acme", domain: "example.com", name: "a", type: "A", value: "192.0.2.1", ttl };
          }),
        },
      ],
    ] as [string, string, object][]
  ).map(([what, places, seed]): [string, SeedDocument, string] => [
    `a second ${what} that contradicts the first`,
    seed as SeedDocument,
    `${places} describes the same, with other values`,
  ]),
])("%s is refused by its place", async (_, seed, message) => {
  await world.seed(ground);
  const before = await world.control.snapshot();
  const { status, body } = await world.askControl("POST", "/seed", seed);
  expect({ status, message: body.error?.message }).toEqual({
    status: 400,
    message: expect.stringContaining(message),
  });
  expect(await world.control.snapshot()).toEqual(before);
});

it("accepts equal rows twice", async () => {
  await world.seed(ground);
  const variable = { ...web, key: "A", value: "v", type: "plain" as const, target: ["preview" as const] };
  const { status, body } = await world.askControl("POST", "/seed", { env: [variable, { ...variable }] });
  expect({ status, body }).toEqual({ status: 200, body: { added: { env: 1 } } });
});

it("what fits goes in beside what is there", async () => {
  await world.seed(ground);
  await world.seed({
    integrations: [{ ...integration, name: "Another name", scopes: ["read-write:project"] }],
    installations: [
      { ...crew, installedBy: "ada" },
      { id: "icfg_c", integration: "oac_a", user: "ada" },
      { id: "icfg_d", integration: "a", user: "ada", installedBy: "ada" },
    ],
    domains: [
      { ...web, name: "www.example.com" },
      { ...web, name: "example.org" },
      { ...web, name: "mine.vercel.app" },
      { team: "crew", project: "web", name: "example.com", verified: false },
    ],
    env: [
      { ...web, key: "K", value: "another", type: "plain", target: ["preview"] },
      { ...web, key: "K", value: "v", type: "plain", target: ["production"] },
    ],
    deployments: [{ ...web, id: "dpl_1", readyState: "ERROR" }],
  });
  const { integrations, installations, domains, env, deployments, accounts } = await world.control.snapshot();
  // Data that requests can change is left as it is.
  expect(integrations).toMatchObject([{ id: "oac_a", name: "Another name", scopes: ["read:project"] }]);
  const ada = accounts.find(({ slug }) => slug === "ada");
  expect(ada).toMatchObject({ kind: "user", email: "ada@example.com", plan: "hobby" });
  expect(accounts.find(({ slug }) => slug === "crew")).toMatchObject({ email: null, plan: "pro" });
  expect(installations.map(({ id, userId }) => [id, userId === ada?.id])).toEqual([
    ["icfg_a", false],
    ["icfg_b", true],
    ["icfg_c", true],
    ["icfg_d", true],
  ]);
  expect(
    Object.fromEntries(domains.map(({ accountId, name, verified }) => [`${accountId} ${name}`, verified])),
  ).toEqual({
    [`${await idOf("acme")} example.com`]: true,
    [`${await idOf("acme")} www.example.com`]: true,
    [`${await idOf("acme")} example.org`]: false,
    [`${await idOf("acme")} mine.vercel.app`]: true,
    [`${await idOf("crew")} example.com`]: false,
  });
  expect(env.map(({ target }) => target)).toEqual(expect.arrayContaining([["preview"], ["production"]]));
  expect(env).toHaveLength(2);
  expect(deployments).toMatchObject([{ id: "dpl_1", readyState: "READY" }]);
});

it("gives no time that leaves no room for what comes later", async () => {
  const seed = (createdAt: number): SeedDocument => ({
    projects: [{ team: "acme", name: "late", createdAt }],
    deployments: [{ team: "acme", project: "late", id: "dpl_late", createdAt }],
  });
  const { status, body } = await world.askControl("POST", "/seed", seed(Number.MAX_SAFE_INTEGER));
  expect([status, body.error.message]).toEqual([400, expect.stringContaining("createdAt")]);
  expect((await world.askControl("POST", "/seed", seed(Date.UTC(9999, 11, 31)))).status).toBe(200);
  expect((await world.call("POST", "/v10/projects", { body: { name: "later" } })).status).toBe(200);
  expect((await world.call("POST", "/v13/deployments", { body: { name: "later" } })).status).toBe(200);
});

async function idOf(slug: string): Promise<string | undefined> {
  return (await world.control.snapshot()).accounts.find((one) => one.slug === slug)?.id;
}
