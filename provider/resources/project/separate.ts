import { projectPath } from "../../client/paths";
import type * as responses from "../../client/responses";
import type { Plain } from "../../core/values";
import { retentionPeriods } from "../../vocabulary";

/** A setting of a project that is changed with a separate request. */
export interface Separate {
  path(id: string): string;
  body(value: unknown): Plain;
  /** The setting in a project that the API returned. */
  of(remote: responses.Project): unknown;
  /** The members that the API returns for a project with this value. */
  asReturned(value: unknown, remote: responses.Project): Partial<responses.Project>;
  /** True when the API returned the setting, so that an import declares it. */
  isReturned(remote: responses.Project): boolean;
}

/** For each kind of deployment, the member of the request (a period) and the member of the project (days). */
const kinds = {
  preview: ["expiration", "expirationDays"],
  production: ["expirationProduction", "expirationDaysProduction"],
  canceled: ["expirationCanceled", "expirationDaysCanceled"],
  errored: ["expirationErrored", "expirationDaysErrored"],
} as const;
type Kind = keyof typeof kinds;
const kindNames = Object.keys(kinds) as Kind[];

const daysOf = (period: unknown): number | undefined =>
  (retentionPeriods as Readonly<Record<string, number>>)[String(period)];

/** The period that has a number of days. @param days unlimited if absent */
const periodOf = (days: number | null | undefined): string =>
  Object.entries(retentionPeriods).find(([, known]) => known === (days ?? retentionPeriods.unlimited))?.[0] ??
  `${days}d`;

/** @source Projects, PATCH /v1/data-cache/projects/{projectId}; the Terraform provider, for the others */
export const separate = {
  dataCache: {
    path: (id) => `/v1/data-cache/projects/${encodeURIComponent(id)}`,
    body: (value) => value as Plain,
    of: ({ dataCache }) => ({ disabled: dataCache?.userDisabled ?? false }),
    asReturned: (value) => ({ dataCache: { userDisabled: (value as { disabled: boolean }).disabled } }),
    isReturned: () => true,
  },
  cronsEnabled: {
    path: (id) => `${projectPath(id, "v1")}/crons`,
    body: (enabled) => ({ enabled }),
    of: ({ crons }) => crons?.disabledAt == null,
    asReturned: (enabled, { crons }) => ({ crons: { ...crons, disabledAt: enabled ? undefined : 0 } }),
    isReturned: ({ crons }) => crons != null,
  },
  deploymentRetention: {
    path: (id) => `${projectPath(id)}/deployment-expiration`,
    body: (value) =>
      Object.fromEntries(
        Object.entries(value as Plain).map(([kind, period]) => [kinds[kind as Kind][0], period]),
      ),
    of: ({ deploymentExpiration }) =>
      Object.fromEntries(kindNames.map((kind) => [kind, periodOf(deploymentExpiration?.[kinds[kind][1]])])),
    asReturned: (value, { deploymentExpiration }) => ({
      deploymentExpiration: {
        ...deploymentExpiration,
        ...Object.fromEntries(
          Object.entries(value as Plain).map(([kind, period]) => [kinds[kind as Kind][1], daysOf(period)]),
        ),
      },
    }),
    isReturned: ({ deploymentExpiration }) => Object.keys(deploymentExpiration ?? {}).length > 0,
  },
} as const satisfies Record<string, Separate>;

export type SeparateKey = keyof typeof separate;
export const separateKeys = Object.keys(separate) as SeparateKey[];

/** The values of the separate settings in a project. */
export const separateSettings = (remote: responses.Project): Record<SeparateKey, unknown> =>
  Object.fromEntries(separateKeys.map((key) => [key, separate[key].of(remote)])) as Record<
    SeparateKey,
    unknown
  >;
