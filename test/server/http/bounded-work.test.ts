import { createHash } from "node:crypto";
import { inputSchema } from "../../../server/ops/openapi";
import { routes } from "../../../server/routes";
import { seedEndpoints } from "../../support/endpoints";
import { isLong, oneOf } from "../../support/slices";
import { StepCounter, type Work } from "../../support/steps";
import { type Answer, TestServer } from "../../support/world";

/**
 * The work on a request grows with its size and no faster. It is counted, since a time would depend on the machine.
 * The bounds are a few times what is needed; work that grew with the square of an input would exceed them many times.
 */

const many = 2_000;
const times = (text: string): string => Array(many).fill(text).join(",");
const members = (value: string, count = many): string =>
  `{${Array.from({ length: count }, (_, at) => `"unknown${at}":${value}`).join(",")}}`;

const longText = JSON.stringify(`${"a-./ü".repeat(many)}${" ".repeat(many)}.`);
const largeValues: readonly string[] = [
  `[${times("1")}]`,
  `[${times('{"id":"prj_web"}')}]`,
  members("1"),
  "[".repeat(many) + "]".repeat(many),
];

interface Schema {
  type?: string | string[];
  enum?: string[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
}

const formsOf = ({ anyOf, oneOf }: Schema): Schema[] => anyOf ?? oneOf ?? [];

/** A small value that a schema accepts, mostly. */
function sampleOf(schema: Schema): string {
  const [form] = formsOf(schema);
  if (form) return sampleOf(form);
  if (schema.enum) return JSON.stringify(schema.enum[0]);
  if (schema.type === "array") return `[${sampleOf(schema.items ?? {})}]`;
  if (schema.type === "object") return objectOf(schema, {});
  if (schema.type === "boolean") return "true";
  return schema.type === "string" ? '"a"' : "1";
}

/** The required members of an object, and others. */
function objectOf({ properties = {}, required = [] }: Schema, others: Record<string, string>): string {
  const samples = Object.fromEntries(required.map((name) => [name, sampleOf(properties[name] ?? {})]));
  const all = Object.entries({ ...samples, ...others });
  return `{${all.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(",")}}`;
}

/** Bodies of a schema in which one value is large: each value in turn. */
function* bodiesOf(schema: Schema): Generator<string> {
  const forms = formsOf(schema).filter(({ type }) => type !== "null");
  if (forms.length > 0) {
    for (const form of forms) yield* bodiesOf(form);
    return;
  }
  const { type, items, properties = {}, additionalProperties: further } = schema;
  if (type === "array") {
    yield* largeValues;
    yield `[${times(sampleOf(items ?? {}))}]`;
    for (const text of bodiesOf(items ?? {})) yield `[${text}]`;
  } else if (type === "object") {
    yield* largeValues;
    yield objectOf(schema, JSON.parse(members('"1"')));
    for (const [name, property] of Object.entries(properties)) {
      for (const text of bodiesOf(property)) yield objectOf(schema, { [name]: text });
    }
    if (typeof further !== "object") return;
    yield members(sampleOf(further));
    for (const text of bodiesOf(further)) yield `{"name":${text}}`;
  } else {
    yield longText;
    if (type === undefined) yield* largeValues;
  }
}

/** Some of many bodies, by the seed of the run; all in the long run. */
function sampleOfBodies(texts: readonly string[]): readonly string[] {
  if (isLong) return texts;
  const sortKey = (text: string): string =>
    createHash("sha1").update(`${jest.getSeed()} ${text}`).digest("hex");
  return [...texts].sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1)).slice(0, 2);
}

