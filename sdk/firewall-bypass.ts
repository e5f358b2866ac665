import type * as pulumi from "@pulumi/pulumi";
import { firewallBypass } from "../provider/resources/firewall-bypass";
import { classOf } from "./core/resource";
import type { FirewallBypassArgs, FirewallBypassOutputs } from "./types";

/** A rule that lets requests from an IP address pass the firewall of a project, for one domain or for all. */
export class FirewallBypass extends classOf<FirewallBypassOutputs>(firewallBypass) {
  constructor(name: string, args: FirewallBypassArgs, opts?: pulumi.CustomResourceOptions) {
    super(name, args, opts);
  }

  /** Reads an existing rule by `project/domain/address`. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): FirewallBypass {
    return new FirewallBypass(name, {} as FirewallBypassArgs, { ...opts, id });
  }
}
