import { newId } from "../ids";
import type { Tx } from "../store/store";

/** What happened, as it goes to receivers. Payloads never carry a variable's value. @source Events; wire-shapes 10 */
export interface Happening {
  type: string;
  payload: Record<string, unknown>;
  /** The project it is about: receivers that see only some projects get only theirs. */
  projectId?: string;
}

export type Emit = (happening: Happening) => Promise<void>;

/**
 * Writes events into the outbox within the transaction of the change that they tell of.
 * The sequence counts per account, without gaps.
 */
export function outbox(tx: Tx, account: string, user: string | null, now: number): Emit {
  return async ({ type, payload, projectId }) => {
    const { event_sequence: sequence, kind } = await tx
      .updateTable("accounts")
      .set((eb) => ({ event_sequence: eb("event_sequence", "+", 1) }))
      .where("id", "=", account)
      .returning(["event_sequence", "kind"])
      .executeTakeFirstOrThrow();
    const team = { id: kind === "team" ? account : null };
    await tx
      .insertInto("events")
      .values({
        id: newId("event"),
        account_id: account,
        sequence,
        type,
        payload: JSON.stringify({ team, user: { id: user }, ...payload }),
        project_id: projectId ?? null,
        user_id: user,
        created_at: now,
      })
      .execute();
  };
}
