import type { Timing } from "../../provider/client/client";
import type { Plain } from "../../provider/core/values";
import type { ControlClient } from "../../server";
import { firstOfEach, isLong, sharedOut } from "../support/slices";
import { type HostName, hosted, hostNames } from "./hosted";
import { given, operations, quickBuildMs } from "./operations";
import { type Harness, type Stack, startHarness } from "./stack";
import type { Operation } from "./subject";
import { subjects } from "./subjects";

type Fault = Parameters<ControlClient["addFaults"]>[0];

/**
 * Of so many combinations, one is tried through one of the hosts; all of them through both in the long run. It has no
 * divisor in common with the number of faults of a request, so that every fault has its turn.
 */
const share = isLong ? 1 : 61;
/** Servers that are tried side by side, since most of the time is waiting. Several operations share them. */
const width = isLong ? 32 : 12;
jest.setTimeout(isLong ? 1_800_000 : 300_000);
/** The time after which an attempt of a delayed request ends: with so many servers, other requests take seconds too. */
const attemptMs = isLong ? 4_000 : 2_000;
/** Long beside what a request takes on a busy machine. */
const longLimits = {
  ...{ attemptMs: 10_000, deadlineMs: 30_000, rateLimitDeadlineMs: 30_000 },
  ...{ pauseMs: 60, maxPauseMs: 60, attempts: 3 },
};

/** Faults of a request. The run overcomes a fault that it meets once, unless the fault says otherwise. */
const kinds: {
  name: string;
  fault(lasting: boolean): Partial<Fault>;
  /** Shorter, for steps that end by their time limit. */
  times?: Partial<Timing>;
  refuses?: true;
}[] = [
  // It takes effect when the next attempt is under way.
  { name: "delay", fault: () => ({ kind: "delay", delayMs: attemptMs + 500 }), times: { attemptMs } },
  { name: "429", fault: (lasting) => ({ status: 429, retryAfter: lasting ? 60 : 0 }) },
  {
    name: "429 with a page",
    fault: (lasting) => ({ status: 429, page: "<h1>Slow down</h1>", retryAfter: lasting ? 60 : 0 }),
  },
  { name: "500", fault: () => ({ status: 500 }) },
  { name: "502", fault: () => ({ status: 502, page: "<h1>Bad gateway</h1>" }) },
  { name: "503", fault: () => ({ status: 503 }) },
  { name: "drop-before", fault: () => ({ kind: "drop-before" }) },
  { name: "malformed", fault: () => ({ kind: "malformed" }) },
  { name: "drop-after", fault: () => ({ kind: "drop-after" }) },
  {
    name: "transferring",
    fault: () => ({ status: 409, code: "conflict", message: 'The project "web" is being transferred.' }),
    times: { deadlineMs: 20_000 },
  },
  {
    name: "disabled",
    fault: () => ({ status: 403, code: "integration_configuration_disabled", message: "It is disabled." }),
    refuses: true,
  },
];

const worlds: Harness[] = [];
/** The servers that no operation uses. */
const free: Harness[] = [];
const waiting: ((world: Harness) => void)[] = [];
beforeAll(async () => {
  worlds.push(...(await Promise.all(Array.from({ length: width }, () => startHarness()))));
  free.push(...worlds);
}, 120_000);
afterAll(() => Promise.all(worlds.map((w) => w.close())));

/** Runs a piece of work on a server that nothing else uses meanwhile. */
async function onServer<T>(work: (world: Harness) => Promise<T>): Promise<T> {
  const world = free.pop() ?? (await new Promise<Harness>((resolve) => waiting.push(resolve)));
  try {
    return await work(world);
  } finally {
    const next = waiting.shift();
    if (next) next(world);
    else free.push(world);
  }
}

