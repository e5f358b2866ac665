import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { Request } from "../../../../provider/client/client";
import { OutOfReach } from "../../../../provider/client/errors";
import { withLimits } from "../../../../provider/client/step-limits";
import type { Plain } from "../../../../provider/core/values";
import { envVar } from "../../../../provider/resources/env-var";
import { project } from "../../../../provider/resources/project";
import { projectDomain } from "../../../../provider/resources/project-domain";
import { byProfile } from "../../../support/profile";
import { type HostName, hosted, hostNames } from "../../hosted";
import { type Harness, quietStep, recordStack, type Stack, startHarness } from "../../stack";

let w: Harness;
let web: string;
let path: string;
async function open(options?: Parameters<typeof startHarness>[0]): Promise<void> {
  w = await startHarness(options);
  web = ((await w.curl("POST", "/v10/projects", { name: "web" })) as Plain).id as string;
  path = `/v10/projects/${web}/env`;
}
beforeEach(() => open());
afterEach(() => w.close());

interface Remote {
  id: string;
  key: string;
  target: string[];
}
const remote = async (): Promise<Remote[]> =>
  ((await w.curl("GET", `/v9/projects/${web}/env`)) as unknown as { envs: Remote[] }).envs;
const keys = async (): Promise<string[]> => (await remote()).map(({ key }) => key).sort();
const declared = (key: string, more: Plain = {}): Plain => ({
  ...{ project: web, key, value: `canary-${key}`, type: "encrypted", target: ["production", "preview"] },
  ...more,
});
const create = (inputs: Plain) => envVar.create(w.run, quietStep, inputs);
const createAll = (all: readonly Plain[]) => Promise.allSettled(all.map(create));
const messageOf = (outcome: PromiseSettledResult<unknown> | undefined): string =>
  outcome?.status === "rejected" ? (outcome.reason as Error).message : "";
const withoutRequest = (message: string): string => message.replace(/ \(request [^)]*\)$/, "");

/** The requests since the start, the oldest first. */
const requests = async (): Promise<string[]> =>
  (await w.server.control.requests()).reverse().map(({ method, path }) => `${method} ${path}`);

/** The bodies that creates of variables have sent. */
function bodies(): () => Plain[][] {
  const sent = jest.spyOn(w.client, "sendOnce");
  return () =>
    sent.mock.calls.flatMap(([{ method, path: at, body }]) =>
      method === "POST" && at === path ? [[body as Plain].flat()] : [],
    );
}
const keysIn = (all: Plain[][]): string[][] => all.map((body) => body.map(({ key }) => String(key)));

