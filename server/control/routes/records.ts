import * as z from "zod";
import { findSlugs } from "../../access/account-store";
import { deliveriesOf } from "../../events/delivery-store";
import { eventTypes } from "../../events/event";
import { closest } from "../../http/closest";
import { number, page, pageLimit, pageOf, pageSize } from "../../http/query";
import { badRequest } from "../../platform/refusal";
import { subjectsOf } from "../event-subjects";
import type { RequestRecord } from "../request-log";
import { controlRoute } from "../route";
import { listEvents, mailTo } from "../store";

const paging = { limit: pageLimit.optional(), until: number.optional() };

/** Lists the last requests that match the query, newest first. `until` is the `next` of the previous page. */
const getRequests = controlRoute({
  method: "GET",
  path: "/requests",
  operationId: "getRequests",
  summary: "Lists the last requests to the API, the newest first.",
  query: z.strictObject({
    ...paging,
    method: z.string().toUpperCase().optional(),
    /** The path as it was sent. A `*` at the end matches any further characters. */
    path: z.string().optional(),
    status: number.optional(),
    code: z.string().optional(),
    account: z.string().optional(),
    run: z.string().optional().describe("The run of a Pulumi program, as the requests have it."),
  }),
  async handle({ query, state }) {
    const { rows, pagination } = await page(
      query,
      pageSize(query.limit),
      (record: RequestRecord) => record.sequence,
      async ({ until, limit }) =>
        state.requests
          .all()
          .filter((record) => record.sequence < until && isWanted(record, query))
          .slice(-limit)
          .reverse(),
    );
    return { requests: rows, pagination };
  },
});

type Wanted = Partial<Pick<RequestRecord, "method" | "path" | "status" | "code" | "account" | "run">>;

function isWanted(
  record: RequestRecord,
  { path, ...wanted }: { [K in keyof Wanted]: Wanted[K] | undefined },
): boolean {
  if (
    path?.endsWith("*") ? !record.path.startsWith(path.slice(0, -1)) : (path ?? record.path) !== record.path
  )
    return false;
  return (["method", "status", "code", "account", "run"] as const).every(
    (name) => wanted[name] === undefined || wanted[name] === record[name],
  );
}

/** Lists the events of all accounts, newest first. `until` is the `next` of the previous page. */
const getEvents = controlRoute({
  method: "GET",
  path: "/events",
  operationId: "getEvents",
  summary: "Lists the events of the accounts with the state of their deliveries, the newest first.",
  query: z.strictObject({
    limit: pageLimit.optional(),
    until: z
      .string()
      .regex(/^\d+\.\d+\..+$/, "must be the next of a page")
      .optional(),
    account: z.string().optional(),
    type: z.string().optional(),
  }),
  async handle({ query, services }) {
    refuseUnknownType(query.type);
    const size = pageSize(query.limit);
    const rows = await services.store.read((tx) => listEvents(tx, query, size + 1));
    const shown = rows.slice(0, size);
    const { deliveries, subjects, slugs } = await services.store.read(async (tx) => ({
      deliveries: await deliveriesOf(
        tx,
        shown.map(({ id }) => id),
      ),
      subjects: await subjectsOf(tx, shown),
      slugs: await findSlugs(tx, [...new Set(shown.map(({ account_id }) => account_id))]),
    }));
    const last = rows.length > size ? shown.at(-1) : undefined;
    return {
      events: shown.map((row) => ({
        id: row.id,
        accountId: row.account_id,
        account: slugs.get(row.account_id) ?? null,
        sequence: row.sequence,
        type: row.type,
        ...(subjects.get(row.id) ?? { subject: null, project: null }),
        payload: JSON.parse(row.payload),
        createdAt: row.created_at,
        deliveries: deliveries.filter(({ event }) => event === row.id).map(({ event: _, ...rest }) => rest),
      })),
      pagination: {
        count: shown.length,
        next: last ? `${last.created_at}.${last.sequence}.${last.account_id}` : null,
        prev: null,
      },
    };
  },
});

/** @throws Refusal 400 for an unknown type of events */
function refuseUnknownType(type: string | undefined): void {
  if (type === undefined || (eventTypes as readonly string[]).includes(type)) return;
  const near = closest(type, eventTypes);
  const hint = near === undefined ? `Choose one of ${eventTypes.join(", ")}.` : `Did you mean ${near}?`;
  throw badRequest(`No event has the type ${JSON.stringify(type)}. ${hint}`);
}

/** Lists mail, newest first. `until` is the `next` of the previous page. */
const getMail = controlRoute({
  method: "GET",
  path: "/mail",
  operationId: "getMail",
  summary: "Lists the mail that the service sent, the newest first.",
  query: z.strictObject({ ...paging, to: z.string().describe("Only mail to this address.").optional() }),
  async handle({ query, services }) {
    const { rows, pagination } = await services.store.read((tx) =>
      pageOf(mailTo(tx, query.to), "sequence", query),
    );
    return {
      mail: rows.map((row) => ({
        id: row.id,
        sequence: row.sequence,
        to: row.recipient,
        subject: row.subject,
        body: row.body,
        createdAt: row.created_at,
        sentAt: row.sent_at,
      })),
      pagination,
    };
  },
});

export const recordRoutes = [getRequests, getEvents, getMail];
