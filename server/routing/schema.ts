import * as z from "zod";
import {
  redirectStatusCodes,
  routeConditions,
  routeTransforms,
  srcSyntaxes,
  transformOps,
} from "../../provider/vocabulary";
import { number } from "../http/query";

/** Bodies and answers of the redirects and routes of projects. @source the newest official client */

/** The actions of a version: publish the staged one, go back to an earlier one, or drop the staged one. */
export const versionAction = z.enum(["promote", "restore", "discard"]);
export type VersionAction = z.infer<typeof versionAction>;

/** `diff`: how the items differ from those of production. */
export const diffQuery = {
  versionId: z.string().optional().describe("The id of a version."),
  q: z.string().optional().describe("Text that sources, destinations or names contain."),
  diff: z
    .enum(["true", "false", "only"])
    .optional()
    .describe("Whether items have how they differ from production; `only` leaves out the others."),
};
export const difference = z.enum(["+", "-", "~"]);

const longest = 2048;
/** @source the official command line: a path or a URL */
const location = z
  .string()
  .max(longest)
  .regex(/^(\/|https?:\/\/)/, "must be a path that begins with /, or a URL");

const isRedirectStatus = (value: string | number): boolean =>
  redirectStatusCodes.some((status) => `${status}` === `${value}`);
const redirectStatus = z
  .union([z.number(), z.string()])
  .refine(isRedirectStatus, `must be one of ${redirectStatusCodes.join(", ")}`);

const flags = {
  permanent: z.boolean().optional(),
  caseSensitive: z.boolean().optional(),
  query: z.boolean().optional(),
  preserveQueryParams: z.boolean().optional(),
};

const newRedirect = z.strictObject({
  source: location,
  destination: location,
  statusCode: redirectStatus.optional(),
  ...flags,
});
export type NewRedirect = z.infer<typeof newRedirect>;

/** A redirect as it is stored. The source is its key. */
export const redirect = z.strictObject({
  source: location,
  destination: location,
  statusCode: z.number(),
  caseSensitive: z.boolean().optional(),
  query: z.boolean().optional(),
  preserveQueryParams: z.boolean().optional(),
});
export type Redirect = z.infer<typeof redirect>;

/** @choice The largest number of redirects in a request. */
const mostRedirects = 10_000;
const versionName = z.string().min(1).max(256).optional();
const sources = z.strictObject({ name: versionName, redirects: z.array(z.string()).max(mostRedirects) });

/** @choice The team in the body is ignored: the query names the account, as for every other request. */
export const stageRedirects = z.strictObject({
  projectId: z.string(),
  teamId: z.string().optional(),
  overwrite: z.boolean().optional(),
  name: versionName,
  redirects: z.array(newRedirect).max(mostRedirects).optional(),
});
export const editRedirect = z.strictObject({
  name: versionName,
  redirect: newRedirect.extend({ destination: location.optional() }),
  restore: z.boolean().optional(),
});
export const deleteRedirects = sources;
export const restoreRedirects = sources;
export const updateRedirectVersion = z.strictObject({
  id: z.string(),
  action: versionAction,
  name: versionName,
});

const version = {
  id: z.string(),
  lastModified: z.number(),
  createdBy: z.string(),
  isStaging: z.boolean(),
  isLive: z.boolean(),
};
export const redirectVersion = z.strictObject({
  ...version,
  key: z.string(),
  name: z.string(),
  redirectCount: z.number(),
});
export const stagedRedirects = z.strictObject({ alias: z.null(), version: redirectVersion });
export const restoredRedirects = z.strictObject({
  restored: z.array(z.string()),
  failedToRestore: z.array(z.string()),
  version: redirectVersion,
});
export const redirectVersions = z.strictObject({ versions: z.array(redirectVersion) });
export const oneRedirectVersion = z.strictObject({ version: redirectVersion });

/** @source the Terraform provider, which reads pages of 250 redirects; the official command line */
const mostPerPage = 1000;
export const redirectsQuery = z.object({
  ...diffQuery,
  projectId: z.string(),
  page: number
    .refine((page) => page > 0, "must be at least 1")
    .optional()
    .describe("The number of the page, from 1."),
  per_page: number
    .refine((count) => count > 0 && count <= mostPerPage, `must be from 1 to ${mostPerPage}`)
    .optional()
    .describe("The number of redirects on a page. Default: 50."),
  sort_by: z
    .enum(["source", "destination", "statusCode"])
    .optional()
    .describe("The member that orders the redirects."),
  sort_order: z.enum(["asc", "desc"]).optional().describe("The direction of the order."),
});
const shownRedirect = redirect.extend({ action: difference.optional() });
/** A project without versions has no pages. */
export const redirectList = z.union([
  z.strictObject({
    redirects: z.array(shownRedirect),
    version: redirectVersion,
    pagination: z.strictObject({ page: z.number(), per_page: z.number(), numPages: z.number() }),
  }),
  z.strictObject({ redirects: z.array(z.never()).max(0), version: z.null() }),
]);

