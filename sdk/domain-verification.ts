import type * as pulumi from "@pulumi/pulumi";
import { domainVerification } from "../provider/resources/domain-verification";
import { classOf } from "./core/resource";
import type { DomainVerificationArgs, DomainVerificationOutputs } from "./types";

/**
 * Waits until a domain is verified. Declare it with `dependsOn` what publishes the challenge; what needs the verified
 * domain depends on it in turn. When the time is up, the next run goes on from there.
 */
export class DomainVerification extends classOf<DomainVerificationOutputs>(domainVerification) {
  constructor(name: string, args: DomainVerificationArgs, opts?: pulumi.CustomResourceOptions) {
    super(name, args, opts);
  }

  /** The verification of a domain that exists, by `project/domain`. */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    opts?: pulumi.CustomResourceOptions,
  ): DomainVerification {
    return new DomainVerification(name, {} as DomainVerificationArgs, { ...opts, id });
  }
}
