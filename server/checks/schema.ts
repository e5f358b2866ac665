import * as z from "zod";

/** Bodies and answers of checks. @source the newest official client */

const name = z.string().min(1).max(100);
const url = z.url({ protocol: /^https?$/ }).max(2048);
const text = z.string().max(4096);
const requires = z.enum(["build-ready", "deployment-url", "none"]);
export const blocks = z.enum([
  "build-start",
  "deployment-start",
  "deployment-alias",
  "deployment-promotion",
  "none",
]);

const settings = {
  name,
  isRerequestable: z.boolean(),
  requires,
  blocks,
  targets: z.array(name).max(100),
  /** In milliseconds. */
  timeout: z.int().min(0).max(86_400_000),
};
export const updateProjectCheck = z.strictObject(settings).partial();

const externalCheckName = z.string().min(1).max(256);
export const createProjectCheck = updateProjectCheck.required({ name: true }).extend({
  source: z
    .union([
      z.strictObject({ kind: z.literal("git-provider"), externalCheckName, provider: z.literal("github") }),
      z.strictObject({ kind: z.literal("webhook"), webhookId: z.string().optional() }),
      z.strictObject({ kind: z.literal("integration").optional(), externalResourceId: text.optional() }),
    ])
    .optional(),
});

const source = z.union([
  z.strictObject({ kind: z.literal("git-provider"), externalCheckName, provider: z.literal("github") }),
  z.strictObject({ kind: z.literal("webhook"), webhookId: z.string().optional() }),
  z.strictObject({
    kind: z.literal("integration"),
    integrationId: z.string(),
    integrationConfigurationId: z.string(),
    externalResourceId: text.optional(),
  }),
]);
export type CheckSource = z.infer<typeof source>;

const times = { createdAt: z.number(), updatedAt: z.number() };
export const projectCheck = z.strictObject({
  ...{ id: z.string(), ownerId: z.string(), projectId: z.string() },
  ...settings,
  source,
  sourceKind: z.enum(["git-provider", "webhook", "integration"]),
  sourceIntegrationConfigurationId: z.string().optional(),
  ...times,
});
export type ProjectCheck = z.infer<typeof projectCheck>;

const runResult = z.strictObject({
  externalId: text.optional(),
  externalUrl: url.optional(),
  output: z.record(z.string(), z.unknown()).optional(),
  completedAt: z.int().min(0).max(Date.UTC(9999, 0)).optional(),
  conclusion: z.enum(["canceled", "skipped", "timeout", "failed", "neutral", "succeeded"]).optional(),
  conclusionText: text.optional(),
});
export type CheckRunResult = z.infer<typeof runResult>;
const runStatus = z.enum(["queued", "running", "completed"]);
export const updateRun = runResult.extend({ status: runStatus.optional() });

export const checkRun = z.strictObject({
  ...{ id: z.string(), checkId: z.string(), deploymentId: z.string() },
  ...projectCheck.pick({ name: true, ownerId: true, projectId: true, timeout: true, source: true }).shape,
  ...projectCheck.pick({ blocks: true, requires: true, targets: true }).shape,
  status: runStatus,
  ...runResult.shape,
  ...times,
});
export type CheckRun = z.infer<typeof checkRun>;

const metric = (value: z.ZodNumber) =>
  z.strictObject({
    value: value.nullable(),
    previousValue: value.optional(),
    source: z.literal("web-vitals"),
  });
const metrics = z.strictObject({
  ...{ FCP: metric(z.number()), LCP: metric(z.number()), CLS: metric(z.number()), TBT: metric(z.number()) },
  virtualExperienceScore: metric(z.number().min(0).max(100)).optional(),
});

const described = {
  name,
  path: z.string().max(255).optional(),
  detailsUrl: url.optional(),
  externalId: text.optional(),
};
export const createCheck = z.strictObject({
  ...described,
  blocking: z.boolean(),
  rerequestable: z.boolean().optional(),
});
const conclusion = z.enum(["canceled", "failed", "neutral", "succeeded", "skipped"]);
const output = z.strictObject({ metrics: metrics.optional() }).optional();
export const updateCheck = z.strictObject({
  ...described,
  name: name.optional(),
  output,
  status: z.enum(["running", "completed"]).optional(),
  conclusion: conclusion.optional(),
});

const details = {
  ...described,
  blocking: z.boolean(),
  rerequestable: z.boolean(),
  output,
  conclusion: conclusion.optional(),
  startedAt: z.number().optional(),
  completedAt: z.number().optional(),
};
export type CheckDetails = Omit<z.infer<z.ZodObject<typeof details>>, "name">;
export const check = z.strictObject({
  ...{ id: z.string(), deploymentId: z.string(), integrationId: z.string() },
  status: z.enum(["registered", "running", "completed"]),
  ...details,
  ...times,
});
export type Check = z.infer<typeof check>;
