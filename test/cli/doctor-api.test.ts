import { allOperations } from "../../cli/doctor/api/operations";
import { jsonOf, type Result, slipwayHere } from "../support/cli";
import { type FullAccount, startFullAccount } from "../support/full-account";
import { openRecordingProxy, type RecordingProxy, type Reply } from "../support/recording-proxy";
import { oneOf } from "../support/slices";

/** Part of every name, id and value of the account. */
const mark = "canary4711";

interface Comparison {
  requests: number;
  compared: string[];
  differences: {
    operation: string;
    member: string;
    difference: string;
    expected: string;
    found: string;
    differsFrom: string[];
    count: number;
  }[];
  unread: { operation: string; kind: string; reason: string }[];
  withoutObjects: string[];
}

let account: FullAccount;
let proxy: RecordingProxy;
beforeAll(async () => {
  account = await startFullAccount(mark, "hosted");
});
beforeEach(async () => {
  proxy = await openRecordingProxy(account.server.url);
});
afterEach(() => proxy.close());
afterAll(() => account.server.close());

const doctor = (args: string[] = [], env: NodeJS.ProcessEnv = {}): Promise<Result> =>
  slipwayHere(["doctor", "--api", ...args], {
    ...{ SLIPWAY_API_URL: proxy.url, SLIPWAY_TOKEN: account.token, SLIPWAY_TEAM: account.team },
    ...env,
  });

const differencesIn = (result: Result): string[] =>
  jsonOf<Comparison>("doctor", result).differences.map(
    ({ operation, member, difference, found }) => `${operation} ${member}: ${difference}, ${found}`,
  );

/** Changes the JSON of the answers to a path. */
function change(
  path: RegExp, // biome-ignore lint/suspicious/noExplicitAny: a test changes members at any depth.
  edit: (body: any) => unknown,
): void {
  const before = proxy.change;
  proxy.change = (recorded, answer): Reply => {
    const changed = before(recorded, answer);
    if (!path.test(recorded.path.split("?")[0] ?? "") || changed.status !== 200) return changed;
    const body = JSON.parse(changed.body);
    return { ...changed, body: JSON.stringify(edit(body) ?? body) };
  };
}

/** Answers the requests to a path with a refusal. */
function refuse(path: RegExp, status: number, code = "forbidden"): void {
  proxy.before = (recorded) =>
    path.test(recorded.path)
      ? { status, body: JSON.stringify({ error: { code, message: mark } }) }
      : undefined;
}

