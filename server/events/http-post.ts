import { createHmac } from "node:crypto";
import { Agent, request } from "undici";
import { type Reach, refuseInside } from "../platform/reach";
import { packageVersion } from "../platform/version";

/** A body on its way to a receiver. */
export interface Message {
  url: string;
  body: string;
  /** What it is signed with; null: it is not. */
  secret: string | null;
  contentType: string;
  headers?: Record<string, string> | undefined;
}

export interface Post {
  /**
   * Sends a body to a receiver. Only an answer of 2xx in time is a success; redirects are not followed.
   * @param abandon ends the attempt early
   * @throws Error that says in a few words what went wrong
   */
  send(message: Message, abandon: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** How long a receiver may take to answer, in milliseconds. @source wire-shapes 10 */
const answerTimeMs = 30_000;

/** Hex HMAC-SHA1 over the very bytes that are sent. @source wire-shapes 10 */
export const signatureOf = (body: string, secret: string): string =>
  createHmac("sha1", secret).update(body).digest("hex");

export function openPost(reach: Reach, timeMs = answerTimeMs): Post {
  const agent = new Agent({ connect: { lookup: reach.lookup } });
  return {
    async send({ url, body, secret, contentType, headers = {} }, abandon) {
      await refuseInside(reach, url);
      const response = await request(url, {
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
      // What it says is of no interest, and may be endless: it is read to keep the connection, up to a limit.
      response.body.dump({ limit: 16_384 }).catch(() => {});
      if (response.statusCode < 200 || response.statusCode > 299) {
        throw new Error(`the receiver answered ${response.statusCode}`);
      }
    },
    async close() {
      await agent.destroy();
    },
  };
}

/** What went wrong with a message, for people. */
export function describeProblem(error: unknown): string {
  const { name, message, code } = error as Error & { code?: string };
  if (name === "TimeoutError") return "the receiver did not answer in time";
  return (code ? `${code}: ${message}` : message).slice(0, 500);
}
