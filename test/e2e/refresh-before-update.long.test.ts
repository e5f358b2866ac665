import { Workspace } from "../support/pulumi";
import { step } from "../support/step";

let world: Workspace;
beforeAll(async () => {
  world = await Workspace.start();
});
afterAll(() => world.stop());

const request = async (method: string, path: string, body?: object) =>
  (await world.server.request(method, path, body)).body;

it("slipway:refreshBeforeUpdate corrects drift of a promotion and of sensitive variables without --refresh", async () => {
  for (const id of ["dpl_live", "dpl_other"]) {
    const row = { id, team: "acme", project: "web", target: "production", readyState: "READY" };
    await world.server.control("POST", "/deployments", row);
  }
  const project = `project: "${"$"}{web.id}"`;
  const stack = await world.yaml(
    "refreshed",
    `resources:
  web: { type: slipway:Project, properties: { name: web } }
  live: { type: slipway:Promotion, properties: { ${project}, deployment: dpl_live } }
  secret: { type: slipway:EnvVar, properties: { ${project}, key: SECRET, value: canary-1, type: sensitive, target: [production] } }
  plain: { type: slipway:EnvVar, properties: { ${project}, key: PLAIN, value: canary-2, type: plain, target: [preview] } }
  many: { type: slipway:EnvVars, properties: { ${project}, type: sensitive, target: [production], variables: { MANY: canary-3 } } }
`,
  );
  const changed = async (env: Record<string, string>): Promise<string[]> => {
    const run = await stack.up({ env, preview: true });
    expect(run.errors).toEqual([]);
    return run.steps.filter(({ op }) => op === "update").map(({ name }) => name);
  };
  const drift = async (): Promise<void> => {
    await world.server.control("POST", "/clock", { advanceMs: 1000 });
    const { id } = await request("GET", "/v9/projects/web");
    const { envs }: { envs: { id: string; key: string }[] } = await request("GET", "/v9/projects/web/env");
    for (const one of envs) {
      const body = { value: `canary-drift-${one.key}` };
      expect(await request("PATCH", `/v9/projects/web/env/${one.id}`, body)).toMatchObject({ id: one.id });
    }
    await request("POST", `/v10/projects/${id}/promote/dpl_other`);
    // On the profile `hosted`, a promotion takes two seconds.
    await world.server.control("POST", "/clock", { advanceMs: 2000 });
    expect(await production()).toBe("dpl_other");
  };
  const production = async (): Promise<string> =>
    (await request("GET", "/v9/projects/web")).targets.production.id;
  const on = { SLIPWAY_REFRESH_BEFORE_UPDATE: "true" };

  await step("without the setting, an update leaves drift alone", async () => {
    expect((await stack.up()).errors).toEqual([]);
    await drift();
    expect(await changed({})).toEqual([]);
    expect(await production()).toBe("dpl_other");
  });
  await step("after a refresh with the setting, previews and updates correct it", async () => {
    expect((await stack.up({ args: ["--refresh"], env: on })).errors).toEqual([]);
    expect(await production()).toBe("dpl_live");
    await drift();
    const planned = await stack.preview({ env: on });
    expect(planned.steps.filter(({ op }) => op === "update").map(({ name }) => name)).toEqual(
      expect.arrayContaining(["live", "secret", "many"]),
    );
    expect((await changed(on)).sort()).toEqual(["live", "many", "secret"]);
    expect(await production()).toBe("dpl_live");
    expect(await changed(on)).toEqual([]);
  });
  await step("another value is refused", async () => {
    const run = await stack.preview({ env: { SLIPWAY_REFRESH_BEFORE_UPDATE: "yes" } });
    expect(run.output).toContain("must be one of true, false");
  });
});