const condition = z
  .strictObject({
    type: z.enum(routeConditions),
    key: z.string().min(1).max(longest).optional(),
    value: z.string().max(longest).optional(),
  })
  .superRefine(({ type, key, value }, { addIssue }) => {
    if (type !== "host" && key === undefined)
      addIssue({ code: "custom", path: ["key"], message: "must be set" });
    if (type === "host" && key !== undefined)
      addIssue({ code: "custom", path: ["key"], message: "must be absent for a host" });
    if (type === "host" && value === undefined)
      addIssue({ code: "custom", path: ["value"], message: "must be set for a host" });
  });
/** @source the official command line */
const conditions = z.array(condition).max(16).optional();

/** @choice The largest number of transforms, and of values of one. */
const mostParts = 50;
const part = z.string().max(longest);
const transform = z.strictObject({
  type: z.enum(routeTransforms),
  op: z.enum(transformOps),
  target: z.strictObject({ key: z.string().min(1).max(longest) }),
  args: z.union([part, z.array(part).max(mostParts)]).optional(),
  env: z.array(z.string().min(1).max(256)).max(mostParts).optional(),
});

const definition = z.strictObject({
  src: z.string().min(1).max(longest),
  dest: z.string().min(1).max(longest).optional(),
  headers: z.record(z.string().min(1).max(longest), z.string().max(longest)).optional(),
  caseSensitive: z.boolean().optional(),
  status: z.int().min(100).max(999).optional(),
  has: conditions,
  missing: conditions,
  transforms: z.array(transform).max(mostParts).optional(),
  respectOriginCacheControl: z.boolean().optional(),
  continue: z.boolean().optional(),
});

/** @source the official command line: the lengths */
const ruleInput = {
  name: z.string().min(1).max(256),
  description: z.string().max(1024).optional(),
  enabled: z.boolean().optional(),
  srcSyntax: z.enum(srcSyntaxes).optional(),
  route: definition,
};
/** @choice A route needs an action: a destination, a status, headers, or transforms. @source the Terraform provider */
const hasAction = ({ route: { dest, status, headers, transforms } }: { route: Definition }): boolean =>
  dest !== undefined ||
  status !== undefined ||
  [headers, transforms].some((one) => Object.keys(one ?? {}).length > 0);
const noAction = { path: ["route"], message: "must have dest, status, headers or transforms" };
type Definition = z.infer<typeof definition>;

const newRule = z.strictObject(ruleInput).refine(hasAction, noAction);
export type NewRule = z.infer<typeof newRule>;

/** Whether a route redirects, rewrites, answers with a status, or only changes headers. */
const routeType = z.enum(["rewrite", "redirect", "set_status", "transform"]);
export type RouteType = z.infer<typeof routeType>;

/** The official command line sends routes as answers have them. */
export const knownRule = z
  .strictObject({
    ...ruleInput,
    id: z.string().min(1).max(64),
    rawSrc: z.string().optional(),
    rawDest: z.string().optional(),
    routeType: routeType.optional(),
    staged: z.boolean().optional(),
    action: difference.optional(),
  })
  .refine(hasAction, noAction);
export type KnownRule = z.infer<typeof knownRule>;

/** A route as it is stored. `rawSrc` and `rawDest`: as the request has them. */
const ruleShape = {
  ...ruleInput,
  id: z.string(),
  enabled: z.boolean(),
  staged: z.boolean(),
  srcSyntax: z.enum(srcSyntaxes),
  rawSrc: z.string(),
  rawDest: z.string().optional(),
};
export type Rule = z.infer<z.ZodObject<typeof ruleShape>>;
export const shownRule = z.strictObject({ ...ruleShape, routeType, action: difference.optional() });

/** @choice The number of routes of a project. */
export const mostRoutes = 1000;

export const stageRoutes = z.strictObject({
  overwrite: z.boolean().optional(),
  routes: z.array(knownRule).max(mostRoutes).optional(),
});
const position = z
  .strictObject({
    placement: z.enum(["start", "end", "before", "after"]),
    referenceId: z.string().optional(),
  })
  .refine(
    ({ placement, referenceId }) => referenceId !== undefined || !["before", "after"].includes(placement),
    { path: ["referenceId"], message: "must be set for before and after" },
  );
export type Position = z.infer<typeof position>;
export const addRoute = z.strictObject({ route: newRule, position: position.optional() });
export const editRoute = z
  .strictObject({ route: newRule.optional(), restore: z.boolean().optional() })
  .refine(({ route, restore }) => (route === undefined) === (restore === true), {
    message: "must have either route or restore",
  });
export const deleteRoutes = z.strictObject({ routeIds: z.array(z.string()).max(mostRoutes) });
export const updateRouteVersion = z.strictObject({ id: z.string(), action: versionAction });

export const routeVersion = z.strictObject({ ...version, s3Key: z.string(), ruleCount: z.number() });
export const oneRouteVersion = z.strictObject({ version: routeVersion });
export const routeVersions = z.strictObject({ versions: z.array(routeVersion) });
export const changedRoute = z.strictObject({ route: shownRule, version: routeVersion });
export const deletedRoutes = z.strictObject({ deletedCount: z.number(), version: routeVersion });
export const routesQuery = z.object({
  ...diffQuery,
  filter: routeType.optional().describe("The type of the routes."),
});
export const routeList = z.strictObject({
  routes: z.array(shownRule),
  version: routeVersion.nullable(),
  limit: z.strictObject({ maxRoutes: z.number(), currentRoutes: z.number() }),
  diffCount: z.number().optional(),
});
