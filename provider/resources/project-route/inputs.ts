import { z } from "zod";
import {
  routeConditions,
  routePlacements,
  routeTransforms,
  srcSyntaxes,
  transformOps,
} from "../../vocabulary";
import { projectRef } from "../names";

/** The inputs of a route of a project. */

const longest = 2048;
const texts = z.record(z.string().min(1).max(longest), z.string().max(longest));

const condition = z
  .strictObject({
    /** Part of the request that is compared. */
    type: z.enum(routeConditions),
    /** Name of the header, cookie or query parameter. A condition of the type host has none. */
    key: z.string().min(1).max(longest).optional(),
    /** Value or pattern that must match. Default: every value. Required with the type host. */
    value: z.string().max(longest).optional(),
  })
  .refine(
    ({ type, key }) => (type === "host") === (key === undefined),
    "needs a key with every type but host, and none with host",
  )
  .refine(({ type, value }) => type !== "host" || value !== undefined, "needs a value with the type host");

const transform = z.strictObject({
  /** Part to change: headers or query parameters of the request, or headers of the response. */
  type: z.enum(routeTransforms),
  /** How it is changed. */
  op: z.enum(transformOps),
  /** Header or query parameter to change. */
  target: z.strictObject({
    /** Its name. */
    key: z.string().min(1).max(longest),
  }),
  /** New values. Not needed to delete. */
  args: z.array(z.string().max(longest)).min(1).max(50).optional(),
  /** Names of environment variables that the values contain. */
  env: z.array(z.string().min(1).max(256)).min(1).max(50).optional(),
});

const conditions = z.array(condition).min(1).max(16);

const definition = z
  .strictObject({
    /** Pattern that the path of a request must match, such as /blog/:slug. `srcSyntax` is the form of the pattern. */
    src: z.string().min(1).max(longest),
    /** Destination of a redirect or a rewrite: a path or a URL. */
    dest: z.string().min(1).max(longest).optional(),
    /** Status of the response. With `dest`, a status such as 308 makes the route a redirect. */
    status: z.int().min(100).max(999).optional(),
    /** Headers of the response. */
    headers: texts.optional(),
    /** Whether upper and lower case differ in the path of a request. */
    caseSensitive: z.boolean().optional(),
    /** Conditions that a request must meet. */
    has: conditions.optional(),
    /** Conditions that a request must not meet. */
    missing: conditions.optional(),
    /** Changes of headers and query parameters. */
    transforms: z.array(transform).min(1).max(50).optional(),
    /** Whether the headers of the origin control the cache of a rewrite. */
    respectOriginCacheControl: z.boolean().optional(),
  })
  .refine(
    ({ dest, status, headers = {}, transforms = [] }) =>
      dest !== undefined || status !== undefined || Object.keys(headers).length + transforms.length > 0,
    "needs an action: dest, status, headers or transforms",
  );
export type Route = z.output<typeof definition>;

const position = z
  .strictObject({
    /** Place of the route among all routes of the project. */
    placement: z.enum(routePlacements),
    /** Route before or after which it is placed: the output `routeId` of a `ProjectRoute`. */
    referenceId: z
      .string()
      .min(1)
      .max(64)
      .refine((id) => !id.includes("/"), "must be the output routeId of a ProjectRoute, not its id")
      .optional(),
  })
  .refine(
    ({ placement, referenceId }) =>
      (placement === "before" || placement === "after") === (referenceId !== undefined),
    "needs a referenceId with before and after, and with no other placement",
  );
export type Position = z.output<typeof position>;

export const inputs = z.strictObject({
  /** Id or name of the project. Changing it replaces the route. */
  project: projectRef,
  /** Name of the route, which no other route of the project should have. */
  name: z.string().min(1).max(256),
  /** Description of the route. */
  description: z.string().min(1).max(1024).optional(),
  /** Whether the route has an effect. Default: true. */
  enabled: z.boolean().optional(),
  /**
   * Form of `route.src`: equals (the whole path), path-to-regexp (with parameters such as :slug) or regex. Without
   * `srcSyntax`, the service infers it for a new route and for a new `src`.
   */
  srcSyntax: z.enum(srcSyntaxes).optional(),
  /** Requests that the route matches, and what it does with them. */
  route: definition,
  /**
   * Where the route is placed when it is created, or when `position` changes. The first route that matches counts.
   * Default: at the end.
   */
  position: position.optional(),
  /**
   * Takes over an existing route with this name. If false, the create fails when the project has a route with this name.
   * Default: false.
   */
  adopt: z.boolean().optional(),
});
export type Inputs = z.output<typeof inputs>;
