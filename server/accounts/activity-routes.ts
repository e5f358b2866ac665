import * as z from "zod";
import { commaSeparated, pageLimit, pageSize, unsupported } from "../http/query";
import { type Route, route } from "../http/route";
import { activityOf, activityTypes, eventsOfActivity } from "./activity";
import { findEvents, findUsers } from "./activity-store";

/**
 * The activity log of an account.
 * @choice The log has an entry for each event that the server emits, while the event is kept. Its entries have neither
 *   the network of the user nor the session. An installation on selected projects sees only the events of these.
 * @source the newest official client: listUserEvents, listEventTypes
 */

const time = z
  .string()
  .refine((text) => /^\d{1,16}$/.test(text) || !Number.isNaN(Date.parse(text)), "must be a time")
  .transform((text) => (/^\d+$/.test(text) ? Number(text) : Date.parse(text)));

const entry = z.strictObject({
  ...{ id: z.string(), text: z.string(), type: z.string(), createdAt: z.number(), principalId: z.string() },
  categories: z.array(z.string()),
  entities: z.array(z.strictObject({ type: z.literal("author"), start: z.number(), end: z.number() })),
  userId: z.string().optional(),
  user: z
    .strictObject({ uid: z.string(), username: z.string(), email: z.string(), avatar: z.string() })
    .optional(),
  payload: z.record(z.string(), z.unknown()).optional(),
});

const listEvents = route({
  method: "GET",
  path: "/v3/events",
  operationId: "listUserEvents",
  summary: "Lists the activity of the account, the newest first.",
  scope: ["read:team"],
  query: z.object({
    limit: pageLimit.optional(),
    since: time.optional().describe("Only events after this time."),
    until: time.optional().describe("Only events before this time."),
    types: commaSeparated.optional().describe("Only events of these types, separated by commas."),
    userId: z.string().optional().describe("Only events of this user."),
    principalId: z.string().optional().describe("Only events of this user. Takes precedence over `userId`."),
    projectIds: commaSeparated.optional().describe("Only events of these projects, separated by commas."),
    withPayload: z.string().optional().describe("`true`: the entries have the payloads of their events."),
    entityId: unsupported,
  }),
  success: [200, z.strictObject({ events: z.array(entry) })],
  async handle(call) {
    const { types, principalId, userId, projectIds, withPayload, since, until, limit } = call.query;
    const filters = { types: eventsOfActivity(types), user: principalId ?? userId, projects: projectIds };
    const rows = await findEvents(call, { ...filters, since, until }, pageSize(limit));
    const found = await findUsers(call, [...new Set(rows.flatMap(({ user_id }) => user_id ?? []))]);
    const users = new Map(found.map((user) => [user.id, user]));
    return {
      events: rows.map((row) => {
        const [type = "", text = "", category = ""] = activityOf(row.type) ?? [];
        const user = users.get(row.user_id ?? "");
        const author = user?.slug ?? "Somebody";
        return {
          ...{
            id: row.id,
            text: `${author} ${text}`,
            type,
            categories: [category],
            createdAt: row.created_at,
          },
          entities: [{ type: "author" as const, start: 0, end: author.length }],
          principalId: row.user_id ?? "",
          ...(user && {
            userId: user.id,
            user: { uid: user.id, username: user.slug, email: user.email ?? "", avatar: "" },
          }),
          ...(withPayload === "true" && { payload: JSON.parse(row.payload) }),
        };
      }),
    };
  },
});

const kind = z.strictObject({ name: z.string(), description: z.string(), categories: z.array(z.string()) });
const listTypes = route({
  method: "GET",
  path: "/v1/events/types",
  operationId: "listEventTypes",
  summary: "Lists the types of the entries that the activity of an account can have.",
  scope: ["read:team"],
  success: [
    200,
    z.strictObject({
      types: z.array(kind),
      categories: z.array(z.strictObject({ name: z.string(), label: z.string() })),
    }),
  ],
  handle: async () => activityTypes(),
});

export const activityRoutes: readonly Route[] = [listEvents, listTypes];
