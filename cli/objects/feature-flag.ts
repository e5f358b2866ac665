import { z } from "zod";
import { ifAllowed } from "../../provider/client/errors";
import { isPlain, type Plain } from "../../provider/core/values";
import { featureFlag as flagResource } from "../../provider/resources/feature-flag";
import {
  flagList,
  flagsOf,
  keyList,
  keysOf,
  type RemoteKey,
  remoteFlag,
  remoteSegment,
  segmentList,
  segmentsOf,
} from "../../provider/resources/feature-flag/records";
import { featureFlagSdkKey as keyResource } from "../../provider/resources/feature-flag-sdk-key";
import { featureFlagSegment as segmentResource } from "../../provider/resources/feature-flag-segment";
import { flagEnvironments } from "../../provider/vocabulary";
import { itemOfProject, type ProjectKind } from "./kind";
import { listOperation, oneOperation } from "./operation";
import { logicalName, objectOf, ofProject, textIn, within } from "./recorded";
import { boolean, number, string, text, texts, times } from "./shapes";

/** The feature flags of a project, their segments, and the SDK keys, whose values the API does not return. */

const made = { ...times, createdBy: text };

const flagRow = z.object({
  ...{ id: string, slug: string, kind: string, state: text, description: text, seed: number },
  ...{ permanent: boolean, tags: texts, maintainerIds: texts },
  ...{ variants: z.unknown(), environments: z.unknown() },
  ...made,
});
const segmentRow = z.object({
  ...{ id: string, slug: string, label: text, description: text, hint: text, data: z.unknown() },
  ...made,
});
const keyRow = z.object({
  ...{ hashKey: string, type: string, environment: string, label: text, partialKeyValue: text },
  ...made,
});

/** The rows of a list that the API returns with the newest first. */
const rowsOf = async (listed: Promise<readonly object[]>, shape: z.ZodType<Plain>) =>
  (await ifAllowed(listed))?.map((one) => shape.parse(one)).reverse();

/** True for a flag that is evaluated in production. */
const isInProduction = ({ state, environments }: Plain): boolean => {
  const production = isPlain(environments) ? environments.production : undefined;
  return state !== "archived" && isPlain(production) && production.active === true;
};

const flagsPath = "/v1/projects/{idOrName}/feature-flags";

export const featureFlag = {
  name: "feature flag",
  owner: "project",
  resource: flagResource,
  suffix: "flag",
  weight: 45,
  section: "featureFlags",
  async rows({ client }, { id }) {
    const rows = await rowsOf(flagsOf(client, id), flagRow);
    return rows?.sort((a, b) => Number(a.createdAt ?? 0) - Number(b.createdAt ?? 0));
  },
  items: (row) => [itemOfProject(row, { name: String(row.slug), isProduction: isInProduction(row) })],
  async discover({ client, add, allowed }, project) {
    for (const { id, slug } of [...(await allowed("feature flags", flagsOf(client, project.id)))].reverse())
      await add(flagResource, `${project.id}/${id}`, `${project.name}-${slug}`);
  },
  recorded: {
    vercel_feature_flag_definition: (one) => [
      {
        ...objectOf(one, flagResource, within(one, textIn(one.values, "id"))),
        unmanaged: [...flagEnvironments],
      },
    ],
  },
  operations: {
    list: {
      ...listOperation("/v2/projects/{idOrName}/feature-flags/flags", "feature flags", flagList, "data"),
      ...{ newestBy: "createdAt", cursor: "cursor" },
    },
    one: oneOperation(`${flagsPath}/flags/{flag}`, "feature flag", remoteFlag),
  },
} as const satisfies ProjectKind;

export const featureFlagSegment = {
  name: "segment",
  owner: "project",
  resource: segmentResource,
  suffix: "segment",
  weight: 43,
  section: "featureFlagSegments",
  rows: ({ client }, { id }) => rowsOf(segmentsOf(client, id), segmentRow),
  items: (row) => [itemOfProject(row, { name: String(row.slug) })],
  async discover({ client, add, allowed }, project) {
    for (const { id, slug } of [...(await allowed("segments", segmentsOf(client, project.id)))].reverse())
      await add(segmentResource, `${project.id}/${id}`, `${project.name}-${slug}`);
  },
  recorded: { vercel_feature_flag_segment: ofProject(segmentResource, "id") },
  operations: {
    list: listOperation(`${flagsPath}/segments`, "segments", segmentList, "data", "createdAt"),
    one: oneOperation(`${flagsPath}/segments/{segment}`, "segment", remoteSegment),
  },
} as const satisfies ProjectKind;

const nameOf = ({ label, environment, type }: Pick<RemoteKey, "label" | "environment" | "type">): string =>
  label || `${environment}-${type}`;

export const featureFlagSdkKey = {
  name: "SDK key",
  owner: "project",
  resource: keyResource,
  suffix: "sdk-key",
  weight: 42,
  section: "featureFlagSdkKeys",
  rows: ({ client }, { id }) => rowsOf(keysOf(client, id), keyRow),
  items: (row) => [itemOfProject({ ...row, id: row.hashKey }, { name: nameOf(row as unknown as RemoteKey) })],
  async discover({ client, add, note, allowed }, project) {
    for (const key of [...(await allowed("SDK keys", keysOf(client, project.id)))].reverse()) {
      const name = logicalName([project.name, nameOf(key)]);
      await add(keyResource, `${project.id}/${key.id}`, name);
      note(`${keyResource.type} ${name}: its value cannot be read, so its outputs are null.`);
    }
  },
  recorded: {
    vercel_feature_flag_sdk_key(one) {
      const [sdkKey, connectionString] = ["sdk_key", "connection_string"].map((key) =>
        textIn(one.values, key),
      );
      const outputs = { sdkKey, connectionString: connectionString ?? null };
      const known = sdkKey === undefined ? {} : { outputs };
      return [objectOf(one, keyResource, within(one, textIn(one.values, "id")), { known })];
    },
  },
  operations: {
    list: listOperation(`${flagsPath}/sdk-keys`, "SDK keys", keyList, "data", "createdAt"),
  },
} as const satisfies ProjectKind;
