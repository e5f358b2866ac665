import type { RequestRecord } from "../control/request-log";
import type { ControlState } from "../control/state";
import { notFound } from "../platform/refusal";
import { isExpected, outcomeOf } from "./records";
import type { Page, RunDetail, RunItem, RunRequest } from "./wire";

/** The views of the runs of Pulumi programs, from the requests that name them. */

const pageSize = 50;
/** The most requests of a run that are shown. */
const mostRequests = 1_000;

/** The kept requests of each run, in the order of their answers. */
function requestsByRun({ requests }: ControlState): Map<string, RequestRecord[]> {
  const runs = Map.groupBy(requests.all(), ({ run }) => run ?? "");
  runs.delete("");
  return runs;
}

/** When a request began, since the start of the process: the server's clock can be set during a run. */
const startOf = ({ uptime, ms }: RequestRecord): number => uptime - ms;
const firstStart = (records: readonly RequestRecord[]): number => Math.min(...records.map(startOf));

function describeRun(id: string, records: readonly RequestRecord[]): RunItem {
  const [first] = records.toSorted((a, b) => startOf(a) - startOf(b));
  const end = Math.max(...records.map(({ uptime }) => uptime));
  return {
    id,
    startedAt: first ? Math.round(first.at - first.ms) : 0,
    ms: Math.round(end - firstStart(records)),
    requests: records.length,
    changes: records.filter((record) => record.method !== "GET" && outcomeOf(record) === "answered").length,
    refused: records.filter((record) => !isExpected(outcomeOf(record))).length,
  };
}

/** Lists the runs, the newest first. */
export function listRuns(state: ControlState, skip: number): Page<RunItem> {
  const runs = [...requestsByRun(state)].map(([id, records]) => describeRun(id, records));
  runs.sort((a, b) => b.startedAt - a.startedAt);
  const items = runs.slice(skip, skip + pageSize);
  return { items, total: runs.length, next: runs.length > skip + pageSize ? String(skip + pageSize) : null };
}

/** @throws Refusal 404 if no request of the run is kept */
export function showRun(state: ControlState, id: string): RunDetail {
  const records = requestsByRun(state).get(id);
  if (records === undefined) throw notFound("This run");
  const item = describeRun(id, records);
  const ordered = records.toSorted((a, b) => startOf(a) - startOf(b)).slice(0, mostRequests);
  const start = firstStart(records);
  const resources = Map.groupBy(ordered, ({ resource }) => resource ?? "");
  return {
    ...item,
    refusals: refusalsOf(records),
    resources: [...resources].map(([name, own]) => ({
      name,
      requests: own.map((record) => viewRunRequest(record, start)),
    })),
    more: records.length - ordered.length,
  };
}

const viewRunRequest = (record: RequestRecord, start: number): RunRequest => ({
  sequence: record.sequence,
  method: record.method,
  path: record.path,
  operation: record.operation,
  status: record.status,
  outcome: outcomeOf(record),
  after: Math.round(startOf(record) - start),
  ms: record.ms,
});

function refusalsOf(records: readonly RequestRecord[]): RunDetail["refusals"] {
  const refused = records.filter((record) => !isExpected(outcomeOf(record)));
  const endpointOf = ({ operation, method, path }: RequestRecord): string => operation ?? `${method} ${path}`;
  const groups = Map.groupBy(refused, (record) => `${record.code} ${record.status} ${endpointOf(record)}`);
  return [...groups.values()]
    .flatMap((own) => {
      const [first] = own;
      if (first === undefined) return [];
      const { status, code, message } = first;
      return [{ operation: endpointOf(first), status, code, message, count: own.length }];
    })
    .sort((a, b) => b.count - a.count);
}
