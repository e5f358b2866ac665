import { AsyncLocalStorage } from "node:async_hooks";

/** What the host tells about the step under way. */
export interface Step {
  /** The URN of the resource, which no other resource of any stack has; undefined when the host does not know it. */
  urn: string | undefined;
  /** Shows progress to the user. */
  inform(message: string): void;
}

const steps = new AsyncLocalStorage<Step>();

/** Runs a step of a resource. */
export const during = <T>(step: Step, run: () => Promise<T>): Promise<T> => steps.run(step, run);

/** The step under way; without a host, nobody is informed. */
export const currentStep = (): Step => steps.getStore() ?? { urn: undefined, inform: () => {} };