describe("variables that are created at the same moment", () => {
  it("share a request, and each gets its own id and state", async () => {
    const sent = bodies();
    const made = await Promise.all(["A", "B", "C"].map((key) => create(declared(key))));
    expect(keysIn(sent())).toEqual([["A", "B", "C"]]);
    const there = new Map((await remote()).map(({ id, key }) => [key, `${web}/${id}`]));
    expect(made.map(({ id }) => id)).toEqual(["A", "B", "C"].map((key) => there.get(key)));
    expect(made.map(({ state }) => [state.key, state.value])).toEqual(
      ["A", "B", "C"].map((key) => [key, `canary-${key}`]),
    );
  });

  it("share no request with those of another project", async () => {
    const other = ((await w.curl("POST", "/v10/projects", { name: "other" })) as Plain).id;
    await Promise.all([create(declared("A")), create(declared("A", { project: other }))]);
    expect((await requests()).filter((one) => /POST .*\/env$/.test(one)).sort()).toEqual(
      [`POST ${path}`, `POST /v10/projects/${other}/env`].sort(),
    );
  });

  it("stay within the limit of 120 creates a minute, 300 of them, eight at a time", async () => {
    await w.close();
    await open({ rateLimits: true });
    const waiting = Array.from({ length: 300 }, (_, at) => declared(`KEY_${at}`, { type: "plain" }));
    const createInOrder = async (): Promise<void> => {
      for (let next = waiting.pop(); next; next = waiting.pop()) await create(next);
    };
    await Promise.all(Array.from({ length: 8 }, createInOrder));
    expect(new Set(await keys()).size).toBe(300);
    const creates = (await w.server.control.requests()).filter(({ method }) => method === "POST");
    expect(creates.map(({ status }) => status)).not.toContain(429);
    expect(creates.length).toBeLessThan(120);
  });

  it("are told apart by key, targets and branch", async () => {
    const all = [
      declared("K", { target: ["production"] }),
      declared("K", { target: ["preview"] }),
      declared("K", { target: ["preview"], gitBranch: "dev" }),
      declared("K", { target: ["development"] }),
    ];
    const sent = bodies();
    const made = await Promise.all(all.map(create));
    expect(sent()).toHaveLength(1);
    for (const [at, { id }] of made.entries()) {
      const found = await w.curl("GET", `/v1/projects/${web}/env/${id.split("/")[1]}`);
      const { target, gitBranch } = all[at] as Plain;
      expect(found).toMatchObject({ target, ...(gitBranch !== undefined && { gitBranch }) });
    }
  });

  it("are sent alone when there is one, as an object", async () => {
    const sent = jest.spyOn(w.client, "sendOnce");
    await create(declared("A"));
    const [body] = sent.mock.calls.flatMap(([{ method, body }]) => (method === "POST" ? [body] : []));
    expect(body).toMatchObject({ key: "A" });
  });

  it("ask once what was there before, without values", async () => {
    await Promise.all(["A", "B"].map((key) => create(declared(key))));
    const lists = (await w.server.control.requests()).filter(
      ({ method, path }) => method === "GET" && String(path).endsWith("/env"),
    );
    expect(lists.map(({ query }) => String(query).includes("decrypt"))).toEqual([false]);
  });

  it("do not fail with another: an invalid one, and one that exists", async () => {
    await w.curl("POST", path, { key: "B", value: "theirs", type: "plain", target: ["preview"] });
    const sent = bodies();
    const [a, b, c, d] = await createAll(["A", "B", "TZ", "D"].map((key) => declared(key)));
    expect(keysIn(sent())[0]).toEqual(["A", "B", "TZ", "D"]);
    expect([a, d].map((one) => one?.status)).toEqual(["fulfilled", "fulfilled"]);
    const single = [await createAll([declared("B")]), await createAll([declared("TZ")])].flat();
    // The answer to several variables has no status for each. The provider gives the one of the specification.
    const expected = single.map(messageOf).map(withoutRequest);
    expect([b, c].map(messageOf).map(withoutRequest)).toEqual(
      expected.map((text) => text.replace(`${byProfile("403", "400")} ENV_CONFLICT`, "403 ENV_CONFLICT")),
    );
    expect(messageOf(b)).toMatch(/403 ENV_CONFLICT: .*Adopt it with/);
    expect(messageOf(c)).toMatch(/400 KEY_RESERVED: .*\(request /);
    expect(await keys()).toEqual(["A", "B", "D"]);
  });

  it("each get their own reason when none can be created", async () => {
    await w.curl("POST", path, { key: "B", value: "theirs", type: "plain", target: ["preview"] });
    const sent = bodies();
    const [b, c] = await createAll([declared("B"), declared("TZ")]);
    expect(messageOf(b)).toMatch(/403 ENV_CONFLICT/);
    expect(messageOf(c)).toMatch(/400 KEY_RESERVED/);
    // Of a conflict, the step looks up who has the key, and sends nothing again.
    expect(sent()).toHaveLength(1);
  });

  it("are sent one by one when the service refuses all of them because of one", async () => {
    const fault = {
      method: "POST",
      path,
      times: 1,
      kind: "status",
      status: 400,
      message: "invalid",
    } as const;
    await w.server.control.addFaults(fault);
    const sent = bodies();
    const outcomes = await createAll([declared("A"), declared("TZ"), declared("C")]);
    expect(keysIn(sent())).toEqual([["A", "TZ", "C"], ["A"], ["TZ"], ["C"]]);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(messageOf(outcomes[1])).toMatch(/400 KEY_RESERVED/);
  });

  it("all fail at once when the token is refused", async () => {
    const fault = { method: "POST", path, times: 9, kind: "status", status: 401 } as const;
    await w.server.control.addFaults(fault);
    const sent = bodies();
    const outcomes = await createAll([declared("A"), declared("B")]);
    expect(outcomes.map(messageOf)).toEqual([
      expect.stringMatching(/401 .*SLIPWAY_TOKEN/),
      expect.stringMatching(/401 .*SLIPWAY_TOKEN/),
    ]);
    expect(sent()).toHaveLength(1);
  });

  it("of one key and target: the first is created, and the second refused", async () => {
    const sent = bodies();
    const outcomes = await createAll([declared("A"), declared("A", { target: ["preview"] }), declared("B")]);
    expect(keysIn(sent())[0]).toEqual(["A", "B"]);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(messageOf(outcomes[1])).toMatch(/ENV_CONFLICT/);
    expect(await keys()).toEqual(["A", "B"]);
  });

  it("take a key from another resource of the stack, beside others that are new", async () => {
    const old = w.stack(envVar, "old");
    await old.up(declared("A"));
    recordStack([{ type: "EnvVar", name: "old", outputs: old.state }]);
    const sent = bodies();
    const [next, made] = await Promise.all([create(declared("A")), create(declared("B"))]);
    expect(keysIn(sent())).toEqual([["A", "B"], ["A"]]);
    expect(new Set([old.id, next.id, made.id]).size).toBe(3);
    expect(await keys()).toEqual(["A", expect.stringMatching(/^A__MOVING_/), "B"]);
  });
});

describe("the failures of a batch", () => {
  /** Has the next batch create A alone, and tell of B and C as given. */
  function failing(failed: readonly object[]): void {
    const sendOnce = w.client.sendOnce.bind(w.client);
    jest
      .spyOn(w.client, "sendOnce")
      .mockImplementation(async <T>(request: Request<T>, limits: { deadline: number }) => {
        if (!Array.isArray(request.body)) return sendOnce(request, limits);
        const rest = request.body.filter(({ key }) => key === "A");
        const { data, requestId } = await sendOnce({ ...request, body: rest }, limits);
        return { data: { ...(data as object), failed } as T, requestId };
      });
  }
  const createThree = () => createAll(["A", "B", "C"].map((key) => declared(key)));

  it("may name some of the targets", async () => {
    failing([
      { code: "FORBIDDEN", message: "no B", key: "B", target: ["preview"] },
      { code: "BAD", message: "no C", key: "C" },
    ]);
    const [a, b, c] = await createThree();
    expect(a?.status).toBe("fulfilled");
    expect(messageOf(b)).toMatch(/403 FORBIDDEN: no B/);
    expect(messageOf(c)).toMatch(/400 BAD: no C/);
  });

  it("that do not tell which variable they are about are found out by requests of their own", async () => {
    failing([
      { code: "BAD", message: "no" },
      { code: "BAD", message: "no" },
    ]);
    const sent = bodies();
    const outcomes = await createThree();
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "fulfilled"]);
    expect(keysIn(sent()).slice(1)).toEqual([["B"], ["C"]]);
  });
});

