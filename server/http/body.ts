import * as z from "zod";
import { badRequest } from "../platform/refusal";
import type { Leniency, SentMembers, Services, SplitBody, UnknownMember } from "../platform/services";
import type { Pacer } from "../store/pacer";
import type { RequestContext } from "./context";
import type { Route } from "./route";
import { readUpload } from "./upload";
import { check, checkItem, parseJson, parseQuietly, refuseTooManyValues, refuseUnstorable } from "./validate";

/** A checked body. `sent` is the body as it was sent, with its unknown members; undefined without `--lenient`. */
export interface SentBody {
  body: unknown;
  sent: SentMembers | undefined;
}

/** Reads and checks the body of a request. @throws Refusal */
export async function bodyOf(
  { lenient, contents, pacer }: Services,
  route: Route,
  context: RequestContext,
): Promise<SentBody> {
  if (route.upload) {
    const body = await readUpload(context.request, route.upload, contents);
    return { body, sent: undefined };
  }
  // A route without a token and without a body accepts any body: content systems send their own.
  if (!route.body && route.open) return { body: undefined, sent: undefined };
  if (!route.body) {
    // The route takes no body. A body that was sent is ignored, but refused if it is malformed.
    if (route.method !== "GET") await context.text();
    return { body: undefined, sent: undefined };
  }
  const text = await context.text(route.open ? openBodyLimit : undefined);
  // Large bodies of several requests may arrive in one turn of the event loop.
  if (text.length > largeBody) await pacer.pause();
  const body = parseBody(route, context, text);
  const { known, unknown } = await knownOf(route, body, lenient, pacer);
  if (!lenient) return { body: known, sent: undefined };
  lenient.note(route, unknown);
  return { body: known, sent: { body, unknown } };
}

/** Splits a body into its known and its unknown members. @throws Refusal 400 */
async function knownOf(
  { body: shape = z.unknown(), batch }: Route,
  body: unknown,
  lenient: Leniency | undefined,
  pacer: Pacer,
): Promise<SplitBody> {
  if (!batch || !Array.isArray(body))
    return lenient ? lenient.split(shape, body) : { known: check(shape, body, "body"), unknown: [] };
  const known: unknown[] = [];
  const unknown: UnknownMember[] = [];
  for (const [at, item] of check(z.array(z.unknown()).min(1).max(batch.largest), body, "body").entries()) {
    if (pacer.isDue) await pacer.pause();
    const split = lenient?.splitItem(batch.item, item, at);
    known.push(split ? split.known : checkItem(item, at, parseQuietly(batch.item, item)));
    if (split) unknown.push(...split.unknown);
  }
  return { known, unknown };
}

/** The length above which a body is parsed in a turn of the event loop of its own, in characters. */
const largeBody = 16 * 1024;

/** The maximum size of a body without an access token, in bytes. */
const openBodyLimit = 64 * 1024;

function parseBody(route: Route, { headers }: RequestContext, text: string): unknown {
  const isJson = /^application\/json\b/i.test(headers["content-type"] ?? "");
  if (route.form && !isJson) return parseForm(text);
  if (route.text) {
    refuseUnstorable(text, "body");
    return text;
  }
  // Many clients send the JSON content type with every request. With it, only a DELETE may have an empty body.
  if (text === "" && isJson && route.method !== "DELETE")
    throw badRequest("The body is empty, which is not valid JSON. Send {} to change nothing.");
  const body = parseJson(text);
  refuseTooManyValues(body, text.length);
  return body;
}

/** @throws Refusal 400 for a repeated member */
function parseForm(text: string): unknown {
  const form = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(text)) {
    if (form.has(name)) throw badRequest(`Invalid body member ${name}: is given more than once.`);
    form.set(name, value);
  }
  refuseUnstorable([...form], "body");
  return Object.fromEntries(form);
}
