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

const startOf = ({ at, ms }: RequestRecord): number => Math.round(at - ms);

function describeRun(id: string, records: readonly RequestRecord[]): RunItem {
  const startedAt = Math.min(...records.map(startOf));
  return {
    id,
    startedAt,
    ms: Math.max(...records.map(({ at }) => at)) - startedAt,
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
  const resources = Map.groupBy(ordered, ({ resource }) => resource ?? "");
  return {
    ...item,
    refusals: refusalsOf(records),
    resources: [...resources].map(([name, own]) => ({
      name,
      requests: own.map((record) => viewRunRequest(record, item.startedAt)),
    })),
    more: records.length - ordered.length,
  };
}

const viewRunRequest = (record: RequestRecord, startedAt: number): RunRequest => ({
  sequence: record.sequence,
  method: record.method,
  path: record.path,
  operation: record.operation,
  status: record.status,
  outcome: outcomeOf(record),
  after: startOf(record) - startedAt,
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
