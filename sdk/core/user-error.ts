import * as pulumi from "@pulumi/pulumi";

/**
 * A mistake of the user. Pulumi prints its message alone, also when it occurs in an Output after the program's last
 * line, where it would print the stack of a `RunError`.
 */
export function userError(message: string): pulumi.RunError {
  return Object.assign(new pulumi.RunError(message), { stack: "" });
}
