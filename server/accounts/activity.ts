import { type EventType, eventTypes } from "../events/event";

/** The activity log of an account, which is read from its events. */

/** The types of the log for the events of the server. @source the newest official client: listEventTypes */
const names: Partial<Record<EventType, readonly [name: string, text: string]>> = {
  "deployment.canceled": ["deployment", "canceled the deployment"],
  "deployment.created": ["deployment", "created the deployment"],
  "deployment.error": ["deployment", "failed to build the deployment"],
  "deployment.promoted": ["deployment", "promoted the deployment"],
  "deployment.succeeded": ["deployment", "built the deployment"],
  "domain.created": ["domain", "added the domain"],
  "integration-configuration.removed": ["integration-installation-removed", "removed the integration"],
  "project.created": ["project-created", "created the project"],
  "project.domain.created": ["project-add-alias", "added the domain"],
  "project.domain.deleted": ["project-domain-deleted", "removed the domain"],
  "project.domain.unverified": ["project-domain-unverified", "must verify the domain"],
  "project.domain.updated": ["project-domain-updated", "changed the domain"],
  "project.domain.verified": ["project-domain-verified", "verified the domain"],
  "project.env-variable.created": ["env-variable-add", "added the variable"],
  "project.env-variable.deleted": ["env-variable-delete", "deleted the variable"],
  "project.env-variable.updated": ["env-variable-edit", "changed the variable"],
  "project.removed": ["project-delete", "deleted the project"],
  "project.renamed": ["project-name", "renamed the project"],
  "project.rolling-release.aborted": ["project-rolling-release-aborted", "aborted the rolling release"],
  "project.rolling-release.approved": ["project-rolling-release-approved", "approved the rolling release"],
  "project.rolling-release.completed": ["project-rolling-release-completed", "completed the rolling release"],
  "project.rolling-release.started": ["project-rolling-release-started", "started the rolling release"],
};

const categories = ["deployment", "domain", "env-variable", "integration", "project"] as const;

const categoryOf = (name: string): (typeof categories)[number] =>
  categories.find((category) => name.startsWith(category)) ?? "project";

/** The type, the text and the category of the entry of an event; undefined if the log has none. */
export function activityOf(type: string): [name: string, text: string, category: string] | undefined {
  const [name, text] = names[type as EventType] ?? [];
  return name === undefined || text === undefined ? undefined : [name, text, categoryOf(name)];
}

/** The types of entries that the log can have. */
export function activityTypes() {
  const found = new Map(eventTypes.flatMap((type) => (names[type] ? [names[type]] : [])));
  return {
    categories: categories.map((name) => ({ name, label: `${name[0]?.toUpperCase()}${name.slice(1)}` })),
    types: [...found].map(([name, text]) => ({
      name,
      description: `Somebody ${text}.`,
      categories: [categoryOf(name)],
    })),
  };
}

/** The events whose entries have one of these types. Default: all that the log has. */
export const eventsOfActivity = (types?: readonly string[]): EventType[] =>
  eventTypes.filter((type) => {
    const name = names[type]?.[0];
    return name !== undefined && (types?.includes(name) ?? true);
  });
