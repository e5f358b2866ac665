import { domainsOf, installation, publish, transfer } from "../../support/domains";
import { beginning, useWorld } from "../../support/world";

const world = useWorld();
const web = domainsOf(world);
const other = domainsOf(world, "other");
const name = "www.example.com";
const inUse = "domain_already_in_use";

beforeEach(() =>
  world.seed({
    projects: [
      { team: "acme", name: "web" },
      { team: "acme", name: "other" },
    ],
  }),
);

interface Refused {
  id: string;
  when: string;
  /** Default 400. */
  status?: number;
  /** Default `bad_request`. */
  code?: string;
  message: RegExp;
  /** Default: the name alone. */
  body?: unknown;
  arrange?: () => Promise<unknown>;
}

const deploy = (readyState: "ERROR" | "CANCELED") => () =>
  world.control.deploy({ team: "acme", project: "web", target: "production", readyState });

/** @source Domains, POST /v10/projects/{idOrName}/domains, in the order of its list */
const additions: Refused[] = [
  { id: "DO-05", when: "there is no name", message: /name/, body: {} },
  { id: "DO-09", when: "the name is no text", message: /name/, body: { name: 1 } },
  { id: "DO-09", when: "a member is not known", message: /color/, body: { name, color: "red" } },
  {
    id: "DO-08",
    when: "the redirect status is another",
    message: /StatusCode/,
    body: { name, redirectStatusCode: 303 },
  },
  {
    id: "X-56",
    when: "the branch has 251 characters",
    message: /gitBranch/,
    body: { name, gitBranch: "b".repeat(251) },
  },
  { id: "DO-02", when: "the body is no JSON", message: /JSON/, body: "{" },
  {
    id: "DO-11] [X-11",
    when: "the name is no domain",
    code: "invalid_domain",
    message: /not a valid domain/,
    body: { name: "exa mple.com" },
  },
  {
    id: "DO-12",
    when: "branch and redirect are set",
    message: /either/,
    body: { name, gitBranch: "b", redirect: "a.com" },
  },
  {
    id: "DO-13",
    when: "the latest production deployment has failed",
    message: /deployment/,
    arrange: deploy("ERROR"),
  },
  {
    id: "DO-13",
    when: "the latest production deployment was cancelled",
    message: /deployment/,
    arrange: deploy("CANCELED"),
  },
  {
    id: "DO-14] [X-11",
    when: "the redirect is no domain",
    message: /not a valid/,
    body: { name, redirect: "http://x" },
  },
  {
    id: "DO-14",
    when: "the redirect is a wildcard",
    message: /not a valid/,
    body: { name, redirect: "*.example.com" },
  },
  {
    id: "DO-14",
    when: "the project lacks the target",
    message: /no domain/,
    body: { name, redirect: "example.com" },
  },
  {
    id: "DO-15] [X-11",
    when: "it redirects to itself",
    message: /itself/,
    body: { name, redirect: "WWW.example.com" },
  },
  {
    id: "DO-14",
    when: "the redirect comes back",
    message: /comes back/,
    body: { name, redirect: "example.com" },
    arrange: async () => {
      await web.add(name);
      await web.add("example.com", { redirect: name });
      await web.remove(name);
    },
  },
  {
    id: "DO-16",
    when: "the branch is the production branch",
    message: /production branch/,
    body: { name, gitBranch: "main" },
    arrange: async () => {
      await world.call("DELETE", "/v9/projects/web");
      const gitRepository = { type: "github", repo: "acme/web" } as const;
      await world.seed({ projects: [{ team: "acme", name: "web", gitRepository }] });
    },
  },
  {
    id: "DO-17] [X-11",
    when: "it is there already",
    code: "existing_project_domain",
    message: /already/,
    arrange: () => web.add(name),
  },
  {
    id: "DO-19",
    when: "the account is blocked",
    status: 402,
    code: "payment_required",
    message: /blocked/,
    arrange: () => world.control.changeTeam("acme", { softBlocked: true }),
  },
  {
    id: "DO-20",
    when: "the payment method must be updated",
    status: 402,
    code: "payment_required",
    message: /payment method/,
    arrange: () => world.control.changeTeam("acme", { paymentMethodNeedsUpdate: true }),
  },
  {
    id: "DO-22",
    when: "it is in the service's own zone",
    status: 403,
    code: "forbidden",
    message: /no access/,
    body: { name: "deep.mine.slipway.app" },
  },
  {
    id: "DO-23] [X-11",
    when: "another account holds it",
    status: 409,
    code: inUse,
    message: /another account/,
    arrange: async () => {
      await world.team("rival");
      await world.seed({
        projects: [{ team: "rival", name: "web" }],
        domains: [{ team: "rival", project: "web", name, verified: true }],
      });
    },
  },
  {
    id: "DO-24] [X-11",
    when: "another project of the account has it, unverified",
    status: 409,
    code: inUse,
    message: /"other".* not verified/,
    arrange: () => other.add(name),
  },
  {
    id: "DO-25] [X-11",
    when: "another project of the account has it, verified",
    status: 409,
    code: inUse,
    message: /"other".* is verified/,
    arrange: async () => {
      await publish(world, await other.add(name));
      await other.verify(name);
    },
  },
  {
    id: "DO-26",
    when: "the account may not have it",
    status: 409,
    code: "domain_not_allowed",
    message: /not allowed/,
    arrange: () => world.seed({ teams: [{ slug: "acme", deniedDomains: ["example.com"] }] }),
  },
  {
    id: "DO-27",
    when: "the project is being transferred",
    status: 409,
    code: "conflict",
    message: /transferred/,
    arrange: () => transfer(world, "web", "somebody"),
  },
];

