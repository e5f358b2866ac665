import { type Stack, Workspace } from "../support/pulumi";
import { inFull, isLong, stepInFull } from "../support/slices";
import { step } from "../support/step";

let world: Workspace;
let stack: Stack;
beforeEach(async () => {
  world = await Workspace.start({});
  stack = await world.stack("adoption");
});
afterEach(() => world.stop());

const web = `const web = new Project("web");`;
const inputs = `project: web.id, key: "K", value: "canary-value"`;
/** The one variable of the project, by its id. */
const variable = async (): Promise<{ id: string; target: string[] }[]> =>
  (await world.server.request("GET", "/v9/projects/web/env")).body.envs;

it("the dynamic provider adopts objects that no resource of the stack has, and no others", async () => {
  await step(
    "an object of the stack is refused to another provider, and where two resources declare it",
    async () => {
      stack.program(`${web} new EnvVar("old", { ${inputs}, target: ["production", "preview"] });`);
      expect((await stack.up()).errors).toEqual([]);
      const before = await variable();

      // Which of the two is checked first depends on the engine.
      const belongs = expect.stringMatching(
        /belongs to EnvVar "old", which has another provider|EnvVar "old" and EnvVar "new" both declare|EnvVar "new" and EnvVar "old" both declare/,
      );
      const adopting = `${inputs}, adopt: true`;
      const old = `new EnvVar("old", { ${inputs}, target: ["production", "preview"] });`;
      const attempts: [program: string, args: string[]][] = [
        // The old one leaves the program.
        [
          `new EnvVar("new", { ${adopting}, target: ["production", "preview"] }, { provider: new Provider("own", { team: "acme" }) });`,
          [],
        ],
        // The old one stays.
        [`${old} new EnvVar("new", { ${adopting}, target: ["preview"] });`, []],
      ];
      for (const [program, args] of isLong ? attempts : attempts.slice(-1)) {
        stack.program(`${web} ${program}`);
        const planned = await stack.preview({ args });
        expect([program, planned.code]).not.toEqual([program, 0]);
        expect(planned.errors).toContainEqual(belongs);
      }
      if (!isLong) return;
      // Nor where nobody looked at a plan.
      stack.program(`${web} ${attempts[0]?.[0]}`);
      const run = await stack.up();
      expect(run.code).not.toBe(0);
      expect(run.errors).toContainEqual(belongs);
      expect(await variable()).toEqual(before);

      // An alias is the way: nothing happens at the service.
      stack.program(
        `${web} new EnvVar("new", { ${inputs}, target: ["production", "preview"] }, { aliases: [{ name: "old" }] });`,
      );
      expect((await stack.up()).errors).toEqual([]);
      expect(await variable()).toEqual(before);
      expect((await stack.preview({ args: ["--refresh", "--expect-no-changes"] })).code).toBe(0);
    },
  );

  await stepInFull("the key of a resource that leaves the program moves, with adopt too", async () => {
    for (const program of [
      `new EnvVars("many", { project: web.id, variables: { K: "canary-value" }, target: ["production", "preview"], adopt: true });`,
      `new EnvVar("new", { ${inputs}, target: ["production", "preview"], adopt: true });`,
    ]) {
      stack.program(`${web} ${program}`);
      expect((await stack.up()).errors).toEqual([]);
      expect(await variable()).toEqual([expect.objectContaining({ key: "K" })]);
    }
  });

  await step(
    "an object that was removed from the state is adopted by a resource of another type",
    async () => {
      const [before] = await variable();
      const held = (await stack.resources()).find(({ urn }) => /::(old|new)$/.test(urn));
      const { code } = await stack.cli(["state", "delete", held?.urn ?? "", "--yes"]);
      expect(code).toBe(0);
      stack.program(
        `${web} new EnvVars("many", { project: web.id, variables: { K: "canary-value" }, target: ["production", "preview"], adopt: true });`,
      );
      expect((await stack.up()).errors).toEqual([]);
      expect(await variable()).toEqual([expect.objectContaining({ id: before?.id })]);
      expect((await stack.preview({ args: ["--refresh", "--expect-no-changes"] })).code).toBe(0);
    },
  );
}, 300_000);

inFull("the dynamic provider leaves ignored inputs alone when it adopts", async () => {
  await world.server.request("POST", "/v10/projects", { name: "web" });
  const live = { key: "K", value: "canary-live", type: "plain", target: ["production"] };
  await world.server.request("POST", "/v9/projects/web/env", live);
  const declared = `project: "web", key: "K", value: "placeholder", target: ["production"], adopt: true`;
  const program = (comment: string): void =>
    stack.program(`new EnvVar("own", { ${declared}, comment: "${comment}" }, { ignoreChanges: ["value"] });`);
  for (const comment of ["why", "new"]) {
    program(comment);
    expect((await stack.up()).errors).toEqual([]);
    expect(await variable()).toEqual([expect.objectContaining({ value: "canary-live", comment })]);
    expect((await stack.preview({ args: ["--refresh", "--expect-no-changes"] })).code).toBe(0);
  }
});
