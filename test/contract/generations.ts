import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The official SDK of the API as it was at three times; each is a package of that name (`sdk-k3` …). */
export const generations = ["k3", "k6", "k28"] as const;
export type Generation = (typeof generations)[number];

/** The outcome of a call. Nothing is thrown. */
export type Result = { ok: true; value: unknown } | { ok: false; error: Error };
type Call = (client: object, request?: object) => Promise<Result>;

interface Connection {
  url: string;
  token: string | undefined;
  fetch: typeof fetch;
}

export interface Sdk {
  /** Every operation that the SDK has: method and path, without version and names of parameters. */
  readonly operations: ReadonlyMap<string, SdkOperation>;
  connect(connection: Connection): object;
}

export interface SdkOperation {
  /** Its id in the description that the SDK was made from. */
  name: string | undefined;
  /** The names of its query parameters, without those of the account. */
  query: readonly string[];
  call: Call;
  /** The error of the SDK for a refusal with this status. */
  errorClass(status: number): string;
}

/**
 * The name under which operations are compared: versions differ between clients, and so do names of parameters. The
 * newest calls Edge Configs Global Configs.
 */
export function nameless(method: string, path: string): string {
  const unversioned = path.replace(/^\/v\d+(?=\/)/, "").replace(/^\/global-config/, "/edge-config");
  return `${method} ${unversioned.replace(/:\w+|\{\w+\}/g, "*")}`;
}

/** Comes from the environment of these tests. */
// biome-ignore lint/suspicious/noExplicitAny: three generations of modules, none of them made for these types
declare const requireNatively: (name: string) => any;

/** Reads from a generation's own code what it can do; what is called is loaded when it is called. */
export function loadSdk(generation: Generation): Sdk {
  const packageName = `sdk-${generation}`;
  const load = (path: string) => requireNatively(`${packageName}/${path}`);
  const folder = join(dirname(require.resolve(`${packageName}/package.json`)), "esm/funcs");
  const operations = new Map<string, SdkOperation>();
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".js"))) {
    const source = readFileSync(join(folder, file), "utf8");
    const path = source.match(/pathToFunc\("([^"]+)"\)/)?.[1];
    const method = source.match(/method: "([A-Z]+)"/)?.[1];
    if (path === undefined || method === undefined) throw new Error(`${packageName}: ${file} has no path`);
    operations.set(nameless(method, path), {
      name: source.match(/operationID: "([^"]+)"/)?.[1],
      query: queryOf(source),
      call: (client, request) => {
        const call = load(`funcs/${file}`)[file.slice(0, -".js".length)] as Call;
        return request === undefined ? call(client) : call(client, request);
      },
      errorClass: (status) => errorClassOf(source, status),
    });
  }
  return {
    operations,
    connect({ url, token, fetch }) {
      const { VercelCore } = load("core.js");
      const { HTTPClient } = load("lib/http.js");
      return new VercelCore({
        serverURL: url,
        bearerToken: token,
        httpClient: new HTTPClient({ fetcher: fetch }),
      });
    },
  };
}

function queryOf(source: string): string[] {
  const names = [...source.matchAll(/encode\w*Query\(\{([^}]*)\}/g)].flatMap(([, members = ""]) =>
    [...members.matchAll(/"([^"]+)": payload/g)].map(([, name = ""]) => name),
  );
  return names.filter((name) => name !== "teamId" && name !== "slug");
}

/** An operation tries its matchers in order; the first that takes the status decides. */
function errorClassOf(source: string, status: number): string {
  for (const [, taken, ownClass, all] of source.matchAll(
    /M\.(?:jsonErr\((\d+), (\w+)\$inboundSchema|fail\(([^)]*)\))/g,
  )) {
    if (Number(taken) === status) return ownClass ?? "";
    if (all?.includes(String(status)) || all?.includes(`${Math.floor(status / 100)}XX`)) break;
  }
  return "SDKError";
}
