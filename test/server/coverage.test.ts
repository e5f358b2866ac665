import { cliPaths, limits, sdkOperations } from "../../server/coverage";
import { routes } from "../../server/routes";
import { useTestServer } from "../support/world";

const world = useTestServer();

const filled = (path: string): string => path.replace(/\{[^}]*\}|:\w+/g, "something");

const answerTo = async (method: string, path: string): Promise<unknown[]> => {
  const { status, body } = await world.call(method, filled(path));
  return [status, body.error?.code];
};

/** The operations whose answer is not as expected, each with its answer. */
async function others(
  operations: readonly { method?: string; path: string }[],
  isExpected: (status: unknown) => boolean,
): Promise<string[]> {
  const found: string[] = [];
  for (const { method = "GET", path } of operations) {
    const answer = await answerTo(method, path);
    if (!isExpected(answer[0])) found.push(`${method} ${path}: ${answer.join(" ")}`);
  }
  return found;
}

describe("an operation that only the hosted API has", () => {
  it("is refused with a code of its own, and the page that lists what is served", async () => {
    const { status, body } = await world.call("GET", "/v1/ai-gateway/virtual-model-configs");
    expect([status, body.error.code]).toEqual([501, "not_implemented"]);
    expect(body.error.message).toContain("docs/coverage.md");
  });

  it("is refused with any version, with a trailing slash, and without a token", async () => {
    for (const path of [
      "/ai-gateway/virtual-model-configs",
      "/v7/ai-gateway/virtual-model-configs",
      "/v1/ai-gateway/virtual-model-configs/",
    ]) {
      expect((await world.call("GET", path, { token: null })).status).toBe(501);
    }
  });

  it("is refused also if the path is served with other methods", async () => {
    expect(await answerTo("DELETE", "/v1/user")).toEqual([501, "not_implemented"]);
  });

  it("is each one of the official SDK that no route serves", async () => {
    // Without their versions, these are the paths of the project `traces` and of the overview.
    const shared = ["/v1/projects/traces", "/v2/"];
    const unserved = sdkOperations.filter(({ path, isServed }) => !isServed && !shared.includes(path));
    expect(unserved.length).toBeGreaterThan(100);
    expect(await others(unserved, (status) => status === 501)).toEqual([]);
  });

  it("is each path of the official command line that no route serves, with any method", async () => {
    // Its method is POST. With GET, it is the path of a version.
    const shared = ["/v1/security/firewall/config/generate-rule"];
    const unserved = cliPaths.filter(({ path, isServed }) => !isServed && !shared.includes(path));
    expect(unserved.length).toBeGreaterThan(50);
    expect(await others(unserved, (status) => status === 501)).toEqual([]);
  });
});

it("no served operation is refused as one that only the hosted API has", async () => {
  const served = sdkOperations.filter(({ isServed }) => isServed);
  expect(served.length).toBeGreaterThan(50);
  expect(await others([...routes, ...served], (status) => status !== 501)).toEqual([]);
});

it("a path that no client has is still not found", async () => {
  expect(await answerTo("GET", "/v1/access-groups/a/b/c/d")).toEqual([404, "not_found"]);
});

it("a method that nobody has on a served path is still refused as such", async () => {
  expect(await answerTo("PUT", "/v9/projects/web")).toEqual([405, "method_unknown"]);
});

it("limits are those of operations that are served", () => {
  const served = sdkOperations.filter(({ isServed }) => isServed).map(({ id }) => id);
  expect(Object.keys(limits).filter((id) => !served.includes(id))).toEqual([]);
});
