import { existsSync, readFileSync } from "node:fs";
import type { Report } from "./report";

interface EngineEvent {
  diagnosticEvent?: { urn?: string; message: string; severity: string };
  policyEvent?: {
    resourceUrn?: string;
    message: string;
    policyName: string;
    policyPackName: string;
    enforcementLevel: string;
  };
}

/** The errors and the violations of mandatory policies in an event log of the CLI, each once. The log hides secrets. */
export function refusalsIn(file: string): Report["refusals"] {
  if (!existsSync(file)) return [];
  const refusals = new Map<string, Report["refusals"][number]>();
  for (const line of readFileSync(file, "utf8").split("\n")) {
    const found = errorIn(parse(line));
    if (found === undefined) continue;
    const { message, urn } = found;
    // The engine adds its own error, "update failed".
    if (message === "" || /^(update|preview|refresh|destroy) failed$/.test(message)) continue;
    const isOfStack = urn === "" || urn.includes("::pulumi:pulumi:Stack::");
    const resource = isOfStack ? null : (urn.split("::").at(-1) ?? null);
    refusals.set(`${resource} ${message}`, { resource, message });
  }
  return [...refusals.values()];
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
