import { z } from "zod";

/** Schemas of names that several resources share. */

/** Texts that have a special meaning in paths. */
const isPathStep = (text: string): boolean => text === "." || text === "..";

/** @source wire-shapes 3, request rules */
export const projectName = z
  .string()
  .min(1)
  .max(100)
  .regex(
    /^(?!.*---)[a-z0-9-_.]+$/,
    "may have lower case letters, digits, '.', '_' and '-', and no three dashes in a row",
  )
  .refine((name) => !isPathStep(name), "must have a letter or a digit");

/** Id or name of a project. */
export const projectRef = z
  .string()
  .min(1)
  .max(100)
  .refine((text) => !isPathStep(text) && !text.includes("/"), "must be the id or the name of a project");

/** Id of a custom environment. That of the resource begins with the project, which the service knows nothing of. */
export const environmentId = z
  .string()
  .min(1)
  .refine(
    (text) => !text.includes("/"),
    "must be the id of a custom environment, which is the output environmentId of a CustomEnvironment, not its id",
  );

/** Id of a deployment. */
export const deploymentId = z
  .string()
  .min(1)
  .refine((text) => !isPathStep(text) && !/[/\s]/.test(text), "must be the id of a deployment");

/** @choice In ASCII and lower case, as the service returns it, so that a diff sees no change. */
export const domainName = z
  .string()
  .min(1)
  .max(253)
  .regex(
    /^(\*\.)?([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])$/,
    "must be a domain name in lower case, such as www.example.com, without a scheme, path or final dot",
  );

/** @source wire-shapes 4 and 5 */
export const branchName = z.string().min(1).max(250);

/** A duration in milliseconds: at most a day. */
export const durationMs = z.int().min(0).max(86_400_000);

/**
 * The default name of a project: the logical name made valid, without a random suffix.
 * @throws Error when it has no valid characters
 */
export function projectNameFrom(logicalName: string): string {
  const name = logicalName
    .toLowerCase()
    .replace(/[^a-z0-9-_.]+/g, "-")
    .replace(/-{2,}/g, "-")
    .replace(/^[-.]+|[-.]+$/g, "")
    .slice(0, 100);
  if (name !== "") return name;
  throw new Error(
    `Nothing of ${JSON.stringify(logicalName)} can be in the name of a project, which has letters from a to z, digits, ` +
      "'.', '_' and '-'. Give the project a name of its own.",
  );
}