describe("adding a domain is refused", () => {
  it.each(additions)(
    "when $when [$id]",
    async ({ status = 400, code = "bad_request", message, body = { name }, arrange }) => {
      await arrange?.();
      const before = await world.control.snapshot();
      const events = await world.control.events();
      const answer = await world.call("POST", "/v10/projects/web/domains", { body });
      expect(answer.status).toBe(status);
      expect(answer.body.error).toMatchObject({ code, message: expect.stringMatching(message) });
      expect(await world.control.snapshot()).toEqual(before);
      expect(await world.control.events()).toEqual(events);
    },
  );

  it("not any more once a later production deployment is on its way [DO-13]", async () => {
    const deployment = { team: "acme", project: "web", target: "production" } as const;
    await world.control.deploy({ ...deployment, readyState: "ERROR", createdAt: beginning - 2 });
    await world.control.deploy({ ...deployment, readyState: "BUILDING", createdAt: beginning - 1 });
    expect((await web.add(name)).status).toBe(200);
  });

  it("neither for a failed preview deployment nor for one of another project [DO-13]", async () => {
    await world.control.deploy({ team: "acme", project: "web", target: "preview", readyState: "ERROR" });
    await world.control.deploy({ team: "acme", project: "other", target: "production", readyState: "ERROR" });
    expect((await web.add(name)).status).toBe(200);
  });

  it("beyond 50 domains on the free plan, and not on others [X-58]", async () => {
    const options = { token: await world.team("small", { plan: "hobby" }), team: "small" };
    await world.seed({ projects: [{ team: "small", name: "web" }] });
    for (let n = 0; n < 50; n++) expect((await web.add(`d${n}.example.com`, {}, options)).status).toBe(200);
    const refused = await web.add("one-more.example.com", {}, options);
    expect(refused.status).toBe(400);
    expect(refused.body.error.message).toContain("50");
    await world.control.changeTeam("small", { plan: "pro" });
    expect((await web.add("one-more.example.com", {}, options)).status).toBe(200);
  });

  it("without telling an integration the name of another project", async () => {
    await other.add(name);
    const token = await installation(world, ["read-write:project", "read-write:domain"]);
    const { body } = await web.add(name, {}, { token });
    expect(body.error.code).toBe(inUse);
    expect(body.error.message).not.toContain('"other"');
  });

  it("to exactly one of those who race for a name of one account [DO-24]", async () => {
    const answers = await Promise.all([web.add(name), other.add(name)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });
});

/** @source Domains, PATCH /v9/projects/{idOrName}/domains/{domain} */
const updates: Refused[] = [
  { id: "DO-51", when: "the branch is no text", message: /gitBranch/, body: { gitBranch: 1 } },
  {
    id: "DO-51] [X-56",
    when: "the branch has 251 characters",
    message: /gitBranch/,
    body: { gitBranch: "b".repeat(251) },
  },
  { id: "DO-51", when: "a member is not known", message: /name/, body: { name: "a.example.com" } },
  { id: "DO-02", when: "the body is no JSON", message: /JSON/, body: "nonsense" },
  {
    id: "DO-49",
    when: "the redirect status is another",
    message: /StatusCode/,
    body: { redirectStatusCode: 303 },
  },
  { id: "DO-53", when: "the redirect is no domain", message: /not a valid/, body: { redirect: "http://x" } },
  { id: "DO-53", when: "the redirect is empty", message: /not a valid/, body: { redirect: "" } },
  { id: "DO-53", when: "it redirects to itself", message: /itself/, body: { redirect: "WWW.example.com" } },
  {
    id: "DO-53",
    when: "the project lacks the target",
    message: /no domain/,
    body: { redirect: "c.example.com" },
  },
  {
    id: "DO-53",
    when: "the redirect comes back",
    message: /comes back/,
    body: { redirect: "back.example.com" },
    arrange: () => web.add("back.example.com", { redirect: name }),
  },
  {
    id: "DO-51",
    when: "branch and redirect are set",
    message: /either/,
    body: { gitBranch: "b", redirect: "example.com" },
  },
  {
    id: "DO-51",
    when: "a branch comes to the redirect that is there",
    message: /either/,
    body: { gitBranch: "next" },
    arrange: () => web.update(name, { redirect: "example.com" }),
  },
  {
    id: "DO-56",
    when: "the project is being transferred",
    status: 409,
    code: "conflict",
    message: /transferred/,
    body: { gitBranch: "next" },
    arrange: () => transfer(world, "web", "somebody"),
  },
];

describe("updating a domain is refused", () => {
  beforeEach(async () => {
    await web.add("example.com");
    await web.add(name);
  });

  it.each(updates)(
    "when $when [$id]",
    async ({ status = 400, code = "bad_request", message, body, arrange }) => {
      await arrange?.();
      const before = await world.control.snapshot();
      const answer = await web.update(name, body);
      expect(answer.status).toBe(status);
      expect(answer.body.error).toMatchObject({ code, message: expect.stringMatching(message) });
      expect(await world.control.snapshot()).toEqual(before);
    },
  );

  it("when the branch is the production branch [DO-51]", async () => {
    const gitRepository = { type: "github", repo: "acme/git" } as const;
    await world.seed({ projects: [{ team: "acme", name: "git", gitRepository }] });
    const git = domainsOf(world, "git");
    await git.add("git.example.com");
    const answer = await git.update("git.example.com", { gitBranch: "main" });
    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatchObject({
      code: "bad_request",
      message: expect.stringMatching(/production branch/),
    });
    expect((await git.update("git.example.com", { gitBranch: "next" })).status).toBe(200);
  });
});