describe("a batch whose answer is not known", () => {
  it.each([
    ["drop-after", 1],
    ["drop-before", 4],
  ] as const)("creates each variable once: %s", async (kind, count) => {
    await w.server.control.addFaults({ method: "POST", path, times: 1, kind });
    const sent = bodies();
    const made = await Promise.all(["A", "B", "C"].map((key) => create(declared(key))));
    expect(sent()).toHaveLength(count);
    const there = await remote();
    expect(there.map(({ key }) => key).sort()).toEqual(["A", "B", "C"]);
    expect(made.map(({ id }) => id).sort()).toEqual(there.map(({ id }) => `${web}/${id}`).sort());
  });

  it("keeps those that were created, and creates the rest", async () => {
    losing((items) => items.slice(0, 2));
    const sent = bodies();
    const made = await Promise.all(["A", "B", "C", "D"].map((key) => create(declared(key))));
    expect(keysIn(sent())).toEqual([["A", "B", "C", "D"], ["C"], ["D"]]);
    expect(new Set(made.map(({ id }) => id)).size).toBe(4);
    expect(await keys()).toEqual(["A", "B", "C", "D"]);
  });

  it("reads the list once for all of them", async () => {
    await w.server.control.addFaults({ method: "POST", path, times: 1, kind: "drop-after" });
    await Promise.all(["A", "B", "C"].map((key) => create(declared(key))));
    expect((await requests()).filter((one) => /GET .*\/env$/.test(one))).toHaveLength(2);
  });

  it("does not take what existed just before, or what another resource of the run has", async () => {
    await w.curl("POST", path, { key: "A", value: "theirs", type: "plain", target: ["preview"] });
    await w.server.control.addFaults({ method: "POST", path, times: 1, kind: "drop-after" });
    const [a, b] = await createAll([declared("A"), declared("B")]);
    expect(a?.status).toBe("rejected");
    expect(b?.status).toBe("fulfilled");

    const [{ id = "" } = {}] = (await remote()).filter(({ key }) => key === "B");
    await w.curl("DELETE", `/v9/projects/${web}/env/${id}`);
    const ids = new Map<unknown, string>();
    losing(async (items) => {
      for (const item of items) {
        const { created } = (await w.curl("POST", path, item)) as unknown as { created: Remote };
        ids.set(item.key, `${web}/${created.id}`);
      }
      w.run.ownership.assign("another", [ids.get("C") ?? ""]);
      return [];
    });
    const [c, d] = await Promise.all([create(declared("C")), create(declared("D"))]);
    expect(c.id).not.toBe(ids.get("C"));
    expect(d.id).toBe(ids.get("D"));
  });

  it("fails for one that the answer does not tell of, and for no other", async () => {
    const sendOnce = w.client.sendOnce.bind(w.client);
    jest
      .spyOn(w.client, "sendOnce")
      .mockImplementationOnce(sendOnce)
      .mockImplementation(async (request, limits) => {
        if (!Array.isArray(request.body)) return sendOnce(request, limits);
        const rest = { ...request, body: request.body.filter(({ key }) => key !== "B") };
        return sendOnce(rest as typeof request, limits);
      });
    const [a, b] = await createAll([declared("A"), declared("B")]);
    expect(a?.status).toBe("fulfilled");
    expect(messageOf(b)).toMatch(/not a valid API response \(created: lacks a variable\)/);
    expect(await keys()).toEqual(["A"]);
  });
});

