import type { Operation } from "./document";

/** The values of the fields of an operation's form. */
export interface Filled {
  /** The values by the place and the name of the parameter: `path idOrName`. */
  values: Record<string, string>;
  /** The text of the body. If it is empty, the request has no body. */
  body: string;
  token: string;
}

export interface PreparedRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | undefined;
}

export interface ReceivedAnswer {
  status: number;
  ms: number;
  requestId: string | null;
  text: string;
}

export const keyOf = (place: string, name: string): string => `${place} ${name}`;

export function prepare(
  { method, path, parameters, body: acceptedBody }: Operation,
  filled: Filled,
): PreparedRequest {
  const { values, body, token } = filled;
  const query = new URLSearchParams();
  for (const { name, in: place } of parameters) {
    const value = values[keyOf(place, name)] ?? "";
    if (place === "query" && value !== "") query.set(name, value);
  }
  const pathname = path.replace(/\{([^}]+)\}/g, (_, name) =>
    encodeURIComponent(values[keyOf("path", name)] ?? ""),
  );
  const hasBody = acceptedBody !== undefined && body.trim() !== "";
  return {
    method,
    url: `${location.origin}${pathname}${query.size > 0 ? `?${query}` : ""}`,
    headers: {
      ...(token === "" ? {} : { authorization: `Bearer ${token}` }),
      ...(hasBody ? { "content-type": "application/json" } : {}),
    },
    body: hasBody ? body : undefined,
  };
}

/** @throws Error when the server does not answer */
export async function send({ method, url, headers, body }: PreparedRequest): Promise<ReceivedAnswer> {
  const startedAt = performance.now();
  const response = await fetch(url, {
    method,
    headers,
    ...(body === undefined ? {} : { body }),
  }).catch(() => {
    throw new Error("The server does not answer. Check that it runs.");
  });
  const text = await response.text();
  const ms = Math.round(performance.now() - startedAt);
  return { status: response.status, ms, requestId: response.headers.get("x-request-id"), text: pretty(text) };
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** The request as a curl command. */
export function curl({ method, url, headers, body }: PreparedRequest): string {
  return [
    `curl -X ${method} ${quote(url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data ${quote(body)}`]),
  ].join(" \\\n  ");
}
