import { domainsOf, installation, publish, transfer } from "../../support/domains";
import { beginning, useTestServer } from "../../support/world";

const world = useTestServer();
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
  { when: "there is no name", message: /name/, body: {} }, // DO-05
  { when: "the name is no text", message: /name/, body: { name: 1 } }, // DO-09
  { when: "a member is not known", message: /color/, body: { name, color: "red" } }, // DO-09
  // DO-08
  {
    when: "the redirect status is another",
    message: /StatusCode/,
    body: { name, redirectStatusCode: 303 },
  },
  //
  {
    when: "the branch has 251 characters",
    message: /gitBranch/,
    body: { name, gitBranch: "b".repeat(251) },
  },
  { when: "the body is no JSON", message: /JSON/, body: "{" }, // DO-02
  // DO-11, X-11
  {
    when: "the name is no domain",
    code: "invalid_domain",
    message: /not a valid domain/,
    body: { name: "exa mple.com" },
  },
  // DO-12
  {
    when: "branch and redirect are set",
    message: /either/,
    body: { name, gitBranch: "b", redirect: "a.com" },
  },
  // DO-13
  {
    when: "the latest production deployment has failed",
    message: /deployment/,
    arrange: deploy("ERROR"),
  },
  // DO-13
  {
    when: "the latest production deployment was cancelled",
    message: /deployment/,
    arrange: deploy("CANCELED"),
  },
  // DO-14, X-11
  {
    when: "the redirect is no domain",
    message: /not a valid/,
    body: { name, redirect: "http://x" },
  },
  // DO-14
  {
    when: "the redirect is a wildcard",
    message: /not a valid/,
    body: { name, redirect: "*.example.com" },
  },
  // DO-14
  {
    when: "the project lacks the target",
    message: /no domain/,
    body: { name, redirect: "example.com" },
  },
  // DO-15, X-11
  {
    when: "it redirects to itself",
    message: /itself/,
    body: { name, redirect: "WWW.example.com" },
  },
  // DO-14
  {
    when: "the redirect comes back",
    message: /leads back/,
    body: { name, redirect: "example.com" },
    arrange: async () => {
      await web.add(name);
      await web.add("example.com", { redirect: name });
      await web.remove(name);
    },
  },
  // DO-16
  {
    when: "the branch is the production branch",
    message: /production branch/,
    body: { name, gitBranch: "main" },
    arrange: async () => {
      await world.call("DELETE", "/v9/projects/web");
      const gitRepository = { type: "github", repo: "acme/web" } as const;
      await world.seed({ projects: [{ team: "acme", name: "web", gitRepository }] });
    },
  },
  // DO-17, X-11
  {
    when: "it is there already",
    code: "existing_project_domain",
    message: /already/,
    arrange: () => web.add(name),
  },
  // DO-19
  {
    when: "the account is blocked",
    status: 402,
    code: "payment_required",
    message: /blocked/,
    arrange: () => world.control.changeTeam("acme", { softBlocked: true }),
  },
  // DO-20
  {
    when: "the payment method must be updated",
    status: 402,
    code: "payment_required",
    message: /payment method/,
    arrange: () => world.control.changeTeam("acme", { paymentMethodNeedsUpdate: true }),
  },
  // DO-22
  {
    when: "it is in the service's own zone",
    status: 403,
    code: "forbidden",
    message: /no access/,
    body: { name: "deep.mine.vercel.app" },
  },
  // DO-23, X-11
  {
    when: "another account holds it",
    status: 409,
    code: inUse,
    message: /another account/,
    arrange: async () => {
      await world.team("other");
      await world.seed({
        projects: [{ team: "other", name: "web" }],
        domains: [{ team: "other", project: "web", name, verified: true }],
      });
    },
  },
  // DO-24, X-11
  {
    when: "another project of the account has it, unverified",
    status: 409,
    code: inUse,
    message: /"other".* not verified/,
    arrange: () => other.add(name),
  },
  // DO-25, X-11
  {
    when: "another project of the account has it, verified",
    status: 409,
    code: inUse,
    message: /"other".* is verified/,
    arrange: async () => {
      await publish(world, await other.add(name));
      await other.verify(name);
    },
  },
  // DO-26
  {
    when: "the account may not have it",
    status: 409,
    code: "domain_not_allowed",
    message: /not allowed/,
    arrange: () => world.seed({ teams: [{ slug: "acme", deniedDomains: ["example.com"] }] }),
  },
  // DO-27
  {
    when: "the project is being transferred",
    status: 409,
    code: "conflict",
    message: /transferred/,
    arrange: () => transfer(world, "web", "somebody"),
  },
];

