import { isPlain, type Plain, same, sameJson } from "../../core/values";
import type { Inputs, Route } from "./inputs";
import type { RemoteRoute } from "./routes";

/** The content of a route: in the form of the inputs, and as it is sent. */

export const settings = ["name", "description", "enabled", "srcSyntax", "route"] as const;
export type Content = Pick<Inputs, (typeof settings)[number]>;

const members = [
  ...["src", "dest", "status", "headers", "caseSensitive", "has", "missing", "transforms"],
  "respectOriginCacheControl",
] as readonly (keyof Route)[];

/** A record without the members that have no value. */
const present = (value: Plain): Plain =>
  Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined && item !== null));

/** A route of the service in the form of the inputs. */
export function contentIn({
  name,
  description,
  enabled,
  srcSyntax,
  rawSrc,
  rawDest,
  route,
}: RemoteRoute): Content {
  const { has, missing, transforms, headers } = route as Plain;
  const shown = {
    ...route,
    src: rawSrc || route.src,
    dest: rawDest ?? route.dest,
    headers: isPlain(headers) && Object.keys(headers).length > 0 ? headers : undefined,
    has: conditionsIn(has),
    missing: conditionsIn(missing),
    transforms: listOf(transforms)?.map(({ args, ...one }) =>
      present({ ...one, args: args == null ? undefined : [args].flat().map(String) }),
    ),
  } as Plain;
  return present({
    name,
    description: description || undefined,
    enabled: enabled ?? true,
    srcSyntax,
    route: present(Object.fromEntries(members.map((key) => [key, shown[key]]))),
  }) as Content;
}

const listOf = (value: unknown): Plain[] | undefined =>
  Array.isArray(value) && value.length > 0 ? value.filter(isPlain) : undefined;

/** Conditions that somebody declared in the dashboard can compare with an operator, which the inputs do not have. */
const conditionsIn = (value: unknown): Plain[] | undefined =>
  listOf(value)?.map(({ type, key, value }) =>
    present({ type, key, value: value == null || typeof value === "string" ? value : JSON.stringify(value) }),
  );

/** The declared content as it is sent. */
export const sentContent = ({ route: { transforms, ...route }, ...content }: Content): Plain => ({
  ...content,
  route: {
    ...route,
    ...(transforms && {
      transforms: transforms.map(({ args, ...one }) => ({
        ...one,
        ...(args && { args: args.length === 1 ? args[0] : args }),
      })),
    }),
  },
});

export const contentOf = (inputs: Content): Content =>
  present(Object.fromEntries(settings.map((key) => [key, inputs[key]]))) as Content;

/** True if a route has the content. The service infers a syntax that is not declared. */
export function hasContent(remote: RemoteRoute, { enabled = true, srcSyntax, ...wanted }: Content): boolean {
  const { srcSyntax: current, ...content } = contentIn(remote);
  return same(content, { ...wanted, enabled }) && (srcSyntax === undefined || current === srcSyntax);
}

function mergedValue(now: unknown, wanted: unknown, before: unknown, isUnsure: boolean): unknown {
  if (wanted === undefined) return before === undefined ? now : undefined;
  return isUnsure || !sameJson(wanted, before) ? wanted : now;
}

/**
 * The content after a change. A request replaces a route as a whole, so what the program does not declare or change is
 * sent as the service has it.
 * @param known the declarations of the last run
 * @param isUnsure the outcome of the last run is not known, so everything that is declared is written
 */
export function mergedContent(
  remote: RemoteRoute,
  declared: Partial<Content>,
  known: Partial<Content>,
  isUnsure: boolean,
): Content {
  const current = contentIn(remote);
  const merged = (keys: readonly string[], now: Plain, wanted: Plain = {}, before: Plain = {}): Plain =>
    present(
      Object.fromEntries(keys.map((key) => [key, mergedValue(now[key], wanted[key], before[key], isUnsure)])),
    );
  const route = merged(members, current.route, declared.route, known.route) as Route;
  const others = settings.filter((key) => key !== "route");
  const content = { ...merged(others, current, declared, known), route } as Content;
  if (declared.srcSyntax !== undefined) return content;
  // The service infers the syntax of another pattern again.
  const { srcSyntax: _, ...inferred } = content;
  const isSame = route.src === current.route.src && current.srcSyntax !== undefined;
  return isSame ? { ...inferred, srcSyntax: current.srcSyntax } : inferred;
}
