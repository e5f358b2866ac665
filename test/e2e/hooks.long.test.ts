import { block } from "../support/pages";
import { Workspace } from "../support/pulumi";
import { step } from "../support/step";

let world: Workspace;
beforeAll(async () => {
  world = await Workspace.start();
});
afterAll(() => world.stop());

it("the hook in the guide runs after a promotion, and its error fails the run and leaves the promotion", async () => {
  for (const id of ["dpl_1", "dpl_2"]) {
    const row = { id, team: "acme", project: "web", target: "production", readyState: "READY" };
    await world.server.control("POST", "/deployments", row);
  }
  const guide = block("docs/guides/promotion-and-rollback.md ts 2").replace(/^import .*$/gm, "");
  const declare = (deployment: string, path: string): void => {
    stack.program(
      guide.replace("https://www.example.com/health", world.server.url + path).replace("dpl_1", deployment),
    );
  };
  const production = async (): Promise<string> =>
    (await world.server.request("GET", "/v9/projects/web")).body.targets.production.id;
  const stack = await world.stack("hooks");

  await step("production answers", async () => {
    declare("dpl_1", "/_health");
    const run = await stack.up();
    expect([run.errors, await production()]).toEqual([[], "dpl_1"]);
  });
  await step("a preview runs no hook", async () => {
    declare("dpl_2", "/nothing");
    expect((await stack.preview()).errors).toEqual([]);
  });
  await step("production does not answer", async () => {
    const run = await stack.up();
    expect(run.code).not.toBe(0);
    expect(run.output).toContain("production answers 404");
    expect(await production()).toBe("dpl_2");
  });
  await step("the earlier deployment is promoted again", async () => {
    declare("dpl_1", "/_health");
    const run = await stack.up();
    expect([run.errors, await production()]).toEqual([[], "dpl_1"]);
  });
});
