import type { AccountRow } from "../accounts/object";
import { ownerOf } from "../domains/account-store";
import type { Tx } from "../store/store";
import type { ProjectRow } from "./object";

/** A project with its account, and the user in whose name its deploy hooks deploy. */
export interface Hooked {
  project: ProjectRow;
  account: AccountRow;
  creator: string;
}

/** The project that the URL of a deploy hook names. Nobody is asked for a token, so the account is that of the project. */
export async function findHooked(tx: Tx, projectId: string): Promise<Hooked | undefined> {
  const project = await tx.selectFrom("projects").selectAll().where("id", "=", projectId).executeTakeFirst();
  if (!project) return undefined;
  const account = await tx
    .selectFrom("accounts")
    .selectAll()
    .where("id", "=", project.account_id)
    .executeTakeFirstOrThrow();
  return { project, account, creator: (await ownerOf(tx, account))?.id ?? account.id };
}
