import type { Discovered } from "../../cli/import/declare";
import { discover } from "../../cli/import/discover";
import { importFiles } from "../../cli/import/files";
import { Client } from "../../provider/client/client";
import { ApiError } from "../../provider/client/errors";
import * as responses from "../../provider/client/responses";
import type { Resource } from "../../provider/core/resource";
import { RunContext } from "../../provider/core/run-context";
import { dnsRecord } from "../../provider/resources/dns-record";
import { domain, oneDomain } from "../../provider/resources/domain";
import { envVar } from "../../provider/resources/env-var";
import { isOfIntegration } from "../../provider/resources/env-var/other-tools";
import { project } from "../../provider/resources/project";
import { projectDomain } from "../../provider/resources/project-domain";
import { createdWebhook } from "../../provider/resources/webhook";
import { bodyOf, type RecordedApi, recordedAnswers, startRecordedApi } from "../support/recorded-answers";

/** The shape with which the provider reads each recorded operation. */
const shapes = {
  "GET project": responses.project,
  "POST project": responses.project,
  "GET project domain": responses.domain,
  "GET project domains": responses.domainList,
  "POST project domain": responses.domain,
  "PATCH project domain": responses.domain,
  "DELETE project domain": responses.anything,
  "GET domain config": responses.domainConfig,
  "GET env list": responses.variableList,
  "GET env list decrypt": responses.variableList,
  "GET env one": responses.variable,
  "POST env": responses.variableCreated,
  "POST env (v9)": responses.variable,
  "POST shared env": responses.sharedVariableCreated,
  "GET deployment": responses.oneDeployment,
  "GET deployments list": responses.deploymentList,
  "POST deployment": responses.oneDeployment,
  "GET user": responses.user,
  "GET account domain": oneDomain,
  "GET DNS records": responses.dnsRecordList,
  "POST DNS record": responses.createdDnsRecord,
  "PATCH DNS record": responses.dnsRecord,
  "POST edge config": responses.edgeConfig,
  "POST webhook": createdWebhook,
};

const successes = recordedAnswers.filter(({ status }) => status < 400);
const refusals = recordedAnswers.filter(({ status }) => status >= 400);

let api: RecordedApi | undefined;
let client: Client;
afterEach(async () => {
  if (!api) return;
  await client.close();
  await api.close();
  api = undefined;
});

async function open(answers: Record<string, unknown>, status?: number): Promise<RunContext> {
  api = await startRecordedApi(answers, status);
  client = new Client(
    { apiUrl: api.url, token: "t", team: undefined },
    { pauseMs: 1, attempts: 1, rateLimitDeadlineMs: 1 },
  );
  return new RunContext(client);
}

/** Reads an object, and compares its inputs with its state, as a refresh and a preview do. */
async function differencesOf(resource: Resource, run: RunContext, id: string): Promise<unknown> {
  const read = await resource.read(run, id, undefined);
  if (!read) throw new Error(`${resource.type} ${id} was not found`);
  const again = await resource.read(run, read.id, read.state);
  const { changes, replaces } = await resource.diff(run, read.id, again?.state ?? {}, read.inputs);
  return { changes, replaces, failures: resource.check({}, read.inputs) };
}
const unchanged = { changes: [], replaces: [], failures: [] };

it.each(successes)("reads the answer $file to $operation", ({ file, operation }) => {
  const shape = shapes[operation as keyof typeof shapes];
  const { error } = shape.safeParse(bodyOf(file));
  expect(error?.issues).toBeUndefined();
});

it.each(refusals)("reads status and code of the refusal $file", async ({ file, status }) => {
  await open({ "/v9/projects/web": bodyOf(file) }, status);
  const refusal = await client.project("web").then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(refusal).toBeInstanceOf(ApiError);
  expect(refusal).toMatchObject({ status, code: bodyOf(file).error.code });
});

it.each(successes.filter(({ operation }) => /^(GET|POST) project$/.test(operation)))(
  "finds no change in a project as in $file",
  async ({ file }) => {
    const { id } = bodyOf(file);
    const run = await open({ [`/v9/projects/${id}`]: bodyOf(file) });
    expect(await differencesOf(project, run, id)).toEqual(unchanged);
  },
);

it.each(bodyOf("domain-list-2026-06.json").domains as { name: string; projectId: string }[])(
  "finds no change in the domain $name of a list",
  async (domain) => {
    const path = `/v9/projects/${domain.projectId}`;
    const run = await open({
      [path]: { ...bodyOf("project-create-2025-06.json"), id: domain.projectId },
      [`${path}/domains`]: bodyOf("domain-list-2026-06.json"),
      [`${path}/domains/${domain.name}`]: domain,
    });
    expect(await differencesOf(projectDomain, run, `${domain.projectId}/${domain.name}`)).toEqual(unchanged);
  },
);

it.each(
  ["env-list-2026-07.json", "env-list-decrypt-2022-12.json"].flatMap((file) =>
    (bodyOf(file).envs as responses.Variable[]).filter((variable) => !isOfIntegration(variable)),
  ),
)("finds no change in the variable $key of a list", async (variable) => {
  const run = await open({
    "/v9/projects/prj_1": { ...bodyOf("project-create-2025-06.json"), id: "prj_1" },
    "/v9/projects/prj_1/env": { envs: [variable] },
    [`/v1/projects/prj_1/env/${variable.id}`]: variable,
  });
  const found = (await differencesOf(envVar, run, `prj_1/${variable.id}`)) as typeof unchanged;
  // The value of a variable that cannot be read is not an input.
  expect({ ...found, failures: [] }).toEqual(unchanged);
});

