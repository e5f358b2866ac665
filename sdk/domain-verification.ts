import type * as pulumi from "@pulumi/pulumi";
import { domainVerification } from "../provider/resources/domain-verification";
import { classOf } from "./core/resource";
import type { DomainVerificationArgs, DomainVerificationOutputs } from "./types";

/**
 * Waits until a domain is verified and, with `waitForDns`, until the domain's DNS records point at the service. Set
 * `dependsOn` to the resource that publishes the records. Resources that need the domain must depend on the
 * DomainVerification. After a timeout, the next run continues to wait.
 */
export class DomainVerification extends classOf<DomainVerificationOutputs>(domainVerification) {
  constructor(name: string, args: DomainVerificationArgs, opts?: pulumi.CustomResourceOptions) {
    super(name, args, opts);
  }

  /** Reads the verification of an existing domain by `project/domain`. */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    opts?: pulumi.CustomResourceOptions,
  ): DomainVerification {
    return new DomainVerification(name, {} as DomainVerificationArgs, { ...opts, id });
  }
}
