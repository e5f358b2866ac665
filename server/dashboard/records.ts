import { findSlugs } from "../access/account-store";
import { coveredProjects } from "../access/coverage-store";
import { findProject, findProjectNames } from "../access/project-store";
import { subjectsOf } from "../control/event-subjects";
import { requestsOf, timesOf } from "../control/fault-plan";
import type { RequestRecord } from "../control/request-log";
import type { ControlState } from "../control/state";
import { defaultBuildMs } from "../deployments/build-record";
import { buildPlan } from "../deployments/builds";
import { deliveriesOf } from "../events/delivery-store";
import type { EventRow } from "../events/object";
import { selectInstalled } from "../integrations/store";
import { notFound } from "../platform/refusal";
import type { Services } from "../platform/services";
import { packageVersion } from "../platform/version";
import type { Tx } from "../store/store";
import { findEvents, findMail } from "./feed-store";
import { findAccounts, findZone } from "./store";
import type {
  EventItem,
  InstallationItem,
  MailItem,
  Outcome,
  Page,
  RequestDetail,
  RequestItem,
  Simulation,
  State,
} from "./wire";

/** The views of accounts, installations, events, mail, requests, the clock, DNS, builds and faults. */

const pageSize = 50;

export async function showState(
  { store, clock, profile }: Services,
  { isServed }: Pick<ControlState, "isServed">,
): Promise<State> {
  return store.read(async (tx) => {
    const rows = await findAccounts(tx);
    return {
      version: packageVersion(),
      now: clock.now(),
      offsetMs: clock.offset(),
      engine: store.engine,
      profile: profile.name,
      isControlled: isServed,
      accounts: rows.map((row) => ({ ...row, projects: Number(row.projects) })),
    };
  });
}

export async function listInstallations(tx: Tx, account: string): Promise<InstallationItem[]> {
  const rows = await selectInstalled(tx)
    .leftJoin("accounts as u", "u.id", "c.user_id")
    .select(["i.name as integration_name", "u.slug as username"])
    .where("c.account_id", "=", account)
    .execute();
  const items: InstallationItem[] = [];
  for (const row of rows) {
    const covered = row.selected === 1 ? await coveredProjects(tx, row.id) : [];
    const names = (await findProjectNames(tx, covered)).map(({ name }) => name).sort();
    items.push({
      id: row.id,
      integration: row.slug,
      name: row.integration_name,
      user: row.username,
      scopes: JSON.parse(row.scopes),
      pending: JSON.parse(row.pending_scopes),
      projects: row.selected === 1 ? names : null,
      disabledReason: row.disabled_at === null ? null : (row.disabled_reason ?? "disabled"),
      deleteAt: row.delete_at,
      createdAt: row.created_at,
    });
  }
  return items;
}

/** @param before the last sequence of the previous page */
export async function listEvents(
  tx: Tx,
  account: string,
  { type = "", before }: { type?: string; before?: number | undefined },
): Promise<Page<EventItem>> {
  const { rows, total, hasMore } = await findEvents(tx, account, type, before);
  const next = hasMore ? String(rows.at(-1)?.sequence) : null;
  return { items: await describeEvents(tx, rows), total, next };
}

async function describeEvents(tx: Tx, rows: readonly EventRow[]): Promise<EventItem[]> {
  if (rows.length === 0) return [];
  const deliveries = await deliveriesOf(
    tx,
    rows.map(({ id }) => id),
  );
  const subjects = await subjectsOf(tx, rows);
  return rows.map((row) => ({
    id: row.id,
    type: row.type,
    sequence: row.sequence,
    createdAt: row.created_at,
    ...(subjects.get(row.id) ?? { subject: null, project: null }),
    payload: JSON.parse(row.payload),
    deliveries: deliveries.filter(({ event }) => event === row.id).map(({ event: _, ...rest }) => rest),
  }));
}

export async function listMail(tx: Tx, before: number | undefined): Promise<Page<MailItem>> {
  const { rows, total, hasMore } = await findMail(tx, before);
  return {
    items: rows.map((row) => ({
      id: row.id,
      to: row.recipient,
      subject: row.subject,
      body: row.body,
      createdAt: row.created_at,
      sentAt: row.sent_at,
    })),
    total,
    next: hasMore ? String(rows.at(-1)?.sequence) : null,
  };
}

