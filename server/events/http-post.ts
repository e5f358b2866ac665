import { createHmac } from "node:crypto";
import type { Agent } from "undici";
import { type Egress, refuseInside } from "../platform/egress";
import { packageVersion } from "../platform/version";

/** A body to send to a receiver. */
export interface Message {
  url: string;
  body: string;
  /** The key of the signature; null if the body is not signed. */
  secret: string | null;
  contentType: string;
  headers?: Record<string, string> | undefined;
}

export interface Post {
  /**
   * Sends a body to a receiver. Success is a 2xx answer in time; redirects are not followed.
   * @param abandon aborts the attempt
   * @throws Error with a short message
   */
  send(message: Message, abandon: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** How long a receiver may take to answer, in milliseconds. @source wire-shapes 10 */
const answerTimeMs = 30_000;

/** HMAC-SHA1 over the sent bytes, in hex. @source wire-shapes 10 */
export const signatureOf = (body: string, secret: string): string =>
  createHmac("sha1", secret).update(body).digest("hex");

/** Undici is loaded with the first message, since it loads slowly. */
export function openPost(egress: Egress, timeMs = answerTimeMs): Post {
  let agent: Agent | undefined;
  return {
    async send({ url, body, secret, contentType, headers = {} }, abandon) {
      await refuseInside(egress, url);
      const undici = require("undici") as typeof import("undici");
      agent ??= new undici.Agent({ connect: { lookup: egress.lookup } });
      const response = await undici.request(url, {
        method: "POST",
        dispatcher: agent,
        signal: AbortSignal.any([AbortSignal.timeout(timeMs), abandon]),
        headers: {
          ...headers,
          "content-type": contentType,
          "user-agent": `slipway/${packageVersion()}`,
          ...(secret === null ? {} : { "x-vercel-signature": signatureOf(body, secret) }),
        },
        body,
      });
      // The body is ignored. It is read up to a limit, so that the connection can be reused.
      response.body.dump({ limit: 16_384 }).catch(() => {});
      if (response.statusCode < 200 || response.statusCode > 299) {
        throw new Error(`the receiver answered ${response.statusCode}`);
      }
    },
    async close() {
      await agent?.destroy();
    },
  };
}

/** Sends one body. @returns a short text for the problem, if there is one */
export async function sendOnce(
  egress: Egress,
  timeMs: number,
  message: Message,
): Promise<string | undefined> {
  const post = openPost(egress, timeMs);
  try {
    await post.send(message, new AbortController().signal);
    return undefined;
  } catch (error) {
    return describeProblem(error);
  } finally {
    await post.close();
  }
}

/** Returns a short text for the error of a failed attempt. */
export function describeProblem(error: unknown): string {
  const { name, message, code } = error as Error & { code?: string };
  if (name === "TimeoutError") return "the receiver did not answer in time";
  return (code ? `${code}: ${message}` : message).slice(0, 500);
}
