import { type Run, Workspace } from "../support/pulumi";
import { someHosts } from "../support/slices";

let world: Workspace;
beforeAll(async () => {
  world = await Workspace.start();
});
afterAll(() => world.stop());

const reference = (output: string): string => `\${${output}}`;

/** The warnings of a run about production, in the summary at its end. */
function warningsOf({ code, output }: Run): string[] {
  if (code !== 0) throw new Error(output);
  const summary = output.slice(output.lastIndexOf("Diagnostics:"));
  return [...summary.matchAll(/warning: (Production of .*)/g)].map(([, text]) => text ?? "");
}

it.each(someHosts(["dynamic", "plugin"] as const))(
  "the %s host warns once per run until production has the last change of a variable",
  async (host) => {
    const project = `${host}-web`;
    const source = `dpl_${host}source`;
    const deploy = (id: string, target: string) =>
      world.server.control("POST", "/deployments", {
        id,
        team: "acme",
        project,
        target,
        readyState: "READY",
      });
    await deploy(source, "preview");
    const built = { redeploy: source, target: "production" };
    const stack = host === "plugin" ? await world.yaml(host, "") : await world.stack(host);
    const declare = (value: string, deploys = false): void => {
      const variable = { key: "API_KEY", value, target: ["production"] };
      if (host === "plugin") {
        const project = reference("web.id");
        const resources = {
          web: { type: "slipway:Project", properties: { name: `${host}-web` } },
          key: { type: "slipway:EnvVar", properties: { project, ...variable } },
          other: { type: "slipway:EnvVar", properties: { project, ...variable, key: "OTHER" } },
          built: {
            type: "slipway:Deployment",
            properties: { project, ...built, triggers: [reference("key.revision")] },
          },
        };
        stack.yaml(`resources: ${JSON.stringify(deploys ? resources : { ...resources, built: undefined })}`);
        return;
      }
      const deployment = `new Deployment("built", { project: web.id, ...${JSON.stringify(built)}, triggers: [key.revision] });`;
      stack.program(`
        const web = new Project("web", { name: ${JSON.stringify(project)} });
        const key = new EnvVar("key", { project: web.id, ...${JSON.stringify(variable)} });
        new EnvVar("other", { project: web.id, ...${JSON.stringify({ ...variable, key: "OTHER" })} });
        ${deploys ? deployment : ""}
      `);
    };
    declare("canary-1");
    expect(warningsOf(await stack.up())).toEqual([]);
    await deploy(`dpl_${host}`, "production");
    await world.server.control("POST", "/clock", { advanceMs: 1_000 });

    declare("canary-2");
    const warned = [
      expect.stringMatching(
        RegExp(
          `^Production of the project ${project} serves the deployment dpl_${host}, .* change of API_KEY and OTHER: `,
        ),
      ),
    ];
    expect(warningsOf(await stack.preview())).toEqual(warned);
    expect(warningsOf(await stack.up())).toEqual(warned);
    // An unchanged variable costs no request.
    expect(warningsOf(await stack.up())).toEqual([]);
    expect(warningsOf(await stack.refresh())).toEqual(warned);

    declare("canary-2", true);
    expect(warningsOf(await stack.preview({ args: ["--refresh"] }))).toEqual([]);
    expect(warningsOf(await stack.up())).toEqual([]);
    declare("canary-3", true);
    expect(warningsOf(await stack.preview())).toEqual([]);
    expect(warningsOf(await stack.up())).toEqual([]);
    expect(warningsOf(await stack.refresh())).toEqual([]);
  },
);
