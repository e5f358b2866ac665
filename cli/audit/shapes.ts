import { z } from "zod";
import * as responses from "../../provider/client/responses";

/** Schemas of the responses that an audit reads: the provider's schemas with more fields. Null means "not set". */

const protection = z.looseObject({ deploymentType: z.string().nullish() }).nullish();

export const project = responses.project.extend({
  ssoProtection: protection,
  passwordProtection: protection,
  trustedIps: protection,
  targets: z
    .record(z.string(), z.looseObject({ id: z.string(), createdAt: z.number().nullish() }).nullish())
    .nullish(),
});
export type Project = z.output<typeof project>;

export const projectList = z.looseObject({
  projects: z.array(project),
  pagination: responses.projectList.shape.pagination,
});

const variable = responses.variable.extend({ createdAt: z.number().nullish() });
export type Variable = z.output<typeof variable>;

export const variables = z.union([
  z.looseObject({ envs: z.array(variable), pagination: responses.projectList.shape.pagination }),
  variable.transform((only) => ({ envs: [only], pagination: undefined })),
]);

export const domainConfig = z.looseObject({ misconfigured: z.boolean() });

export const team = z.looseObject({ slug: z.string() });
export const user = z.looseObject({ user: z.looseObject({ username: z.string() }) });

export const installation = z.looseObject({
  id: z.string(),
  slug: z.string(),
  userId: z.string(),
  teamId: z.string().nullish(),
  disabledReason: z.string().nullish(),
});
export const installations = z.array(installation);

export const members = z.looseObject({
  members: z.array(z.looseObject({ uid: z.string() })),
  pagination: z
    .looseObject({ hasNext: z.boolean().nullish(), next: z.union([z.number(), z.string()]).nullish() })
    .nullish(),
});
