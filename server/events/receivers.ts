import type { ScopeName } from "../access/scopes";
import type { Tx } from "../store/store";
import type { DomainEvent } from "./event";
import { installationsOf, type Receiver, webhooksOf } from "./receiver-store";

/** Installations with selected projects do not get these events. @source wire-shapes 10 */
const needsAllProjects = new Set(["project.created", "project.removed"]);

/**
 * The receivers of an event: the webhooks of the account that subscribe to it, and the integrations installed there.
 * @choice A webhook that is limited to projects gets only events about these. An installation with selected projects
 *   gets events about these, and events that are about no project. An installation gets an event about a variable only
 *   if its scopes show the variable. An event about an installation goes only to this installation's integration.
 */
export async function receiversOf(tx: Tx, account: string, event: DomainEvent): Promise<Receiver[]> {
  const [webhooks, installed] = await Promise.all([
    webhooksOf(tx, { account }),
    installationsOf(tx, { account, project: event.projectId ?? "" }),
  ]);
  return [
    ...webhooks
      .filter(({ events, project_ids }) => isSubscribed(events, project_ids, event))
      .map(
        ({ id, url, secret }): Receiver => ({
          id,
          account_id: account,
          kind: "webhook",
          url,
          secret,
          secret_row: id,
        }),
      ),
    ...installed
      .filter((installation) => hearsOf(installation, event))
      .map(
        ({ id, webhook_url, client_secret, integration_id }): Receiver => ({
          id,
          account_id: account,
          kind: "configuration",
          url: webhook_url ?? "",
          secret: client_secret,
          secret_row: integration_id,
        }),
      ),
  ];
}

function isSubscribed(events: string, projects: string | null, { type, projectId }: DomainEvent): boolean {
  if (!(JSON.parse(events) as string[]).includes(type)) return false;
  return projects === null || (JSON.parse(projects) as string[]).includes(projectId ?? "");
}

function hearsOf(
  { id, selected, scopes, covers }: { id: string; selected: 0 | 1; scopes: string; covers: string | null },
  { type, payload, projectId, variable }: DomainEvent,
): boolean {
  if (type.startsWith("integration-configuration.")) {
    return (payload.configuration as { id?: string } | undefined)?.id === id;
  }
  if (variable && !mayHear(JSON.parse(scopes), variable.madeBy === id)) return false;
  if (selected === 0 || projectId === undefined) return true;
  return covers !== null && !needsAllProjects.has(type);
}

/** The scopes that show a variable also show its events. */
const mayHear = (scopes: readonly ScopeName[], isOwn: boolean): boolean =>
  scopes.includes("read-write:global-project-env-vars") ||
  (isOwn && scopes.includes("read-write:project-env-vars"));
