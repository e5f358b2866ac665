import type { Call } from "../http/route";
import { refuseIf } from "../platform/refusal";
import { noSuchGroup, teamsOnly } from "./rules";
import { type CountedGroup, findGroup } from "./store";

/** The refusals that `loadGroup` throws, for a route's `throws`. */
export const unknownGroup = [404, "not_found", "no such access group of the team"] as const;

/** @throws Refusal 400 for a personal account, 404 if the team has no such group */
export async function loadGroup({
  tx,
  account,
  params,
}: Pick<Call<{ idOrName: string } | { accessGroupIdOrName: string }>, "tx" | "account" | "params">): Promise<{
  group: CountedGroup;
}> {
  await refuseIf([teamsOnly], { account });
  const key = "idOrName" in params ? params.idOrName : params.accessGroupIdOrName;
  const group = await findGroup(tx, account.id, key);
  if (!group) throw noSuchGroup(key);
  return { group };
}
