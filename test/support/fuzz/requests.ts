import fc from "fast-check";
import { asText, nearlyValid, type Schema } from "./values";

interface Content {
  content?: Record<string, { schema: Schema }>;
}

export interface Operation {
  parameters: { name: string; in: "path" | "query"; required: boolean; schema: Schema }[];
  requestBody?: Content;
  responses: Record<string, Content>;
}

/** The API's document, as far as requests are made of it. */
export interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: object;
}

/** A placeholder for one of the ids of a kind that exist when the request is sent. */
interface Reference {
  kind: string;
  at: number;
}

export interface Request {
  /** As the document spells it. */
  path: string;
  method: string;
  /** By parameter. */
  inPath: Record<string, Reference | string>;
  query: Record<string, string>;
  /** undefined: none. */
  payload: string | undefined;
  form: boolean;
  token: string | undefined;
}

const tokens = fc.oneof(
  { weight: 12, arbitrary: fc.constant<string | undefined>("slipway-dev-token") },
  { weight: 3, arbitrary: fc.constant("installation-token") },
  { weight: 1, arbitrary: fc.constantFrom("unknown", "", undefined) },
);
const teams = fc.oneof(
  { weight: 12, arbitrary: fc.constant<Record<string, string>>({ slug: "acme" }) },
  { weight: 1, arbitrary: fc.constantFrom<Record<string, string>>({}, { slug: "" }, { teamId: "x" }) },
);

/** Valid and invalid requests, for all operations alike. */
export function requestsFor({ paths }: Document): fc.Arbitrary<Request> {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => requestsOf(path, method, operation)),
  );
  return fc.oneof(...operations);
}

function requestsOf(path: string, method: string, operation: Operation): fc.Arbitrary<Request> {
  const ours = operation.parameters.filter(({ name }) => name !== "teamId" && name !== "slug");
  const inPath = ours.filter((one) => one.in === "path");
  const inQuery = ours.filter((one) => one.in === "query");
  return fc
    .record({
      path: fc.constant(path),
      method: fc.constant(method.toUpperCase()),
      inPath: fc.record(Object.fromEntries(inPath.map(({ name }) => [name, named(path, name, method)]))),
      query: fc.record(Object.fromEntries(inQuery.map(({ name, schema }) => [name, queried(name, schema)])), {
        requiredKeys: inQuery.filter(({ required }) => required).map(({ name }) => name),
      }),
      team: teams,
      token: tokens,
      form: fc.boolean(),
      body: bodies(operation),
    })
    .map(({ team, form: asked, body, query, ...request }) => {
      const form =
        asked && operation.requestBody?.content?.["application/x-www-form-urlencoded"] !== undefined;
      return { ...request, form, query: { ...query, ...team }, payload: body(form) };
    });
}

/** A value of a query parameter. Without a project that exists, most requests would end with 404. */
const queried = (name: string, schema: Schema): fc.Arbitrary<string> =>
  name === "projectId"
    ? fc.oneof(
        { weight: 4, arbitrary: fc.constantFrom("prj_web", "prj_api") },
        { weight: 1, arbitrary: nearlyValid(schema).map(asText) },
      )
    : nearlyValid(schema).map(asText);

type Payload = (form: boolean) => string | undefined;

function bodies({ requestBody }: Operation): fc.Arbitrary<Payload> {
  const schema = requestBody?.content?.["application/json"]?.schema;
  const none = fc.constant<Payload>(() => undefined);
  if (!schema) return none;
  const written = nearlyValid(schema).map(
    (value): Payload =>
      (form) => {
        const json = JSON.stringify(value);
        if (!form || typeof value !== "object" || value === null) return json;
        const members = Object.entries(value).map(([name, one]): [string, string] => [name, asText(one)]);
        return new URLSearchParams(members).toString();
      },
  );
  const broken = fc.constantFrom("{", "nothing", '{"a":1}}', "\ufeff{}", "[[[[").map(
    (one): Payload =>
      () =>
        one,
  );
  return fc.oneof(
    { weight: 20, arbitrary: written },
    { weight: 1, arbitrary: none },
    { weight: 1, arbitrary: broken },
  );
}

