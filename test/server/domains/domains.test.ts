import { domainsOf, publish } from "../../support/domains";
import { type Answer, beginning, useTestServer } from "../../support/world";

const world = useTestServer();
const web = domainsOf(world);

beforeEach(() => world.seed({ projects: [{ team: "acme", name: "web" }] }));

const webId = async (): Promise<string> => (await world.call("GET", "/v9/projects/web")).body.id;

describe("an added domain", () => {
  // DO-04, DO-42, D-01, D-02, D-08, D-09, D-10, ER-04
  it("is answered, and then shown alike by get and list", async () => {
    const added = await web.add("www.example.com");
    expect(added.status).toBe(200);
    expect(added.body).toEqual({
      name: "www.example.com",
      apexName: "example.com",
      projectId: await webId(),
      redirect: null,
      redirectStatusCode: null,
      gitBranch: null,
      customEnvironmentId: null,
      createdAt: beginning,
      updatedAt: beginning,
      verified: false,
      verification: [expect.any(Object)],
    });
    expect((await web.get("www.example.com")).body).toEqual(added.body);
    expect((await web.list()).body.domains[0]).toEqual(added.body);
  });

  //
  it("has its registrable domain as apex", async () => {
    expect((await web.add("www.a.co.uk")).body.apexName).toBe("a.co.uk");
  });

  it("is one and the same in whatever case and script", async () => {
    expect((await web.add("WWW.Bücher.de")).body.name).toBe("www.xn--bcher-kva.de");
    expect((await web.get("www.BÜCHER.de")).status).toBe(200);
    expect((await web.add("www.xn--bcher-kva.de")).body.error.code).toBe("existing_project_domain");
  });

  // DO-06, D-08
  it("keeps its git branch", async () => {
    expect((await web.add("www.example.com", { gitBranch: "next" })).body.gitBranch).toBe("next");
    expect((await web.get("www.example.com")).body.gitBranch).toBe("next");
  });

  // DO-07, DO-08, D-09
  it.each([307, 301, 302, 308])("keeps a redirect with status %i", async (code) => {
    await web.add("example.com");
    const fields = { redirect: "Example.com", redirectStatusCode: code };
    expect((await web.add("www.example.com", fields)).status).toBe(200);
    expect((await web.get("www.example.com")).body).toMatchObject({
      redirect: "example.com",
      redirectStatusCode: code,
    });
  });

  it.each(["shop.vercel.app", "shop.vercel.app"])(
    "is verified at once as %s, a free name of the service's own zone",
    async (name) => {
      const { status, body } = await web.add(name);
      expect(status).toBe(200);
      expect(body).toMatchObject({ name, verified: true });
      expect(body).not.toHaveProperty("verification");
      const { alias } = (await world.call("GET", "/v9/projects/web")).body;
      expect(alias).toContainEqual(expect.objectContaining({ domain: name }));
    },
  );

  it("is not free in the service's own zone while it is a project's own name, or another's domain", async () => {
    await world.team("other");
    await world.seed({
      projects: [{ team: "other", name: "shop" }],
      domains: [{ team: "other", project: "shop", name: "taken.vercel.app" }],
    });
    expect(await web.add("web.vercel.app")).toMatchObject({
      status: 400,
      body: { error: { code: "existing_project_domain" } },
    });
    for (const name of ["shop.vercel.app", "taken.vercel.app"]) {
      const answer = await web.add(name);
      expect(answer).toMatchObject({ status: 400, body: { error: { code: "domain_already_in_use" } } });
    }
  });

  it("may redirect to the project's own name", async () => {
    expect((await web.add("example.com", { redirect: "web.vercel.app" })).status).toBe(200);
  });

  it("may be a wildcard", async () => {
    expect((await web.add("*.example.com")).body).toMatchObject({
      name: "*.example.com",
      apexName: "example.com",
    });
    expect((await web.get("*.example.com")).status).toBe(200);
  });

  it("may belong to a custom environment", async () => {
    const project = await webId();
    await world.services.store.write((tx) =>
      tx
        .insertInto("custom_environments")
        .values({
          id: "env_staging0001",
          project_id: project,
          slug: "staging",
          description: null,
          branch_matcher: null,
          created_at: 0,
          updated_at: 0,
        })
        .execute(),
    );
    const fields = { customEnvironmentId: "env_staging0001" };
    expect((await web.add("s.example.com", fields)).body).toMatchObject(fields);
    expect(await refusal(web.add("t.example.com", { ...fields, gitBranch: "x" }))).toEqual([
      400,
      "bad_request",
    ]);
    expect(await refusal(web.add("t.example.com", { customEnvironmentId: "env_other" }))).toEqual([
      400,
      "bad_request",
    ]);
    expect(await refusal(web.update("s.example.com", { gitBranch: "x" }))).toEqual([400, "bad_request"]);
    expect((await web.update("s.example.com", { gitBranch: null })).body).toMatchObject(fields);
  });

  it("never shares its time with another of the project", async () => {
    await web.add("a.example.com");
    expect((await web.add("b.example.com")).body.createdAt).toBe(beginning + 1);
  });
});

const refusal = async (answer: Promise<Answer>): Promise<unknown[]> => {
  const { status, body } = await answer;
  return [status, body.error?.code];
};

