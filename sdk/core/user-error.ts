import * as pulumi from "@pulumi/pulumi";

/**
 * A mistake of the user. Pulumi prints only its message. An ordinary `RunError` in an Output after the program's last
 * line would be printed with its stack.
 */
export function userError(message: string): pulumi.RunError {
  return Object.assign(new pulumi.RunError(message), { stack: "" });
}