/** The object that a path parameter names: mostly one that exists. */
function named(path: string, parameter: string, method: string): fc.Arbitrary<Reference | string> {
  const segment = new RegExp(`/([^/]+)/\\{${parameter}\\}`).exec(path)?.[1] ?? "";
  const isApex = parameter === "domain" && path.includes("/domains/{domain}/records");
  const isGroup = segment === "access-groups";
  // A request that deletes the team of the others would leave nothing to ask for.
  const isRemoved = method === "delete" && path.endsWith("/teams/{teamIdOrSlug}");
  const kind = isRemoved
    ? "spareTeam"
    : isApex
      ? "apex"
      : isGroup
        ? "accessGroup"
        : (kinds[parameter] ?? kinds[segment] ?? "");
  const some = fc.nat().map((at): Reference => ({ kind, at }));
  const removes = method === "delete" && kind === "project";
  return fc.oneof(
    { weight: removes ? 1 : 12, arbitrary: some },
    { weight: 3, arbitrary: nearlyValid({ type: "string" }).map(asText) },
  );
}

const kinds: Record<string, string> = {
  idOrName: "project",
  projectId: "project",
  domain: "domain",
  deploymentId: "deployment",
  teamIdOrSlug: "team",
  environment: "environment",
  target: "target",
  gitBranch: "branch",
  env: "variable",
  deployments: "deployment",
  aliases: "deployment",
  backupId: "backup",
  inviteId: "invited",
  code: "transferCode",
  checkId: "check",
  checkRunId: "checkRun",
  configuration: "configuration",
  webhooks: "webhook",
  certs: "certificate",
  flag: "flag",
  segment: "segment",
  hashKey: "sdkKey",
  recordId: "dnsRecord",
  "edge-config": "edgeConfig",
  stores: "blobStore",
  blob: "blobStore",
  connections: "blobConnection",
  item: "item",
  token: "edgeConfigToken",
  tokenId: "userToken",
  "log-drains": "drain",
  drains: "drain",
};

/** The ids that exist: those of the seed, and those in answers. */
export class KnownIds {
  private readonly ids = new Map<string, string[]>(
    Object.entries({
      project: ["web", "prj_web", "prj_api", "prj_web"],
      apex: ["example.com", "example.org"],
      dnsRecord: ["rec_1"],
      domain: ["www.example.com", "www.example.org", "WWW.example.com"],
      deployment: ["dpl_1", "dpl_2", "dpl_3"],
      team: ["acme"],
      spareTeam: ["spare"],
      environment: ["staging", "env_staging"],
      variable: ["env_key", "env_shared"],
      webhook: ["account_hook_1"],
      certificate: ["cert_1"],
      flag: ["flag_1", "checkout"],
      segment: ["segment_1", "staff"],
      sdkKey: ["hash_1"],
      drain: ["ld_1"],
      invited: ["user_invited"],
      check: ["chk_1", "check_1"],
      checkRun: ["chkrun_1"],
      accessGroup: ["ag_1", "designers"],
      edgeConfig: ["ecfg_1"],
      item: ["KEY"],
      edgeConfigToken: ["secret"],
      blobStore: ["store_1"],
      blobConnection: ["spc_1"],
      target: ["production", "preview", "staging"],
      branch: ["main", "next"],
      configuration: ["icfg_1"],
    }),
  );

  /** @param text the answer to a request */
  learn(path: string, text: string): void {
    const code = /^\{"code":"(\w+)"\}$/.exec(text)?.[1];
    if (code !== undefined) this.add("transferCode", code);
    for (const [, id = ""] of text.matchAll(/"u?id":"([A-Za-z0-9_]+)"/g)) {
      const kind = kindOfPrefix[/^[a-z_]+?_(?=[A-Za-z0-9]+$)/.exec(id)?.[0] ?? ""];
      // A shared variable has the prefix of an environment.
      if (/^\/v\d+\/env(\/|$)/.test(path)) this.add("variable", id);
      else if (kind) this.add(kind, id);
      else if (path.endsWith("/backups")) this.add("backup", id);
      else if (path.endsWith("/env")) this.add("variable", id);
      // Those of the seed are never deleted: without them, all requests would be refused.
      else if (text.includes('"bearerToken"')) this.add("userToken", id);
    }
  }

  private add(kind: string, id: string): void {
    const known = this.ids.get(kind) ?? [];
    if (!known.includes(id)) this.ids.set(kind, [...known.slice(-12), id]);
  }

  find(named: Reference | string): string {
    // Such a segment makes it another path.
    if (typeof named === "string") return /^\.{0,2}$/.test(named) ? "-" : named;
    const known = this.ids.get(named.kind) ?? [];
    return known[named.at % Math.max(1, known.length)] ?? "unknown";
  }
}

const kindOfPrefix: Record<string, string> = {
  prj_: "project",
  dpl_: "deployment",
  icfg_: "configuration",
  env_: "environment",
  account_hook_: "webhook",
  cert_: "certificate",
  flag_: "flag",
  segment_: "segment",
  rec_: "dnsRecord",
  ecfg_: "edgeConfig",
  store_: "blobStore",
  spc_: "blobConnection",
  ld_: "drain",
};
