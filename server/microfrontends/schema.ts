import * as z from "zod";
import { groupNameLength } from "../../provider/vocabulary";

/**
 * Bodies and answers of microfrontend groups.
 * @source the newest official client: /v1/microfrontends; the official command line; the Terraform provider
 */

/** @source recorded answers of the hosted API: the length */
export const groupName = z.string().max(groupNameLength).regex(/\S/, "must not be blank");

/** @source the official command line */
export const defaultRoute = z
  .string()
  .max(1024)
  .regex(/^\/[^\s?#]*$/, "must begin with '/' and have no spaces, '?' and '#'");

const application = z.strictObject({ projectId: z.string().max(256), defaultRoute: defaultRoute.optional() });
export type Application = z.infer<typeof application>;

/** @choice A project that is named twice is refused. */
export const createGroup = z
  .strictObject({ groupName, defaultApp: application, otherApplications: z.array(application).max(1000) })
  .refine(
    ({ defaultApp, otherApplications: others }) =>
      new Set([defaultApp, ...others].map(({ projectId }) => projectId)).size === others.length + 1,
    "must not name a project twice",
  );

/** @source the Terraform provider, which adds the default application with a second request */
export const createEmptyGroup = z.strictObject({ newMicrofrontendsGroupName: groupName });

/** The value `SAME_ENV` or `PRODUCTION`, or the slug of a custom environment. */
export const fallbackEnvironment = z.string().min(1).max(100);

export const updateGroup = z.strictObject({
  name: groupName.optional(),
  fallbackEnvironment: fallbackEnvironment.optional(),
  enablePolyrepoBranchRouting: z.boolean().optional(),
});
export type UpdateGroup = z.infer<typeof updateGroup>;

/** The settings of a project in its group. */
export const settings = {
  isDefaultApp: z.boolean().optional(),
  defaultRoute: defaultRoute.optional(),
  routeObservabilityToThisProject: z.boolean().optional(),
  doNotRouteWithMicrofrontendsRouting: z.boolean().optional(),
};

export const updateProject = z.strictObject({
  ...settings,
  microfrontendsGroupId: z.string().max(256).optional(),
  enabled: z.boolean().optional(),
  /** The Terraform provider sends these two, which have no effect. */
  projectId: z.string().optional(),
  team_id: z.string().optional(),
});
export type UpdateProject = z.infer<typeof updateProject>;

/** The member `microfrontends` of a project. */
export const member = z.union([
  z.strictObject({
    ...settings,
    enabled: z.literal(true),
    groupIds: z.array(z.string()),
    updatedAt: z.number(),
  }),
  z.strictObject({ enabled: z.literal(false), groupIds: z.array(z.never()), updatedAt: z.number() }),
]);
export type Member = z.infer<typeof member>;

export const group = z.strictObject({
  id: z.string(),
  name: z.string(),
  slug: z.string(),
  fallbackEnvironment: z.string(),
  enablePolyrepoBranchRouting: z.boolean(),
  createdAt: z.number(),
  updatedAt: z.number(),
});
export type Group = z.infer<typeof group>;

export const newGroup = z.strictObject({ newMicrofrontendsGroup: group });
export const updatedGroup = z.strictObject({
  updatedMicrofrontendsGroup: group.omit({ createdAt: true, updatedAt: true }),
});

/** @source the official command line: the members that it reads; recorded answers of the hosted API: the limits */
export const groupList = z.strictObject({
  groups: z.array(
    z.strictObject({
      group,
      projects: z.array(z.strictObject({ id: z.string(), name: z.string(), microfrontends: member })),
      config: z.null(),
    }),
  ),
  maxMicrofrontendsGroupsPerTeam: z.number(),
  maxMicrofrontendsPerGroup: z.number(),
});

export const noConfig = z.strictObject({ config: z.null() });