/** Has the service carry out a part of the next batch alone, and loses the answer. @param part what it carries out */
function losing(part: (items: Plain[]) => Plain[] | Promise<Plain[]>): jest.SpyInstance {
  const sendOnce = w.client.sendOnce.bind(w.client);
  let isLost = false;
  return jest
    .spyOn(w.client, "sendOnce")
    .mockImplementation(async <T>(request: Request<T>, limits: { deadline: number }) => {
      if (isLost || !Array.isArray(request.body)) return sendOnce(request, limits);
      isLost = true;
      const items = await part(request.body as Plain[]);
      if (items.length > 0) await sendOnce({ ...request, body: items }, limits);
      throw new OutOfReach(request, w.server.url, "ECONNRESET", false, undefined);
    });
}

describe("the limits of a step", () => {
  const none = new AbortController().signal;
  const limited = (seconds: number, key: string) =>
    withLimits({ seconds, cancelled: none }, () => create(declared(key)));

  it("end its wait alone, and the others are created without it", async () => {
    const fault = { method: "POST", path, times: 1, kind: "status", status: 429, retryAfter: 3 } as const;
    await w.server.control.addFaults(fault);
    const sent = bodies();
    const [a, b, c] = await Promise.allSettled([limited(0, "A"), limited(1.5, "B"), limited(0, "C")]);
    expect([a, c].map((one) => one?.status)).toEqual(["fulfilled", "fulfilled"]);
    expect(messageOf(b)).toBe(
      "The step was not finished within 1.5 s. Run again to continue, or allow more time with customTimeouts.",
    );
    expect(keysIn(sent())).toEqual([
      ["A", "B", "C"],
      ["A", "C"],
    ]);
    expect(await keys()).toEqual(["A", "C"]);
  });

  it("end its wait after a lost answer, and it is not created later", async () => {
    const fault = { method: "POST", path, times: 1, kind: "status", status: 503, retryAfter: 3 } as const;
    await w.server.control.addFaults(fault);
    const [a, b] = await Promise.allSettled([limited(0, "A"), limited(1.5, "B")]);
    expect(a?.status).toBe("fulfilled");
    expect(messageOf(b)).toMatch(/not finished within 1.5 s/);
    expect(await keys()).toEqual(["A"]);
  });

  it("do not lose what a request under way creates", async () => {
    await w.server.control.addFaults({ method: "POST", path, times: 1, kind: "delay", delayMs: 1_300 });
    const made = await Promise.all([limited(1, "A"), limited(0, "B")]);
    expect(made.map(({ state }) => state.key)).toEqual(["A", "B"]);
    expect(await keys()).toEqual(["A", "B"]);
  });

  it("send nothing further when the run is cancelled", async () => {
    const fault = { method: "POST", path, times: 9, kind: "status", status: 429, retryAfter: 3 } as const;
    await w.server.control.addFaults(fault);
    const run = new AbortController();
    const sendOnce = w.client.sendOnce.bind(w.client);
    const sent = bodies();
    const refused = new Promise<void>((resolve) => {
      jest.spyOn(w.client, "sendOnce").mockImplementation(async (...asked) => {
        const answer = sendOnce(...asked);
        if (asked[0].method === "POST") answer.catch(() => setImmediate(resolve));
        return answer as never;
      });
    });
    const all = ["A", "B"].map((key) =>
      withLimits({ seconds: 0, cancelled: run.signal }, () => create(declared(key))),
    );
    const outcomes = Promise.allSettled(all);
    await refused;
    run.abort();
    expect((await outcomes).map(messageOf)).toEqual(["The run was cancelled.", "The run was cancelled."]);
    expect(sent()).toHaveLength(1);
    expect(await keys()).toEqual([]);
  });

  it("end it while it waits for another variable with its key", async () => {
    await w.server.control.addFaults({ method: "POST", path, times: 1, kind: "delay", delayMs: 800 });
    const [a, b] = await Promise.allSettled([limited(0, "A"), limited(0.3, "A")]);
    expect(a?.status).toBe("fulfilled");
    expect(messageOf(b)).toMatch(/not finished within 0.3 s/);
    expect((await requests()).filter((one) => one === `POST ${path}`)).toHaveLength(1);
  });
});

