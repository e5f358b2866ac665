import * as z from "zod";
import { hasUnknownProjects } from "../access/projects";
import { sendOnce } from "../events/http-post";
import { checkReceiverUrl, privateReceiver } from "../events/receiver-url";
import { type Call, type Route, route } from "../http/route";
import { newId } from "../platform/ids";
import { copyOfName, readMeta } from "../store/meta";
import { changeRows, deleteRows, findRow, insertRow, listRows } from "../store/rows";
import * as wire from "./drain-schema";
import { type LogDrainRow, type OtherDrainRow, otherDrains } from "./object";
import { linesOf, testRecord } from "./record";
import {
  addDrain,
  byId,
  drainNotFound,
  editDrain,
  type LogDrainChanges,
  loadFacts,
  type NewDrain,
  type OneDrain,
  unknownDrain,
} from "./routes";
import {
  enterpriseOnly,
  invalidMembers,
  peopleOnly,
  teamsOnly,
  tooManyDrains,
  unknownProjects,
} from "./rules";
import { changedSettings, type OtherSettings, sealSettings } from "./settings";
import { drainTopic, listAccountDrains } from "./store";
import { isForProject, settingsOf, viewDrainOfLogs, viewOtherDrain } from "./view";

/**
 * The newest routes for the drains of an account. `/v1/log-drains` serves the same drains of logs.
 * @choice Drains of traces and audit logs are stored, and nothing is sent to them.
 */

const createDrain = route({
  method: "POST",
  path: "/v1/drains",
  operationId: "createDrain",
  summary: "Creates a drain of logs, traces or audit logs.",
  scope: ["read-write:log-drain"],
  body: wire.createDrain,
  example: {
    name: "audit",
    projects: "all",
    schemas: { log: { version: "v1" } },
    delivery: { type: "http", endpoint: "https://logs.example.com", encoding: "ndjson" },
  },
  changes: drainTopic,
  success: [200, wire.drain],
  before: checkReceiverUrl,
  load: async (call: Call<unknown, unknown, wire.DrainChanges>) => ({
    kind: call.body.kind ?? "log",
    ...(await loadFacts(call)),
  }),
  refuse: [
    ...[peopleOnly, privateReceiver, ...invalidMembers, teamsOnly, enterpriseOnly],
    ...[unknownProjects, tooManyDrains],
  ],
  async handle(call) {
    const { kind, body } = call;
    if (kind !== "log") return viewOtherDrain(call, await addOtherDrain(call, kind));
    return viewDrainOfLogs(call, await addDrain(call, logChanges(body) as NewDrain));
  },
});

const listDrains = route({
  method: "GET",
  path: "/v1/drains",
  operationId: "getDrains",
  summary: "Lists the drains of the account.",
  scope: ["read:log-drain"],
  query: z.object({ projectId: z.string().optional() }),
  success: [200, wire.drains],
  refuse: [peopleOnly],
  async handle(call) {
    const { tx, account, query } = call;
    const logs = (await listAccountDrains(call)).map((row) => viewDrainOfLogs(call, row));
    const rows = await listRows(tx, "other_drains", { account_id: account.id }, "-created_at", "id");
    const others = rows.map((row) => viewOtherDrain(call, row));
    const drains = [...logs, ...others].sort((a, b) => b.createdAt - a.createdAt);
    return { drains: drains.filter(isForProject(query.projectId)) };
  },
});

const getDrain = route({
  method: "GET",
  path: "/v1/drains/:id",
  operationId: "getDrain",
  summary: "Returns a drain of the account.",
  scope: ["read:log-drain"],
  params: byId,
  success: [200, wire.drain],
  throws: [unknownDrain],
  load: loadDrain,
  refuse: [peopleOnly],
  handle: async (call) => viewDrain(call, call),
});

/** @source the newest official client: PATCH /v1/drains/{id} */
const updateDrain = route({
  method: "PATCH",
  path: "/v1/drains/:id",
  operationId: "updateDrain",
  summary: "Changes a drain of the account.",
  scope: ["read-write:log-drain"],
  params: byId,
  body: wire.updateDrain,
  example: {
    name: "audit-2",
    delivery: { type: "http", endpoint: "https://logs.example.org", encoding: "json", headers: {} },
  },
  changes: drainTopic,
  success: [200, wire.drain],
  throws: [unknownDrain],
  before: checkReceiverUrl,
  load: async (call: Call<{ id: string }, unknown, wire.DrainChanges>) => ({
    ...(await loadDrain(call)),
    hasUnknownProjects: await hasUnknownProjects(call, call.body.projectIds),
  }),
  refuse: [peopleOnly, privateReceiver, ...invalidMembers, unknownProjects],
  async handle(call) {
    const { drain, other, body } = call;
    if (drain) return viewDrainOfLogs(call, await editDrain(call, drain, logChanges(body)));
    return viewOtherDrain(call, await editOtherDrain(call, other));
  },
});

const removeDrain = route({
  method: "DELETE",
  path: "/v1/drains/:id",
  operationId: "deleteDrain",
  summary: "Deletes a drain of the account.",
  scope: ["read-write:log-drain"],
  params: byId,
  changes: drainTopic,
  success: [204, null],
  throws: [unknownDrain],
  load: loadDrain,
  refuse: [peopleOnly],
  handle: ({ tx, kind, params: { id } }) =>
    deleteRows(tx, kind === "log" ? "log_drains" : "other_drains", { id }),
});

type LoadedDrain =
  | { kind: "log"; drain: LogDrainRow; other?: undefined }
  | { kind: OtherDrainRow["kind"]; drain?: undefined; other: OtherDrainRow };

