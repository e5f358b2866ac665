import { Batches, type BatchRule } from "../client/batches";
import type { Client } from "../client/client";
import { Pace } from "../client/pace";
import { KeyPlan } from "./key-plan";
import { Ownership, type StackReader } from "./ownership";
import { Phases } from "./phases";
import { Production } from "./production";
import { Replacements } from "./replacements";

/** State that the resources of one configured provider share during a run. A host creates it. */
export class RunContext {
  readonly ownership: Ownership;
  readonly keys = new KeyPlan();
  readonly phases = new Phases();
  readonly replacements = new Replacements(this.phases);
  readonly production: Production;
  readonly pace = new Pace();
  /** The ids of members to whom resources of the run give a role other than owner. */
  readonly formerOwners = new Set<string>();
  /** The ids of projects that the program declares as default applications of microfrontend groups, with the group's name. */
  readonly defaultApps = new Map<string, unknown>();
  /** The ids of projects that the program declares as other members of microfrontend groups. */
  readonly microfrontends = new Set<string>();
  /** The ids of domains whose redirect the run has removed, to be set again where the program declares it. */
  readonly clearedRedirects = new Set<string>();
  /** The batches, by name. */
  readonly #batches = new Map<string, unknown>();

  /** @param stack reads the state of the stack; the host adds data during the run */
  constructor(
    readonly client: Client,
    private readonly stack: StackReader = {},
  ) {
    this.production = new Production(client, this.phases);
    this.ownership = new Ownership(client.settings.apiUrl, stack);
  }

  /**
   * True when another resource has another provider. False if one of the providers is unknown.
   * @param provider the URN of the other resource's provider
   */
  isOfOtherProvider(provider: string | undefined): boolean {
    const own = this.stack.provider;
    return provider !== undefined && own !== undefined && provider !== own;
  }

  /** Returns the batches with a name. The first call creates them with `rule`. */
  batches<I, T>(name: string, rule: BatchRule<I, T>): Batches<I, T> {
    const known = this.#batches.get(name) as Batches<I, T> | undefined;
    const batches = known ?? new Batches(rule, this.pace);
    this.#batches.set(name, batches);
    return batches;
  }
}
