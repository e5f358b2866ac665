import { takenApexes } from "../support/domains";
import { Workspace } from "../support/pulumi";

let world: Workspace;
beforeAll(async () => {
  world = await Workspace.start();
  await world.server.control("POST", "/seed", takenApexes("example.com"));
});
afterAll(() => world.stop());

it("the first interrupt ends a long wait, keeps partial work, and the next run continues", async () => {
  const stack = await world.stack("web");
  stack.program(`
    const web = new Project("web");
    const apex = new ProjectDomain("apex", { project: web.id, name: "example.com" });
    new DomainVerification("proof", { project: web.id, name: apex.name });
    export const challenge = apex.verification;
  `);
  let isInterrupted = false;
  const run = await stack.cli(["up", "--yes", "--skip-preview"], {}, true, (child) => {
    const look = (text: string): void => {
      if (isInterrupted || !text.includes("example.com is not verified yet")) return;
      isInterrupted = true;
      child.kill("SIGINT");
    };
    child.stdout?.on("data", (data) => look(String(data)));
    child.stderr?.on("data", (data) => look(String(data)));
  });
  expect(run.output).toContain("The run was cancelled.");
  expect(run.code).not.toBe(0);
  const kept = (await stack.resources()).filter(({ type }) => type.includes("slipway"));
  expect(kept.map(({ outputs }) => outputs.verified)).toEqual([undefined, false, false]);

  const [{ domain, value }] = (await stack.outputs()).challenge;
  await world.server.control("PUT", `/dns/${domain}`, { type: "TXT", values: [value] });
  expect((await stack.up()).errors).toEqual([]);
});
