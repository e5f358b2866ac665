import type * as responses from "../../client/responses";
import type { Created, Operation } from "../../core/definition";
import type { Wanted } from "./create";
import type { Inputs, Outputs, Records } from "./inputs";

/** Records which variables exist, and saves this after each variable, so that a failure loses nothing. */
export class Ledger {
  readonly #variables: Record<string, Wanted>;
  readonly #records: Records;

  constructor(
    private readonly operation: Operation<Inputs, Outputs>,
    readonly projectId: string,
    private readonly accountId: string,
    readonly declared: Inputs,
    variables: Record<string, Wanted> = {},
    records: Records = {},
  ) {
    this.#variables = Object.fromEntries(
      Object.entries(variables).filter(([key]) => Object.hasOwn(records, key)),
    );
    this.#records = { ...records };
  }

  has(key: string): boolean {
    return Object.hasOwn(this.#records, key);
  }

  keep(key: string, wanted: Wanted, remote: responses.Variable): void {
    this.#variables[key] = wanted;
    this.#records[key] = recordOf(remote);
    this.#save();
  }

  lose(key: string): void {
    delete this.#variables[key];
    delete this.#records[key];
    this.#save();
  }

  result(): Created<Outputs> {
    const { projectId, accountId } = this;
    return { id: projectId, accountId, outputs: { projectId, records: { ...this.#records } } };
  }

  /** Saves each variable with all of its settings, because some variables still have the old common settings. */
  #save(): void {
    const { project, adopt } = this.declared;
    this.operation.checkpoint(this.result(), { project, adopt, variables: { ...this.#variables } });
  }
}

export const recordOf = ({ id, updatedAt }: responses.Variable): Records[string] => ({
  id,
  updatedAt: updatedAt ?? 0,
});
