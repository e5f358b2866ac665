import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Resource } from "../../provider/core/resource";
import type { Plain } from "../../provider/core/values";
import { envVar } from "../../provider/resources/env-var";
import { envVars } from "../../provider/resources/env-vars";
import { sharedEnvVar } from "../../provider/resources/shared-env-var";
import { type Harness, type Stack, startHarness } from "./stack";

/** Values that the provider reads where it runs: the state never has them, and a changed value is seen. */

const name = "SLIPWAY_TEST_VALUE";
const [first, second] = ["canary-first-value", "canary-second-value"];
const folder = mkdtempSync(join(tmpdir(), "slipway-value-"));
const file = join(folder, "value.txt");

let w: Harness;
beforeEach(async () => {
  w = await startHarness({
    seed: {
      users: [{ username: "ada", email: "ada@example.com" }],
      teams: [{ slug: "acme", members: [{ user: "ada", role: "OWNER" }] }],
      tokens: [{ user: "ada", token: "ada-token" }],
      projects: [{ team: "acme", name: "web" }],
    },
  });
  process.env[name] = first;
});
afterEach(async () => {
  delete process.env[name];
  await w.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const fromEnvironment = { environment: name };
type Form = (given: Plain) => Plain;

const single: Form = (given) => ({
  project: "web",
  key: "A",
  target: ["production"],
  type: "encrypted",
  ...given,
});
const shared: Form = (given) => ({ key: "A", target: ["production"], type: "encrypted", ...given });
const many: Form = (given) => ({
  project: "web",
  type: "encrypted",
  target: ["production"],
  variables: { A: given, B: "plain text" },
});
const secret =
  (form: Form): Form =>
  (given) => ({ ...form(given), type: "sensitive" });

/** The value of A at the service. */
const valueIn = async (isShared: boolean): Promise<unknown> => {
  if (isShared) {
    const { data } = (await w.curl("GET", "/v1/env")) as unknown as { data: { id: string; key: string }[] };
    const found = data.find(({ key }) => key === "A");
    return ((await w.curl("GET", `/v1/env/${found?.id}`)) as unknown as { value: string }).value;
  }
  const { envs } = (await w.curl("GET", "/v9/projects/web/env")) as unknown as {
    envs: { id: string; key: string }[];
  };
  const found = envs.find(({ key }) => key === "A");
  return ((await w.curl("GET", `/v1/projects/web/env/${found?.id}`)) as unknown as { value: string }).value;
};

const next = (stack: Stack): Stack => {
  stack.use(w.another());
  return stack;
};

/** Neither the state nor the inputs have a value. */
const expectNoValue = (stack: Stack): void => {
  const kept = JSON.stringify([stack.state, stack.inputs]);
  for (const value of [first, second]) expect(kept).not.toContain(value);
};

const kinds: [string, Resource, Form, boolean][] = [
  ["EnvVar", envVar as Resource, single, false],
  ["EnvVars", envVars as Resource, many, false],
  ["SharedEnvVar", sharedEnvVar as Resource, shared, true],
];

describe.each(kinds)("%s", (_, resource, form, isShared) => {
  const declared = form({ valueFrom: fromEnvironment });

  it("has a value that the state has not, and follows its changes", async () => {
    const stack = w.stack(resource, "a");
    expect(await stack.up(declared)).toBe("create");
    expectNoValue(stack);
    expect(await valueIn(isShared)).toBe(first);
    expect(await next(stack).preview(declared)).toBe("same");
    const { revision } = stack.state;

    await stack.refresh();
    expectNoValue(stack);
    expect(stack.state.revision).toBe(revision);
    expect(await stack.preview(declared)).toBe("same");

    process.env[name] = second;
    expect(await next(stack).up(declared)).toBe("update");
    expectNoValue(stack);
    expect(await valueIn(isShared)).toBe(second);
    expect(stack.state.revision).not.toBe(revision);
    expect(await next(stack).preview(declared)).toBe("same");
    await stack.destroy();
  });

  it("corrects what somebody else wrote", async () => {
    const stack = w.stack(resource, "a");
    await stack.up(declared);
    const { envs = [] } = (await w.curl("GET", "/v9/projects/web/env")) as unknown as {
      envs: { id: string; key: string }[];
    };
    if (isShared) await w.curl("PATCH", "/v1/env", { updates: { [stack.id]: { value: second } } });
    else
      await w.curl("PATCH", `/v9/projects/web/env/${envs.find(({ key }) => key === "A")?.id}`, {
        value: second,
      });
    await next(stack).refresh();
    expectNoValue(stack);
    expect(await stack.up(declared)).toBe("update");
    expect(await valueIn(isShared)).toBe(first);
    expect(await next(stack).preview(declared)).toBe("same");
  });

  it("corrects a sensitive value that somebody else wrote, and shows no other change", async () => {
    const sensitive = secret(form)({ valueFrom: fromEnvironment });
    const stack = w.stack(resource, "a");
    await stack.up(sensitive);
    await next(stack).refresh();
    expect(await stack.preview(sensitive)).toBe("same");
    const { envs = [] } = (await w.curl("GET", "/v9/projects/web/env")) as unknown as {
      envs: { id: string; key: string }[];
    };
    await new Promise((later) => setTimeout(later, 5));
    if (isShared) await w.curl("PATCH", "/v1/env", { updates: { [stack.id]: { value: second } } });
    else
      await w.curl("PATCH", `/v9/projects/web/env/${envs.find(({ key }) => key === "A")?.id}`, {
        value: second,
      });
    await next(stack).refresh();
    expect(await stack.up(sensitive)).toBe("update");
    await next(stack).refresh();
    expect(await stack.preview(sensitive)).toBe("same");
  });

  it("is seen to drift where the value cannot be read", async () => {
    const stack = w.stack(resource, "a");
    await stack.up(declared);
    await overwrite(stack, isShared);
    delete process.env[name];
    await next(stack).refresh();
    expect(await runDiff(stack, declared)).not.toEqual([]);
    process.env[name] = first;
    expect(await next(stack).up(declared)).toBe("update");
    expect(await valueIn(isShared)).toBe(first);
    expect(await next(stack).preview(declared)).toBe("same");
  });

  it("refreshes and is deleted where the value cannot be read, and is not previewed there", async () => {
    const stack = w.stack(resource, "a");
    await stack.up(declared);
    for (const value of [undefined, ""]) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
      await next(stack).refresh();
      const state = runDiff(stack, declared);
      expect(await state).toEqual([]);
      await expect(stack.preview(declared)).rejects.toThrow(
        value === undefined ? `the environment variable ${name} is not set` : `${name} is empty`,
      );
    }
    await next(stack).destroy();
  });

  it("leaves the state when a value becomes one of the environment, and the other way round", async () => {
    const stack = w.stack(resource, "a");
    await stack.up(form({ value: first }));
    const { revision } = stack.state;
    expect(JSON.stringify(stack.state)).toContain(first);
    expect(await next(stack).up(declared)).toBe("update");
    expectNoValue(stack);
    expect(stack.state.revision).toBe(revision);
    expect(await next(stack).up(form({ value: first }))).toBe("update");
    expect(stack.state.valueDigest).toBe("");
    expect(await valueIn(isShared)).toBe(first);
    expect(await next(stack).preview(form({ value: first }))).toBe("same");
  });

  it("keeps its value if the program ignores its source", async () => {
    const stack = w.stack(resource, "a");
    await stack.up(declared);
    process.env[name] = second;
    const path = resource.type === "EnvVars" ? "variables.A.valueFrom" : "valueFrom";
    const { changes } = await resource.diff(w.runOf(next(stack).client), stack.id, stack.state, declared, [
      path,
    ]);
    expect(changes).toEqual([]);
    const other =
      resource.type === "EnvVars"
        ? { ...declared, variables: { ...(declared.variables as Plain), C: "c" } }
        : { ...declared, comment: "x" };
    expect(await stack.up(other, { ignored: async () => [path] })).toBe("update");
    expect(await valueIn(isShared)).toBe(first);
    expectNoValue(stack);
    expect(await next(stack).up(declared)).toBe("update");
    expect(await valueIn(isShared)).toBe(second);
  });

  it("is read from a file", async () => {
    writeFileSync(file, `${first}\n`);
    const [binary, large] = ["binary", "large"].map((one) => join(folder, one)) as [string, string];
    writeFileSync(binary, Buffer.from([0x61, 0xff, 0xfe]));
    writeFileSync(large, "x".repeat(300_000));
    const stack = w.stack(resource, "a");
    await stack.up(form({ valueFrom: { file } }));
    expect(await valueIn(isShared)).toBe(first);
    expect(await next(stack).preview(form({ valueFrom: fromEnvironment }))).toBe("update");
    for (const [path, reason] of [
      [folder, /is not a regular file/],
      [binary, /is not text in UTF-8/],
      [large, /is too large/],
    ] as const)
      await expect(next(stack).preview(form({ valueFrom: { file: path } }))).rejects.toThrow(reason);
    await expect(next(stack).preview(form({ valueFrom: { file: join(folder, "none") } }))).rejects.toThrow(
      /the file .*none does not exist/,
    );
  });

  it.each([
    [{ valueFrom: fromEnvironment, value: "x" }, /value is declared too/],
    [{ valueFrom: {} }, /give either environment or file/],
    [{ valueFrom: { environment: name, file } }, /give either environment or file/],
    [{ valueFrom: { environment: "A=B" } }, /must be the name of an environment variable/],
  ])("refuses %j", async (given, reason) => {
    await expect(w.stack(resource, "a").preview(form(given))).rejects.toThrow(reason);
  });

  it("has no value in a state of which the outcome is unknown", async () => {
    const stack = w.stack(resource, "a");
    await stack.up(declared);
    process.env[name] = second;
    const client = w.another();
    stack.use(client);
    const send = client.send.bind(client);
    client.send = async (request) => {
      const answer = await send(request);
      if (request.method !== "GET")
        throw Object.assign(new TypeError("fetch failed"), { code: "ECONNRESET" });
      return answer;
    };
    await stack.up(declared).catch(() => {});
    expectNoValue(stack);
    await next(stack).up(declared);
    expectNoValue(stack);
    expect(await valueIn(isShared)).toBe(second);
    expect(await next(stack).preview(declared)).toBe("same");
  });
});

/** Writes another value behind the provider's back. */
async function overwrite(stack: Stack, isShared: boolean): Promise<void> {
  if (isShared) {
    await w.curl("PATCH", "/v1/env", { updates: { [stack.id]: { value: second } } });
    return;
  }
  const { envs } = (await w.curl("GET", "/v9/projects/web/env")) as unknown as {
    envs: { id: string; key: string }[];
  };
  await w.curl("PATCH", `/v9/projects/web/env/${envs.find(({ key }) => key === "A")?.id}`, { value: second });
}

async function runDiff(stack: Stack, news: Plain): Promise<unknown[]> {
  const resource = kinds.find(([type]) => type === stack.type)?.[1] as Resource;
  const { changes } = await resource.diff(w.runOf(stack.client), stack.id, stack.state, news);
  return changes;
}
