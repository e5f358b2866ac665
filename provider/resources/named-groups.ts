import { randomBytes } from "node:crypto";
import type { Client } from "../client/client";
import { ApiError, isRefused } from "../client/errors";
import type { UniqueKeys } from "../core/unique-keys";

/** Groups of a team that contain other objects, and whose names are unique. */
export interface NamedGroups {
  noun: string;
  /** The maximum length of a name. */
  longest: number;
  /** The path of the requests that give names. @param id undefined for a new group */
  path(id?: string): string;
  /** Reads a group by its id or name, uncached. */
  find(client: Client, idOrName: string): Promise<{ id: string; name: string } | undefined>;
  /** Sends the request that gives a group another name. */
  rename(client: Client, id: string, name: string): Promise<unknown>;
}

/** The unique keys of groups: their names. */
export const keysOfGroups = (groups: NamedGroups): UniqueKeys => ({
  noun: groups.noun,
  choices: "another name",
  scope: "account",
  isContainer: true,
  of: ({ name }, account) => (typeof name === "string" ? [`${account}/${name}`] : undefined),

  async owners({ client }, keys) {
    const names = keys.map((key) => key.slice(key.indexOf("/") + 1));
    const found = await Promise.all(names.map((name) => groups.find(client, name)));
    return found.flatMap((group) => (group ? [group.id] : []));
  },

  async freeKeys({ client }, id, keys) {
    const owner = await groups.find(client, id);
    if (!owner || !keys.some((key) => key.endsWith(`/${owner.name}`))) return async () => {};
    const name = temporaryName(groups, owner.name);
    await groups.rename(client, id, name);
    return async () => {
      if ((await groups.find(client, id))?.name === name) await groups.rename(client, id, owner.name);
    };
  },
});

/**
 * The temporary name of a group while another group takes the original name.
 * @choice It contains the original name, such as Developers-moving-4f9a12c0, so that users recognize the group.
 */
const temporaryName = ({ longest }: NamedGroups, name: string): string => {
  const suffix = `-moving-${randomBytes(4).toString("hex")}`;
  return `${name.slice(0, Math.min(200, longest - suffix.length))}${suffix}`;
};
export const isTemporaryName = (name: string): boolean => /-moving-[0-9a-f]{8}$/.test(name);

/**
 * Sends a request that gives a group a name. The service does not say why it refuses one: if another group has the name,
 * the refusal becomes a conflict. If none has it any more, the request is sent once again.
 * @param self the id of the group; undefined for a new one
 */
export async function naming<T>(
  client: Client,
  groups: NamedGroups,
  { name, self }: { name: string; self?: string | undefined },
  request: () => Promise<T>,
): Promise<T> {
  const refuseTaken = async (error: unknown): Promise<void> => {
    const found = isRefused(error) ? await groups.find(client, name) : undefined;
    if (found && found.id !== self) throw nameTaken(groups, name, self);
    if (!isRefused(error)) throw error;
  };
  try {
    return await request();
  } catch (error) {
    await refuseTaken(error);
  }
  try {
    return await request();
  } catch (error) {
    await refuseTaken(error);
    throw error;
  }
}

/** The refusal of a name that another group has. */
export const nameTaken = ({ noun, path }: NamedGroups, name: string, self?: string): ApiError =>
  new ApiError({
    ...{ asked: { method: "POST", path: path(self) }, status: 409, code: "conflict" },
    said: `The team already has ${noun} ${name}.`,
  });
