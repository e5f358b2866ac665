import type { Answered } from "../client";
import type { Contract } from "../contract";

const secret = "p".repeat(32);

/** A project that has something in every member that can have something, and what each client makes of it. */
/** A build for production that production does not serve. */
const staged = (project: string) =>
  ({ team: "acme", project, target: "production", readySubstate: "STAGED" }) as const;

export function populatedCalls(contract: Contract): void {
  async function populate(): Promise<Answered> {
    const { client, server } = contract;
    const project = await contract.project({
      framework: "nextjs",
      gitRepository: { type: "github", repo: "acme/web" },
    });
    const { id, name } = project;
    const owner = { team: "acme", project: name };
    const built = { ...owner, target: "production", readyState: "READY", gitBranch: "main" } as const;
    const [first = "", second = ""] = await server.control.deploy(
      { ...built, gitSha: "a1b2c3d", creator: "dev", meta: { note: "one" } },
      { ...built, createdAt: 1 },
      { ...owner, target: "preview", readyState: "BUILDING", creator: "dev" },
      { ...owner, target: "preview", readyState: "CANCELED", creator: "dev" },
    );
    await server.control.seed({
      domains: [
        { ...owner, name: `${name}.com`, verified: true },
        {
          ...owner,
          name: `www.${name}.com`,
          verified: true,
          redirect: `${name}.com`,
          redirectStatusCode: 308,
        },
        { ...owner, name: `next.${name}.com`, verified: true, gitBranch: "next" },
        { ...owner, name: `${name}.org`, verified: false },
      ],
      env: [
        { ...owner, key: "PLAIN", value: "1", type: "plain", target: ["preview"], comment: "one" },
        { ...owner, key: "SECRET", value: "2", type: "secret", target: ["production"] },
        { ...owner, key: "ENCRYPTED", value: "3", type: "encrypted", target: ["production", "development"] },
        { ...owner, key: "SENSITIVE", value: "4", type: "sensitive", target: ["production"] },
        { ...owner, key: "BRANCH", value: "5", type: "plain", target: ["preview"], gitBranch: "next" },
        { ...owner, key: "VERCEL_URL", value: "", type: "system", target: ["production"] },
      ],
    });
    const environment = { slug: "staging", branchMatcher: { type: "endsWith", pattern: "-rc" } };
    await client.call("POST /v9/projects/:idOrName/custom-environments", {
      idOrName: id,
      requestBody: environment,
    });
    const bypass = { idOrName: id, requestBody: { generate: { secret } } };
    await client.call("PATCH /v1/projects/:idOrName/protection-bypass", bypass);
    for (const deploymentId of [second, first]) {
      const promote = { projectId: id, deploymentId };
      await client.call("POST /v10/projects/:projectId/promote/:deploymentId", promote);
    }
    return { id, name, first };
  }

  const populated = ({ id, name, first }: Answered) => ({
    id,
    name,
    framework: "nextjs",
    live: true,
    link: { type: "github", org: "acme", repo: "web" },
    protectionBypass: { [secret]: { scope: "automation-bypass" } },
    targets: { production: { id: first, alias: expect.arrayContaining([`${name}.com`]) } },
    customEnvironments: [{}],
    env: Array(6).fill({ id: expect.any(String) }),
    latestDeployments: Array(4).fill({ id: expect.any(String) }),
  });

  contract.it("GET /v9/projects", "shows one that has everything", async (client) => {
    const project = await populate();
    const { projects } = await client.call("GET /v9/projects", { search: project.name });
    expect(projects).toMatchObject([populated(project)]);
  });

  contract.it("GET /v9/projects/:idOrName", "shows one that has everything", async () => {
    const project = await populate();
    expect(await contract.read(project)).toMatchObject(populated(project));
  });

  contract.it("PATCH /v9/projects/:idOrName", "answers one that has everything", async (client) => {
    const project = await populate();
    const request = { idOrName: project.id, requestBody: { buildCommand: "make" } };
    expect(await client.call("PATCH /v9/projects/:idOrName", request)).toMatchObject({
      ...populated(project),
      buildCommand: "make",
    });
  });

  contract.it(
    "PATCH /v1/data-cache/projects/:projectId",
    "answers one that has everything",
    async (client) => {
      const project = await populate();
      const request = { projectId: project.id, requestBody: { disabled: true } };
      const answer = await client.call("PATCH /v1/data-cache/projects/:projectId", request);
      expect(answer).toMatchObject({ ...populated(project), dataCache: { userDisabled: true } });
    },
  );

  contract.it("POST /v1/projects/:projectId/pause", "takes the names off its deployment", async (client) => {
    const project = await populate();
    await client.call("POST /v1/projects/:projectId/pause", { projectId: project.id });
    expect(await contract.read(project)).toMatchObject({
      paused: true,
      live: false,
      targets: { production: { alias: [] } },
    });
  });

  contract.it("GET /v1/projects/:projectId/promote/aliases", "shows names that failed", async (client) => {
    const { control } = contract.server;
    const { id, name } = await contract.project();
    const [deploymentId = ""] = await control.deploy(staged(name));
    await control.planPromotions({ failAliases: [`${name}.vercel.app`] });
    const promote = { projectId: id, deploymentId };
    await client.call("POST /v10/projects/:projectId/promote/:deploymentId", promote);
    await control.planPromotions({});
    const list = { projectId: id, failedOnly: true };
    await client.call("GET /v1/projects/:projectId/promote/aliases", list);
    expect(client.body.aliases).toMatchObject([{ alias: `${name}.vercel.app`, status: "failed" }]);
  });

  contract.it(
    "GET /v1/projects/:projectId/promote/aliases",
    "shows a promotion under way",
    async (client) => {
      const { control } = contract.server;
      const { id, name } = await contract.project();
      const [deploymentId = ""] = await control.deploy(staged(name));
      await control.planPromotions({ delayMs: 600_000 });
      const promote = { projectId: id, deploymentId };
      await client.call("POST /v10/projects/:projectId/promote/:deploymentId", promote);
      await control.planPromotions({});
      await client.call("GET /v1/projects/:projectId/promote/aliases", { projectId: id });
      expect(client.body.aliases).toMatchObject([
        { status: expect.stringMatching(/^(pending|in-progress)$/) },
      ]);
      const again = await client.refused("POST /v10/projects/:projectId/promote/:deploymentId", promote);
      expect(again).toEqual({ status: 409, code: "conflict" });
    },
  );
}
