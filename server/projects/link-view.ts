import type { Account } from "../access/caller";
import type { ProjectLink } from "./schema";

/**
 * The link of a project in an answer.
 * @choice The URL of a deploy hook is a secret, because it deploys without a token. Only callers who may change the
 *   project get it. For others, its last part is masked.
 */
export function viewLink(link: ProjectLink, { scopes }: Pick<Account, "scopes">): ProjectLink {
  if (scopes.has("read-write:project") || link.deployHooks.length === 0) return link;
  const deployHooks = link.deployHooks.map((hook) => ({ ...hook, url: hook.url.replace(/[^/]*$/, "***") }));
  return { ...link, deployHooks };
}
