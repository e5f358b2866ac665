import type { Caller } from "../access/caller";
import { notFound, type Refusal, type RefusalRow } from "../platform/refusal";

/** @choice The scopes of integrations do not include stores, so installations are refused. */
export const peopleOnly: RefusalRow<{ caller: Pick<Caller, "installation"> }> = [
  403,
  "forbidden",
  "Only users manage Blob stores. Use the token of a user.",
  ({ caller }) => caller.installation !== undefined,
];

/** @choice The documentation gives no limit. Lists of stores have no pages. */
const largestCount = 1000;

export const tooManyStores: RefusalRow<{ storeCount: number }> = [
  400,
  "bad_request",
  `An account has at most ${largestCount} Blob stores. Delete one that is not needed.`,
  ({ storeCount }) => storeCount >= largestCount,
];

export const tooManyConnections: RefusalRow<{ connectionCount: number }> = [
  400,
  "bad_request",
  `A Blob store is connected to at most ${largestCount} projects. Delete a connection that is not needed.`,
  ({ connectionCount }) => connectionCount >= largestCount,
];

/** @choice A store is connected to a project once. The documentation does not say what a second connection does. */
export const alreadyConnected: RefusalRow<{ current: object | undefined }> = [
  409,
  "conflict",
  "The Blob store is connected to this project already. Change the connection instead.",
  ({ current }) => current !== undefined,
];

export const noSuchStore = (id: string): Refusal => notFound(`Blob store ${JSON.stringify(id)}`);

export const noSuchConnection = (store: string, id: string): Refusal =>
  notFound(`The connection ${JSON.stringify(id)} of the Blob store "${store}"`);
