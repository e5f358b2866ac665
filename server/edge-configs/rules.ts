import type { Account } from "../access/caller";
import { badRequest, notFound, Refusal, type RefusalRow } from "../platform/refusal";
import type { EdgeConfigItemRow, EdgeConfigRow } from "./object";
import type { ItemOperation } from "./schema";

type Plan = Pick<Account, "plan">;

/** @choice The limits of each plan, from the service's page on Edge Config limits. */
const largestCount = { hobby: 1, pro: 3, enterprise: 10 };
const largestKilobytes = { hobby: 8, pro: 64, enterprise: 512 };

/** @choice The documentation does not say which status a request gets that exceeds a limit. */
export const tooManyConfigs: RefusalRow<{ account: Plan; count: number }> = [
  400,
  "bad_request",
  ({ account: { plan } }) =>
    `An account with the plan ${plan} has at most ${largestCount[plan]} Edge Configs. Delete one that is not needed.`,
  ({ account: { plan }, count }) => count >= largestCount[plan],
];

/** @choice The documentation gives no limit for tokens. */
const largestTokenCount = 100;

export const tooManyTokens: RefusalRow<{ tokenCount: number }> = [
  400,
  "bad_request",
  `An Edge Config has at most ${largestTokenCount} tokens. Delete one that is not needed.`,
  ({ tokenCount }) => tokenCount >= largestTokenCount,
];

/** @throws Refusal 400 when the items of an Edge Config, with this size in bytes, exceed the limit of the plan */
export function refuseTooLarge({ plan }: Plan, bytes: number): void {
  const limit = largestKilobytes[plan];
  if (bytes > limit * 1024)
    throw badRequest(
      `The items of this Edge Config take ${Math.ceil(bytes / 1024)} KB. With the plan ${plan}, they may take at most ${limit} KB.`,
    );
}

export const noSuchConfig = (id: string): Refusal => notFound(`Edge Config ${JSON.stringify(id)}`);

export const noSuchItem = ({ id }: Pick<EdgeConfigRow, "id">, key: string): Refusal =>
  notFound(`The item ${JSON.stringify(key)} of the Edge Config "${id}"`);

/** @param tokenId undefined if the request names the token by its value, because messages contain no values */
export const noSuchToken = ({ id }: Pick<EdgeConfigRow, "id">, tokenId: string | undefined): Refusal =>
  notFound(
    tokenId === undefined
      ? `A token in the request, for the Edge Config "${id}",`
      : `The token ${JSON.stringify(tokenId)} of the Edge Config "${id}"`,
  );

/**
 * Refuses an operation that does not fit the current items of the Edge Config.
 * @param before the current item with the key of the operation
 * @choice The documentation lists the statuses, but not the operations that are refused with them.
 * @throws Refusal 400, 404, 409
 */
export function refuseOperation(
  config: Pick<EdgeConfigRow, "id">,
  { operation, key, value }: ItemOperation,
  before: EdgeConfigItemRow | undefined,
): void {
  const name = JSON.stringify(key);
  if (operation === "create" && before)
    throw new Refusal(
      409,
      "conflict",
      `The Edge Config has an item ${name} already. Use the operation upsert.`,
    );
  if ((operation === "update" || operation === "delete") && !before) throw noSuchItem(config, key);
  if (operation === "upsert" && !before && value === undefined)
    throw badRequest(`The new item ${name} needs a value.`);
}
