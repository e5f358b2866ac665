import type * as pulumi from "@pulumi/pulumi";
import type { EnvVarInfo } from "../provider/lookups/shapes";

export interface LookupOptions {
  /** An explicit provider, which selects the account. Default: the account of the environment or the stack. */
  provider?: pulumi.ProviderResource | undefined;
}

/** A variable. Its value is a secret Output. */
export type EnvVarResult = Result<EnvVarInfo, "value">;

/** A result whose secret members are secret Outputs. */
export type Result<R, S extends string> = [S] extends [never]
  ? R
  : Omit<R, S> & { [K in S & keyof R]: pulumi.Output<R[K]> };

/** The answer of a look-up by id: what a resource has as Outputs, without the members `Hidden`. */
export type Found<Outputs, Hidden extends keyof Outputs> = {
  /** Id, as a resource has it. */
  readonly id: string;
} & {
  readonly [K in keyof Outputs as Exclude<K, Hidden>]: Outputs[K] extends pulumi.Output<infer T> ? T : never;
};