it("finds no change in a domain of the account, and imports its zone", async () => {
  const run = await open({ "/v5/domains/example.org": bodyOf("account-domain-get-2021.json") });
  expect(await differencesOf(domain, run, "example.org")).toEqual(unchanged);
  const { state } = (await domain.read(run, "example.org")) ?? {};
  expect(state).toMatchObject({ name: "example.org", zone: true, serviceType: "na" });
});

it.each(bodyOf("dns-list-2026-07.json").records as { id: string; type: string; domain: string }[])(
  "finds no change in the $type record $id",
  async (record) => {
    const run = await open({
      "/v2/user": bodyOf("user-get-2024-07.json"),
      [`/v5/domains/${record.domain}`]: accountDomain(record.domain),
      [`/v5/domains/${record.domain}/records`]: bodyOf("dns-list-2026-07.json"),
      [`/v5/domains/records/${record.id}`]: record,
    });
    expect(await differencesOf(dnsRecord, run, `${record.domain}/${record.id}`)).toEqual(unchanged);
  },
);

it("finds the account of a DNS record by its domain, if the token may read no user", async () => {
  const [record] = bodyOf("dns-list-2026-07.json").records;
  const run = await open({
    [`/v5/domains/${record.domain}`]: accountDomain(record.domain),
    [`/v5/domains/records/${record.id}`]: record,
  });
  const read = await dnsRecord.read(run, `${record.domain}/${record.id}`, undefined);
  expect(read?.id).toBe(`${record.domain}/${record.id}`);
});

it("imports a recorded account, and leaves out what belongs to the service and to integrations", async () => {
  const web = bodyOf("project-get-2024-03.json");
  const path = `/v9/projects/${web.id}`;
  const { domains } = bodyOf("domain-list-2026-06.json");
  const own = domains.map((one: { name: string }) => ({
    ...one,
    projectId: web.id,
    // The project has its default domain.
    name: one.name.replace(/^\w+\.vercel\.app$/, `${web.name}.vercel.app`),
  }));
  const records = [
    ...bodyOf("dns-list-2026-07.json").records,
    ...bodyOf("dns-list-system-2021.json").records,
  ];
  await open({
    "/v2/user": bodyOf("user-get-2024-07.json"),
    "/v9/projects": { projects: [web], pagination: { count: 1, next: null, prev: null } },
    [path]: web,
    [`${path}/domains`]: { domains: own },
    ...Object.fromEntries(own.map((one: { name: string }) => [`${path}/domains/${one.name}`, one])),
    [`${path}/env`]: bodyOf("env-list-2026-07.json"),
    [`${path}/custom-environments`]: { environments: [] },
    "/v5/domains": { domains: [accountDomain("example.org").domain] },
    "/v5/domains/example.org": accountDomain("example.org"),
    "/v5/domains/example.org/records": { records },
    ...Object.fromEntries(
      records.map((one) => [`/v5/domains/records/${one.id}`, { ...one, domain: "example.org" }]),
    ),
    "/v1/edge-config": [],
    // The user's default team has no shared variables.
    "/v1/env": { data: [], pagination: { count: 0, next: null, prev: null } },
    "/v1/webhooks": [],
    "/v1/drains": { drains: [] },
  });
  const { found, notes } = await discover(client);
  expect(notes).toEqual([
    "Project almond: its protection bypass secrets are not managed. Declare new ones to manage them.",
    "The variable ALMOND_TIMBER of almond was left out, because an integration sets its value.",
    "The variable OLIVE of almond was left out, because an integration sets its value.",
    ...["UMBER_TIMBER_VELVET", "YARROW_APP_API_NUTMEG"].map(
      (key) => `EnvVar almond-${key}: its value cannot be read, so it stays as it is until you set it.`,
    ),
    "The token may not read the deployment protection exceptions of almond, so they were left out.",
    "The token may not read the redirects of almond, so they were left out.",
    "The token may not read the routes of almond, so they were left out.",
    ...["feature flags", "segments", "SDK keys"].map(
      (what) => `The token may not read ${what}, so they were left out.`,
    ),
    "The default domains of projects, such as almond.vercel.app, were left out, because the service gives them to the projects.",
    "The token may not read access groups, so they were left out.",
    "The token may not read microfrontend groups, so they were left out.",
    "The token may not read installations of integrations, so they were left out.",
    "The token may not read Blob stores, so they were left out.",
  ]);
  const counts = Object.groupBy(found, ({ type }) => type);
  expect(Object.entries(counts).map(([type, all]) => [type, all?.length])).toEqual([
    ["Project", 1],
    ["ProjectDomain", 2],
    ["EnvVar", 2],
    ["DnsRecord", 13],
  ]);
  const { program, importFile } = importFiles(found);
  expect(program).toContain('new Project("almond", {\n  name: "almond",');
  // A refresh finds what was imported, and the program declares it.
  const run = new RunContext(client);
  for (const one of found.filter(({ type }) => type !== "EnvVar"))
    expect([one.name, await changesAfter(run, one)]).toEqual([one.name, []]);
  expect(JSON.parse(importFile).resources).toHaveLength(18);
});

/** The changes of an imported object after a refresh. */
async function changesAfter(run: RunContext, { type, id, state, inputs }: Discovered): Promise<unknown> {
  const resource = { Project: project, ProjectDomain: projectDomain, DnsRecord: dnsRecord }[String(type)];
  const read = await resource?.read(run, id, state);
  return (await resource?.diff(run, id, read?.state ?? {}, inputs))?.changes;
}

/** The recorded domain of an account, with a name. */
function accountDomain(name: string): { domain: object } {
  const { domain } = bodyOf("account-domain-get-2021.json");
  return { domain: { ...domain, name } };
}
