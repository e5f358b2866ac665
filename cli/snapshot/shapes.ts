import { z } from "zod";

/**
 * Schemas of the answers from which a snapshot is written. They have more fields than the provider uses, and accept
 * unknown fields. A snapshot leaves out the fields that an answer leaves out.
 */

/** Null and absent both mean "not set". */
const maybe = <T extends z.ZodType>(shape: T) =>
  shape
    .nullish()
    .transform((value) => value ?? undefined)
    .optional();
const text = maybe(z.string());
const time = maybe(z.number());

const pagination = maybe(z.looseObject({ next: maybe(z.union([z.number(), z.string()])) }));

const person = z.looseObject({ uid: z.string(), username: text, email: text });

export const deployment = z.looseObject({
  id: text,
  uid: text,
  name: z.string(),
  url: text,
  createdAt: time,
  creator: maybe(person),
  readyState: text,
  target: text,
  meta: maybe(z.record(z.string(), z.unknown())),
  customEnvironment: maybe(z.looseObject({ id: z.string() })),
  plan: text,
});
export type Deployment = z.infer<typeof deployment>;

const variable = z.looseObject({
  id: z.string(),
  key: z.string(),
  value: text,
  type: z.string(),
  target: maybe(z.union([z.string().transform((name) => [name]), z.array(z.string())])),
  gitBranch: text,
  comment: text,
  customEnvironmentIds: maybe(z.array(z.string())),
  configurationId: text,
  createdAt: time,
  updatedAt: time,
  createdBy: text,
  updatedBy: text,
  lastEditedByDisplayName: text,
  decrypted: maybe(z.boolean()),
});
export type Variable = z.infer<typeof variable>;
export const oneVariable = variable;

const sharedVariable = z.looseObject({
  id: z.string(),
  key: z.string(),
  value: text,
  type: z.string(),
  target: maybe(z.array(z.string())),
  projectId: maybe(z.array(z.string())),
  applyToAllCustomEnvironments: maybe(z.boolean()),
  comment: text,
  createdAt: time,
  updatedAt: time,
  createdBy: text,
  updatedBy: text,
  decrypted: maybe(z.boolean()),
});
export const oneSharedVariable = sharedVariable;
export const sharedVariables = z.looseObject({ data: z.array(sharedVariable), pagination });
export const variables = z.union([
  z.looseObject({ envs: z.array(variable), pagination }),
  variable.transform((only) => ({ envs: [only], pagination: undefined })),
]);

const environment = z.looseObject({
  id: z.string(),
  slug: z.string(),
  description: text,
  branchMatcher: maybe(z.looseObject({ type: z.string(), pattern: z.string() })),
  createdAt: time,
  updatedAt: time,
});

export const project = z.looseObject({
  id: z.string(),
  name: z.string(),
  accountId: z.string(),
  nodeVersion: text,
  gitForkProtection: maybe(z.boolean()),
  paused: maybe(z.boolean()),
  createdAt: time,
  updatedAt: time,
  dataCache: maybe(z.looseObject({ userDisabled: maybe(z.boolean()) })),
  passwordProtection: maybe(z.looseObject({})),
  link: maybe(z.looseObject({ type: z.string() })),
  env: maybe(z.array(variable)),
  customEnvironments: maybe(z.array(environment)),
  latestDeployments: maybe(z.array(deployment)),
  targets: maybe(z.record(z.string(), maybe(deployment))),
  protectionBypass: maybe(
    z.record(
      z.string(),
      z.looseObject({
        createdAt: time,
        createdBy: text,
        scope: text,
        isEnvVar: maybe(z.boolean()),
        note: text,
      }),
    ),
  ),
  lastAliasRequest: maybe(
    z.looseObject({
      fromDeploymentId: text,
      toDeploymentId: z.string(),
      jobStatus: z.string(),
      requestedAt: z.number(),
      type: z.string(),
    }),
  ),
  lastRollbackTarget: maybe(z.record(z.string(), z.unknown())),
  transferStartedAt: time,
  transferToAccountId: text,
  transferCompletedAt: time,
  transferredFromAccountId: text,
});
export type Project = z.infer<typeof project>;
export const projects = z.looseObject({ projects: z.array(project), pagination });