const countValues = (text: string): number => (text.match(/[,:[{&;]/g) ?? []).length;

interface Excess {
  blocks: boolean;
  bytes: boolean;
}

function excessOf(work: Work, input: string): Excess {
  const values = countValues(input);
  const length = input.length;
  return {
    blocks: work.blocks > 25_000 + 160 * values + 3 * length,
    bytes: work.bytes > 4_000_000 + 7_000 * values + 100 * length,
  };
}

const urlOf = (path: string): string =>
  path
    .replace(/:(idOrName|projectId)/, "prj_web")
    .replace(/:domain/, "www.example.com")
    .replace(/:\w+/g, "none");

const world = new TestServer();
const lenient = new TestServer();
let counter: StepCounter;
beforeAll(async () => {
  await world.open("memory", { strict: false });
  await lenient.open("memory", { strict: false, lenient: true });
  await seedEndpoints(world);
  await seedEndpoints(lenient);
  counter = await StepCounter.open();
});
beforeEach(() => counter.reset());
afterAll(async () => {
  await counter.close();
  await lenient.close();
  await world.close();
});

/**
 * Sends a request and checks the work on it. A read that seems to need too much is sent once more: what else ran in
 * this process, such as a timer or the first loading of a module, does not come again; the work on the input does.
 */
async function send(at: TestServer, input: string, request: Parameters<TestServer["call"]>): Promise<void> {
  const [method, url] = request;
  const count = async (): Promise<{ work: Work; excess: Excess }> => {
    let answer: Answer | undefined;
    const work = await counter.count(async () => {
      answer = await at.call(...request);
    });
    const isServed = (answer?.status ?? 500) < 500 || answer?.status === 501;
    if (!isServed) expect(answer).toBe("served");
    return { work, excess: excessOf(work, input) };
  };
  let counted = await count();
  if (method === "GET" && (counted.excess.blocks || counted.excess.bytes)) counted = await count();
  const isExcessive = counted.excess.blocks || counted.excess.bytes;
  expect(isExcessive ? { url: url.slice(0, 80), input: input.slice(0, 80), ...counted } : "bounded").toBe(
    "bounded",
  );
}

describe("the work on a request grows no faster than its size", () => {
  const withBody = routes.flatMap(({ method, path, body }) => (body ? [{ method, path, body }] : []));
  test.each(oneOf(3, withBody))(
    "with any large value in the body of $method $path",
    async ({ method, path, body }) => {
      expect.hasAssertions();
      const texts = sampleOfBodies([...new Set(bodiesOf(inputSchema(body) as Schema))]);
      await counter.reset();
      for (const text of texts) {
        await send(world, text, [method, urlOf(path), { body: text }]);
        if (text.startsWith("{")) await send(lenient, text, [method, urlOf(path), { body: text }]);
      }
    },
    300_000,
  );

  const forms: [string, string][] = [
    ["one member again and again", "a=1&".repeat(many)],
    ["many members", Array.from({ length: many }, (_, at) => `a${at}=1`).join("&")],
    ["many members of one name without a value", "a&".repeat(many)],
    ["a long escaped value", `code=${"%41".repeat(many)}`],
  ];
  test.each(forms)("with a form of %s", async (_, text) => {
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    await send(world, text, [
      "POST",
      "/v2/oauth/access_token",
      { token: null, team: null, body: text, headers },
    ]);
  });

  const queries: [string, string][] = [
    ["one member again and again", "search=a&".repeat(1_000)],
    ["many members", Array.from({ length: 1_000 }, (_, at) => `a${at}=1`).join("&")],
    ["a long escaped value", `search=${"%25_".repeat(2_000)}`],
    ["many repositories", `excludeRepos=${"a/b,".repeat(3_000)}`],
    ["a long number", `limit=${"1".repeat(12_000)}`],
    ["the team again and again", "teamId=a&".repeat(1_000)],
  ];
  const reads = routes.filter(({ method }) => method === "GET");
  /** Each query goes to every third route, and each route gets two of the queries; all of them in the long run. */
  const readsFor = (query: string) => {
    const at = queries.findIndex(([, own]) => own === query);
    return reads.filter((_, route) => isLong || route % 3 === at % 3);
  };
  test.each(queries)("with a query of %s, on each route that reads", async (_, query) => {
    for (const { path } of readsFor(query)) await send(world, query, ["GET", `${urlOf(path)}?${query}`]);
    await send(world, query, ["GET", `/unknown?${query}`, { token: null, team: null }]);
  });

  const headers: [string, Record<string, string>][] = [
    ["many headers", Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`x-${at}`, "1"]))],
    ["many cookies", { cookie: "slipway=a; ".repeat(1_000) }],
    ["a long token", { authorization: `Bearer ${"a".repeat(6_000)}${" ".repeat(6_000)}.` }],
    ["a long host", { host: `${":1".repeat(6_000)}.` }],
    ["a long content type", { "content-type": `${"a/;".repeat(4_000)}` }],
  ];
  test.each(headers)("with %s", async (_, sent) => {
    const text = JSON.stringify(sent).replaceAll(" ", ",");
    const paths = ["/v9/projects", "/unknown", "/_control/snapshot", "/_dashboard/api/state", "/docs", "/"];
    for (const path of paths) await send(world, text, ["GET", path, { headers: sent }]);
    await send(world, text, ["PATCH", "/v9/projects/web", { headers: sent, body: "{}" }]);
    await send(world, text, ["POST", "/v2/oauth/access_token", { headers: sent, token: null, body: "{}" }]);
  });

  const paths: [string, string][] = [
    ["many segments", "/a".repeat(6_000)],
    ["a long segment", `/v9/projects/${"a".repeat(12_000)}`],
    ["a long escaped segment", `/v9/projects/${"%41".repeat(4_000)}`],
    ["many versions", "/v9".repeat(4_000)],
  ];
  test.each(paths)("with a path of %s", async (_, path) => {
    for (const method of ["GET", "PATCH"]) await send(world, path.replaceAll("/", "&"), [method, path]);
  });
});

it("a body of too many values is refused before its members are looked at", async () => {
  const events = Array(30_001).fill(1);
  const body = { url: "https://example.com", events };
  const { status, body: answer } = await world.call("POST", "/v1/webhooks", {
    body: { ...body, x: "x".repeat(1e5) },
  });
  expect([status, answer.error.message]).toEqual([
    400,
    "The body holds too many values: at most 30000 are accepted.",
  ]);
});

it("a body of a request without a token has at most 64 KiB", async () => {
  const body = { code: "x".repeat(64 * 1024) };
  const { status } = await world.call("POST", "/v2/oauth/access_token", { token: null, team: null, body });
  expect(status).toBe(413);
});
