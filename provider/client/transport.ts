import type { Readable } from "node:stream";
import type { Dispatcher } from "undici";
import type { Settings } from "./config";
import { tokenStart } from "./digests";
import {
  ApiError,
  concealed,
  type ItemFailure,
  MalformedAnswer,
  OutOfReach,
  type RefusalDetail,
  type RequestName,
} from "./errors";
import { loadUndici, openDispatcher } from "./http";
import { teamParameter } from "./paths";
import { failuresIn } from "./responses";
import { senderHeaders } from "./sender";
import { Interrupted, requestSignal } from "./step-limits";
import { traceRequest } from "./trace";
import { version } from "./version";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export interface RequestOptions {
  method: Method;
  path: string;
  query?: Record<string, string | undefined>;
  /** A team instead of the configured one; null means the personal account. */
  team?: string | null;
  body?: unknown;
  /** A body that is streamed, instead of `body`. */
  content?: Content;
  /** False when the request is not idempotent. */
  repeatable?: boolean;
  /** The paths of the objects that the request creates or deletes, if the path of the request does not name them. */
  object?: string | readonly string[];
  /** True for a read that looks whether an object exists: a 404 is no sign that the object above it is not seen yet. */
  mayBeAbsent?: boolean;
  /** The secrets in the body, which are removed from messages. */
  secrets?: readonly string[];
}

/** The content of a file. */
export interface Content {
  /** Opens the file, once for each attempt. */
  open(): Readable;
  /** The size of the file in bytes. */
  size: number;
  headers: Record<string, string>;
}

const pool = { connections: 32, keepAliveTimeout: 10_000, keepAliveMaxTimeout: 60_000 };

/** Codes of errors that occur before the request is sent. */
const beforeSending = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/** Sends one request and reads its answer, without retries. */
export class Transport {
  #pool: ReturnType<Transport["open"]> | undefined;
  readonly #base: string;

  constructor(readonly settings: Settings) {
    this.#base = settings.sentTo ?? settings.apiUrl;
  }

  /** Opens the connections with the first request. A preview without changes sends none. */
  private async open() {
    const dispatcher = await openDispatcher(new URL(this.#base), pool);
    return { request: loadUndici().request, dispatcher };
  }

  /** @returns the parsed body, or undefined when the answer has none */
  async send(
    ask: RequestOptions,
    timeoutMs: number,
  ): Promise<{ body: unknown; requestId: string | undefined }> {
    const begun = performance.now();
    const asked: RequestName = { method: ask.method, path: ask.path };
    const trace = traceRequest(ask.method, ask.path);
    let status: number | undefined;
    try {
      this.#pool ??= this.open();
      const { request, dispatcher } = await this.#pool;
      const answer = await request(this.#base + ask.path + this.#query(ask), {
        method: ask.method,
        dispatcher,
        headers: {
          authorization: `Bearer ${this.settings.token}`,
          accept: "application/json",
          "user-agent": `pulumi-slipway/${version}`,
          ...senderHeaders(),
          ...trace.headers,
          ...bodyHeaders(ask),
        },
        body: bodyOf(ask),
        signal: requestSignal(timeoutMs, ask.repeatable === false),
      });
      const text = await answer.body.text();
      status = answer.statusCode;
      return { body: this.#bodyIn(ask, asked, answer, text), requestId: requestIdOf(answer) };
    } catch (error) {
      if (isKnown(error)) throw error;
      const { reason, neverSent } = reasonOf(error);
      throw new OutOfReach(asked, this.#base, reason, neverSent, error);
    } finally {
      trace.end(status);
      if (process.env.SLIPWAY_LOG === "debug") {
        const ms = Math.round(performance.now() - begun);
        process.stderr.write(`slipway: ${ask.method} ${ask.path} ${status ?? "no answer"} ${ms} ms\n`);
      }
    }
  }

  async close(): Promise<void> {
    await (await this.#pool)?.dispatcher.close();
  }

  #query({ query = {}, team = this.settings.team ?? null }: RequestOptions): string {
    const all = new URLSearchParams();
    for (const [key, value] of Object.entries(query)) if (value !== undefined) all.set(key, value);
    if (team !== null) all.set(...teamParameter(team));
    const text = all.toString();
    return text === "" ? "" : `?${text}`;
  }

  /** @throws ApiError if the service refused the request; OutOfReach if the answer was cut off; MalformedAnswer */
  #bodyIn(ask: RequestOptions, asked: RequestName, answer: Dispatcher.ResponseData, text: string): unknown {
    const body = parse(text);
    const isUnreadable = body === undefined && text !== "";
    if (isUnreadable && isJson(answer)) throw new OutOfReach(asked, this.#base, undefined, false, undefined);
    if (answer.statusCode < 200 || answer.statusCode > 299) throw this.#refusal(ask, asked, answer, body);
    // A log-in page or a page of a proxy is an error, even if the caller ignores the body.
    if (isUnreadable) throw new MalformedAnswer(asked, "body: not JSON");
    return body;
  }

  #refusal(
    ask: RequestOptions,
    asked: RequestName,
    answer: Dispatcher.ResponseData,
    body: unknown,
  ): ApiError {
    const error = isRecord(body) && isRecord(body.error) ? body.error : {};
    const genuine = typeof error.code === "string";
    const unsaid = genuine ? "no explanation was given" : "not a valid API response";
    const said = typeof error.message === "string" ? error.message : unsaid;
    return new ApiError({
      asked,
      status: answer.statusCode,
      code: genuine ? this.#withoutSecrets(String(error.code), ask.secrets) : `http_${answer.statusCode}`,
      said: this.#withoutSecrets(said, ask.secrets),
      requestId: requestIdOf(answer),
      genuine,
      missing: Array.isArray(error.missing) ? error.missing.map(String) : undefined,
      failed: this.#failures(ask, body),
      retryAfterMs: retryAfter(first(answer.headers["retry-after"])),
      detail: detailOf(error),
    });
  }

  #failures({ secrets }: RequestOptions, body: unknown): ItemFailure[] {
    return failuresIn(isRecord(body) ? body.failed : undefined).map((failure) => ({
      ...failure,
      code: this.#withoutSecrets(failure.code, secrets),
      message: this.#withoutSecrets(failure.message, secrets),
    }));
  }

  #withoutSecrets(text: string, secrets: readonly string[] = []): string {
    return concealed(text, [this.settings.token, ...secrets]);
  }
}