it("no value reaches a message, whatever the service says of which variable", async () => {
  const failed = (key: string, said: string) => ({
    error: { code: "BAD_REQUEST", message: `no: ${said}`, envVarKey: key, value: said },
  });
  /** Answers by what the service was sent. */
  const answers: [number, (values: string) => Plain][] = [
    [201, (values) => ({ created: [], failed: [failed("A", values), failed("B", values)] })],
    [400, (values) => ({ error: { code: "BAD", message: values }, failed: [failed("A", values)] })],
    [400, (values) => ({ error: { code: "BAD", message: values } })],
  ];
  for (const [status, answer] of answers) {
    const api = createServer(async (request, response) => {
      const body = await text(request);
      const isRead = request.method === "GET";
      const values = [isRead ? [] : (JSON.parse(body) as Plain)].flat().map(({ value }) => value);
      const reply = isRead
        ? { envs: [], id: "prj_1", name: "web", accountId: "team_1" }
        : answer(values.join(" and "));
      response.writeHead(isRead ? 200 : status, { "content-type": "application/json" });
      response.end(JSON.stringify(reply));
    });
    await new Promise<void>((done) => api.listen(0, "127.0.0.1", done));
    const client = w.another({ apiUrl: `http://127.0.0.1:${(api.address() as AddressInfo).port}` });
    const outcomes = await Promise.allSettled(
      ["A", "B"].map((key) =>
        envVar.create(
          w.runOf(client),
          quietStep,
          declared(key, { project: "prj_1", value: `canary-${key}-1` }),
        ),
      ),
    );
    api.closeAllConnections();
    await new Promise((done) => api.close(done));
    for (const outcome of outcomes) {
      const { reason } = outcome as PromiseRejectedResult;
      expect(String((reason as Error).stack) + JSON.stringify(reason)).not.toContain("canary");
      expect(messageOf(outcome)).toMatch(/400 BAD/);
    }
  }
});

