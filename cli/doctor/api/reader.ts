import { setTimeout as wait } from "node:timers/promises";
import type { Settings } from "../../../provider/client/config";
import { fetchOnce } from "../../../provider/client/http";
import { teamParameter } from "../../../provider/client/paths";
import { reasonOf } from "../../core/api";
import { UserError } from "../../core/errors";

/** The largest number of requests of a comparison. */
export const mostRequests = 300;
/** The time limit for an answer, in milliseconds. */
const patienceMs = 30_000;
/** The longest `Retry-After` that is waited for, in milliseconds. */
const longestPauseMs = 60_000;

export interface Answer {
  status: number;
  /** Undefined if the answer is not JSON. */
  body: unknown;
  /** False if the header `Content-Type` names another type. */
  isJsonType: boolean;
}

/** Thrown when a comparison needs more requests than it may send. */
export class TooManyRequests extends Error {}

/** Sends the GET requests of a comparison, one after the other. */
export class Reader {
  requests = 0;

  constructor(readonly settings: Pick<Settings, "apiUrl" | "token" | "team">) {}

  /** @param path with its parameters @throws UserError if there is no answer, TooManyRequests */
  async get(path: string, query: Readonly<Record<string, string>> = {}): Promise<Answer> {
    const answer = await this.#send(path, query);
    const pauseMs = Number(answer.headers.get("retry-after")) * 1000;
    if (answer.status !== 429 || !(pauseMs > 0 && pauseMs <= longestPauseMs)) return answerOf(answer);
    await answer.body?.cancel();
    await wait(pauseMs);
    return answerOf(await this.#send(path, query));
  }

  async #send(path: string, query: Readonly<Record<string, string>>) {
    if (this.requests >= mostRequests) throw new TooManyRequests();
    this.requests++;
    const { apiUrl, token, team } = this.settings;
    const account = team === undefined ? [] : [teamParameter(team)];
    const parameters = new URLSearchParams([...account, ...Object.entries(query)]);
    const url = parameters.size > 0 ? `${apiUrl}${path}?${parameters}` : `${apiUrl}${path}`;
    try {
      return await fetchOnce(url, {
        headers: { authorization: `Bearer ${token}` },
        signal: AbortSignal.timeout(patienceMs),
      });
    } catch (error) {
      throw new UserError(
        `The API is out of reach (${reasonOf(error)}). Check the network, and run the command again.`,
      );
    }
  }
}

async function answerOf(answer: Awaited<ReturnType<typeof fetchOnce>>): Promise<Answer> {
  const isJsonType = /^application\/json\b/.test(answer.headers.get("content-type") ?? "");
  return { status: answer.status, body: await answer.json().catch(() => undefined), isJsonType };
}
