import type { Client } from "../../provider/client/client";
import { sharedEnvPath, variablePath } from "../../provider/client/paths";
import * as responses from "../../provider/client/responses";
import { inParallel } from "../../provider/core/parallel";
import { isSecretName, isSecretValue, publicPrefixes } from "../../provider/core/secret-names";
import { sharedVariablesOf } from "../../provider/resources/shared-env-var/records";
import type { Finding, Risk } from "./risks";
import * as shapes from "./shapes";

/** The risks of variables, of projects and of the team. */

export type MakeFinding = (risk: Risk, object: string | null, detail: string) => Finding;
/** @returns the answer; undefined if the token may not read it: then `what` is added to the unread parts */
export type Allowed = <T>(what: string, asked: Promise<T>) => Promise<T | undefined>;

/** How many values of a project are read at the same time. */
const atOnce = 2;

/** The variables of a project with their values; without those that the token may not read. */
export async function variablesOf(
  client: Client,
  allowed: Allowed,
  project: { id: string; path: string; name: string },
): Promise<shapes.Variable[]> {
  const { id, path, name } = project;
  const listed = await allowed(
    `the variables of ${name}`,
    client.list(`${path}/env`, shapes.variables, ({ envs }) => envs),
  );
  return inParallel(
    listed ?? [],
    async (variable) => {
      if (responses.isValueListed(variable)) return variable;
      const read = client.get(variablePath(id, variable.id, "v1"), responses.variable);
      const single = await allowed(`the values of encrypted variables of ${name}`, read);
      return { ...variable, value: single?.decrypted === false ? undefined : single?.value };
    },
    atOnce,
  );
}

/** Finds the risks of the shared variables of a team. */
export async function sharedVariableFindings(client: Client, allowed: Allowed): Promise<Finding[]> {
  const listed = (await allowed("the shared variables", sharedVariablesOf(client))) ?? [];
  const all = await inParallel(
    listed,
    async (variable) => {
      if (variable.type === "sensitive") return variable;
      const single = await allowed(
        "the values of shared variables",
        client.get(sharedEnvPath(variable.id), responses.sharedVariable),
      );
      return { ...variable, value: single?.value };
    },
    atOnce,
  );
  return all.flatMap((variable) =>
    variableFindings(variable, (risk, object, detail) => ({
      ...{ risk, project: null, object: `shared ${object}`, detail },
    })),
  );
}

type AnyVariable = shapes.Variable | responses.SharedVariable;

export function variableFindings(variable: AnyVariable, finding: MakeFinding): Finding[] {
  const { key, type, value } = variable;
  const targets = targetsOf(variable);
  const findings: Finding[] = [];
  const isOnline = targets.includes("production") || targets.includes("preview") || hasEnvironments(variable);
  const isReadable = type === "plain" || type === "encrypted" || type === "secret";
  // A build writes these values into pages.
  const isPublic = publicPrefixes.some((prefix) => key.startsWith(prefix));
  const isSecret = isSecretName(key) || (!isPublic && isSecretValue(value ?? ""));
  if (isReadable && isOnline && isSecret) {
    const reader = type === "plain" ? "everybody who sees the project" : "members who may decrypt it";
    findings.push(finding("secret-not-sensitive", nameOf(variable), `type ${type}: ${reader} can read it`));
  }
  const isProtected = (type === "sensitive" && !isPublic) || isSecret;
  if (isProtected && targets.includes("production") && targets.includes("preview")) {
    findings.push(
      finding("production-shared-with-preview", nameOf(variable), "one value for production and preview"),
    );
  }
  const spaces = value == null || type === "sensitive" || type === "system" ? undefined : spacesIn(value);
  if (spaces !== undefined) findings.push(finding("value-with-white-space", nameOf(variable), spaces));
  return findings;
}

/** Describes white space around a value. Texts of several lines, such as keys, usually end with a line break. */
function spacesIn(value: string): string | undefined {
  const inner = value.replace(/^[\s\u200b]+|[\s\u200b]+$/g, "");
  if (inner.length === value.length || /[\r\n]/.test(inner)) return undefined;
  if (inner === "") return "its value is only white space";
  if (/[\r\n][\s\u200b]*$/.test(value)) return "its value ends with a line break";
  return `its value ${/^[\s\u200b]/.test(value) ? "begins" : "ends"} with white space`;
}

export const targetsOf = ({ target }: AnyVariable): string[] => [target ?? []].flat();
export const hasEnvironments = (variable: AnyVariable): boolean =>
  "customEnvironmentIds" in variable &&
  Array.isArray(variable.customEnvironmentIds) &&
  variable.customEnvironmentIds.length > 0;

/** @returns the key with its targets, such as `KEY (production, preview)`: several variables may have the same key */
export const nameOf = (variable: AnyVariable): string => {
  const { gitBranch } = variable as { gitBranch?: string | null };
  const where = [...targetsOf(variable), ...(gitBranch == null ? [] : [`branch ${gitBranch}`])].join(", ");
  return where === "" ? variable.key : `${variable.key} (${where})`;
};
