import type { Middleware } from "../http/app";

/** The bodies of a request and of its answer, as text. */
export interface Bodies {
  /** null: no body was sent, or the body was too large to keep. */
  request: string | null;
  answer: string | null;
}

/** The bodies of the last requests, by request id. Secrets are masked when a body is read. */
export interface BodyLog {
  add(requestId: string, bodies: Bodies): void;
  /** @returns undefined for a request whose bodies are no longer kept */
  find(requestId: string): Bodies | undefined;
  /** The body of a request as it was sent, with its secrets; null if there was none, or it is not kept. */
  sent(requestId: string): string | null;
  clear(): void;
}

/** The length of the largest body that is kept, in characters. */
const longestBody = 32 * 1024;
/** How many characters are kept in all. The oldest bodies are dropped first. */
const largestLog = 4 * 1024 * 1024;

export function bodyLog(): BodyLog {
  /** The oldest entries first. Entries before the index `first` were dropped. */
  let kept: { requestId: string; bodies: Bodies }[] = [];
  let first = 0;
  let size = 0;
  const bodiesOf = (requestId: string): Bodies | undefined => {
    const at = kept.findLastIndex((entry) => entry.requestId === requestId);
    return at < first ? undefined : kept[at]?.bodies;
  };
  return {
    add(requestId, { request, answer }) {
      const bodies = { request: short(request), answer: short(answer) };
      kept.push({ requestId, bodies });
      size += sizeOf(bodies);
      for (; size > largestLog; first++) size -= sizeOf(kept[first]?.bodies ?? bodies);
      if (first <= kept.length / 2) return;
      kept = kept.slice(first);
      first = 0;
    },
    find(requestId) {
      const bodies = bodiesOf(requestId);
      return bodies && { request: mask(bodies.request), answer: mask(bodies.answer) };
    },
    sent: (requestId) => bodiesOf(requestId)?.request ?? null,
    clear() {
      kept = [];
      first = 0;
      size = 0;
    },
  };
}

const short = (body: string | null): string | null =>
  body !== null && body.length > longestBody ? null : body;

/** The size of an entry, in characters: its texts, and 200 for the entry itself. */
const sizeOf = ({ request, answer }: Bodies): number => 200 + (request?.length ?? 0) + (answer?.length ?? 0);

/** Keeps the bodies of requests. @param isOwn true for the server's own paths, whose bodies are not kept */
export const keepBodies =
  (bodies: BodyLog, isOwn: (path: string) => boolean): Middleware =>
  async (context, next) => {
    const answer = await next();
    if (!isOwn(context.path)) {
      bodies.add(context.id, {
        request: (await context.receivedText()) ?? null,
        answer: typeof answer?.body === "string" ? answer.body : null,
      });
    }
    return answer;
  };

/** The names of members whose values are secret, at any depth. */
const secretName = /^(?:value|password|.*(?:secret|token))$/i;
const masked = "•••";

/** Matches a form, such as the body of the token exchange. In invalid JSON, for instance, no names mark the secrets. */
const form = /^[\w-]+=[^&\s"{}]*(?:&[\w-]+=[^&\s"{}]*)*$/;

/** Replaces secrets. @returns null for text that is neither JSON nor a form, which is not shown */
function mask(text: string | null): string | null {
  if (text === null || text === "") return null;
  const members = form.test(text) ? Object.fromEntries(new URLSearchParams(text)) : parsed(text);
  return members === undefined ? null : JSON.stringify(withoutSecrets(members), null, 2);
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (typeof value !== "object" || value === null) return value;
  // In the token exchange, and alone in the answer of a transfer request, `code` is a secret. In other bodies, it is the
  // error code of a refusal.
  const hasCode = "code" in value && ("client_secret" in value || Object.keys(value).length === 1);
  const known = hasCode ? { ...value, code: masked } : value;
  return Object.fromEntries(Object.entries(known).map(([name, member]) => withoutSecret(name, member)));
}

function withoutSecret(name: string, value: unknown): [string, unknown] {
  if (typeof value === "string" && secretName.test(name)) return [name, masked];
  // The value of an Edge Config item may be any JSON. `tokens` lists the tokens to delete.
  if (name === "value" && value !== null) return [name, masked];
  // The contents of files, which may hold anything.
  if (name === "files" && Array.isArray(value))
    return [name, value.map((file) => ("data" in Object(file) ? { ...file, data: masked } : file))];
  if (name === "tokens" && Array.isArray(value)) return [name, value.map(() => masked)];
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  // The headers of a log drain, the values of pulled variables, and the items of a new Edge Config.
  if (isObject && /^(?:headers|env|items)$/.test(name)) return [name, mapValues(value, () => masked)];
  // The secrets are the keys of `protectionBypass`.
  if (isObject && name === "protectionBypass") {
    return [name, Object.fromEntries(Object.values(value).map((one, at) => [`${masked}${at + 1}`, one]))];
  }
  if (Array.isArray(value) && name === "deployHooks") {
    return [name, value.map((hook) => ({ ...hook, ...("url" in Object(hook) ? { url: masked } : {}) }))];
  }
  return [name, withoutSecrets(value)];
}

const mapValues = (value: object, change: (member: unknown) => unknown): object =>
  Object.fromEntries(Object.entries(value).map(([name, member]) => [name, change(member)]));