/** @throws Refusal 404 */
async function loadDrain(call: OneDrain): Promise<LoadedDrain> {
  const own = { id: call.params.id, account_id: call.account.id };
  const drain = await findRow(call.tx, "log_drains", { ...own, configuration_id: null });
  if (drain) return { kind: "log", drain };
  const other = await findRow(call.tx, "other_drains", own);
  if (other) return { kind: other.kind, other };
  throw drainNotFound(call);
}

const viewDrain = (call: Call, { drain, other }: LoadedDrain): z.infer<typeof wire.drain> =>
  drain ? viewDrainOfLogs(call, drain) : viewOtherDrain(call, other);

/** The changes of a drain of logs in a body. */
function logChanges(body: wire.DrainChanges): LogDrainChanges {
  const { kind: _, url: __, delivery, filter, sampling, ...changes } = body;
  return {
    ...changes,
    ...(delivery?.type === "http" && {
      ...{ url: delivery.endpoint, deliveryFormat: delivery.encoding, headers: delivery.headers },
      ...(delivery.secret !== undefined && { secret: delivery.secret }),
    }),
    ...(filter && { sources: filter.log?.sources, environments: filter.deployment?.environments }),
    ...("sampling" in body && { samplingRate: sampling?.[0]?.rate }),
  };
}

/** How long an endpoint may take to answer a test (ms). @choice */
const testTimeMs = 5_000;

/**
 * @choice One line of a log is sent, with the signature of the drain's secret. The answer tells whether the endpoint has
 *   accepted the line. This server sends nothing to drains of traces and to buckets, and says so in the answer.
 * @source the newest official client: testDrain
 */
const testDrain = route({
  method: "POST",
  path: "/v1/drains/test",
  operationId: "testDrain",
  summary:
    "Sends a line of a log to the endpoint of a drain, and tells whether the endpoint has accepted it.",
  scope: ["read-write:log-drain"],
  body: wire.testDrain,
  example: {
    schemas: { log: { version: "v1" } },
    delivery: { type: "http", endpoint: "https://logs.example.com", encoding: "ndjson" },
  },
  success: [200, wire.testedDrain],
  before: tryDrain,
  refuse: [peopleOnly, privateReceiver],
  handle: async ({ tested }) => tested,
});

type Tested = z.infer<typeof wire.testedDrain>;

async function tryDrain({
  account,
  caller,
  body: { schemas: kind, delivery },
  now,
  services: { egress, store },
}: Omit<Call<unknown, unknown, z.infer<typeof wire.testDrain>>, "tx" | "emit">): Promise<{
  tested: Tested;
  isPrivate: boolean;
}> {
  const failed = (endpoint: string, error: string): Tested => ({ endpoint, status: "error", error });
  const endpoint = typeof delivery.endpoint === "string" ? delivery.endpoint : delivery.endpoint.traces;
  const isPrivate = delivery.type !== "s3" && (await egress.isPrivate(endpoint));
  if (caller.installation || isPrivate) return { tested: {}, isPrivate };
  if (kind !== "log" || delivery.type !== "http" || delivery.compression === "gzip")
    return {
      tested: failed(endpoint, "this server sends only logs, over HTTP and not compressed"),
      isPrivate,
    };
  if (await store.read((tx) => readMeta(tx, copyOfName)))
    return { tested: failed(endpoint, "nothing is sent: the data are a copy of an account"), isPrivate };
  const { encoding, headers, secret = null } = delivery;
  const problem = await sendOnce(egress, testTimeMs, {
    ...{ url: endpoint, secret, headers },
    ...linesOf([JSON.stringify(testRecord(account.id, now))], encoding),
  });
  return { tested: problem === undefined ? {} : failed(endpoint, problem), isPrivate };
}

type DrainCall = Call<unknown, unknown, wire.DrainChanges>;

async function addOtherDrain(
  { tx, account, now, body, services: { vault } }: DrainCall,
  kind: OtherDrainRow["kind"],
): Promise<OtherDrainRow> {
  const id = newId(otherDrains);
  const { settings, secret } = changedSettings(undefined, body);
  const row = {
    ...{ id, account_id: account.id, kind, settings: sealSettings(vault, id, settings) },
    secret: secret === undefined ? null : vault.seal(id, secret),
    ...{ created_at: now, updated_at: now },
  };
  await insertRow(tx, "other_drains", row);
  return row;
}

async function editOtherDrain(
  { tx, now, body, services }: DrainCall,
  row: OtherDrainRow,
): Promise<OtherDrainRow> {
  const { id } = row;
  const { settings, secret } = changedSettings(settingsOf<OtherSettings>(services, row), body);
  const changed = {
    settings: sealSettings(services.vault, id, settings),
    ...(secret !== undefined && { secret: services.vault.seal(id, secret) }),
    updated_at: now,
  };
  await changeRows(tx, "other_drains", { id }, changed);
  return { ...row, ...changed };
}

/**
 * @choice The code of an account does not change, and this server never asks an endpoint for the code.
 * @source the Terraform provider: `vercel_endpoint_verification`
 */
const getVerificationCode = route({
  method: "GET",
  path: "/v1/verify-endpoint",
  operationId: "getVerificationCode",
  summary: "Returns the code with which an endpoint shows that it belongs to the account.",
  scope: ["read:log-drain"],
  success: [200, z.strictObject({ verificationCode: z.string() })],
  handle: async ({ account, services }) => ({
    verificationCode: services.vault.digest(`verify-endpoint:${account.id}`).slice(0, 40),
  }),
});

export const drainRoutes: readonly Route[] = [
  createDrain,
  listDrains,
  getDrain,
  updateDrain,
  removeDrain,
  testDrain,
  getVerificationCode,
];