describe("adding a domain is refused", () => {
  it.each(additions)(
    "when $when",
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

  // DO-13
  it("not any more once a later production deployment is on its way", async () => {
    const deployment = { team: "acme", project: "web", target: "production" } as const;
    await world.control.deploy({ ...deployment, readyState: "ERROR", createdAt: beginning - 2 });
    await world.control.deploy({ ...deployment, readyState: "BUILDING", createdAt: beginning - 1 });
    expect((await web.add(name)).status).toBe(200);
  });

  // DO-13
  it("neither for a failed preview deployment nor for one of another project", async () => {
    await world.control.deploy({ team: "acme", project: "web", target: "preview", readyState: "ERROR" });
    await world.control.deploy({ team: "acme", project: "other", target: "production", readyState: "ERROR" });
    expect((await web.add(name)).status).toBe(200);
  });

  it("for the first of several reasons, in the order of the specification", async () => {
    const refusal = async (given = name, fields: object = {}): Promise<string> => {
      const { status, body } = await web.add(given, fields);
      return `${status} ${body.error?.code}: ${body.error?.message}`;
    };
    const both = { gitBranch: "b", redirect: "nothing" };
    const invalid = { redirect: "nothing" };
    const deep = "deep.mine.vercel.app";
    await other.add(name);
    await deploy("ERROR")();
    await transfer(world, "web", "somebody");
    const blocks = { softBlocked: true, paymentMethodNeedsUpdate: true };
    await world.control.changeTeam("acme", { ...blocks, deniedDomains: ["example.com", "vercel.app"] });
    expect(await refusal("nothing", both)).toMatch(/^400 invalid_domain/);
    expect(await refusal(name, both)).toMatch(/^400 bad_request: .*either/);
    expect(await refusal(name, invalid)).toMatch(/^400 bad_request: .*latest production deployment/);
    await world.control.deploy({ team: "acme", project: "web", target: "production" });
    expect(await refusal(name, invalid)).toMatch(/^400 bad_request: .*not a valid/);
    expect(await refusal("web.vercel.app")).toMatch(/^400 existing_project_domain/);
    expect(await refusal(deep)).toMatch(/^402 payment_required: .*blocked/);
    await world.control.changeTeam("acme", { softBlocked: false, paymentMethodNeedsUpdate: false });
    expect(await refusal(deep)).toMatch(/^403 forbidden/);
    expect(await refusal()).toMatch(/^409 domain_already_in_use/);
    await other.remove(name);
    expect(await refusal()).toMatch(/^409 domain_not_allowed/);
    await world.control.changeTeam("acme", { deniedDomains: [] });
    expect(await refusal()).toMatch(/^409 conflict/);
  });

  //
  it("beyond 50 domains on the free plan, and not on others", async () => {
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

  // DO-24
  it("to exactly one of those who race for a name of one account", async () => {
    const answers = await Promise.all([web.add(name), other.add(name)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });
});

/** @source Domains, PATCH /v9/projects/{idOrName}/domains/{domain} */
const updates: Refused[] = [
  { when: "the branch is no text", message: /gitBranch/, body: { gitBranch: 1 } }, // DO-51
  // DO-51, X-56
  {
    when: "the branch has 251 characters",
    message: /gitBranch/,
    body: { gitBranch: "b".repeat(251) },
  },
  { when: "a member is not known", message: /name/, body: { name: "a.example.com" } }, // DO-51
  { when: "the body is no JSON", message: /JSON/, body: "nonsense" }, // DO-02
  // DO-49
  {
    when: "the redirect status is another",
    message: /StatusCode/,
    body: { redirectStatusCode: 303 },
  },
  { when: "the redirect is no domain", message: /not a valid/, body: { redirect: "http://x" } }, // DO-53
  { when: "the redirect is empty", message: /not a valid/, body: { redirect: "" } }, // DO-53
  { when: "it redirects to itself", message: /itself/, body: { redirect: "WWW.example.com" } }, // DO-53
  // DO-53
  {
    when: "the project lacks the target",
    message: /no domain/,
    body: { redirect: "c.example.com" },
  },
  // DO-53
  {
    when: "the redirect comes back",
    message: /leads back/,
    body: { redirect: "back.example.com" },
    arrange: () => web.add("back.example.com", { redirect: name }),
  },
  // DO-51
  {
    when: "branch and redirect are set",
    message: /either/,
    body: { gitBranch: "b", redirect: "example.com" },
  },
  // DO-51
  {
    when: "a branch comes to the redirect that is there",
    message: /either/,
    body: { gitBranch: "next" },
    arrange: () => web.update(name, { redirect: "example.com" }),
  },
  // DO-56
  {
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

  it.each(updates)("when $when", async ({ status = 400, code = "bad_request", message, body, arrange }) => {
    await arrange?.();
    const before = await world.control.snapshot();
    const answer = await web.update(name, body);
    expect(answer.status).toBe(status);
    expect(answer.body.error).toMatchObject({ code, message: expect.stringMatching(message) });
    expect(await world.control.snapshot()).toEqual(before);
  });

  // DO-51
  it("when the branch is the production branch", async () => {
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
