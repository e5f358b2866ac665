import { canary, type Stack, Workspace } from "../support/pulumi";
import { Rehearsals } from "../support/rehearsal";
import { step } from "../support/step";

let world: Workspace;
let rehearsals: Rehearsals;
beforeAll(async () => {
  world = await Workspace.start();
  rehearsals = await Rehearsals.of(world);
});
afterAll(async () => {
  await rehearsals.close();
  await world.stop();
});

const yaml = (name: string, file: string): string => `resources:
  web: { type: slipway:Project, properties: { name: ${name} } }
  single:
    type: slipway:EnvVar
    properties: { project: "\${web.id}", key: SINGLE, valueFrom: { environment: VALUE }, target: [production] }
  many:
    type: slipway:EnvVars
    properties:
      project: "\${web.id}"
      type: encrypted
      variables: { MANY: { valueFrom: { environment: VALUE } }, FILE: { valueFrom: { file: ${file} } }, OTHER: text }
  shared:
    type: slipway:SharedEnvVar
    properties: { key: SHARED_${name}, valueFrom: { environment: VALUE }, target: [preview], type: encrypted }
`;

const typescript = (name: string, file: string): string => `
  import { SharedEnvVar } from "slipway";
  const web = new Project("web", { name: "${name}" });
  const valueFrom = { environment: "VALUE" };
  new EnvVar("single", { project: web.id, key: "SINGLE", valueFrom, target: ["production"] });
  new EnvVars("many", {
    project: web.id, type: "encrypted",
    variables: { MANY: { valueFrom }, FILE: { valueFrom: { file: "${file}" } }, OTHER: "text" },
  });
  new SharedEnvVar("shared", { key: "SHARED_${name}", valueFrom, target: ["preview"], type: "encrypted" });
`;

/** The readable values that came from a source. */
async function values(name: string): Promise<string[]> {
  const { envs } = (await world.server.request("GET", `/v9/projects/${name}/env`)).body;
  const readable = (envs as { id: string; key: string }[]).filter(({ key }) => /MANY|FILE/.test(key));
  const all = await Promise.all(
    readable.map(({ id }) => world.server.request("GET", `/v1/projects/${name}/env/${id}`)),
  );
  return all.map(({ body }) => body.value).sort();
}

it.each([
  ["dynamic", "the dynamic provider", typescript],
  ["plugin", "the plugin", yaml],
] as const)("values of the environment are in no state (%s)", async (name, _, program) => {
  const [first, second] = [`${canary}-${name}-first`, `${canary}-${name}-second`];
  const text = program(name, "value.txt");
  const stack: Stack = name === "plugin" ? await world.yaml(name, text) : await world.stack(name, text);
  stack.file("value.txt", `${canary}-${name}-file\n`);
  const secrets = [first, second, `${canary}-${name}-file`];
  const expectNone = async (): Promise<void> => {
    const shown = (await stack.cli(["stack", "export", "--show-secrets"], {}, false)).stdout;
    for (const secret of secrets) expect(shown).not.toContain(secret);
    expect(world.leaks(...secrets)).toEqual([]);
  };

  await step("they are created, and nothing changes in a second run", async () => {
    expect((await stack.up({ env: { VALUE: first } })).errors).toEqual([]);
    expect(await values(name)).toEqual([`${canary}-${name}-file`, first]);
    const again = await stack.preview({ env: { VALUE: first }, args: ["--refresh", "--expect-no-changes"] });
    expect(again.errors).toEqual([]);
    expect(again.code).toBe(0);
    await expectNone();
  });

  await step("a rehearsal tells of a changed value, and of nothing else", async () => {
    const same = await rehearsals.rehearse(stack, { env: { VALUE: first } });
    expect(same.report.changes).toEqual([]);
    const { report } = await rehearsals.rehearse(stack, { env: { VALUE: second } });
    const names = report.changes.map(({ effect, name: changed }) => `${effect} ${changed.split(" ")[0]}`);
    expect(names.sort()).toEqual(["change MANY", `change SHARED_${name}`, "change SINGLE"]);
    await expectNone();
  });

  await step("a preview shows a changed value, and the update writes it", async () => {
    const planned = await stack.preview({ env: { VALUE: second }, args: ["--diff"] });
    expect(planned.errors).toEqual([]);
    expect(planned.output).toMatch(/valueFrom|variables/);
    expect((await stack.up({ env: { VALUE: second }, args: ["--diff"] })).errors).toEqual([]);
    expect(await values(name)).toEqual([`${canary}-${name}-file`, second]);
    await expectNone();
  });

  await step(
    "without the value, a preview says what is missing, and a refresh and a destroy go on",
    async () => {
      const missing = await stack.preview();
      expect(missing.errors.join("\n")).toMatch(/the environment variable VALUE is not set/);
      expect((await stack.refresh()).errors).toEqual([]);
      expect((await stack.destroy()).errors).toEqual([]);
      expect(world.leaks(...secrets)).toEqual([]);
    },
  );
});
