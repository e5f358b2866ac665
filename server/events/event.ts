/** The types of the events that the server emits. */
export const eventTypes = [
  "deployment.canceled",
  "deployment.check-rerequested",
  "deployment.created",
  "deployment.error",
  "deployment.promoted",
  "deployment.succeeded",
  "domain.created",
  "domain.dns.records.changed",
  "integration-configuration.permission-upgraded",
  "integration-configuration.removed",
  "integration-configuration.scope-change-confirmed",
  "integration-configuration.transferred",
  "project.created",
  "project.domain.created",
  "project.domain.deleted",
  "project.domain.unverified",
  "project.domain.updated",
  "project.domain.verified",
  "project.env-variable.created",
  "project.env-variable.deleted",
  "project.env-variable.updated",
  "project.removed",
  "project.renamed",
  "project.rolling-release.aborted",
  "project.rolling-release.approved",
  "project.rolling-release.completed",
  "project.rolling-release.started",
] as const;
export type EventType = (typeof eventTypes)[number];

/** An event for receivers. Payloads never hold the value of a variable. @source Events; wire-shapes 10 */
export interface DomainEvent {
  type: EventType;
  /** In events `integration-configuration.*`, `configuration.id` is the only installation that receives the event. */
  payload: Record<string, unknown>;
  /** The project that the event is about. Receivers that are limited to projects get no events about other projects. */
  projectId?: string;
  /**
   * Set if the event is about a variable. Integrations get only events about variables that they may see. `madeBy` is
   * the id of the installation that created the variable.
   */
  variable?: { madeBy: string | null };
}

export type Emit = (event: DomainEvent) => Promise<void>;
