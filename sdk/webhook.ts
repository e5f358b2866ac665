import type * as pulumi from "@pulumi/pulumi";
import { webhook } from "../provider/resources/webhook";
import { classOf } from "./core/resource";
import type { WebhookArgs, WebhookOutputs } from "./types";

/**
 * A webhook of the account: an address that gets its events, each signed with `secret`. No request edits a webhook, so
 * every change makes a new one with another secret, and then removes the old one.
 */
export class Webhook extends classOf<WebhookOutputs>(webhook) {
  constructor(name: string, args: WebhookArgs, opts?: pulumi.CustomResourceOptions) {
    super(name, args, opts);
  }

  /** A webhook that exists, by its id; it is read and never changed, and its secret is not known. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Webhook {
    return new Webhook(name, {} as WebhookArgs, { ...opts, id });
  }
}
