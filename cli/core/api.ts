import type { Settings } from "../../provider/client/config";
import { fetchOnce } from "../../provider/client/http";

/** The time limit for an answer, in milliseconds. */
const patienceMs = 10_000;

/** An answer of the API, whatever its status. */
export interface Answer {
  status: number;
  body: Record<string, unknown>;
  /** The header `Date`, in milliseconds since the epoch. */
  date: number | undefined;
}

/** Sends one request, without the retries of the provider. @throws Error if there is no answer */
export async function askApi(
  { apiUrl, token }: Pick<Settings, "apiUrl"> & Partial<Pick<Settings, "token">>,
  path: string,
): Promise<Answer> {
  const answer = await fetchOnce(`${apiUrl}${path}`, {
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(patienceMs),
  });
  const body: unknown = await answer.json().catch(() => undefined);
  const date = Date.parse(answer.headers.get("date") ?? "");
  return {
    status: answer.status,
    body: typeof body === "object" && body !== null ? (body as Record<string, unknown>) : {},
    date: Number.isNaN(date) ? undefined : date,
  };
}

/** The reason why there was no answer. */
export function reasonOf(error: unknown): string {
  const { cause, message } = error as Error & { cause?: { code?: string; message?: string } };
  return cause?.code ?? cause?.message ?? message;
}
