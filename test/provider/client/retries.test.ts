import { Readable } from "node:stream";
import nock from "nock";
import { z } from "zod";
import { Client } from "../../../provider/client/client";
import { Transport } from "../../../provider/client/transport";

/** The waits of the client in milliseconds. Each passes at once, by a clock that stands still otherwise. */
const waits: number[] = [];
jest.mock("../../../provider/client/step-limits", () => ({
  ...jest.requireActual("../../../provider/client/step-limits"),
  pause: async (ms: number) => {
    waits.push(ms);
    jest.setSystemTime(Date.now() + ms);
  },
}));

const apiUrl = "https://api.example.com";
const path = "/v9/projects/web";
const second = 1_000;
const minute = 60 * second;
let api: nock.Scope;
let client: Client;

beforeEach(() => {
  jest.useFakeTimers({
    now: Date.UTC(2025, 0, 1),
    // Only the date stands still.
    doNotFake: [
      ...(["nextTick", "queueMicrotask", "setImmediate", "clearImmediate", "performance", "hrtime"] as const),
      ...(["setTimeout", "clearTimeout", "setInterval", "clearInterval"] as const),
    ],
  });
  waits.length = 0;
  nock.disableNetConnect();
  api = nock(apiUrl);
  client = new Client({ apiUrl, token: "t", team: undefined });
});
afterEach(async () => {
  jest.useRealTimers();
  nock.cleanAll();
  nock.enableNetConnect();
  await client.close();
});
// It patches what all tests of a process share.
afterAll(() => nock.restore());

const get = (): Promise<unknown> =>
  client.send({ method: "GET", path, shape: z.looseObject({ id: z.string() }) });
const found = { id: "a" };
const refusal = (code: string, message = "said") => ({ error: { code, message } });
/** Answers with a status so many times. */
const answers = (times: number, status: number, retryAfter?: string, body: nock.Body = refusal("later")) =>
  api
    .get(path)
    .times(times)
    .reply(status, body, retryAfter === undefined ? {} : { "retry-after": retryAfter });
const total = (): number => waits.reduce((sum, ms) => sum + ms, 0);

describe("a request that is refused with Retry-After", () => {
  it.each([429, 503])("waits as many seconds as a %d says", async (status) => {
    answers(1, status, "7");
    api.get(path).reply(200, found);
    expect(await get()).toEqual(found);
    expect(waits).toEqual([7 * second]);
  });

  it.each([429, 503])("waits until the date that a %d says", async (status) => {
    answers(1, status, new Date(Date.now() + 90 * second).toUTCString());
    api.get(path).reply(200, found);
    expect(await get()).toEqual(found);
    expect(waits).toEqual([90 * second]);
  });

  it("waits after a 429 whose body is not the API's", async () => {
    answers(1, 429, "7", "slow down");
    api.get(path).reply(200, found);
    expect(await get()).toEqual(found);
    expect(waits).toEqual([7 * second]);
  });

  it("is not sent again when a 503 asks for more than the deadline of 2 minutes", async () => {
    answers(1, 503, "121");
    await expect(get()).rejects.toThrow(/503/);
    expect(waits).toEqual([]);
  });
});

describe("a rate-limited request", () => {
  it.each([undefined, "0.0015"])(
    "waits whole milliseconds, as time limits need them (Retry-After: %s)",
    async (after) => {
      jest.spyOn(Math, "random").mockReturnValue(0.123_456_7);
      const timeout = jest.spyOn(AbortSignal, "timeout");
      answers(3, 429, after);
      // Less than the time limit of an attempt is left of the deadline.
      answers(1, 503, "100");
      api.get(path).reply(200, found);
      expect(await get()).toEqual(found);
      for (const ms of [...waits, ...timeout.mock.calls.map(([ms]) => ms)])
        expect(Number.isInteger(ms)).toBe(true);
      jest.restoreAllMocks();
    },
  );

  it("does not count its waits towards its deadline of 2 minutes", async () => {
    answers(3, 429, "100");
    answers(1, 503);
    api.get(path).reply(200, found);
    expect(await get()).toEqual(found);
    expect(waits.slice(0, 3)).toEqual([100 * second, 100 * second, 100 * second]);
    expect(waits).toHaveLength(4);
  });

  it("may fail as often as one that was never rate-limited", async () => {
    answers(6, 429, "1");
    answers(5, 503, "1");
    api.get(path).reply(200, found);
    expect(await get()).toEqual(found);
  });

  it("waits for at most 10 minutes in all", async () => {
    answers(5, 429, "150");
    await expect(get()).rejects.toThrow(/429 later/);
    expect(total()).toBe(10 * minute);
  });

  it.each(["0", "Thu, 01 Jan 1970 00:00:00 GMT", ""])(
    "backs off when the service asks for no wait: %j",
    async (retryAfter) => {
      answers(3, 429, retryAfter);
      api.get(path).reply(200, found);
      await get();
      expect(Math.min(...waits)).toBeGreaterThanOrEqual(100);
    },
  );
});

describe("a request that the service fails", () => {
  it("is sent 6 times at most, after pauses that double from 200 ms with jitter", async () => {
    answers(6, 503);
    await expect(get()).rejects.toThrow(/503/);
    expect(waits).toHaveLength(5);
    for (const [attempt, ms] of waits.entries()) {
      expect(ms).toBeGreaterThanOrEqual(100 * 2 ** attempt);
      expect(ms).toBeLessThanOrEqual(200 * 2 ** attempt);
    }
  });

  it("pauses for at most 5 s", async () => {
    await client.close();
    client = new Client({ apiUrl, token: "t", team: undefined }, { attempts: 12 });
    answers(12, 503);
    await expect(get()).rejects.toThrow(/503/);
    expect(Math.max(...waits)).toBeLessThanOrEqual(5 * second);
    expect(Math.max(...waits)).toBeGreaterThanOrEqual(2.5 * second);
  });
});

it("a request to a project that is being transferred is repeated each second, for at most 2 minutes", async () => {
  answers(200, 409, undefined, refusal("conflict", "The project is being transferred."));
  await expect(get()).rejects.toThrow(/409 conflict/);
  expect(new Set(waits)).toEqual(new Set([second]));
  expect(total()).toBe(2 * minute);
});

it("an attempt has 30 s, more for a large file, and no more than is left until the deadline", async () => {
  const answer = { body: found, requestId: undefined };
  const sent = jest.spyOn(Transport.prototype, "send").mockResolvedValue(answer);
  const upload = { method: "POST", path: "/v2/files", shape: z.unknown() } as const;
  const open = () => Readable.from([]);
  await client.send(upload);
  await client.send({ ...upload, content: { open, size: 5_000_000, headers: {} } });
  await client.sendOnce(upload, { deadline: Date.now() + 5 * second });
  await client.sendOnce(upload, { deadline: Date.now() - second });
  expect(sent.mock.calls.map(([, ms]) => ms)).toEqual([30 * second, 130 * second, 5 * second, 1]);
  sent.mockRestore();
});
