import type { ScopeName } from "../access/scopes";
import type { ReceiverRow } from "../store/schema";
import { prepared, type Tx } from "../store/store";
import type { DomainEvent } from "./event";

/** The address that events go to, and the secret that signs them. */
export type Receiver = Pick<ReceiverRow, "id" | "account_id" | "kind" | "url" | "secret" | "secret_row">;

/** The events that a disabled configuration still gets. @source Events */
export const sentWhileDisabled = [
  "project.created",
  "project.removed",
  "integration-configuration.removed",
] as const;

/** Only installations that cover all projects get these. @source wire-shapes 10 */
const needsAllProjects = new Set(["project.created", "project.removed"]);

/**
 * The receivers of an event: the webhooks of the account that subscribe to it, and the integrations installed there.
 * @choice A webhook that is limited to projects gets only events about these. An installation with selected projects
 *   gets events about these, and about no project. Of variables it gets those that its scopes show. An event about
 *   an installation goes to its own integration alone.
 */
export async function receiversOf(tx: Tx, account: string, event: DomainEvent): Promise<Receiver[]> {
  const [webhooks, installed] = await Promise.all([
    webhooksOf(tx, { account }),
    installationsOf(tx, { account, project: event.projectId ?? "" }),
  ]);
  return [
    ...webhooks
      .filter(({ events, project_ids }) => isSubscribed(events, project_ids, event))
      .map(
        ({ id, url, secret }): Receiver => ({
          id,
          account_id: account,
          kind: "webhook",
          url,
          secret,
          secret_row: id,
        }),
      ),
    ...installed
      .filter((installation) => hearsOf(installation, event))
      .map(
        ({ id, webhook_url, client_secret, integration_id }): Receiver => ({
          id,
          account_id: account,
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

/** The scopes that show a variable also show its events. */
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
 * Updates the receivers and marks a delivery as due. A receiver that waits for a retry keeps its time, since
 * deliveries go out in order.
 * @returns the position of the next delivery of each receiver
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
        account_id: eb.ref("excluded.account_id"),
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

/** Resumes deliveries to a configuration that was enabled again, in order. */
export async function resumeReceiver(tx: Tx, configuration: string): Promise<void> {
  await tx
    .updateTable("receivers")
    .set((eb) => ({ next_attempt_at: eb.fn.coalesce("next_attempt_at", eb.lit(0)) }))
    .where("id", "=", configuration)
    .execute();
}

/**
 * Drops the deliveries that are held for a disabled configuration, when it is removed.
 * @choice Only enabling it would have released them.
 */
export async function dropWaiting(tx: Tx, configuration: string): Promise<void> {
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
