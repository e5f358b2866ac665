import * as z from "zod";
import { accessGroups } from "../access-groups/seed";
import { teams, tokens, users } from "../accounts/seed";
import { aliases, protectionExceptions } from "../aliases/seed";
import { blobStores } from "../blob-stores/seed";
import { certificates } from "../certificates/seed";
import { checkRuns, deploymentChecks, projectChecks } from "../checks/seed";
import { deployments } from "../deployments/seed";
import { dnsRecords } from "../domains/record-seed";
import { accountDomains, domains } from "../domains/seed";
import { edgeConfigs } from "../edge-configs/seed";
import { env, sharedEnv } from "../env/seed";
import { environments } from "../environments/seed";
import { featureFlagSdkKeys, featureFlagSegments, featureFlags } from "../feature-flags/seed";
import { firewallBypasses, firewallConfigs } from "../firewall/seed";
import { installations, integrations } from "../integrations/seed";
import { logDrains, otherDrains } from "../log-drains/seed";
import { projectMembers } from "../members/seed";
import { microfrontendGroups } from "../microfrontends/seed";
import { profileNames } from "../platform/profile";
import { gitProviders, projects, unknownSettings } from "../projects/seed";
import { bulkRedirects, projectRoutes } from "../routing/seed";
import { webhooks } from "../webhooks/seed";
import { httpUrl } from "./section";
import { dns } from "./zone";

/** The schema of a seed, which comes from a file or from the control plane. */

/** The sections of a document, in the order in which they are applied. */
export const sections = {
  users,
  teams,
  tokens,
  gitProviders,
  integrations,
  dns,
  deployments,
  projects,
  environments,
  installations,
  // Names below a domain that its account has verified are verified too.
  accountDomains,
  domains,
  sharedEnv,
  env,
  webhooks,
  logDrains,
  otherDrains,
  aliases,
  protectionExceptions,
  firewallBypasses,
  firewallConfigs,
  bulkRedirects,
  projectRoutes,
  projectMembers,
  accessGroups,
  microfrontendGroups,
  edgeConfigs,
  // After the variables, since connections have some of them.
  blobStores,
  dnsRecords,
  certificates,
  projectChecks,
  checkRuns,
  deploymentChecks,
  featureFlags,
  featureFlagSegments,
  featureFlagSdkKeys,
};
type Sections = typeof sections;

const lists = Object.fromEntries(
  Object.entries(sections).map(([name, { row }]) => [name, z.array<z.ZodType>(row).optional()]),
) as unknown as { [Name in keyof Sections]: z.ZodOptional<z.ZodArray<Sections[Name]["row"]>> };

/** Explains that a snapshot for comparisons cannot be a seed, because it has no secrets. */
const hintForSnapshot = ({ code, keys }: { code: string; keys?: readonly string[] }): string | undefined =>
  code === "unrecognized_keys" && keys?.includes("accounts")
    ? "this is a snapshot of the control plane, which has no secrets. Write a seed document instead (docs/server.md), let `slipway snapshot` write one, or copy the data of the other server"
    : undefined;

export const seedDocument = z.strictObject(
  {
    /** The profile of a server that starts with the seed, if no option chooses one. */
    profile: z.enum(profileNames).optional(),
    ...lists,
    /** The address of the API that the document was read from. The server then sends no events, log lines and mail. */
    copyOf: httpUrl.optional(),
    /** When the document was read from `copyOf`, in milliseconds since the epoch. */
    copiedAt: z.int().min(0).optional(),
    /** Describes the parts that were not read. The server ignores this. */
    placeholders: z.array(z.string()).optional(),
  },
  { error: (issue) => hintForSnapshot(issue as { code: string; keys?: readonly string[] }) },
);

/** Why a row does not have the shape of its section; undefined if it has. Sections without rows of their own have no shape. */
export function problemOfRow(
  section: string,
  row: unknown,
): { path: readonly PropertyKey[]; message: string } | undefined {
  const { row: shape } = sections[section as keyof Sections] ?? {};
  return shape?.safeParse(row).error?.issues[0];
}

/** The settings in the row of a project that a seed leaves out, because their values are not known. */
export const unknownValuesIn = ({ settings }: { settings?: unknown }): string[] =>
  unknownSettings((settings ?? {}) as Record<string, unknown>);

/** A checked seed document. */
export type Seed = z.output<typeof seedDocument>;
/** A seed document as written, before it is checked. */
export type SeedDocument = z.input<typeof seedDocument>;