describe("a project that this run has created", () => {
  it("is asked nothing more, before its members are created", async () => {
    const { id } = await project.create(w.run, quietStep, { name: "fresh" });
    await Promise.all([
      ...["A", "B"].map((key) => create(declared(key, { project: id }))),
      projectDomain.create(w.run, quietStep, { project: id, name: "www.example.com" }),
    ]);
    const all = (await requests()).filter((one) => !one.includes(web));
    expect(all.filter((one) => !one.endsWith("/projects") || one.startsWith("GET")).sort()).toEqual(
      ["GET /v9/projects/fresh", `POST /v10/projects/${id}/domains`, `POST /v10/projects/${id}/env`].sort(),
    );
  });

  it("is asked nothing at the end of the run, unless the run may have had it serve something", async () => {
    const { id } = await project.create(w.run, quietStep, { name: "fresh" });
    await create(declared("A", { project: id }));
    const before = await requests();
    expect(await w.run.production.warnings()).toEqual([]);
    expect(await requests()).toEqual(before);
  });

  it("is asked again when another one had its name until it was deleted", async () => {
    const first = await project.create(w.run, quietStep, { name: "fresh" });
    await project.remove(w.run, quietStep, first.id, first.state);
    const second = await project.create(w.run, quietStep, { name: "fresh" });
    expect(second.id).not.toBe(first.id);
    await expect(create(declared("A", { project: first.id }))).rejects.toThrow(/404/);
  });
});

describe.each(hostNames)("through the %s host", (name: HostName) => {
  const start = async (): Promise<Map<string, Stack>> => {
    const stacks = ["A", "B", "C", "D", "E"].map(
      async (key): Promise<[string, Stack]> => [key, await hosted(w, envVar, name)],
    );
    return new Map(await Promise.all(stacks));
  };
  const up = (stacks: Map<string, Stack>) =>
    Promise.allSettled([...stacks].map(([key, stack]) => stack.up(declared(key))));
  const ids = (stacks: Map<string, Stack>): string[] => [...stacks.values()].map(({ id }) => id).sort();

  it.each([
    ["429", { kind: "status", status: 429, retryAfter: 0 }],
    ["500", { kind: "status", status: 500 }],
    ["502 with a page", { kind: "status", status: 502, page: "<h1>Bad gateway</h1>" }],
    ["a lost request", { kind: "drop-before" }],
    ["a lost answer", { kind: "drop-after" }],
    ["a late answer", { kind: "delay", delayMs: 2_500 }],
    [
      "a transfer",
      { kind: "status", status: 409, code: "conflict", message: "The project is being transferred." },
    ],
  ] as const)("each variable of a batch is created once, whatever befalls it: %s", async (_, fault) => {
    const stacks = await start();
    await w.server.control.addFaults({ method: "POST", path, times: 1, ...fault });
    const outcomes = await up(stacks);
    expect(outcomes.map(({ status }) => status)).toEqual(Array(5).fill("fulfilled"));
    expect(ids(stacks)).toEqual((await remote()).map(({ id }) => `${web}/${id}`).sort());
    for (const [key, stack] of stacks) {
      stack.use(w.another());
      expect(await stack.refresh()).toBe(true);
      expect(await stack.up(declared(key))).toBe("same");
    }
  });

  it.each(["drop-before", "drop-after", "status"] as const)(
    "a fault that lasts fails all of them, and the next run goes on: %s",
    async (kind) => {
      const stacks = await start();
      await w.server.control.addFaults({ method: "POST", path, times: 1_000, kind, status: 503 });
      const failed = new Set((await up(stacks)).map(messageOf).filter(Boolean));
      for (const message of failed) expect(message).not.toContain("canary");
      await w.server.control.clearFaults();
      for (const stack of stacks.values()) stack.use(w.another());
      await up(stacks);
      expect(await keys()).toEqual(["A", "B", "C", "D", "E"]);
      expect(ids(stacks)).toEqual((await remote()).map(({ id }) => `${web}/${id}`).sort());
    },
  );
});