describe("an updated domain", () => {
  beforeEach(async () => {
    await web.add("example.com");
    await web.add("www.example.com", { redirect: "example.com", redirectStatusCode: 308 });
  });

  // DO-46, DO-47, DO-50, X-56
  it("is answered with its new values, which get then shows", async () => {
    world.clock.advance(5);
    const updated = await web.update("www.example.com", { gitBranch: "next", redirect: null });
    expect(updated.status).toBe(200);
    expect(updated.body).toMatchObject({ gitBranch: "next", redirect: null, redirectStatusCode: 308 });
    expect(updated.body.updatedAt).toBe(beginning + 5);
    expect((await web.get("www.example.com")).body).toEqual(updated.body);
  });

  // DO-48, DO-49, D-09
  it.each([307, 301, 302, 308])("takes redirect and status %i", async (redirectStatusCode) => {
    await web.add("b.example.com");
    const fields = { redirect: "b.example.com", redirectStatusCode };
    expect((await web.update("www.example.com", fields)).body).toMatchObject(fields);
    expect((await web.get("www.example.com")).body).toMatchObject(fields);
  });

  // DO-50, X-56, D-08
  it("keeps what is absent and clears what is null", async () => {
    await web.update("www.example.com", { redirectStatusCode: 301 });
    expect((await web.get("www.example.com")).body).toMatchObject({
      redirect: "example.com",
      redirectStatusCode: 301,
    });
    await web.update("www.example.com", { redirect: null, redirectStatusCode: null });
    expect((await web.get("www.example.com")).body).toMatchObject({
      redirect: null,
      redirectStatusCode: null,
    });
    await web.update("www.example.com", { gitBranch: "next" });
    await web.update("www.example.com", { gitBranch: null });
    expect((await web.get("www.example.com")).body.gitBranch).toBeNull();
  });

  it("stays as it is when nothing changes, without an event", async () => {
    const { body } = await web.get("www.example.com");
    const events = (await world.control.events()).length;
    world.clock.advance(5);
    expect((await web.update("www.example.com", {})).body).toEqual(body);
    expect((await web.update("www.example.com", { redirectStatusCode: 308 })).body).toEqual(body);
    expect((await world.control.events()).length).toBe(events);
  });

  it("keeps a redirect whose target was removed", async () => {
    await web.remove("example.com");
    const again = await web.update("www.example.com", { redirect: "example.com", redirectStatusCode: 307 });
    expect(again.status).toBe(200);
  });
});

describe("a removed domain", () => {
  beforeEach(async () => {
    await web.add("example.com");
    await web.add("www.example.com", { redirect: "example.com" });
  });

  // DO-57, DO-58, X-57
  it("is gone from get and list, answered with an empty object", async () => {
    const answer = await web.remove("www.example.com");
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({});
    expect((await web.get("www.example.com")).status).toBe(404);
    expect(await web.names()).toEqual(["example.com"]);
    expect((await web.remove("www.example.com")).status).toBe(404);
  });

  it("is refused while another domain of the project redirects to it", async () => {
    const message = 'Cannot remove "example.com" until existing redirects to "example.com" are removed.';
    expect(await web.remove("example.com", { body: { removeRedirects: false } })).toMatchObject({
      status: 409,
      body: { error: { code: "domain_is_redirect", message } },
    });
    expect((await web.get("www.example.com")).body.redirect).toBe("example.com");
    expect((await web.remove("www.example.com")).status).toBe(200);
    expect((await web.remove("example.com")).status).toBe(200);
  });

  it("takes what redirects to it along when asked to, and nothing else", async () => {
    await web.add("blog.example.com");
    await web.remove("example.com", { body: { removeRedirects: true } });
    expect(await web.names()).toEqual(["blog.example.com"]);
  });

  it("can be added to another project", async () => {
    await world.seed({ projects: [{ team: "acme", name: "other" }] });
    await web.remove("example.com", { body: { removeRedirects: true } });
    expect((await domainsOf(world, "other").add("example.com")).status).toBe(200);
  });

  // DO-59
  it("takes nothing but removeRedirects", async () => {
    expect((await web.remove("example.com", { body: { force: true } })).status).toBe(400);
  });
});

it("an apex tells of itself with the first of its names in the account, proved or not, and not with the next", async () => {
  const told = async (): Promise<unknown[]> =>
    (await world.control.events())
      .filter(({ type }) => type === "domain.created")
      .map(({ payload }) => (payload as { domain: { name: string } }).domain.name);
  for (const name of ["a.example.com", "b.example.com", "example.com"]) await web.add(name);
  expect(await told()).toEqual(["example.com"]);
  await web.add("a.example.org");
  await web.add("own.vercel.app");
  expect(await told()).toEqual(["example.org", "example.com"]);
});

//
it("every change of a domain shows in the project's next answer and emits its events", async () => {
  const kinds = async (): Promise<unknown[]> =>
    (await world.control.events()).map(({ type }) => type).filter((type) => String(type).includes("domain"));
  const aliases = async (): Promise<string[]> =>
    (await world.call("GET", "/v9/projects/web")).body.alias.map(({ domain }: { domain: string }) => domain);
  expect(await aliases()).toEqual(["web.vercel.app"]);

  await publish(world, await web.add("example.com"));
  expect(await kinds()).toEqual(["project.domain.unverified", "project.domain.created", "domain.created"]);
  await web.verify("example.com");
  expect(await aliases()).toEqual(["web.vercel.app", "example.com"]);
  await web.update("example.com", { gitBranch: "next" });
  expect(await aliases()).toEqual(["web.vercel.app"]);
  await web.add("b.example.com");
  expect(await aliases()).toEqual(["web.vercel.app", "b.example.com"]);
  await web.remove("b.example.com");
  expect(await aliases()).toEqual(["web.vercel.app"]);
  expect(await kinds()).toEqual([
    "project.domain.deleted",
    "project.domain.verified",
    "project.domain.created",
    "project.domain.updated",
    "project.domain.verified",
    "project.domain.unverified",
    "project.domain.created",
    "domain.created",
  ]);
});
