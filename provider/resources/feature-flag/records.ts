import { z } from "zod";
import type { Client } from "../../client/client";
import { ifFound } from "../../client/errors";
import { projectPath } from "../../client/paths";
import { pagination } from "../../client/responses";

/** The feature flags of a project, with their segments and SDK keys. @source the newest official client */

/** @param key id or slug of a flag or segment, or hash of an SDK key; undefined for the list, or to create one */
export const flagsPath = (project: string, list: "flags" | "segments" | "sdk-keys", key?: string): string =>
  [
    `${projectPath(project, "v1")}/feature-flags/${list}`,
    ...(key === undefined ? [] : [encodeURIComponent(key)]),
  ].join("/");

const text = z.string().nullish();

const outcome = z.looseObject({ type: z.string(), variantId: text });

const remoteEnvironment = z.looseObject({
  active: z.boolean(),
  pausedOutcome: outcome,
  fallthrough: outcome,
  reuse: z.looseObject({ active: z.boolean() }).nullish(),
});
export type RemoteEnvironment = z.infer<typeof remoteEnvironment>;

export const remoteFlag = z.looseObject({
  id: z.string(),
  slug: z.string(),
  kind: z.string(),
  state: z.string(),
  description: text,
  permanent: z.boolean().nullish(),
  tags: z.array(z.string()).nullish(),
  maintainerIds: z.array(z.string()).nullish(),
  variants: z.array(z.looseObject({ id: z.string(), label: text, description: text, value: z.unknown() })),
  environments: z.record(z.string(), remoteEnvironment),
});
export type RemoteFlag = z.infer<typeof remoteFlag>;
export const flagList = z.looseObject({ data: z.array(remoteFlag), pagination });

const entries = z
  .record(z.string(), z.record(z.string(), z.array(z.looseObject({ value: z.string(), note: text }))))
  .nullish();
export type RemoteEntries = z.infer<typeof entries>;

export const remoteSegment = z.looseObject({
  id: z.string(),
  slug: z.string(),
  label: z.string(),
  description: text,
  hint: text,
  data: z.looseObject({ include: entries, exclude: entries }),
});
export type RemoteSegment = z.infer<typeof remoteSegment>;
export const segmentList = z.looseObject({ data: z.array(remoteSegment), pagination });

/** An SDK key. It has its hash as its id. */
export const remoteKey = z
  .looseObject({ hashKey: z.string(), type: z.string(), environment: z.string(), label: text })
  .transform((key) => ({ ...key, id: key.hashKey }));
export type RemoteKey = z.infer<typeof remoteKey>;
export const keyList = z.looseObject({ data: z.array(remoteKey), pagination });

/** All flags of a project, active or archived. Without a limit, the service returns all of a state in one page. */
export async function flagsOf(client: Client, projectId: string): Promise<RemoteFlag[]> {
  const path = flagsPath(projectId, "flags");
  const all = ["active", "archived"].map((state) =>
    client.listNow(path, flagList, ({ data }) => data, { state }, "cursor"),
  );
  return (await Promise.all(all)).flat();
}

export const segmentsOf = (client: Client, projectId: string): Promise<RemoteSegment[]> =>
  client.listNow(flagsPath(projectId, "segments"), segmentList, ({ data }) => data);

export const keysOf = (client: Client, projectId: string): Promise<RemoteKey[]> =>
  client.listNow(flagsPath(projectId, "sdk-keys"), keyList, ({ data }) => data);

/**
 * The flag or segment with a slug or an id, uncached; undefined if the project has none, or if this process has just
 * deleted it.
 */
export async function findNow<T extends { id: string }>(
  client: Client,
  [project, list, key]: Parameters<typeof flagsPath>,
  shape: z.ZodType<T>,
): Promise<T | undefined> {
  const path = flagsPath(project, list, key);
  const found = await ifFound(client.send({ method: "GET", path, shape, mayBeAbsent: true }));
  return found && !client.hasDeleted(flagsPath(project, list, found.id)) ? found : undefined;
}
