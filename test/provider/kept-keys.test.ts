import type { Plain } from "../../provider/core/values";
import { dnsRecord } from "../../provider/resources/dns-record";
import { edgeConfigItem } from "../../provider/resources/edge-config-item";
import { envVar } from "../../provider/resources/env-var";
import { given } from "./operations";
import { type Harness, recordStack, type Stack, startHarness } from "./stack";

/** A resource that the program does not declare, and that the run keeps, also keeps its object as it is. */

let w: Harness;
let owner: Stack;
let heir: Stack;
beforeAll(async () => {
  w = await startHarness();
});
beforeEach(async () => {
  await w.server.control.reset();
  await w.server.control.seed(given);
  const client = w.another();
  [owner, heir] = [w.stack(envVar, "owner"), w.stack(envVar, "heir")];
  for (const stack of [owner, heir]) stack.use(client);
});
afterAll(() => w.close());

const variable = (key: string) => ({ project: "web", key, value: `canary ${key}`, target: ["production"] });

/** A run of the program in which only the heir is declared. */
function runWith(keptBy: "protect" | "retainOnDelete" | undefined, leftOut: readonly string[] = []): void {
  const client = w.another();
  for (const stack of [owner, heir]) stack.use(client);
  const stacks = [owner, heir].filter(({ id }) => id !== "");
  recordStack(
    stacks.map(({ type, name, state }) => ({
      ...{ type, name, outputs: state },
      ...(name === "owner" && keptBy && { keptBy }),
    })),
    [],
    undefined,
    leftOut,
  );
}

async function keys(): Promise<unknown[]> {
  const { envs } = (await w.curl("GET", "/v9/projects/web/env")) as unknown as { envs: Plain[] };
  return envs.map(({ key }) => key).sort();
}

const options = [
  ["protect", /"owner" of this stack, which this run keeps \(protect\)\. Unprotect EnvVar "owner" first/],
  ["retainOnDelete", /keeps \(retainOnDelete\)\. First run the program without the new resource/],
  ["--target", /keeps \(--target\)\. Give the run EnvVar "owner" as a target too/],
] as const;
const kept = (option: (typeof options)[number][0]): void =>
  option === "--target" ? runWith(undefined, ["owner"]) : runWith(option);

describe.each(options)("a variable that %s keeps", (option, message) => {
  /** The engine itself refuses a program without a protected resource, so the preview of the provider does not. */
  const previewed = (inputs: Plain): Promise<unknown> =>
    option === "protect"
      ? heir.preview(inputs as never)
      : expect(heir.preview(inputs as never)).rejects.toThrow(message);

  it("does not lose its key to a new resource, at preview and in the run", async () => {
    await owner.up(variable("A"));
    kept(option);
    await previewed(variable("A"));
    kept(option);
    await expect(heir.up({ ...variable("A"), adopt: true })).rejects.toThrow(message);
    expect(await keys()).toEqual(["A"]);
  });

  it("does not lose its key to an update", async () => {
    await owner.up(variable("A"));
    await heir.up(variable("B"));
    kept(option);
    await previewed(variable("A"));
    kept(option);
    await expect(heir.up(variable("A"))).rejects.toThrow(message);
    expect(await keys()).toEqual(["A", "B"]);
  });

  it("gives its key away if the program declares it with another one, whichever comes first", async () => {
    await owner.up(variable("A"));
    await heir.up(variable("B"));
    kept(option);
    await Promise.all([heir.preview(variable("A")), owner.preview(variable("B"))]);
    kept(option);
    await Promise.all([heir.up(variable("A")), owner.up(variable("B"))]);
    expect(await keys()).toEqual(["A", "B"]);
    expect([heir.state.key, owner.state.key]).toEqual(["A", "B"]);
  });
});

it("a variable keeps its key if the engine checks its resource after the step of another one has begun", async () => {
  await owner.up(variable("A"));
  runWith(undefined);
  const taken = heir.up({ ...variable("A"), adopt: true });
  const checked = new Promise((done) => setTimeout(done, 300)).then(() => owner.preview(variable("A")));
  await expect(Promise.all([taken.catch((error) => Promise.reject(error)), checked])).rejects.toThrow(
    /both declare the variable A\/production/,
  );
  await Promise.allSettled([taken, checked]);
  expect(await keys()).toEqual(["A"]);
  expect(await w.curl("GET", `/v1/projects/web/env/${owner.id.split("/")[1]}`)).toMatchObject({ key: "A" });
});

it("a variable that its replacement keeps with retainOnDelete does not lose its key", async () => {
  await owner.up({ ...variable("A"), type: "sensitive" });
  await heir.up(variable("B"));
  const readable = { ...variable("C"), type: "encrypted" };
  for (const step of ["preview", "up"] as const) {
    runWith("retainOnDelete");
    await owner.preview(readable);
    await expect(heir[step](variable("A"))).rejects.toThrow(/keeps \(retainOnDelete\)/);
  }
  expect(await keys()).toEqual(["A", "B"]);
});

it("a variable that its replacement has kept does not lose its key when the state no longer has it", async () => {
  await owner.up({ ...variable("A"), type: "sensitive" });
  await heir.up(variable("B"));
  runWith("retainOnDelete");
  await owner.preview({ ...variable("C"), type: "encrypted" });
  recordStack([{ type: heir.type, name: "heir", outputs: heir.state }]);
  await expect(heir.up(variable("A"))).rejects.toThrow(/keeps \(retainOnDelete\)/);
  expect(await keys()).toEqual(["A", "B"]);
});

it("an Edge Config item that retainOnDelete keeps does not get the value of a new resource", async () => {
  const { id } = (await w.curl("POST", "/v1/edge-config", { slug: "kept", items: {} })) as unknown as {
    id: string;
  };
  const item = (value: string) => ({ edgeConfigId: id, key: "banner", value });
  [owner, heir] = [w.stack(edgeConfigItem, "owner"), w.stack(edgeConfigItem, "heir")];
  const client = w.another();
  for (const stack of [owner, heir]) stack.use(client);
  await owner.up(item("old"));
  runWith("retainOnDelete");
  await expect(heir.up(item("new"))).rejects.toThrow(/keeps \(retainOnDelete\)/);
  expect(await w.curl("GET", `/v1/edge-config/${id}/item/banner`)).toMatchObject({ value: "old" });
});

it("a record that --target leaves out is not taken over by a record that gets its name", async () => {
  await w.curl("POST", "/v10/projects/web/domains", { name: "example.org" });
  const record = (name: string) => ({ domain: "example.org", name, type: "TXT", value: "v" });
  [owner, heir] = [w.stack(dnsRecord, "owner"), w.stack(dnsRecord, "heir")];
  const client = w.another();
  for (const stack of [owner, heir]) stack.use(client);
  await owner.up(record("a"));
  await heir.up(record("b"));
  const ids = [owner.state.recordId, heir.state.recordId];
  for (const step of [() => heir.preview(record("a")), () => heir.up(record("a"))]) {
    runWith(undefined, ["owner"]);
    await expect(step()).rejects.toThrow(
      /keeps \(--target\)\. Give the run DnsRecord "owner" as a target too/,
    );
  }
  expect([owner.state.recordId, heir.state.recordId]).toEqual(ids);
});

it("names only the keys that exist in a refusal", async () => {
  const { project: _, ...body } = variable("A");
  await w.curl("POST", "/v10/projects/web/env", { ...body, type: "plain" });
  await expect(heir.preview({ ...variable("A"), target: ["production", "preview"] })).rejects.toThrow(
    /^The variable A\/production already exists/,
  );
});
