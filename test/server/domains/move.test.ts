import { beginTransfer } from "../../support/variables";
import { useTestServer } from "../../support/world";

const world = useTestServer();
const name = "www.example.com";

beforeEach(() =>
  world.seed({
    projects: ["web", "docs"].map((one) => ({ id: `prj_${one}`, team: "acme", name: one })),
    environments: [{ id: "env_staging", team: "acme", project: "web", slug: "staging" }],
    domains: [
      { team: "acme", project: "web", name, verified: true, customEnvironmentId: "env_staging" },
      { team: "acme", project: "web", name: "example.com", verified: true },
      { team: "acme", project: "web", name: "old.example.com", redirect: "example.com" },
    ],
  }),
);

const move = async (body: object = {}, domain = name, project = "web") => {
  const path = `/v1/projects/${project}/domains/${domain}/move`;
  const answer = await world.call("POST", path, { body: { projectId: "prj_docs", ...body } });
  return [answer.status, answer.body.error?.code ?? answer.body] as const;
};
const names = async (project: string) =>
  (await world.call("GET", `/v9/projects/${project}/domains`)).body.domains
    .map((one: { name: string }) => one.name)
    .sort();

it("moves a verified domain, which then serves production of the other project", async () => {
  const [status, body] = await move();
  expect([status, body]).toMatchObject([
    200,
    { name, projectId: "prj_docs", verified: true, gitBranch: null },
  ]);
  expect(body).not.toHaveProperty("customEnvironmentId", "env_staging");
  expect(await names("web")).not.toContain(name);
  expect(await names("docs")).toContain(name);
  const events = (await world.control.events())
    .map(({ type }) => String(type))
    .filter((type) => /domain/.test(type));
  expect([...events].sort()).toEqual(
    ["created", "deleted", "verified"].map((what) => `project.domain.${what}`),
  );
});

it("gives the domain the branch or the redirect of the request", async () => {
  expect(await move({ gitBranch: "next" })).toMatchObject([200, { gitBranch: "next" }]);
  expect(
    await move({ redirect: "docs.vercel.app", redirectStatusCode: 308 }, "old.example.com"),
  ).toMatchObject([200, { redirect: "docs.vercel.app", redirectStatusCode: 308 }]);
});

it.each([
  ["the project itself", { projectId: "prj_web" }, name, 400, "existing_project_domain"],
  ["an unknown project", { projectId: "prj_none" }, name, 404, "not_found"],
  ["an unknown domain", {}, "none.example.com", 404, "not_found"],
  ["the default domain", {}, "web.vercel.app", 400, "bad_request"],
  ["the target of a redirect", {}, "example.com", 409, "domain_is_redirect"],
  ["a branch and a redirect", { gitBranch: "next", redirect: "docs.vercel.app" }, name, 400, "bad_request"],
  ["a redirect to a domain of the old project", { redirect: "example.com" }, name, 400, "bad_request"],
  ["an unknown member", { other: 1 }, name, 400, "bad_request"],
] as const)("refuses %s", async (_, body, domain, status, code) => {
  expect(await move(body, domain)).toEqual([status, code]);
  expect(await names("web")).toContain(name);
});

it.each(["web", "docs"])("refuses a domain while %s is being transferred", async (project) => {
  await beginTransfer(world, project);
  expect(await move()).toEqual([409, "conflict"]);
});

it("refuses a project with fifty domains on the free plan", async () => {
  await world.control.changeTeam("acme", { plan: "hobby" });
  const domains = Array.from({ length: 50 }, (_, at) => ({
    ...{ team: "acme", project: "docs", name: `d${at}.example.com` },
  }));
  await world.seed({ domains });
  expect(await move()).toEqual([400, "bad_request"]);
});
