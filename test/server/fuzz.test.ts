import { readFileSync } from "node:fs";
import { join } from "node:path";
import Ajv, { type ValidateFunction } from "ajv/dist/2020";
import fc from "fast-check";
import { engine } from "../support/engine";
import { type Document, KnownIds, type Request, requestsFor } from "../support/fuzz/requests";
import { TestServer } from "../support/world";

const batch = 50;
const batches = process.env.SLIPWAY_TEST_LONG ? 420 : engine === "postgres" ? 4 : 42;
const seed = JSON.parse(readFileSync(join(__dirname, "../../scripts/fuzz/seed.json"), "utf8"));

const world = new TestServer();
let document: Document;
/** How often each status was answered to each operation. */
const answered = new Map<string, Map<number, number>>();

beforeAll(async () => {
  await world.open("memory");
  document = (await world.app.inject("/openapi.json")).json();
}, 60_000);
afterAll(() => world.close());

/** By operation and status; undefined: an answer without a body. */
function validators(): Map<string, ValidateFunction | undefined> {
  const ajv = new Ajv({
    strict: false,
    allErrors: true,
    formats: { "date-time": (text) => !Number.isNaN(Date.parse(text)) },
  });
  const found = new Map<string, ValidateFunction | undefined>();
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, { responses }] of Object.entries(methods)) {
      for (const [status, { content }] of Object.entries(responses)) {
        const schema = content?.["application/json"]?.schema;
        const validate = schema && ajv.compile({ ...schema, components: document.components });
        found.set(`${method.toUpperCase()} ${path} ${status}`, validate);
      }
    }
  }
  return found;
}

async function send(known: KnownIds, { path, method, inPath, query, payload, form, token }: Request) {
  const url = path.replace(/\{(\w+)\}/g, (_, name) =>
    encodeURIComponent(known.find(inPath[name] ?? "").toWellFormed()),
  );
  const response = await world.app.inject({
    method: method as "GET",
    url,
    // A followed log goes on until its build ends, which the standing clock never lets happen.
    query: Object.fromEntries(
      Object.entries(query.follow === undefined ? query : { ...query, follow: "0" }).map(([name, value]) => [
        name,
        value.toWellFormed(),
      ]),
    ),
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(payload === undefined
        ? {}
        : { "content-type": form ? "application/x-www-form-urlencoded" : "application/json" }),
    },
    ...(payload === undefined ? {} : { payload }),
  });
  if (response.statusCode < 300) known.learn(path, response.body);
  return response;
}

test("no request made of the API's own document brings about a failure, or an answer that it does not tell of", async () => {
  const allowed = validators();
  const requests = fc.array(requestsFor(document), { minLength: batch, maxLength: batch });
  const holds = fc.asyncProperty(requests, async (several) => {
    await world.control.reset();
    await world.seed(seed);
    const known = new KnownIds();
    for (const request of several) {
      const { statusCode, body, headers } = await send(known, request);
      const operation = `${request.method} ${request.path}`;
      const statuses = answered.get(operation) ?? new Map();
      answered.set(operation, statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1));
      const answer = `${operation} ${statusCode}`;
      const [failure] = world.failures.splice(0);
      if (failure) throw failure;
      // Operations that are left out on purpose are documented with 501.
      if (statusCode >= 500 && statusCode !== 501) throw new Error(`${answer}: ${body}`);
      if (!allowed.has(answer)) throw new Error(`${answer} is not documented: ${body}`);
      const validate = allowed.get(answer);
      if (!validate) expect(body).toBe("");
      else if (!validate(parseBody(body, headers["content-type"]))) {
        throw new Error(`${answer}: ${JSON.stringify(validate.errors)} in ${body}`);
      }
    }
  });
  await fc.assert(holds, { seed: 20250101, numRuns: batches, endOnFailure: true });
  if (batches >= 30) expectCoverage();
}, 3_600_000);

/** Lines of JSON are the items of a list. */
const parseBody = (body: string, type: unknown): unknown =>
  String(type).startsWith("application/stream+json")
    ? body.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]))
    : JSON.parse(body);

/** Operations succeed at times, and are refused at times: otherwise the requests test nothing. */
function expectCoverage(): void {
  const statusesOf = [...answered.values()].map((statuses) => [...statuses.keys()]);
  const succeeded = statusesOf.filter((statuses) => statuses.some((one) => one < 300));
  const refused = statusesOf.filter((statuses) => statuses.some((one) => one >= 400));
  const all = Object.values(document.paths).flatMap(Object.keys).length;
  expect(answered.size).toBe(all);
  expect(refused.length).toBeGreaterThan(0.9 * all);
  expect(succeeded.length).toBeGreaterThan(0.5 * all);
}
