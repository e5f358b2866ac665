import type * as z from "zod";
import type { Account } from "../access/caller";
import { present } from "../http/reply";
import { noteDamage } from "../platform/damage";
import type { Services } from "../platform/services";
import type { DrainOfLogs, OtherDrain } from "./drain-schema";
import type { LogDrainRow, OtherDrainRow } from "./object";
import type { accountDrain, DrainSettings, drain } from "./schema";
import { type OtherSettings, openSettings, readSettings } from "./settings";

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

/** A log drain of an account, as the newest routes answer it. */
export function viewDrainOfLogs(viewer: Viewer, row: LogDrainRow): DrainOfLogs {
  const view = viewAccountDrain(viewer, row);
  return present<DrainOfLogs>({
    ...identityOf(viewer, row),
    name: view.name,
    projectIds: view.projectIds,
    schemas: { log: {} },
    filterV2: {
      version: "v2",
      filter: {
        type: "basic",
        log: view.sources === undefined ? {} : { sources: view.sources },
        deployment: { environments: view.environments },
      },
    },
    delivery: {
      type: "http",
      endpoint: view.url,
      encoding: view.deliveryFormat,
      headers: view.headers ?? {},
    },
    sampling:
      view.samplingRate === undefined ? undefined : [{ type: "head_sampling", rate: view.samplingRate }],
  });
}

/** @choice The answer has the version of the schema. */
export function viewOtherDrain(viewer: Viewer, row: OtherDrainRow): OtherDrain {
  const settings = settingsOf<OtherSettings>(viewer.services, row, unreadableOther);
  const { name, projectIds, sampling, delivery } = settings;
  const headers = (mayWrite(viewer) && settings.headers) || {};
  return present<OtherDrain>({
    ...identityOf(viewer, row),
    ...{ name, projectIds, sampling, schemas: { [row.kind]: { version: "v1" } } },
    delivery: delivery.type === "s3" ? delivery : { ...delivery, headers },
  });
}

const identityOf = (
  { account }: Viewer,
  row: Pick<LogDrainRow, "id" | "account_id" | "created_at" | "updated_at">,
) =>
  ({
    id: row.id,
    ownerId: row.account_id,
    teamId: account.kind === "team" ? account.id : null,
    createdAt: row.created_at,
    updatedAt: row.updated_at ?? row.created_at,
    status: "enabled",
    source: { kind: "self-served" },
  }) as const;

/**
 * The settings of a drain, as the caller sees them.
 * @choice Headers often hold a token, so they are shown only to callers who may make and delete drains.
 */
function viewSettings(viewer: Viewer, row: Stored): DrainSettings {
  const { headers, ...rest } = settingsOf(viewer.services, row);
  return headers && mayWrite(viewer) ? { ...rest, headers } : rest;
}
const mayWrite = ({ account }: Viewer): boolean => account.scopes.has("read-write:log-drain");

type Stored = Pick<LogDrainRow, "id" | "settings">;

const unreadable: DrainSettings = {
  name: "",
  url: "",
  deliveryFormat: "json",
  environments: ["production", "preview"],
};
const unreadableOther: OtherSettings = {
  name: "",
  delivery: { type: "otlphttp", endpoint: { traces: "" }, encoding: "json" },
};

/** The settings of a drain. If they are damaged, returns the settings that can be read. */
export function settingsOf<T extends DrainSettings | OtherSettings = DrainSettings>(
  { vault, log }: Viewer["services"],
  row: Stored,
  none: DrainSettings | OtherSettings = unreadable,
): T {
  try {
    return openSettings<T>(vault, row);
  } catch {
    noteDamage(log, "the settings of a log drain", row.id);
    const { headers: _, ...rest } = readSettings(row.settings) ?? none;
    return rest as T;
  }
}

/** True for a drain that receives the lines of a project. @param projectId undefined: true for every drain */
export const isForProject =
  (projectId: string | undefined) =>
  ({ projectIds }: { projectIds?: string[] | undefined }): boolean =>
    projectId === undefined || (projectIds?.includes(projectId) ?? true);
