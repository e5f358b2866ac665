import type { Resource } from "../../provider/core/resource";
import type { Plain } from "../../provider/core/values";
import type { ResourceType } from "../../provider/loader";
import { firstOfEach, isLong } from "../support/slices";
import { freshAccount } from "./fields/common";
import { inputsWith, pathsOf, withKnown } from "./fields/paths";
import { type Host, startHost } from "./host";
import { type HostName, hosted, hostNames } from "./hosted";
import { startPluginHost } from "./plugin-host";
import { type Harness, type Stack, startHarness } from "./stack";
import type { Row, Subject } from "./subject";
import { subjects } from "./subjects";

/** How the engine writes what is not known yet. */
const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const changes = 2;

let w: Harness;
let hosts: Record<HostName, Host>;
beforeAll(async () => {
  w = await startHarness();
  const [dynamic, plugin] = await Promise.all([startHost(), startPluginHost()]);
  hosts = { dynamic, plugin };
  const { url, token } = w.server;
  for (const host of [dynamic, plugin]) {
    await host.configure({ "slipway:apiUrl": url, "slipway:token": token, "slipway:team": "acme" });
  }
});
afterAll(async () => {
  await Promise.all(Object.values(hosts).map((host) => host.close()));
  await w.close();
});
beforeEach(() => freshAccount(w));

describe.each(subjects.map((subject) => [subject.resource.type, subject] as const))("%s", (_, subject) => {
  const { resource, rows } = subject;

  it("has a row for each input, nested ones too", () => {
    expect([...new Set(rows.map(({ path }) => path))].sort()).toEqual(pathsOf(resource).sort());
  });

  it.each(firstOfEach(rows, kindOf).map((row) => [row.path, row] as const))(
    "%s is set, changed, seen to drift, cleared, and not known at preview",
    (_path, row) => live(subject, row),
  );
});

/** Members two levels deep or more are alike if their changes have the same outcome. */
function kindOf({ path, changed, cleared, drift }: Row): string {
  const segments = path.split(".");
  if (segments.length === 1) return path;
  const parent = segments.slice(0, -1).slice(0, 2).join(".");
  return `${parent} ${changed} ${cleared} ${typeof drift === "string" ? drift : "drifts"}`;
}

/** Rows go through either host alternately; all through both in the long run. */
let lives = 0;

async function live(subject: Subject, row: Row): Promise<void> {
  lives += 1;
  for (const name of hostNames) {
    if (!isLong && name !== hostNames[lives % hostNames.length]) continue;
    if (isLong) await freshAccount(w);
    await lifeBy(name, subject, row);
  }
}

async function lifeBy(name: HostName, subject: Subject, row: Row): Promise<void> {
  const { resource } = subject;
  const prepared = await subject.prepare(w);
  const { known = {} } = prepared;
  const inputs = inputsWith(row, prepared);
  const [first, second, without] = [inputs(row.first), inputs(row.second), inputs(undefined)];
  const stack = await hosted(w, resource, name);
  // Both hosts say the same of what is not known yet.
  const asked = isLong ? Object.values(hosts) : [hosts[name]];
  const holds = async (value: unknown): Promise<void> => {
    const there = await subject.look(w, stack.id, stack.state);
    for (const [key, expected] of Object.entries(row.shown(withKnown(value, known)))) {
      expect({ [key]: there[key] ?? null }).toEqual({ [key]: expected ?? null });
    }
  };

  expect(await refusalsOfUnknown(asked, resource, {}, inputs(unknown))).toEqual([]);
  expect(await stack.up(first)).toBe("create");
  await holds(row.first);
  await staysAsItIs(stack, first);
  await contains(asked, resource, stack, second, inputs(unknown));

  if (row.changed instanceof RegExp) await expect(stack.up(second)).rejects.toThrow(row.changed);
  else expect(await stack.up(second)).toBe(row.changed);
  const [value, declared] = row.changed instanceof RegExp ? [row.first, first] : [row.second, second];
  await holds(value);
  await staysAsItIs(stack, declared);

  if (typeof row.drift !== "string") {
    await row.drift(w, stack.id);
    expect(await stack.refresh(w.another())).toBe(true);
    expect(await stack.up(declared)).toBe("update");
    await holds(value);
    if (isLong) await staysAsItIs(stack, declared);
  }

  if (row.isAutoNamed && name === "plugin") return expect(stack.up(without)).resolves.toBe("same");
  if (row.cleared instanceof RegExp) return expect(stack.up(without)).rejects.toThrow(row.cleared);
  expect(await stack.up(without)).toBe(row.cleared);
  await holds(undefined);
  await staysAsItIs(stack, without);
}

/** Nothing is left to do, neither at once nor after what is there has been read. */
async function staysAsItIs(stack: Stack, declared: Plain): Promise<void> {
  expect(await stack.up(declared)).toBe("same");
  expect(await stack.refresh(w.another())).toBe(true);
  expect(await stack.up(declared)).toBe("same");
}

async function refusalsOfUnknown(
  asked: readonly Host[],
  resource: Resource,
  olds: Plain,
  news: Plain,
): Promise<unknown> {
  const failures: unknown[] = [];
  for (const host of asked) {
    const checked = await host.check(resource.type as ResourceType, olds, news, "it");
    expect(checked.inputs).toMatchObject(news);
    failures.push(...checked.failures);
  }
  return failures;
}

/** The plan of a value that is not known yet contains its later outcome. */
async function contains(
  asked: readonly Host[],
  resource: Resource,
  stack: Stack,
  known: Plain,
  notKnown: Plain,
): Promise<void> {
  const type = resource.type as ResourceType;
  expect(await refusalsOfUnknown(asked, resource, stack.inputs, notKnown)).toEqual([]);
  for (const host of asked) {
    const planned = await host.diff(type, stack.id, stack.state, notKnown);
    const due = await host.diff(type, stack.id, stack.state, known);
    expect(planned).toMatchObject({ changes, replaces: due.replaces, deleteFirst: due.deleteFirst });
  }
}
