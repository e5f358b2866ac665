import type * as pulumi from "@pulumi/pulumi";
import { logDrain } from "../provider/resources/log-drain";
import { classOf } from "./core/resource";
import type { LogDrainArgs, LogDrainOutputs } from "./types";

/** A log drain of the account: an endpoint that receives the log lines of the account's projects. */
export class LogDrain extends classOf<LogDrainOutputs>(logDrain) {
  constructor(name: string, args: LogDrainArgs, opts?: pulumi.CustomResourceOptions) {
    super(name, args, opts);
  }

  /** Reads an existing log drain by its id, without managing it. Its secret is not known. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): LogDrain {
    return new LogDrain(name, {} as LogDrainArgs, { ...opts, id });
  }
}
