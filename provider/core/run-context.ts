import { Batches, type BatchRule } from "../client/batches";
import type { Client } from "../client/client";
import { Pace } from "../client/pace";
import { KeyPlan } from "./key-plan";
import { Ownership, type StackReader } from "./ownership";
import { Production } from "./production";
import { Replacements } from "./replacements";

/** State that the resources of one configured provider share during a run. A host creates it. */
export class RunContext {
  readonly ownership: Ownership;
  readonly keys = new KeyPlan();
  readonly replacements = new Replacements();
  readonly production: Production;
  readonly pace = new Pace();
  /** The ids of the members whom resources of the run give another role than that of an owner. */
  readonly formerOwners = new Set<string>();
  /** By name. */
  readonly #batches = new Map<string, unknown>();

  /** @param stack what is known of the stack; the host fills it in as it learns it */
  constructor(
    readonly client: Client,
    private readonly stack: StackReader = {},
  ) {
    this.production = new Production(client);
    this.ownership = new Ownership(client.settings.apiUrl, stack);
  }

  /** @param provider the URN of the provider of another resource */
  isOfOtherProvider(provider: string | undefined): boolean {
    const own = this.stack.provider;
    return provider !== undefined && own !== undefined && provider !== own;
  }

  /** The batches under a name. @param rule for the first use */
  batches<I, T>(name: string, rule: BatchRule<I, T>): Batches<I, T> {
    const known = this.#batches.get(name) as Batches<I, T> | undefined;
    const batches = known ?? new Batches(rule, this.pace);
    this.#batches.set(name, batches);
    return batches;
  }
}
