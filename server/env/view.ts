import { present } from "../http/reply";
import { damaged, noteDamage } from "../platform/damage";
import type { Services } from "../platform/services";
import type { EnvVarRow } from "./object";
import { visibilityOf } from "./rules";
import type { EnvRecord } from "./schema";

/**
 * A variable in lists and projects. A plain variable has its value, an encrypted one a ciphertext, and a sensitive or
 * damaged one an empty value.
 * @source wire-shapes 4
 */
export function viewEnv(services: Pick<Services, "vault" | "log">, row: EnvVarRow): EnvRecord {
  const isPlain = row.type === "plain" || row.type === "system";
  const opened = isPlain ? services.vault.tryOpen(row.id, row.value) : undefined;
  if (isPlain && opened === undefined) noteDamage(services.log, damagedPart, row.id);
  const environments: string[] = JSON.parse(row.custom_environment_ids);
  return present<EnvRecord>({
    id: row.id,
    key: row.key,
    value: isPlain ? (opened ?? "") : row.type === "sensitive" ? "" : row.value,
    type: row.type,
    visibility: visibilityOf(row.type),
    target: JSON.parse(row.target),
    gitBranch: row.git_branch ?? undefined,
    comment: row.comment ?? undefined,
    customEnvironmentIds: environments.length > 0 ? environments : undefined,
    configurationId: row.configuration_id,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    createdBy: row.created_by,
    updatedBy: row.updated_by,
    edgeConfigId: null,
    edgeConfigTokenId: null,
    contentHint: row.store_id === null ? null : { type: "blob-read-write-token", storeId: row.store_id },
    internalContentHint: null,
    decrypted: opened !== undefined,
  });
}

/** A variable that was created before, as `viewEnv` shows it, with the members of the profile. */
export function viewStored(services: Viewing, row: EnvVarRow): EnvRecord {
  const record = viewEnv(services, row);
  if (!services.profile.isHosted("unset-members-of-variables")) return record;
  const { comment = "", customEnvironmentIds = [] } = record;
  return { ...record, comment, customEnvironmentIds };
}

type Viewing = Pick<Services, "vault" | "log" | "profile">;

/** A variable with its value. The value is empty if it is sensitive or damaged. @source wire-shapes 4 */
export function viewReadable(services: Viewing, row: EnvVarRow): EnvRecord {
  const record = viewStored(services, row);
  if (row.type === "sensitive" || record.decrypted) return record;
  const value = services.vault.tryOpen(row.id, row.value);
  if (value === undefined) noteDamage(services.log, damagedPart, row.id);
  return { ...record, value: value ?? "", decrypted: value !== undefined };
}

/** @throws Refusal 500 when the value of a variable is damaged */
export function readValue(
  services: Pick<Services, "vault" | "log">,
  row: Pick<EnvVarRow, "id" | "value">,
): string {
  const value = services.vault.tryOpen(row.id, row.value);
  if (value === undefined) throw damaged(services.log, damagedPart, row.id);
  return value;
}

const damagedPart = "the value of a variable";
