import type { Answer } from "../http/reply";

/**
 * Reads of the hosted API may be some seconds old after a write. The control plane makes the reads of a server with the
 * profile `hosted` as old: what was read before a write of the same account is answered as before for `staleMs`.
 */
export class Consistency {
  #staleMs = 0;
  /** The last answer to each read, the oldest first. `until`: a write followed, and the answer stays until then. */
  readonly #answers = new Map<string, { account: string; answer: Answer; until?: number }>();

  get isOn(): boolean {
    return this.#staleMs > 0;
  }

  set(staleMs: number): void {
    this.#staleMs = staleMs;
    this.#answers.clear();
  }

  wrote(account: string, now: number): void {
    for (const known of this.#answers.values())
      if (known.account === account) known.until ??= now + this.#staleMs;
  }

  /** @returns the answer to send: the former one, or else `answer`, which is recorded */
  read(key: string, account: string, answer: Answer, now: number): Answer {
    const known = this.#answers.get(key);
    if (known?.until !== undefined && now < known.until) return known.answer;
    this.#answers.delete(key);
    if (sizeOf(answer) <= largestAnswer) this.#answers.set(key, { account, answer });
    const [oldest] = this.#answers.keys();
    if (oldest !== undefined && this.#answers.size > mostAnswers) this.#answers.delete(oldest);
    return answer;
  }
}

const mostAnswers = 1000;
/** In bytes. A larger answer is always fresh. */
const largestAnswer = 256 * 1024;

const sizeOf = ({ body = "" }: Answer): number =>
  typeof body === "string" || Buffer.isBuffer(body)
    ? body.length
    : body.reduce((size, piece) => size + piece.length, 0);
