import { prepared, type Tx } from "../store/store";
import type { ReceiverRow } from "./object";

/** The address that events go to, and the secret that signs them. */
export type Receiver = Pick<ReceiverRow, "id" | "account_id" | "kind" | "url" | "secret" | "secret_row">;

/** The events that a disabled configuration still gets. @source Events */
export const sentWhileDisabled = [
  "project.created",
  "project.removed",
  "integration-configuration.removed",
] as const;

/** The webhooks of an account. */
export const webhooksOf = prepared((tx, p: { account: string }) =>
  tx
    .selectFrom("webhooks")
    .select(["id", "url", "events", "project_ids", "secret"])
    .where("account_id", "=", p.account)
    .orderBy("created_at")
    .orderBy("id"),
);

/**
 * The installations on an account whose integrations have a webhook. `covers` is null if an installation does not cover
 * the project.
 */
export const installationsOf = prepared((tx, p: { account: string; project: string }) =>
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
 * Adds or updates receivers and makes them due. A receiver that waits for a retry keeps the time of the retry, because
 * events are delivered in order.
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
 * Drops the deliveries that wait until a disabled configuration is enabled. Called when the configuration is removed.
 * @choice They are dropped, because a removed configuration is never enabled again.
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
