import type { Client } from "../client/client";
import { KeyPlan } from "./key-plan";
import { Ownership, type StackReader } from "./ownership";
import { Production } from "./production";
import { Replacements } from "./replacements";

/** What the resources of one configured provider share during a run. A host makes it. */
export class RunContext {
  readonly ownership: Ownership;
  readonly keys = new KeyPlan();
  readonly replacements = new Replacements();
  readonly production: Production;

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
}
