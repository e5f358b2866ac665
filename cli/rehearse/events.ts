import { existsSync, readFileSync } from "node:fs";
import type { Report } from "./report";
import { isUsualSecret } from "./secrets";
import { markedIn } from "./stack";

interface EngineEvent {
  resOutputsEvent?: { metadata?: { op?: string; urn?: string; type?: string } };
  resourcePreEvent?: { metadata?: { urn?: string; type?: string; new?: { inputs?: unknown } | null } };
  diagnosticEvent?: { urn?: string; message: string; severity: string };
  policyEvent?: {
    resourceUrn?: string;
    message: string;
    policyName: string;
    policyPackName: string;
    enforcementLevel: string;
  };
}

/**
 * The errors and the violations of mandatory policies in an event log of the CLI, each once. The log hides secrets, but
 * not in messages. A message about a resource with inputs that the program declares as secret is left out.
 */
export function refusalsIn(file: string): Report["refusals"] {
  if (!existsSync(file)) return [];
  const refusals = new Map<string, Report["refusals"][number]>();
  const secretInputs = new Map<string, string[]>();
  for (const line of readFileSync(file, "utf8").split("\n")) {
    const event = parse(line);
    const { urn: step = "", type = "", new: planned } = event?.resourcePreEvent?.metadata ?? {};
    const secrets = markedIn(planned?.inputs).filter((key) => !isUsualSecret(type, key));
    if (secrets.length > 0) secretInputs.set(step, secrets);
    const found = errorIn(event);
    if (found === undefined) continue;
    const { urn } = found;
    const message = withoutSecrets(found.message, secretInputs.get(urn));
    // The engine adds its own error, "update failed".
    if (message === "" || /^(update|preview|refresh|destroy) failed$/.test(message)) continue;
    const isOfStack = urn === "" || urn.includes("::pulumi:pulumi:Stack::");
    const resource = isOfStack ? null : (urn.split("::").at(-1) ?? null);
    refusals.set(`${resource} ${message}`, { resource, message });
  }
  return [...refusals.values()];
}

/** The effects of the engine's operations. A replacement has an operation for the new and one for the old object. */
const effectsOfOperation: Readonly<Record<string, Report["real"][number]["effect"]>> = {
  ...{ create: "create", update: "change", delete: "delete", "create-replacement": "replace" },
};

/** The resources of other providers that changed for real. @param allowed the values of `--allow` */
export function realChangesIn(file: string, allowed: readonly string[]): Report["real"] {
  if (allowed.length === 0 || !existsSync(file)) return [];
  return readFileSync(file, "utf8")
    .split("\n")
    .flatMap((line) => {
      const { op = "", type = "", urn = "" } = parse(line)?.resOutputsEvent?.metadata ?? {};
      const effect = effectsOfOperation[op];
      const isAllowed = allowed.includes(type.split(":")[0] ?? "") && !isOwnType(type);
      return effect && isAllowed ? [{ effect, type, resource: urn.split("::").at(-1) ?? urn }] : [];
    });
}

const isOwnType = (type: string): boolean => type.startsWith("pulumi-nodejs:dynamic/slipway:");

/** The status and code of a message, if the resource has secret inputs. */
function withoutSecrets(message: string, secretInputs: readonly string[] | undefined): string {
  if (secretInputs === undefined || message === "") return message;
  const [, status] = /^[A-Z]+ \S+: (\d{3} \w+)/.exec(message) ?? [];
  const which = `${secretInputs.join(" and ")} ${secretInputs.length === 1 ? "is" : "are"} secret`;
  return `${status === undefined ? "It fails" : status}. The message is hidden, because ${which}.`;
}

function errorIn({
  diagnosticEvent,
  policyEvent,
}: EngineEvent = {}): { message: string; urn: string } | undefined {
  if (diagnosticEvent?.severity === "error")
    return { message: plain(diagnosticEvent.message), urn: diagnosticEvent.urn ?? "" };
  if (policyEvent?.enforcementLevel !== "mandatory") return undefined;
  const { policyPackName, policyName, message, resourceUrn = "" } = policyEvent;
  return { message: `policy ${policyPackName}/${policyName}: ${plain(message)}`, urn: resourceUrn };
}

function parse(line: string): EngineEvent | undefined {
  try {
    return JSON.parse(line);
  } catch {
    // The last line of a killed run can be incomplete.
    return undefined;
  }
}

/** Removes colors, and the stack trace of a program. */
const plain = (text: string): string =>
  text
    .replace(/<\{%.*?%\}>/g, "")
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the escape sequences of a terminal
    .replace(/\u001b\[[0-9;]*m/g, "")
    .trim()
    .replace(/\n\s+at [\s\S]*$/, "")
    .trim();
