import type * as pulumi from "@pulumi/pulumi";
import { domainVerification } from "../provider/resources/domain-verification";
import { classOf } from "./core/resource";
import type { DomainVerificationArgs, DomainVerificationOutputs } from "./types";

/**
 * Waits until a domain is verified, and with `waitForDns` until its DNS points at the service. Declare it with
 * `dependsOn` on the resource that publishes the records, and let resources that need the domain depend on it. After a
 * timeout, the next run continues to wait.
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
