/** What happened, as it goes to receivers. Payloads never carry a variable's value. @source Events; wire-shapes 10 */
export interface DomainEvent {
  type: string;
  /** For `integration-configuration.*` its `configuration.id` tells whose integration hears of it. */
  payload: Record<string, unknown>;
  /** The project it is about: receivers that see only some projects get only theirs. */
  projectId?: string;
}

export type Emit = (event: DomainEvent) => Promise<void>;
