import { setTimeout as sleep } from "node:timers/promises";
import { fetchOnce } from "../../provider/client/http";
import { UserError } from "../core/errors";

/** The fields of a comment or an issue that the commands use. */
export interface Post {
  id: number;
  body: string;
}

/** A Git host, such as GitHub, on which a pipeline posts comments and issues. */
export interface Host {
  name: "GitHub" | "GitLab";
  /** The maximum length of the text of a comment or an issue. */
  longest: number;
  /** The URL of the current job. */
  jobUrl: string | undefined;
  /** The comments of the pull or merge request. @throws UserError if the pipeline does not run for one */
  comments(): Promise<Post[]>;
  addComment(body: string): Promise<Post>;
  changeComment(id: number, body: string): Promise<void>;
  /** The open issues with a label. */
  issues(label: string): Promise<Post[]>;
  openIssue(issue: { title: string; body: string; label: string }): Promise<Post>;
  changeIssue(id: number, body: string): Promise<void>;
  closeIssue(id: number, comment: string): Promise<void>;
}

/** The time limit for a request, in milliseconds. */
const patienceMs = 30_000;
const attempts = 3;

export interface Call {
  method: "GET" | "POST" | "PATCH" | "PUT";
  url: string;
  headers: Record<string, string>;
  body?: object;
}

/**
 * Sends a request to the host and returns the body of the answer. After a network error, 429 or 5xx, sends the request
 * again, unless it is a POST.
 * @param hint the advice if the host refuses the request
 * @throws UserError
 */
export async function send({ method, url, headers, body }: Call, hint: string): Promise<unknown> {
  const what = `${method} ${new URL(url).pathname}`;
  for (let attempt = 1; ; attempt++) {
    const mayRepeat = method !== "POST" && attempt < attempts;
    const answer = await fetchOnce(url, {
      redirect: "follow",
      method,
      headers: { ...headers, "content-type": "application/json", "user-agent": "slipway" },
      signal: AbortSignal.timeout(patienceMs),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch((error: Error & { cause?: { code?: string } }) => {
      if (mayRepeat) return undefined;
      throw new UserError(
        `${what}: ${new URL(url).host} is out of reach (${error.cause?.code ?? error.message}).`,
      );
    });
    if (answer?.ok) return answer.json();
    if (mayRepeat && (answer === undefined || answer.status === 429 || answer.status >= 500)) {
      const seconds = Math.min(Number(answer?.headers.get("retry-after") ?? 0.2 * attempt) || 0.2, 60);
      await sleep(seconds * 1000);
      continue;
    }
    const said = ((await answer?.json().catch(() => undefined)) as { message?: unknown } | undefined)
      ?.message;
    const text = said === undefined ? "" : `: ${typeof said === "string" ? said : JSON.stringify(said)}`;
    const isTemporary = answer?.status === 429 || (answer !== undefined && answer.status >= 500);
    throw new UserError(`${what}: ${answer?.status}${text}. ${isTemporary ? "Try again later." : hint}`);
  }
}

/** Reads all pages of a list. @param path returns the request for a page; the first page is 1 */
export async function sendPaged<T>(path: (page: number) => Call, hint: string): Promise<T[]> {
  const all: T[] = [];
  for (let page = 1; ; page++) {
    const items = (await send(path(page), hint)) as T[];
    all.push(...items);
    if (items.length < pageSize) return all;
  }
}

export const pageSize = 100;
