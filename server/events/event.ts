/** An event for receivers. Payloads never hold the value of a variable. @source Events; wire-shapes 10 */
export interface DomainEvent {
  type: string;
  /** For `integration-configuration.*`, only the integration of `configuration.id` receives it. */
  payload: Record<string, unknown>;
  /** The project that it is about: receivers limited to projects get only events about these. */
  projectId?: string;
  /** Set when it is about a variable: integrations get events only of variables that they may see. */
  variable?: { madeBy: string | null };
}

export type Emit = (event: DomainEvent) => Promise<void>;
