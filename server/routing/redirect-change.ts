import type * as z from "zod";
import { notFound } from "../platform/refusal";
import type { editRedirect, NewRedirect, Redirect } from "./schema";

/** Changes of the redirects of a project, without the store. The source of a redirect is its key. */

/**
 * A redirect as it is stored.
 * @choice The status replaces `permanent`: 308 or 307. A redirect with neither has the status 307.
 * @source the official command line: the default of the status
 */
export function redirectOf({ source, destination, permanent, statusCode, ...flags }: NewRedirect): Redirect {
  const byFlag = permanent === true ? 308 : 307;
  return {
    source,
    destination,
    statusCode: statusCode === undefined ? byFlag : Number(statusCode),
    ...flags,
  };
}

/** Adds redirects, or replaces those with the same source. @choice Among redirects with one source, the last counts. */
export function mergedRedirects(current: readonly Redirect[], added: readonly NewRedirect[]): Redirect[] {
  const all = new Map(current.map((one) => [one.source, one]));
  for (const one of added) all.set(one.source, redirectOf(one));
  return [...all.values()];
}

export const withoutRedirects = (current: readonly Redirect[], sources: readonly string[]): Redirect[] =>
  current.filter(({ source }) => !sources.includes(source));

/** Changes the members that the request has. @throws Refusal 404 */
export function editedRedirects(
  current: readonly Redirect[],
  live: readonly Redirect[],
  { redirect, restore }: z.infer<typeof editRedirect>,
): Redirect[] {
  if (restore) {
    const { redirects, failed } = restoredRedirects(current, live, [redirect.source]);
    if (failed.length > 0) throw unknownRedirect(redirect.source);
    return redirects;
  }
  const before = current.find(({ source }) => source === redirect.source);
  if (!before) throw unknownRedirect(redirect.source);
  return mergedRedirects(current, [withChanges(before, redirect)]);
}

function withChanges(before: Redirect, redirect: z.infer<typeof editRedirect>["redirect"]): NewRedirect {
  const { statusCode, ...others } = before;
  const isByFlag = redirect.statusCode === undefined && redirect.permanent !== undefined;
  const destination = redirect.destination ?? before.destination;
  return { ...others, ...(!isByFlag && { statusCode }), ...redirect, destination };
}

const unknownRedirect = (source: string) => notFound(`The redirect of ${JSON.stringify(source)}`);

/** Gives redirects the values that they have in production. Those that production does not have are removed. */
export function restoredRedirects(
  current: readonly Redirect[],
  live: readonly Redirect[],
  sources: readonly string[],
): { redirects: Redirect[]; restored: string[]; failed: string[] } {
  const isKnown = (wanted: string): boolean => [...current, ...live].some(({ source }) => source === wanted);
  const restored = sources.filter(isKnown);
  const before = live.filter(({ source }) => restored.includes(source));
  const kept = current.filter(
    ({ source }) => !restored.includes(source) || before.some((one) => one.source === source),
  );
  return {
    redirects: mergedRedirects(kept, before),
    restored,
    failed: sources.filter((source) => !isKnown(source)),
  };
}