export const domain = z.looseObject({
  name: z.string(),
  verified: z.boolean(),
  verification: maybe(z.array(z.looseObject({ type: z.string(), value: z.string() }))),
  gitBranch: text,
  redirect: text,
  redirectStatusCode: maybe(z.number()),
  customEnvironmentId: text,
  createdAt: time,
  updatedAt: time,
});
export type Domain = z.infer<typeof domain>;
export const domains = z.looseObject({ domains: z.array(domain), pagination });

export const user = z.looseObject({
  user: z.looseObject({
    id: z.string(),
    username: z.string(),
    email: text,
    name: text,
    defaultTeamId: text,
    version: text,
    billing: maybe(z.looseObject({ plan: text })),
  }),
});

export const team = z.looseObject({
  id: z.string(),
  slug: z.string(),
  name: text,
  createdAt: time,
  sensitiveEnvironmentVariablePolicy: text,
  membership: maybe(z.looseObject({ role: text, createdAt: time })),
  billing: maybe(z.looseObject({ plan: text })),
});

export const members = z.looseObject({
  members: z.array(
    z.looseObject({
      uid: z.string(),
      username: z.string(),
      email: text,
      name: text,
      role: text,
      confirmed: maybe(z.boolean()),
      createdAt: time,
    }),
  ),
  pagination,
});

export const projectMembers = z.looseObject({
  members: z.array(z.looseObject({ uid: z.string(), role: z.string(), createdAt: time })),
  pagination,
});

export const webhooks = z.array(
  z.looseObject({
    id: z.string(),
    url: z.string(),
    events: z.array(z.string()),
    projectIds: maybe(z.array(z.string())),
    createdAt: time,
    updatedAt: time,
  }),
);

export const logDrains = z.array(
  z.looseObject({
    id: z.string(),
    name: text,
    url: text,
    deliveryFormat: text,
    projectIds: maybe(z.array(z.string())),
    sources: maybe(z.array(z.string())),
    environments: maybe(z.array(z.string())),
    headers: maybe(z.record(z.string(), z.string())),
    samplingRate: maybe(z.number()),
    createdAt: time,
    updatedAt: time,
  }),
);

export const aliases = z.looseObject({
  aliases: z.array(
    z.looseObject({
      uid: z.string(),
      alias: z.string(),
      deploymentId: text,
      redirect: text,
      creator: maybe(z.looseObject({ uid: text })),
      createdAt: time,
      updatedAt: time,
    }),
  ),
  pagination,
});

export const accountDomains = z.looseObject({
  domains: z.array(
    z.looseObject({ name: z.string(), verified: maybe(z.boolean()), echMode: text, createdAt: time }),
  ),
  pagination,
});

export const dnsRecords = z.looseObject({
  records: z.array(
    z.looseObject({
      id: z.string(),
      name: z.string(),
      type: z.string(),
      value: z.string(),
      mxPriority: maybe(z.number()),
      priority: maybe(z.number()),
      ttl: maybe(z.number()),
      comment: text,
      creator: text,
      createdAt: time,
      updatedAt: time,
    }),
  ),
  pagination,
});

export const promotionAliases = z.looseObject({
  aliases: maybe(z.array(z.looseObject({ alias: z.string(), status: z.string() }))),
  pagination,
});

const edgeConfig = z.looseObject({
  id: z.string(),
  slug: z.string(),
  schema: maybe(z.record(z.string(), z.unknown())),
  createdBy: text,
  createdAt: time,
  updatedAt: time,
});
export type EdgeConfig = z.infer<typeof edgeConfig>;
export const edgeConfigs = z.array(edgeConfig);

const edgeConfigItem = z.looseObject({ key: z.string(), value: z.unknown(), description: text });
export type EdgeConfigItem = z.infer<typeof edgeConfigItem>;
export const edgeConfigItems = z.array(edgeConfigItem);

const edgeConfigToken = z.looseObject({ id: z.string(), label: z.string(), createdAt: time });
export type EdgeConfigToken = z.infer<typeof edgeConfigToken>;
export const edgeConfigTokens = z.array(edgeConfigToken);
