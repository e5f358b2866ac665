import type * as z from "zod";
import type { Account } from "../access/caller";
import { noteDamage } from "../platform/damage";
import type { Services } from "../platform/services";
import type { LogDrainRow } from "./object";
import type { accountDrain, DrainSettings, drain } from "./schema";
import { openSettings, readSettings, type StoredSettings } from "./settings";

interface Viewer {
  account: Account;
  services: Pick<Services, "vault" | "log">;
}

/** A drain of an installation as an answer. */
export function viewDrain(
  viewer: Viewer,
  row: LogDrainRow & { integration_id: string },
): z.infer<typeof drain> {
  const configurationId = row.configuration_id ?? "";
  return {
    ...viewSettings(viewer, row),
    id: row.id,
    ownerId: row.account_id,
    createdAt: row.created_at,
    clientId: row.integration_id,
    configurationId,
    createdFrom: "integration",
    source: {
      kind: "integration",
      integrationId: row.integration_id,
      integrationConfigurationId: configurationId,
    },
  };
}

/** A drain of an account as an answer. */
export function viewAccountDrain(viewer: Viewer, row: LogDrainRow): z.infer<typeof accountDrain> {
  return {
    ...viewSettings(viewer, row),
    id: row.id,
    ownerId: row.account_id,
    teamId: viewer.account.kind === "team" ? viewer.account.id : null,
    createdAt: row.created_at,
    updatedAt: row.updated_at ?? row.created_at,
    deletedAt: null,
    secret: "",
    status: "enabled",
    createdFrom: "self-served",
    source: { kind: "self-served" },
  };
}

/**
 * The settings of a drain, as the caller sees them.
 * @choice Headers often hold a token, so they are shown only to callers who may make and delete drains.
 */
function viewSettings({ account, services }: Viewer, row: Stored): DrainSettings {
  const { headers, ...rest } = settingsOf(services, row);
  return headers && account.scopes.has("read-write:log-drain") ? { ...rest, headers } : rest;
}

type Stored = Pick<LogDrainRow, "id" | "settings">;

/** The settings of a drain. If they are damaged, returns the settings that can be read. */
export function settingsOf({ vault, log }: Viewer["services"], row: Stored): DrainSettings {
  try {
    return openSettings(vault, row);
  } catch {
    noteDamage(log, "the settings of a log drain", row.id);
    const { headers: _, ...rest } = readSettings(row.settings) ?? unreadable;
    return rest;
  }
}

const unreadable: StoredSettings = {
  name: "",
  url: "",
  deliveryFormat: "json",
  environments: ["production", "preview"],
};

/** True for a drain that receives the lines of a project. @param projectId undefined: true for every drain */
export const isForProject =
  (projectId: string | undefined) =>
  ({ projectIds }: { projectIds?: string[] | undefined }): boolean =>
    projectId === undefined || (projectIds?.includes(projectId) ?? true);