/** A server as it is before the operation, and the resource with what was declared before. */
async function begin(
  w: Harness,
  name: HostName,
  operation: Operation,
  times: Partial<Timing> = {},
): Promise<{ stack: Stack; prepared: Plain }> {
  await w.server.control.reset();
  await w.server.control.planBuilds({ buildMs: quickBuildMs });
  await w.server.control.seed(given);
  const prepared = (await operation.prepare?.(w)) ?? {};
  const stack = await hosted(w, operation.resource, name);
  // The client of the server has the short limits of tests, and its run knows the objects of earlier stories.
  stack.use(w.another({ times: longLimits }));
  if (operation.before) await stack.up(operation.before(prepared));
  stack.use(w.another({ times: { ...longLimits, ...times } }));
  return { stack, prepared };
}

async function run({ step, inputs }: Operation, stack: Stack, prepared: Plain): Promise<void> {
  if (step === "up") await stack.up(inputs?.(prepared) ?? {});
  else if (step === "destroy") await stack.destroy();
  else expect(await stack.refresh()).toBe(true);
}

interface Call {
  method: string;
  path: string;
  /** How many equal requests come before it. */
  skip: number;
}

/** The requests that an operation makes, and what there is when it is done. */
async function record(
  w: Harness,
  name: HostName,
  operation: Operation,
): Promise<{ calls: Call[]; end: unknown }> {
  const { stack, prepared } = await begin(w, name, operation);
  const before = (await w.server.control.requests()).length;
  await run(operation, stack, prepared);
  const all = (await w.server.control.requests()).reverse().slice(before);
  const asked = all.map(({ method, path }) => ({ method: String(method), path: formOf(String(path)) }));
  const calls = asked.map((call, at) => ({
    ...call,
    skip: asked.slice(0, at).filter((other) => other.method === call.method && meets(call.path, other.path))
      .length,
  }));
  return { calls, end: await everything(w) };
}

/** Ids that differ from run to run stand for any. */
const formOf = (path: string): string =>
  path
    .replace(/^\/v\d+/, "")
    .split("/")
    .map((step) => (isGenerated(step) ? ":id" : step))
    .join("/");

/** True for an id that the service makes, with or without a prefix, and for the host name of a deployment. */
const isGenerated = (step: string): boolean =>
  /^(?:[a-z]+_)*[A-Za-z0-9]{16,}$/.test(step) || /-[a-z0-9]{10,12}-acme\./.test(step);

const meets = (form: string, path: string): boolean =>
  new RegExp(`^${form.replaceAll(".", "\\.").replace(/:\w+/g, "[^/]+")}$`).test(path);

/** All that the account has, without what differs from run to run. */
async function everything(w: Harness): Promise<unknown> {
  const { projects } = await w.server.control.snapshot();
  const all = await Promise.all(
    projects.map(async ({ id, name }) => {
      const whole = (await w.curl("GET", `/v9/projects/${id}`)) as Plain;
      const { envs } = (await w.curl("GET", `/v9/projects/${id}/env`)) as unknown as { envs: Plain[] };
      const { domains } = await w.curl("GET", `/v9/projects/${id}/domains`);
      const values = await Promise.all(
        envs.map((env) => w.curl("GET", `/v1/projects/${id}/env/${env.id}`) as Promise<Plain>),
      );
      const bypass = Object.keys((whole.protectionBypass ?? {}) as Plain);
      return {
        name,
        whole: lasting({ ...whole, protectionBypass: bypass.length, env: undefined }),
        bypass: bypass.filter((secret) => /^(.)\1+$/.test(secret)).sort(),
        domains: lasting(domains),
        values: lasting(values),
      };
    }),
  );
  const others = await Promise.all(
    subjects.map(async ({ resource, all }) => [resource.type, lasting(await all?.(w))]),
  );
  return { projects: all.sort((a, b) => a.name.localeCompare(b.name)), ...Object.fromEntries(others) };
}

/** Without ids, times and what is random, and in one order. */
function lasting(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(lasting).sort((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));
  }
  // The secret part of a challenge, the token of a store, the part of the id in the host name of a deployment, and the URL of a hook.
  if (typeof value === "string")
    return value
      .replace(/,[0-9a-f]{20}$/, "")
      .replace(/(?<=vercel_blob_rw_).*/, "")
      .replace(/-[a-z0-9]{10,12}(?=-acme\.)/, "")
      .replace(/(?<=\/integrations\/deploy\/).*/, "");
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).filter(
    ([key, item]) => item !== undefined && !/^id$|Ids?$|At$|^aliasAssigned$|^meta$/.test(key),
  );
  return Object.fromEntries(
    members.sort(([a], [b]) => a.localeCompare(b)).map(([key, item]) => [key, lasting(item)]),
  );
}

