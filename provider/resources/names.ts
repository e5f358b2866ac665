import { domainToUnicode } from "node:url";
import { parse } from "tldts";
import { z } from "zod";
import { isPlain } from "../core/values";
import { emailPattern, readyStates } from "../vocabulary";

/** Schemas of names and references that several resources share. */

/** True for a text that has a special meaning in URL paths. */
const isPathStep = (text: string): boolean => text === "." || text === "..";

/** @source wire-shapes 3, request rules */
export const projectName = z
  .string()
  .min(1)
  .max(100)
  .regex(
    /^(?!.*---)[a-z0-9-_.]+$/,
    "must consist of lower case letters, digits, '.', '_' and '-', without three dashes in a row",
  )
  .refine((name) => !isPathStep(name), "must contain a letter or a digit");

/** Id or name of a project. */
export const projectRef = z
  .string()
  .min(1)
  .max(100)
  .refine((text) => !isPathStep(text) && !text.includes("/"), "must be the id or the name of a project");

/** The filter of a list: the project whose objects are listed. */
export const filters = z.strictObject({
  /** Id or name of the project. */
  project: projectRef,
});

/** An id of the service, which stands in paths. */
const serviceId = (message: string) =>
  z
    .string()
    .min(1)
    .max(100)
    .refine((text) => !isPathStep(text) && !/[/\s]/.test(text), message);

/** Id of a project in a list of ids, where the service does not accept a name. */
export const projectId = serviceId("must be the id of a project");

/** Id of a custom environment at the service. The id of the resource also contains the project. */
export const environmentId = serviceId("must be the output environmentId of a CustomEnvironment, not its id");

/** A filter by the state of deployments: one, or several separated by commas. */
export const readyStateFilter = z
  .string()
  .refine(
    (text) => text.split(",").every((state) => (readyStates as readonly string[]).includes(state)),
    `must be one of ${readyStates.join(", ")}, or several separated by commas`,
  );

/** Email address of a user. */
export const emailAddress = z
  .email({ pattern: emailPattern, error: "must be an email address, such as ada@example.com" })
  .max(254);

/** Id of an access group. */
export const groupId = z
  .string()
  .max(100)
  .regex(/^ag_[A-Za-z0-9_-]+$/, "must be the id of an access group, such as ag_1");

/** Id of an installation of an integration. */
export const installationId = z
  .string()
  .max(100)
  .regex(/^icfg_[A-Za-z0-9_-]+$/, "must be the id of an installation, such as icfg_1");

/** Id of a Blob store. */
export const blobStoreId = z
  .string()
  .max(100)
  .regex(/^store_[A-Za-z0-9_-]+$/, "must be the id of a Blob store, such as store_1");

/** Id of an Edge Config. */
export const edgeConfigId = z
  .string()
  .max(100)
  .regex(/^ecfg_[A-Za-z0-9_-]+$/, "must be the id of an Edge Config, such as ecfg_1");

/**
 * Folder that contains a project; null for the root.
 * @source the public API: invalid_root_directory
 */
export const rootDirectory = z
  .string()
  .max(256)
  .refine(
    (text) =>
      text === "" ||
      (!text.includes("\\") && text.split("/").every((step) => step !== "" && !isPathStep(step))),
    "must be the path of a folder below the root, such as apps/web: without `.` and `..`, without a slash at the " +
      "beginning or the end, and without backslashes. For the root itself, remove rootDirectory",
  )
  .nullable();

/** Id of a deployment. */
export const deploymentId = serviceId("must be the id of a deployment");

const domainForm =
  "must be a domain name in lower case, such as www.example.com, without a scheme, path or final dot";

/**
 * Domain of a project or an account. The service refuses an underscore, which only records can have, and an IP address.
 * @choice Only ASCII and lower case, as the service returns the name, so that a diff sees no change.
 */
export const domainName = z
  .string()
  .min(1)
  .max(253)
  .regex(/^(\*\.)?([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/, domainForm)
  // A label in Punycode must stand for a text.
  .refine((name) => {
    const text = domainToUnicode(name);
    return text !== "" && !/(^|\.)xn--/.test(text);
  }, domainForm)
  // Suffixes that companies run, such as github.io, are domains of their owners.
  .refine(
    (name) => !isPublicSuffix(name.replace(/^\*\./, "")),
    "must be a domain that somebody can register, and not a suffix such as co.uk. Write the domain below it",
  );

/** True for a suffix under which a registry registers domains. A suffix that the list does not know is none. */
const isPublicSuffix = (name: string): boolean => {
  const { isIcann, domain } = parse(name);
  return isIcann === true && domain === null;
};

/** @source wire-shapes 4 and 5 */
export const branchName = z.string().min(1).max(250);

/** URL of an endpoint that receives events or log lines. */
export const receiverUrl = z
  .string()
  .max(2048)
  .refine(
    (text) => /^https?:\/\/[^\s/?#@]+([/?#]\S*)?$/i.test(text) && !/\p{Cc}/u.test(text) && URL.canParse(text),
    "must be a URL that begins with http:// or https://, without spaces, a user or a password",
  );

/** A duration in milliseconds: at most a day. */
export const durationMs = z.int().min(0).max(86_400_000);

/**
 * Returns the default name of a project: the logical name converted to a valid name, without a random suffix.
 * @throws Error if the logical name contains no valid characters
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
    `${JSON.stringify(logicalName)} contains no character that is valid in the name of a project: letters from a to z, ` +
      "digits, '.', '_' and '-'. Set the input `name`.",
  );
}

/** Converts the numbers and booleans in a map to text. An argument that is not a map is returned unchanged. */
export const withTexts = (values: unknown): unknown =>
  isPlain(values)
    ? Object.fromEntries(Object.entries(values).map(([key, value]) => [key, textOf(value)]))
    : values;

/** Converts numbers and booleans to text: YAML parses `PORT: 3000` and `FLAG: true` as such. */
export const textOf = (value: unknown): unknown =>
  typeof value === "number" || typeof value === "boolean" ? String(value) : value;

/** Splits an id such as `project/name`. @param form the message for any other id */
export function twoParts(id: string, form: string): [string, string] {
  const [, first, second] = /^([^/]+)\/([^/]+)$/.exec(id) ?? [];
  if (first === undefined || second === undefined) throw new Error(form);
  return [first, second];
}
