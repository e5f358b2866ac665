import { z } from "zod";
import type { Client } from "../../client/client";
import { pagination } from "../../client/responses";

/** @param id undefined for the list, or to create a drain */
export const drainPath = (id?: string): string =>
  ["/v1/drains", ...(id === undefined ? [] : [encodeURIComponent(id)])].join("/");

const textOrNone = z.string().nullish();

/** A drain of any kind. */
export const remoteDrain = z.looseObject({
  id: z.string(),
  name: z.string(),
  /** The id of the account. */
  ownerId: z.string(),
  status: textOrNone,
  projectIds: z.array(z.string()).nullish(),
  schemas: z.record(z.string(), z.unknown()).nullish(),
  /** A filter in another form has none of these members. */
  filterV2: z
    .looseObject({
      filter: z
        .looseObject({
          log: z.looseObject({ sources: z.array(z.string()).nullish() }).nullish(),
          deployment: z.looseObject({ environments: z.array(z.string()).nullish() }).nullish(),
        })
        .nullish(),
    })
    .nullish(),
  delivery: z.looseObject({
    type: z.string(),
    endpoint: z.unknown(),
    encoding: textOrNone,
    compression: textOrNone,
    headers: z.record(z.string(), z.string()).nullish(),
    ...{ roleArn: textOrNone, region: textOrNone, serverSideEncryption: textOrNone, objectAcl: textOrNone },
  }),
  sampling: z.array(z.looseObject({ rate: z.number(), env: textOrNone, requestPath: textOrNone })).nullish(),
  source: z.looseObject({ kind: z.string() }).nullish(),
});
export type RemoteDrain = z.infer<typeof remoteDrain>;

export const drainList = z.looseObject({ drains: z.array(remoteDrain), pagination });

/** True for a drain with a schema that does not belong to an integration. */
export const isOwnDrain = ({ schemas, source }: RemoteDrain, schema: string): boolean =>
  schemas?.[schema] !== undefined && (source?.kind ?? "self-served") === "self-served";

/** All drains of the account, also those of other kinds. The service returns them in one page. */
export async function drainsOf(
  client: Client,
  { projectId }: { projectId?: string | undefined } = {},
): Promise<RemoteDrain[]> {
  const { drains } = await client.send({
    ...{ method: "GET", path: drainPath(), shape: drainList },
    ...(projectId !== undefined && { query: { projectId } }),
  });
  return drains;
}
