import { noteDamage } from "../platform/damage";
import type { Services } from "../platform/services";
import type { SharedEnvVarRow } from "./object";
import type { SharedRecord } from "./shared-schema";

/** A shared variable in a list. @source vercel/vercel#17483: a list never has values */
export const viewSharedMembers = (row: SharedEnvVarRow, projects: readonly string[]): SharedRecord => ({
  id: row.id,
  key: row.key,
  type: row.type,
  target: JSON.parse(row.target),
  projectId: [...projects],
  applyToAllCustomEnvironments: row.apply_to_all === 1,
  ...(row.comment === null ? {} : { comment: row.comment }),
  ownerId: row.account_id,
  created: new Date(row.created_at).toISOString(),
  createdAt: row.created_at,
  createdBy: row.created_by,
  updatedAt: row.updated_at,
  updatedBy: row.updated_by,
  decrypted: false,
});

/** The answer to a write: an encrypted value is a ciphertext. @source the Terraform provider */
export const viewShared = (row: SharedEnvVarRow, projects: readonly string[]): SharedRecord => ({
  ...viewSharedMembers(row, projects),
  value: row.type === "sensitive" ? "" : row.value,
});

/** A shared variable with its value. The value is empty if it is sensitive or damaged. */
export function viewReadableShared(
  services: Pick<Services, "vault" | "log">,
  row: SharedEnvVarRow,
  projects: readonly string[],
): SharedRecord {
  if (row.type === "sensitive") return viewShared(row, projects);
  const value = services.vault.tryOpen(row.id, row.value);
  if (value === undefined) noteDamage(services.log, "the value of a shared variable", row.id);
  return { ...viewSharedMembers(row, projects), value: value ?? "", decrypted: value !== undefined };
}