const isJson = ({ headers }: Dispatcher.ResponseData): boolean =>
  /\bjson\b/.test(String(headers["content-type"]));

const isKnown = (error: unknown): boolean =>
  [ApiError, MalformedAnswer, OutOfReach, Interrupted].some((type) => error instanceof type);

function detailOf(error: Record<string, unknown>): RefusalDetail {
  const { invalidToken, missingToken, saml, resource, limit, projectId } = error;
  const reset = isRecord(limit) ? limit.reset : undefined;
  // A limit's time can be out of the range of dates.
  const resetAt = typeof reset === "number" && Math.abs(reset) < 8e15 ? reset : undefined;
  return {
    ...((invalidToken === true || missingToken === true) && { isTokenInvalid: true }),
    ...((saml === true || isRecord(saml)) && { needsSaml: true }),
    ...(typeof resource === "string" && limit !== undefined && { limit: { name: resource, resetAt } }),
    ...(typeof projectId === "string" && { projectId }),
  };
}

/** The beginning of a text that only stands for a value, as JSON. */
const unsendable = JSON.stringify(tokenStart).slice(1, -1);

function bodyHeaders({ body, content }: RequestOptions): Record<string, string> {
  if (content)
    return {
      ...content.headers,
      "content-type": "application/octet-stream",
      "content-length": String(content.size),
    };
  return body === undefined ? {} : { "content-type": "application/json" };
}

function bodyOf({ body, content }: RequestOptions): Readable | string | null {
  if (content) return content.open();
  if (body === undefined) return null;
  const text = JSON.stringify(body);
  if (text.includes(unsendable))
    throw new Error("This request would send a digest instead of a value. Please report it.");
  return text;
}

function reasonOf(error: unknown): { reason: string; neverSent: boolean } {
  if (!(error instanceof Error)) return { reason: "unknown", neverSent: false };
  if (error.name === "TimeoutError") return { reason: "no answer in time", neverSent: false };
  // If IPv4 and IPv6 both failed, the first error is reported.
  const cause = error instanceof AggregateError && error.errors[0] instanceof Error ? error.errors[0] : error;
  const code = "code" in cause && typeof cause.code === "string" ? cause.code : cause.name;
  return { reason: code, neverSent: beforeSending.has(code) };
}

/**
 * Parses the header `Retry-After`. Returns milliseconds, or undefined for an invalid value or 0: without a wait, the
 * client would retry as fast as it can.
 * @source RFC 9110 10.2.3: seconds, or a date
 */
function retryAfter(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  const seconds = Number(header);
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - Date.now();
  return Number.isFinite(ms) && ms > 0 ? Math.ceil(ms) : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const requestIdOf = ({ headers }: Dispatcher.ResponseData): string | undefined =>
  first(headers["x-vercel-id"]) ?? first(headers["x-request-id"]);

const first = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header[0] : header;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;