/** Runs the operation with the fault, then without: afterwards all has to be as if there had been none. */
async function disturb(
  w: Harness,
  name: HostName,
  operation: Operation,
  call: Call,
  kind: (typeof kinds)[number],
  lasts: boolean,
  end: unknown,
): Promise<void> {
  const { control } = w.server;
  const { stack, prepared } = await begin(w, name, operation, kind.times);
  const state = JSON.stringify([stack.id, stack.state]);
  const fault = { kind: "status" as const, ...kind.fault(lasts), ...call, times: lasts ? 1_000 : 1 };
  await control.addFaults(fault);
  const error: unknown = await run(operation, stack, prepared).then(
    () => undefined,
    (error) => error,
  );
  await control.clearFaults();
  const met = (await control.requests()).filter(({ path }) => meets(call.path, formOf(String(path))));
  const sign = (fault.kind === "status" && fault.status) || null;
  const isMet = met.some(({ status, ms }) => {
    if (fault.kind === "malformed") return status !== null;
    return fault.kind === "delay" ? Number(ms) > 0 : status === sign;
  });
  // A step that waits asks less often than when it was recorded, if what it waits for comes sooner.
  if (!isMet && call.method === "GET" && call.skip > 0) return;
  expect(isMet).toBe(true);
  if (error !== undefined) {
    const message = error instanceof Error ? error.message : String(error);
    expect(message).toMatch(/^(GET|POST|PUT|PATCH|DELETE) \//);
    expect(message).not.toContain("canary");
    if (!lasts && !kind.refuses) throw error;
    if (operation.step === "refresh") expect(JSON.stringify([stack.id, stack.state])).toBe(state);
    stack.use(w.another({ times: longLimits }));
    await run(operation, stack, prepared);
  }
  expect(await everything(w)).toEqual(end);
  if (operation.step === "destroy") return;
  const inputs = (operation.inputs ?? operation.before)?.(prepared) ?? {};
  const later = w.another({ times: longLimits });
  expect(await stack.refresh(later)).toBe(true);
  stack.use(later);
  expect(await stack.up(inputs)).toBe("same");
}

/** One operation of each kind of step of a resource; all of them in the long run. */
const tried = firstOfEach(operations, ({ resource, step }) => `${resource.type} ${step}`);

/** Numbers from 0 that are the same in every run. */
let combination = 0;

describe.each(hostNames)("through the %s host", (name) => {
  const story = sharedOut(hostNames, name, it.concurrent);
  for (const operation of tried)
    story(
      `${operation.name}: whatever befalls one of its requests, the next run makes it whole`,
      async () => {
        const { calls, end } = await onServer((w) => record(w, name, operation));
        const cases = calls.flatMap((call) =>
          kinds
            .filter(
              ({ name }) => !(operation.nameless && name === "delay" && /^(POST|PUT)$/.test(call.method)),
            )
            .filter(({ name }) => !(operation.isRecreated && name === "delay" && call.method === "DELETE"))
            .flatMap((kind) => (isLong ? [false, true] : [false]).map((lasts) => ({ call, kind, lasts }))),
        );
        const chosen = cases.filter(() => combination++ % share === 0);
        const wrong: string[] = [];
        await Promise.all(
          chosen.map(async ({ call, kind, lasts }) => {
            const tried = onServer((w) => disturb(w, name, operation, call, kind, lasts, end));
            await tried.catch((error: Error) => {
              const where = `${call.method} ${call.path} after ${call.skip}, ${kind.name}${lasts ? " that lasts" : ""}`;
              wrong.push(`${where}: ${error.message}`);
            });
          }),
        );
        expect(wrong).toEqual([]);
      },
    );
});
