/** A request that the API refused. The message has the request, the status, the code and the reason. */
export class RequestError extends Error {
  override readonly name = "RequestError";
  constructor(
    message: string,
    /** The HTTP status of the answer, such as 409. */
    readonly status: number,
    /** The code of the refusal, such as `conflict`. Undefined if the answer has none. */
    readonly code: string | undefined,
    /** The body of the answer: the value of its JSON, or its text. */
    readonly body: unknown,
  ) {
    super(message);
  }
}

export interface RequestOptions {
  readonly url: string;
  readonly token: string;
  readonly team: string | null;
}

/** @throws RequestError for a status of 400 or above */
export async function sendRequest(
  { url, token, team }: RequestOptions,
  method: string,
  path: string,
  body: unknown,
): Promise<unknown> {
  const address = new URL(path, url);
  const { searchParams } = address;
  if (team !== null && !searchParams.has("slug") && !searchParams.has("teamId"))
    searchParams.set("slug", team);
  const response = await fetch(address, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const answer = bodyOf(await response.text());
  if (response.ok) return answer;
  const { code, message = answer } = (answer as { error?: Refusal } | undefined)?.error ?? {};
  const reason = [code, message].filter((part) => part !== undefined).join(": ");
  throw new RequestError(`${method} ${path}: ${response.status} ${reason}`, response.status, code, answer);
}

interface Refusal {
  code?: string;
  message?: unknown;
}

function bodyOf(text: string): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
