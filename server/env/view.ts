import { present } from "../http/reply";
import type { Services } from "../platform/services";
import type { EnvVarRow } from "../store/schema";
import { visibilityOf } from "./rules";
import type { EnvRecord } from "./schema";

/**
 * A variable as lists and projects show it: a plain one with its value, an encrypted one as ciphertext,
 * a sensitive one empty.
 * @source wire-shapes 4
 */
export function viewEnv(services: Pick<Services, "vault">, row: EnvVarRow): EnvRecord {
  const isPlain = row.type === "plain" || row.type === "system";
  const environments: string[] = JSON.parse(row.custom_environment_ids);
  return present<EnvRecord>({
    id: row.id,
    key: row.key,
    value: isPlain ? services.vault.open(row.id, row.value) : row.type === "sensitive" ? "" : row.value,
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
    contentHint: null,
    internalContentHint: null,
    decrypted: isPlain,
  });
}
