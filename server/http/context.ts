import { isUtf8 } from "node:buffer";
import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { parse } from "node:querystring";
import type { Account, Caller } from "../access/caller";
import { badRequest, Refusal } from "../platform/refusal";

/** The maximum size of a body, in bytes. */
const largestBody = 4 * 1024 * 1024;

/** The version in a path; undefined for a path without one. */
export function versionOf(path: string): number | undefined {
  const version = /^\/v(\d+)\//.exec(path)?.[1];
  return version === undefined ? undefined : Number(version);
}

/** A request in progress, with the facts that are known so far. */
export class RequestContext {
  readonly id = randomUUID();
  readonly startedAt = performance.now();
  readonly method: string;
  /** The path as it was sent, without the query. */
  readonly path: string;
  /** The path that routes match, without its version. */
  routedPath = "";
  /** The parameters in the path, decoded. */
  params: Record<string, string | undefined> = {};
  /** The path of the matching route, without its version; undefined if no route matches. */
  route: string | undefined;
  /** The caller, for logs and limits; undefined until the token was looked up. */
  caller: Caller | undefined;
  account: Account | undefined;
  /** The refusal that was answered, if any. */
  refusal: Refusal | undefined;
  /** The topic of the data that the request changed (`changes` of its route). Workers then reload these data. */
  changed: string | undefined;
  /** The headers of the answer, also if it is a refusal. */
  readonly answerHeaders: Record<string, string> = {};
  /** The host name and the port under which the request reads a deployment; empty for the server's own paths. */
  site = "";
  private parsed: Record<string, unknown> | undefined;
  private body: Promise<string> | undefined;

  constructor(
    readonly request: IncomingMessage,
    readonly response: ServerResponse,
  ) {
    this.method = request.method ?? "";
    this.path = pathOf(request.url ?? "/");
  }

  /** The path for logs. A secret in the path, such as that of a deploy hook, is removed. */
  get loggedPath(): string {
    return `${this.site}${this.path}`.replace(
      /(\/token\/|\/transfer-request\/|\/integrations\/deploy\/[^/]+\/)[^/]+/,
      "$1***",
    );
  }

  /** The version in the path; undefined for a path without one. */
  get version(): number | undefined {
    return versionOf(this.path);
  }

  /**
   * The address of the server as the client knows it. Only this client sees it, so a false Host header deceives nobody.
   */
  get origin(): string {
    return `http://${this.headers.host ?? "localhost"}`;
  }

  get headers(): IncomingMessage["headers"] {
    return this.request.headers;
  }

  /** The parameters of the query. A repeated parameter becomes an array. */
  get query(): Record<string, unknown> {
    // All parameters are read, because the account may be the last one. The length of the head limits them.
    this.parsed ??= parse(this.request.url?.slice(this.path.length + 1) ?? "", "&", "=", { maxKeys: 0 });
    return this.parsed;
  }

  /**
   * The body as text, for any content type. It is read only once.
   * @param limit the largest body that is accepted, in bytes. Default 4 MiB
   * @throws Refusal 400 when it is not UTF-8, is compressed, or its content type is malformed; 413 when it is too large
   */
  text(limit = largestBody): Promise<string> {
    this.body ??= readText(this.request, limit);
    return this.body;
  }

  /** The body as text; undefined if it was not read yet or is not text. */
  async receivedText(): Promise<string | undefined> {
    return this.body?.catch(() => undefined);
  }
}

async function readText(request: IncomingMessage, limit: number): Promise<string> {
  const { "content-type": type, "content-length": length, "content-encoding": encoding } = request.headers;
  if (type !== undefined && !/^[^\s/;]+\/[^\s/;]+/.test(type)) {
    throw badRequest("The content type is malformed. Send application/json.");
  }
  if (encoding !== undefined && !/^(identity)?$/i.test(encoding)) {
    throw badRequest("The body is compressed. Send it as it is, without a Content-Encoding.");
  }
  if (Number(length ?? 0) > limit) throw tooLarge(limit);
  const chunks: Buffer[] = [];
  await readChunks(request, limit, (chunk) => chunks.push(chunk));
  const bytes = Buffer.concat(chunks);
  if (!isUtf8(bytes)) throw badRequest("The body is not valid UTF-8.");
  return bytes.toString();
}

/**
 * Reads a body to its end.
 * @param take called with each chunk. If it returns a promise, the next chunk waits for this promise
 * @returns the size of the body
 * @throws Refusal 400 when the connection closes before the end, 413 when the body is too large
 */
export function readChunks(
  request: IncomingMessage,
  limit: number,
  take: (chunk: Buffer) => unknown,
): Promise<number> {
  return new Promise((resolve, refuse) => {
    let size = 0;
    let isRefused = false;
    const reject = (error: unknown): void => {
      isRefused = true;
      refuse(error);
    };
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) reject(tooLarge(limit));
      if (isRefused) return;
      try {
        const taken = take(chunk);
        if (!(taken instanceof Promise)) return;
        request.pause();
        taken.then(() => request.resume(), reject);
      } catch (error) {
        reject(error);
      }
    });
    request.on("end", () => {
      request.off("close", cutOff);
      resolve(size);
    });
    const cutOff = (): void =>
      reject(badRequest("The connection closed before the whole body arrived. Send the request again."));
    request.on("error", cutOff);
    request.on("close", cutOff);
    // If the connection is closed already, it emits no more `close` event.
    if (request.destroyed) cutOff();
  });
}

/** The refusal of a body that is too large. The rest of it is not read, and the connection closes. */
export const tooLarge = (limit: number): Refusal =>
  new Refusal(
    413,
    "bad_request",
    `The body is too large: at most ${limit} bytes are accepted.`,
    {},
    {},
    { connection: "close" },
  );

/** Removes the scheme and the host from the target of a request. Clients of a proxy send both. */
export function originForm(target: string): string {
  return target.startsWith("/") ? target : target.replace(/^https?:\/\/[^/?]*\/?/i, "/");
}

/** The path of a URL, without its query. */
export function pathOf(url: string): string {
  const end = url.indexOf("?");
  return end < 0 ? url : url.slice(0, end);
}