describe("slipway doctor --api", () => {
  it.each(oneOf(2, ["hosted", "specification"] as const))(
    "finds no difference in the answers of the bundled server with the profile %s",
    async (profile) => {
      const other = await startFullAccount(mark, profile);
      const result = await doctor(["--json"], { SLIPWAY_API_URL: other.server.url });
      await other.server.close();
      const { differences, unread, withoutObjects, compared } = jsonOf<Comparison>("doctor", result);
      expect({ differences, unread, withoutObjects }).toEqual({
        differences: [],
        unread: [],
        withoutObjects: [],
      });
      expect(compared).toEqual(allOperations.map(({ path }) => `GET ${path}`).sort());
      expect(result.code).toBe(0);
    },
  );

  it("names each difference by its operation and member", async () => {
    change(/^\/v9\/projects$/, ({ projects }) => {
      projects[0].framework = `${mark}-framework`;
      projects[0].extra = mark;
      delete projects[0].nodeVersion;
      projects[0].crons = { enabledAt: mark };
      for (const { targets } of projects) if (targets.production) targets.production.extra = {};
    });
    change(/\/prj_\w+\/domains$/, ({ domains }) => {
      domains.reverse();
    });
    change(/^\/v1\/env$/, ({ pagination }) => {
      pagination.count = 99;
    });
    change(/^\/v1\/edge-config\/\w+$/, (config) => {
      config.slug = 1;
    });
    change(/^\/v1\/webhooks\/account\w+$/, (hook) => {
      hook.id = mark;
    });
    const result = await doctor(["--json"]);
    expect(differencesIn(result).sort()).toEqual([
      "GET /v1/edge-config/{id} slug: contradiction, another value",
      "GET /v1/edge-config/{id} slug: other type, number",
      "GET /v1/env pagination.count: pages, another number",
      "GET /v1/webhooks/{id} id: other object, another object",
      "GET /v9/projects projects[].crons.definitions: missing member, nothing",
      "GET /v9/projects projects[].crons.deploymentId: missing member, nothing",
      "GET /v9/projects projects[].crons.disabledAt: missing member, nothing",
      "GET /v9/projects projects[].crons.enabledAt: other type, string",
      "GET /v9/projects projects[].crons.updatedAt: missing member, nothing",
      "GET /v9/projects projects[].extra: unknown member, string",
      "GET /v9/projects projects[].framework: unknown value, another string",
      "GET /v9/projects projects[].nodeVersion: missing member, nothing",
      "GET /v9/projects projects[].targets.*.extra: unknown member, object",
      "GET /v9/projects/{idOrName} crons: missing member, nothing",
      "GET /v9/projects/{idOrName}/domains domains[].createdAt: order, another order",
    ]);
    expect(result.code).toBe(1);
  });

  it("prints no value, id or key of a map, also in what the answers have beyond the schemas", async () => {
    change(/^\/v9\/projects$/, ({ projects }) => {
      projects[0].framework = mark;
      projects[0][mark] = mark;
      projects[0][`${mark}-web`] = true;
      projects[0].byName = { [mark]: { [mark]: 1 } };
      projects[0].protectionBypass = { [`${mark}-secret`]: { scope: mark, [mark]: mark } };
    });
    change(/\/webhooks$/, () => ({ [mark]: mark }));
    refuse(/\/v13\/deployments\/slipway/, 404, mark);
    for (const flags of [[], ["--markdown"], ["--json"]]) {
      const { stdout, stderr } = await doctor(flags);
      expect(`${stdout}${stderr}`).not.toContain(mark);
      expect(stdout).toContain("projects[].framework");
    }
  });

  it("says which answers could not be read, and does not count them as empty", async () => {
    refuse(/^\/v1\/(webhooks|drains)|\/env\b/, 403);
    const { stdout, code } = await doctor();
    expect(stdout).toContain("webhooks (GET /v1/webhooks: 403)");
    expect(stdout).toContain("4 operations could not be read");
    expect(stdout).not.toContain("because the account has none");
    expect(code).toBe(0);
  });

  it("reports a status that is neither the success nor a refusal of access", async () => {
    refuse(/^\/v1\/webhooks/, 404, "not_found");
    const result = await doctor(["--json"]);
    expect(differencesIn(result)).toEqual(["GET /v1/webhooks : status, 404"]);
    expect(result.code).toBe(1);
  });

  it("compares the refusals of unknown objects", async () => {
    proxy.change = (recorded, answer) =>
      recorded.path.startsWith("/v13/deployments/slipway")
        ? { status: 404, body: JSON.stringify({ error: { code: "bad_request", message: "" } }) }
        : /\/v1\/webhooks\/slipway/.test(recorded.path)
          ? { ...answer, status: 400 }
          : answer;
    expect(differencesIn(await doctor(["--json"]))).toEqual([
      "GET /v1/webhooks/{id} : status, 400",
      "GET /v13/deployments/{id} error.code: error code, bad_request",
    ]);
  });

  it("finds a list whose pages repeat, end early or ignore the limit", async () => {
    const isPage = (path: string): boolean => /[?&]limit=1(&|$)/.test(path);
    proxy.before = async ({ method, path }) => {
      if (method !== "GET" || !isPage(path)) return undefined;
      if (path.startsWith("/v6/deployments")) return forward(path.replace(/&?until=\d+/, ""));
      if (path.startsWith("/v1/env?")) return forward(path.replace("limit=1", "limit=2"));
      return undefined;
    };
    change(/^\/v9\/projects$/, ({ projects, pagination }) => {
      if (projects.length === 1) pagination.next = null;
    });
    expect(differencesIn(await doctor(["--json"]))).toEqual([
      "GET /v1/env data: pages, more items",
      "GET /v6/deployments deployments: pages, the first item",
      "GET /v9/projects pagination.next: pages, null",
    ]);
  });

  it("prints a table of the differences as Markdown", async () => {
    change(/^\/v1\/webhooks$/, ([hook]) => {
      delete hook.url;
    });
    const { stdout } = await doctor(["--markdown"]);
    expect(stdout).toMatch(/^## Answers of the API\n/);
    expect(stdout).toContain(
      "| `GET /v1/webhooks` | `[].url` | missing member | string | nothing | server, provider | 1 |\n",
    );
  });

  it("sends GET requests only, with progress on standard error", async () => {
    const { stderr } = await doctor();
    expect(new Set(proxy.requests.map(({ method }) => method))).toEqual(new Set(["GET"]));
    expect(stderr).toContain("slipway: comparing deployments\n");
  });

  it("refuses a wrong token, a wrong team and flags that contradict each other", async () => {
    const wrong = await doctor([], { SLIPWAY_TOKEN: "wrong" });
    expect([wrong.code, wrong.stdout]).toEqual([1, ""]);
    expect(wrong.stderr).toMatch(/token: refused: 403 forbidden\. Create a token/);
    expect((await doctor([], { SLIPWAY_TEAM: `${mark}-teem` })).stderr).toMatch(/team: .*Did you mean/);
    expect((await slipwayHere(["doctor", "--markdown"])).code).toBe(2);
    expect((await doctor(["--json", "--markdown"])).code).toBe(2);
  });

  async function forward(path: string): Promise<Reply> {
    const answer = await fetch(`${account.server.url}${path}`, {
      headers: { authorization: `Bearer ${account.token}` },
    });
    return { status: answer.status, body: await answer.text() };
  }
});
