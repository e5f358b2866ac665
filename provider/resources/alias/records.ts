import { z } from "zod";
import type { Client } from "../../client/client";
import * as responses from "../../client/responses";

/** An exception of a name from the deployment protection of its project. */
export const remoteException = z.looseObject({
  scope: z.string(),
  createdAt: z.number().nullish(),
  createdBy: z.string().nullish(),
});
export type RemoteException = z.infer<typeof remoteException>;

/** A name that points to a deployment. @source the newest official client: GET /v4/aliases */
export const remoteAlias = z.looseObject({
  uid: z.string(),
  alias: z.string(),
  deploymentId: z.string().nullish(),
  projectId: z.string().nullish(),
  redirect: z.string().nullish(),
  /** By key: `*` is the exception for everybody. Other keys are links and users. */
  protectionBypass: z.record(z.string(), remoteException).nullish(),
});
export type RemoteAlias = z.infer<typeof remoteAlias>;
export const aliasList = z.looseObject({ aliases: z.array(remoteAlias), pagination: responses.pagination });

const aliasesPath = "/v4/aliases";
export const aliasPath = (name: string): string => `${aliasesPath}/${encodeURIComponent(name)}`;

/** The aliases of the account, without the names of projects. */
export async function aliasesOf(client: Client): Promise<RemoteAlias[]> {
  const all = await client.listNow(aliasesPath, aliasList, (page) => page.aliases, {
    limit: "100",
  });
  return all.filter(({ uid, alias: name }) => uid !== name);
}
