import { isPlain, type Plain } from "../../../provider/core/values";
import type { RecordedRequest } from "../recording-proxy";
import type { Declaration, Program } from "./program";
import type { RecordedResource } from "./run";

/**
 * Returns the ids of the variables whose values the program keeps without knowing them: it ignores their changes, or
 * has an empty text in place of a sensitive value.
 */
export function unknownValues(program: Program, state: readonly RecordedResource[]): Set<string> {
  const there = state.filter(({ isReplaced, isPending }) => !isReplaced && !isPending);
  const ids = program.flatMap((one) => {
    const names = [one.name, ...(one.aliases ?? [])];
    const recorded = there.find(({ type, name }) => type === one.type && names.includes(name));
    return recorded ? idsOf(one, recorded) : [];
  });
  return new Set(ids);
}

function idsOf({ type, args, ignoreChanges = [] }: Declaration, { id, outputs }: RecordedResource): string[] {
  if (type === "EnvVar" || type === "SharedEnvVar") {
    const isUnknown = ignoreChanges.includes("value") || isPlaceholder(outputs.type, args.value);
    return isUnknown ? [id.split("/").at(-1) ?? ""] : [];
  }
  if (type !== "EnvVars" || !isPlain(args.variables) || !isPlain(outputs.records)) return [];
  const { variables, records } = outputs as { variables: Plain; records: Record<string, { id: string }> };
  return Object.entries(args.variables).flatMap(([key, declared]) => {
    const record = records[key];
    const before = isPlain(variables[key]) ? variables[key] : {};
    const value = isPlain(declared) ? declared.value : declared;
    return record && isPlaceholder(before.type ?? outputs.type, value) ? [record.id] : [];
  });
}

const isPlaceholder = (type: unknown, value: unknown): boolean => type === "sensitive" && value === "";

/** @throws Error when a request writes or deletes one of these variables */
export function expectKept(ids: ReadonlySet<string>, requests: readonly RecordedRequest[]): void {
  for (const { method, path, body } of requests) {
    for (const id of ids) {
      const isLost =
        method === "DELETE"
          ? path.includes(`/env/${id}`) || body.includes(`"${id}"`)
          : method === "PATCH" && writes(path, body, id);
      if (isLost) throw new Error(`${method} ${path} ${body} loses a value that the program does not know`);
    }
  }
}

function writes(path: string, body: string, id: string): boolean {
  if (path.includes(`/env/${id}`)) return "value" in JSON.parse(body);
  if (!/\/v1\/env(\?|$)/.test(path)) return false;
  const update = (JSON.parse(body) as { updates?: Record<string, Plain> }).updates?.[id];
  return update !== undefined && "value" in update;
}