export async function showSimulation(
  { store, clock }: Services,
  { faults }: ControlState,
): Promise<Simulation> {
  const { rows, plan } = await store.read(async (tx) => ({
    rows: await findZone(tx),
    plan: await buildPlan(tx),
  }));
  const zone = Map.groupBy(rows, ({ name, type }) => `${name} ${type}`);
  return {
    now: clock.now(),
    offsetMs: clock.offset(),
    dns: [...zone.values()].map((records) => ({
      name: records[0]?.name ?? "",
      type: records[0]?.type ?? "TXT",
      values: records.map(({ value }) => value),
    })),
    builds: {
      buildMs: plan.buildMs ?? defaultBuildMs,
      error: plan.error?.message ?? null,
      isBlocked: plan.block !== undefined,
    },
    faults: faults.list().map(({ id, fault, met }) => ({
      id,
      requests: requestsOf(fault),
      kind: fault.kind,
      status: fault.status,
      times: timesOf(fault),
      met,
    })),
  };
}

/** Lists requests, newest first. `refused` leaves out successful requests and look-ups of objects that do not exist. */
export async function listRequests(
  tx: Tx,
  { requests }: ControlState,
  { search = "", refused, before }: { search?: string; refused?: boolean; before?: number | undefined },
): Promise<Page<RequestItem>> {
  const wanted = search.toLowerCase();
  const matching = requests
    .all()
    .filter(
      (record) =>
        (!refused || !isExpected(outcomeOf(record))) &&
        (wanted === "" || searchable(record).includes(wanted)),
    );
  const older = matching.filter(({ sequence }) => sequence < (before ?? Number.MAX_SAFE_INTEGER));
  const shown = older.slice(-pageSize).reverse();
  return {
    items: await describeRequests(tx, shown),
    total: matching.length,
    next: older.length > pageSize ? String(shown.at(-1)?.sequence) : null,
  };
}

export function outcomeOf({ status, method, resource }: RequestRecord): Outcome {
  if (status === null) return "dropped";
  if (status < 400) return "answered";
  // Before it creates an object, and whenever it reads one, a resource looks up whether the object exists.
  if (status === 404 && method === "GET" && resource !== null) return "absent";
  return status < 500 ? "refused" : "failed";
}

export const isExpected = (outcome: Outcome): boolean => outcome === "answered" || outcome === "absent";

const searchable = ({ method, path, status, code, resource }: RequestRecord): string =>
  `${method} ${path} ${status ?? ""} ${code ?? ""} ${resource ?? ""}`.toLowerCase();

/** @throws Refusal 404 */
export async function showRequest(
  tx: Tx,
  { requests, bodies }: ControlState,
  sequence: number | undefined,
): Promise<RequestDetail> {
  const record = requests.all().find((one) => one.sequence === sequence);
  const [item] = record ? await describeRequests(tx, [record]) : [];
  if (!record || !item) throw notFound("This request");
  const kept = record.id === null ? undefined : bodies.find(record.id);
  const slugs = await findSlugs(tx, [record.caller ?? "", record.account ?? ""]);
  return {
    ...item,
    run: record.run,
    operation: record.operation,
    requestId: record.id,
    query: record.query,
    caller: slugs.get(record.caller ?? "") ?? null,
    account: slugs.get(record.account ?? "") ?? null,
    body: kept?.request ?? null,
    answer: kept?.answer ?? null,
  };
}

/** The project that a path names, by id or name. */
const projectInPath = ({ path }: RequestRecord): string | undefined => /\/projects\/([^/]+)/.exec(path)?.[1];

async function describeRequests(tx: Tx, records: readonly RequestRecord[]): Promise<RequestItem[]> {
  const found = new Map<string, RequestItem["project"]>();
  for (const record of records) {
    const { account } = record;
    const key = projectInPath(record);
    if (account === null || key === undefined || found.has(`${account} ${key}`)) continue;
    const row = await findProject(tx, account, key);
    found.set(`${account} ${key}`, row ? { id: row.id, name: row.name, account } : null);
  }
  return records.map((record) =>
    viewRequest(record, found.get(`${record.account} ${projectInPath(record)}`) ?? null),
  );
}

const viewRequest = (record: RequestRecord, project: RequestItem["project"]): RequestItem => ({
  sequence: record.sequence,
  at: record.at,
  method: record.method,
  path: record.path,
  status: record.status,
  outcome: outcomeOf(record),
  ms: record.ms,
  code: record.code,
  message: record.message,
  resource: record.resource,
  project,
  dashboard: record.dashboard,
});
