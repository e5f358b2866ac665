import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Stack, type StateResource, Workspace } from "../support/pulumi";
import { golden, program } from "./golden/server";

/**
 * A state that an earlier version left. It stays as it is: a later version has to go on with it.
 * Another one is written by `SLIPWAY_TEST_GOLDEN=1`, when there is a new kind of input.
 */
const file = join(__dirname, "golden/state.json");

interface Export {
  deployment: { resources: StateResource[] };
}

let world: Workspace;
let stack: Stack;
beforeAll(async () => {
  // As after an upgrade: variables that gave no type keep what they have.
  delete process.env.SLIPWAY_DEFAULT_VARIABLE_TYPE;
  if (process.env.SLIPWAY_TEST_GOLDEN) await write();
  world = await Workspace.start({ ...golden });
  stack = await world.stack("golden", program);
});
afterAll(() => world.stop());

const read = (): Export => JSON.parse(readFileSync(file, "utf8"));

it("the state of an earlier version has every type, and no secret in clear", () => {
  const types = new Set(read().deployment.resources.map(({ type }) => type.split(":").at(-1)));
  expect([...types].sort()).toEqual([
    "DomainVerification",
    "EnvVar",
    "EnvVars",
    "Project",
    "ProjectDomain",
    "Promotion",
    "Site",
    "Stack",
    "pulumi-nodejs",
  ]);
  expect(readFileSync(file, "utf8")).not.toMatch(/canary|gggg|\.\.\/|\/home/);
});

it("the state of an earlier version plans no change, and keeps its keys", async () => {
  const before = read();
  await take(before);
  await restore();
  const begun = (await writes()).length;
  const planned = await stack.preview({ args: ["--refresh", "--expect-no-changes"] });
  expect(planned).toMatchObject({ code: 0, errors: [] });
  expect((await stack.refresh()).errors).toEqual([]);
  const expected = resourcesOf(before).map((one) => ({
    ...one,
    outputs: { ...one.outputs, ...toldSince(one) },
  }));
  expect((await stack.resources()).map(known)).toEqual(expected.map(known));
  expect((await stack.up()).steps).toEqual([]);
  expect((await writes()).slice(begun)).toEqual([]);
});

/** The requests so far that are not reads. */
async function writes(): Promise<string[]> {
  const { body } = await world.server.control("GET", "/requests?limit=100");
  const { requests } = body as { requests: { method: string; path: string }[] };
  expect(requests.length).toBeLessThan(100);
  return requests
    .filter(({ method }) => method !== "GET")
    .map(({ method, path }) => `${method} ${path}`)
    .toReversed();
}

it("a state with a renamed key plans an update", async () => {
  const before = read();
  const variable = before.deployment.resources.find(({ urn }) => urn.endsWith("::plain"));
  const { target, ...outputs } = variable?.outputs ?? {};
  Object.assign(variable ?? {}, { outputs: { ...outputs, targets: target } });
  await take(before);
  expect((await stack.preview()).steps).toEqual([expect.objectContaining({ op: "update", name: "plain" })]);
});

async function write(): Promise<void> {
  const world = await Workspace.start({ ...golden });
  const stack = await world.stack("golden", program);
  const { errors } = await stack.up();
  expect(errors).toEqual([]);
  // Where the program stood is of that machine.
  const drop = (key: string, value: unknown) =>
    /^(sourcePosition|stackTrace)$/.test(key) ? undefined : value;
  const state: unknown = JSON.parse(await stack.exportText(), drop);
  writeFileSync(file, `${JSON.stringify(state, null, 2)}\n`);
  await world.stop();
}

/** Imports a state. Its variables were last written when the server says. */
async function take({ deployment, ...rest }: Export): Promise<void> {
  const times = new Map<string, number>();
  for (const { id } of golden.projects) {
    const { body } = await world.server.request("GET", `/v9/projects/${id}/env`);
    for (const one of body.envs) times.set(one.id, one.updatedAt);
  }
  const resources = deployment.resources.map((one) => {
    const { outputs } = one;
    const updatedAt = times.get(one.id?.split("/")[1] ?? "");
    if (updatedAt !== undefined) return { ...one, outputs: { ...outputs, updatedAt } };
    if (!one.type.endsWith(":EnvVars")) return one;
    const records = Object.entries(outputs.records as Record<string, { id: string }>).map(([key, { id }]) => {
      return [key, { id, updatedAt: times.get(id) }];
    });
    return { ...one, outputs: { ...outputs, records: Object.fromEntries(records) } };
  });
  stack.file("state.json", JSON.stringify({ ...rest, deployment: { ...deployment, resources } }));
  const { code, output } = await stack.cli(["stack", "import", "--file", "state.json", "--force"]);
  if (code !== 0) throw new Error(output);
}

/** Brings about what no seed can: it is in the state. */
async function restore(): Promise<void> {
  const { stdout } = await stack.cli(["stack", "export", "--show-secrets"], {}, false);
  const web = resourcesOf(JSON.parse(stdout)).filter(
    ({ id, type }) => id === "prj_golden_web" && type.endsWith(":Project"),
  );
  // Secret as a whole: as JSON text.
  const secrets = web.flatMap(({ outputs }) => {
    const { plaintext } = outputs.bypassSecrets as { plaintext: string };
    return Object.values(JSON.parse(plaintext));
  });
  const requests: [path: string, body: object][] = [
    ["/v1/data-cache/projects/prj_golden_web", { disabled: true }],
    ...secrets.map((secret): [string, object] => [
      "/v1/projects/prj_golden_web/protection-bypass",
      { generate: { secret } },
    ]),
  ];
  for (const [path, body] of requests) {
    expect(await world.server.request("PATCH", path, body)).toMatchObject({ status: 200 });
  }
}

const resourcesOf = ({ deployment }: Export): StateResource[] =>
  deployment.resources.filter(({ type }) => !type.startsWith("pulumi:"));

/** The outputs that versions after that of the state tell too, and nothing else. */
const toldSince = ({ type, outputs }: StateResource): object => {
  if (type.endsWith(":Project")) return { deployHookUrls: {} };
  return type.endsWith(":Promotion") ? { promoted: outputs.deployment } : {};
};

/** A resource without what differs from server to server, and how its secrets were encrypted. */
function known({ urn, type, id, inputs = {}, outputs = {} }: StateResource): object {
  // Earlier versions did not record what the service has of inputs that are not given.
  const masked = ({ computed: _, ...values }: { computed?: unknown }): unknown =>
    JSON.parse(JSON.stringify(values), (key, value) =>
      /^(ciphertext|at|updatedAt)$/.test(key) ? typeof value : value,
    );
  const name = urn.split("::").at(-1);
  return { type, name, id, inputs: masked(inputs), outputs: masked(outputs) };
}
