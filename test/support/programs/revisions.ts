import { isDeepStrictEqual } from "node:util";
import { isPlain, type Plain } from "../../../provider/core/values";
import type { RecordedResource } from "./run";

/** Watches the revisions of variables: one changes exactly when the value, the type or the environments do. */
export class Revisions {
  #before = new Map<string, { values: unknown; revision: unknown }>();

  /** @throws Error that tells which revision is wrong after a run */
  check(state: readonly RecordedResource[]): void {
    const now = new Map<string, { values: unknown; revision: unknown }>();
    for (const { type, name, id, outputs, isReplaced, isPending, isPartial } of state) {
      if (!/^EnvVar/.test(type) || isReplaced || isPending) continue;
      // After an unknown outcome, what was sent then may have been in use.
      if (isPartial || outputs.unsure !== undefined) continue;
      const key = `${name} ${id}`;
      const values = valuesOf(outputs);
      const { revision } = outputs;
      if (typeof revision !== "string") throw new Error(`${name} has no revision`);
      const before = this.#before.get(key);
      now.set(key, { values, revision });
      if (!before) continue;
      const isSame = isDeepStrictEqual(values, before.values);
      if (isSame === (revision === before.revision)) continue;
      const how = isSame ? "changes, and nothing else does" : "stays, although something changes";
      throw new Error(`the revision of ${name} ${how}: ${JSON.stringify([before, { values, revision }])}`);
    }
    this.#before = now;
  }
}

const environments = ["production", "preview", "development"];

function valuesOf({ variables, ...all }: Plain): unknown {
  // A variable without a type is an encrypted one.
  const { type: usualType = "encrypted", target: usualTarget = environments } = all;
  const settingsOf = ({ key, value, type = usualType, target = usualTarget, gitBranch }: Plain): Plain => ({
    key,
    value,
    type,
    target: [...new Set(target as string[])].sort(),
    gitBranch,
  });
  if (!isPlain(variables)) return settingsOf(all);
  return Object.entries(variables)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, one]) => settingsOf(isPlain(one) ? { ...one, key } : { key, value: one }));
}
