/** What happened, as it goes to receivers. Payloads never carry a variable's value. @source Events; wire-shapes 10 */
export interface DomainEvent {
  type: string;
  /** For `integration-configuration.*` its `configuration.id` tells whose integration hears of it. */
  payload: Record<string, unknown>;
  /** The project it is about: receivers that see only some projects get only theirs. */
  projectId?: string;
  /** Set when it is about a variable: integrations hear of those that they may see. */
  variable?: { madeBy: string | null };
}

export type Emit = (event: DomainEvent) => Promise<void>;
