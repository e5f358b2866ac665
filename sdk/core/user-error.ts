import * as pulumi from "@pulumi/pulumi";

/**
 * A user's mistake, of which Pulumi prints the message alone. A `RunError` that comes up in an Output after the
 * program's last line would be printed with its stack.
 */
export function userError(message: string): pulumi.RunError {
  return Object.assign(new pulumi.RunError(message), { stack: "" });
}
