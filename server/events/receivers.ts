import type { ScopeName } from "../access/scopes";
import type { ReceiverRow } from "../store/schema";
import { prepared, type Tx } from "../store/store";
import type { DomainEvent } from "./event";

/** Where an event goes, and the secret it is signed with. */
export type Receiver = Pick<ReceiverRow, "id" | "kind" | "url" | "secret" | "secret_row">;

/** What still goes out to a disabled configuration. @source Events */
export const sentWhileDisabled = [
  "project.created",
  "project.removed",
  "integration-configuration.removed",
] as const;

/** These reach an integration only when it sees all projects. @source wire-shapes 10 */
const needsAllProjects = new Set(["project.created", "project.removed"]);

/**
 * The receivers of an event: the account's webhooks that subscribed to it, and the integrations that are
 * installed there.
 * @choice A webhook that is limited to projects hears of nothing but these projects. An installation that
 *   sees selected projects hears of those, and of what is about no project. Of variables it hears as far as its
 *   scopes show them. What is about an installation
 *   goes to its own integration, and to no other.
 */
export async function receiversOf(tx: Tx, account: string, event: DomainEvent): Promise<Receiver[]> {
  const webhooks = await webhooksOf(tx, { account });
  const installed = await installationsOf(tx, { account, project: event.projectId ?? "" });
  return [
    ...webhooks
      .filter(({ events, project_ids }) => isSubscribed(events, project_ids, event))
      .map(({ id, url, secret }): Receiver => ({ id, kind: "webhook", url, secret, secret_row: id })),
    ...installed
      .filter((installation) => hearsOf(installation, event))
      .map(
        ({ id, webhook_url, client_secret, integration_id }): Receiver => ({
          id,
          kind: "configuration",
          url: webhook_url ?? "",
          secret: client_secret,
          secret_row: integration_id,
        }),
      ),
  ];
}

function isSubscribed(events: string, projects: string | null, { type, projectId }: DomainEvent): boolean {
  if (!(JSON.parse(events) as string[]).includes(type)) return false;
  return projects === null || (JSON.parse(projects) as string[]).includes(projectId ?? "");
}

function hearsOf(
  { id, selected, scopes, covers }: { id: string; selected: 0 | 1; scopes: string; covers: string | null },
  { type, payload, projectId, variable }: DomainEvent,
): boolean {
  if (type.startsWith("integration-configuration.")) {
    return (payload.configuration as { id?: string } | undefined)?.id === id;
  }
  if (variable && !mayHear(JSON.parse(scopes), variable.madeBy === id)) return false;
  if (selected === 0 || projectId === undefined) return true;
  return covers !== null && !needsAllProjects.has(type);
}

/** The scopes that show a variable show what becomes of it. */
const mayHear = (scopes: readonly ScopeName[], isOwn: boolean): boolean =>
  scopes.includes("read-write:global-project-env-vars") ||
  (isOwn && scopes.includes("read-write:project-env-vars"));

const webhooksOf = prepared((tx, p: { account: string }) =>
  tx
    .selectFrom("webhooks")
    .select(["id", "url", "events", "project_ids", "secret"])
    .where("account_id", "=", p.account)
    .orderBy("created_at")
    .orderBy("id"),
);

const installationsOf = prepared((tx, p: { account: string; project: string }) =>
  tx
    .selectFrom("configurations as c")
    .innerJoin("integrations as i", "i.id", "c.integration_id")
    .leftJoin("configuration_projects as p", (join) =>
      join.onRef("p.configuration_id", "=", "c.id").on("p.project_id", "=", p.project),
    )
    .select(["c.id", "c.selected", "c.scopes", "c.integration_id", "i.webhook_url", "i.client_secret"])
    .select("p.project_id as covers")
    .where("c.account_id", "=", p.account)
    .where("i.webhook_url", "is not", null)
    .orderBy("c.created_at")
    .orderBy("c.id"),
);

/**
 * Notes where deliveries go from now on, and that one is due. A receiver that is being tried again later
 * stays with its time: what is new follows what waits.
 * @returns the position of the next delivery of each
 */
export async function addReceivers(
  tx: Tx,
  receivers: Receiver[],
): Promise<{ id: string; position: number }[]> {
  return tx
    .insertInto("receivers")
    .values(
      receivers.map((receiver) => ({
        ...receiver,
        position: 1,
        next_attempt_at: 0,
        lease: null,
        leased_until: 0,
      })),
    )
    .onConflict((conflict) =>
      conflict.column("id").doUpdateSet((eb) => ({
        url: eb.ref("excluded.url"),
        secret: eb.ref("excluded.secret"),
        secret_row: eb.ref("excluded.secret_row"),
        position: eb("receivers.position", "+", 1),
        next_attempt_at: eb.fn.coalesce("receivers.next_attempt_at", "excluded.next_attempt_at"),
      })),
    )
    .returning(["id", "position"])
    .execute();
}

/** A configuration works again: what was held for it goes out, in order. */
export async function resumeReceiver(tx: Tx, configuration: string): Promise<void> {
  await tx
    .updateTable("receivers")
    .set((eb) => ({ next_attempt_at: eb.fn.coalesce("next_attempt_at", eb.lit(0)) }))
    .where("id", "=", configuration)
    .execute();
}

/**
 * What is held for a disabled configuration that is removed never goes out.
 * @choice Only its re-activation would have released it.
 */
export async function dropHeld(tx: Tx, configuration: string): Promise<void> {
  await tx
    .updateTable("deliveries")
    .set({ state: "dead", last_error: "the configuration was removed while it was disabled" })
    .where("receiver_id", "=", configuration)
    .where("state", "=", "waiting")
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("configurations")
          .select("id")
          .where("id", "=", configuration)
          .where("disabled_at", "is not", null),
      ),
    )
    .where("event_id", "in", (eb) =>
      eb.selectFrom("events").select("id").where("type", "not in", sentWhileDisabled),
    )
    .execute();
}
