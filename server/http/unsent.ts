import type { ServerResponse } from "node:http";
import { Slots } from "../store/slots";
import type { Answer } from "./reply";

/** The number of reads of one caller that run, or whose large answers are unsent, at the same time. */
const mostReads = 8;
/** The length from which an answer is large, in characters or bytes. */
const largeLength = 64 * 1024;
/** The time after which a connection is closed if it takes nothing of a large answer, in milliseconds. */
const stalledMs = 60_000;

/**
 * Bounds the memory of unsent answers. A caller may send reads on many connections and read the answers slowly or not
 * at all. Large answers count until they are sent or their connection is closed, and further reads of the caller wait.
 * Writes need no such bound: their answers are about as large as their bodies.
 */
export class UnsentAnswers {
  private readonly slots = new Slots(Number.POSITIVE_INFINITY, mostReads);

  async run(key: string, response: ServerResponse, read: () => Answer | Promise<Answer>): Promise<Answer> {
    const wait = this.slots.begin(key);
    if (wait) await wait;
    let last: Promise<void> | undefined;
    try {
      const answer = await read();
      if (isLarge(answer)) last = sent(response);
      return answer;
    } finally {
      if (last) last.then(() => this.slots.end(key));
      else this.slots.end(key);
    }
  }
}

const isLarge = ({ body = "" }: Answer): boolean =>
  typeof body === "string" || Buffer.isBuffer(body) ? body.length >= largeLength : body.length > 1;

/** Resolves when the answer is sent, or when its connection is closed. */
function sent(response: ServerResponse): Promise<void> | undefined {
  if (response.destroyed) return undefined;
  response.setTimeout(stalledMs, () => response.destroy());
  return new Promise((resolve) => response.once("close", () => resolve()));
}
