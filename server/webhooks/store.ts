import type { Account } from "../access/caller";
import type { Tx } from "../store/store";
import type { WebhookRow } from "./object";

interface OfAccount {
  tx: Tx;
  account: Pick<Account, "id">;
}

const webhooksOf = ({ tx, account }: OfAccount) =>
  tx.selectFrom("webhooks").selectAll().where("account_id", "=", account.id);

/** The webhooks of an account, the newest first. */
export const listWebhooks = (of: OfAccount): Promise<WebhookRow[]> =>
  webhooksOf(of).orderBy("created_at", "desc").orderBy("id").execute();

export const findWebhook = (of: OfAccount, id: string): Promise<WebhookRow | undefined> =>
  webhooksOf(of).where("id", "=", id).executeTakeFirst();

export async function countWebhooks({ tx, account }: OfAccount): Promise<number> {
  const { count } = await tx
    .selectFrom("webhooks")
    .select((eb) => eb.fn.countAll().as("count"))
    .where("account_id", "=", account.id)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function insertWebhook(tx: Tx, row: WebhookRow): Promise<void> {
  await tx.insertInto("webhooks").values(row).execute();
}

export async function deleteWebhook(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom("webhooks").where("id", "=", id).execute();
}
