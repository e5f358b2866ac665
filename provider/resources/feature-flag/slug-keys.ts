import type { Client } from "../../client/client";
import { ownersByProject, type UniqueKeys } from "../../core/unique-keys";

/**
 * The unique key of a flag or a segment is its slug. No request changes it, so the resource that declares the slug takes
 * the object over.
 * @param find reads an object by its slug
 */
export const slugKeys = (
  noun: string,
  find: (
    client: Client,
    projectId: string,
    slug: string,
  ) => Promise<{ id: string; slug: string } | undefined>,
): UniqueKeys => ({
  noun,
  choices: "another slug",
  scope: "project",
  mayBeShared: true,
  of: ({ slug }, projectId) => (typeof slug === "string" ? [`${projectId}/${slug}`] : undefined),

  owners: ({ client }, keys) =>
    ownersByProject(keys, async (projectId) => {
      const slugs = keys.map((key) => key.slice(key.indexOf("/") + 1));
      const found = await Promise.all(slugs.map((slug) => find(client, projectId, slug)));
      return found.flatMap((one) => (one ? [{ id: one.id, keys: [`${projectId}/${one.slug}`] }] : []));
    }),

  freeKeys: async () => async () => {},
});
