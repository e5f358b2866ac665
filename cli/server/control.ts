import type { RequestInit, Response } from "undici";
import { defaultApiUrl, isLoopback } from "../../provider/client/config";
import { fetchOnce } from "../../provider/client/http";
import { UserError } from "../core/errors";
import { readControlToken, readRecord } from "./record";

/** The server on which the commands act. */
export interface Target {
  url: string;
  /** The control token; undefined if none is known for this address. */
  token: string | undefined;
}

/** The error if nothing answers at the address of a server. */
export class NoAnswer extends UserError {}

/** For the help of the commands that use the control plane. */
export const serverNote = `The command uses the server that slipway serve --detach or npm run up started in this folder. For another one,
set SLIPWAY_API_URL to its address and SLIPWAY_CONTROL_TOKEN to its control token.`;

/**
 * Finds the server. A recorded token is used only for the recorded address, so that no other service receives it.
 * @throws UserError if the address is not valid
 */
export function findTarget(environment: NodeJS.ProcessEnv = process.env): Target {
  const { SLIPWAY_API_URL: given, SLIPWAY_CONTROL_TOKEN: givenToken } = environment;
  const record = readRecord();
  const url = (given ?? record?.url ?? defaultApiUrl(environment)).replace(/\/+$/, "");
  // The message does not repeat the address, which may contain a password.
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new UserError("SLIPWAY_API_URL is not an http:// or https:// address.");
  }
  const { username, password } = new URL(url);
  if (username || password)
    throw new UserError("SLIPWAY_API_URL has a user name or a password. Remove them.");
  const isRecorded = record?.url === url;
  const own = isRecorded ? record.controlToken : undefined;
  return { url, token: givenToken ?? own ?? (isLoopback(new URL(url)) ? readControlToken() : undefined) };
}

/**
 * Sends a request to the control plane and returns the body of the answer.
 * @throws UserError with a hint if the server is out of reach, or refuses the request
 */
export async function control(
  method: string,
  path: string,
  body?: unknown,
  { url, token }: Target = findTarget(),
): Promise<unknown> {
  // A URL loses segments of dots, so the request would be another one.
  const dots = path.split("/").find((segment) => segment === "." || segment === "..");
  if (dots !== undefined)
    throw new UserError(`"${dots}" is not a valid name. Give one with a letter or a digit.`);
  if (token === undefined) throw new UserError(noToken(url));
  const { protocol, host } = new URL(url);
  if (protocol === "http:" && !isLoopback(new URL(url))) {
    throw new UserError(
      `The control token is not sent over plain http:// to ${host}. Use https:// in SLIPWAY_API_URL.`,
    );
  }
  const answer = await ask(url, `/_control${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (answer.status === 204) return undefined;
  const value = await answer.json().catch(() => undefined);
  if (answer.ok) return value;
  throw refusal(url, `${method} /_control${path.replace(/\?.*/, "")}`, answer.status, value);
}

/** @returns a link that opens the dashboard once; undefined if the dashboard is off @throws UserError */
export async function dashboardLink(target: Target): Promise<string | undefined> {
  try {
    const { path } = (await control("POST", "/dashboard", undefined, target)) as { path: string };
    return target.url + path;
  } catch (error) {
    if (error instanceof Refused && error.status === 404) return undefined;
    throw error;
  }
}

/** @throws NoAnswer */
export async function ask(url: string, path: string, init: RequestInit = {}): Promise<Response> {
  try {
    return await fetchOnce(`${url}${path}`, init);
  } catch (error) {
    const { cause, message } = error as Error;
    const reason = (cause as NodeJS.ErrnoException | undefined)?.code ?? message;
    throw new NoAnswer(
      `No server answers at ${url} (${reason}). Start one with slipway serve --detach, or set SLIPWAY_API_URL to the address of another one.`,
    );
  }
}

function noToken(url: string): string {
  if (process.env.SLIPWAY_API_URL === undefined && readRecord() === undefined) {
    return "No server was started in this folder. Start one with slipway serve --detach, or set SLIPWAY_API_URL and SLIPWAY_CONTROL_TOKEN for another server.";
  }
  return `No control token is known for ${url}. Run the command in the folder of slipway serve --detach, without SLIPWAY_API_URL, or set SLIPWAY_CONTROL_TOKEN to the token of that server.`;
}

/** The error if the control plane refuses a request. */
class Refused extends UserError {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

function refusal(url: string, request: string, status: number, body: unknown): UserError {
  const { code, message } =
    (body as { error?: { code?: string; message?: string } } | undefined)?.error ?? {};
  if (status === 401)
    return new UserError(
      `${url} refuses the control token. Set SLIPWAY_CONTROL_TOKEN to that of the server.`,
    );
  if (message === undefined) {
    return new UserError(`${request}: ${status}. ${url} is not a Slipway server with a control plane.`);
  }
  // For 400, the message alone says which of the given values is wrong.
  return new Refused(status, status === 400 ? message : `${request}: ${status} ${code}: ${message}`);
}

interface ListOptions<T> {
  /** The maximum number of entries. */
  limit?: number;
  isWanted?: (entry: T) => boolean;
  /** The list ends before the first entry for which this returns true. */
  isPast?: (entry: T) => boolean;
  target?: Target;
}

/** Reads the entries of a list of the control plane, newest first. @param query undefined values are left out */
export async function listNewest<T>(
  name: "requests" | "events" | "mail",
  query: Readonly<Record<string, string | undefined>>,
  { limit = Infinity, isWanted = () => true, isPast = () => false, target = findTarget() }: ListOptions<T>,
): Promise<T[]> {
  const wanted: T[] = [];
  let until: string | undefined;
  do {
    const parameters = new URLSearchParams({ limit: "100" });
    for (const [key, value] of Object.entries({ ...query, until })) {
      if (value !== undefined) parameters.set(key, value);
    }
    const page = (await control("GET", `/${name}?${parameters}`, undefined, target)) as Record<
      string,
      T[]
    > & {
      pagination: { next: string | number | null };
    };
    const entries = page[name] ?? [];
    const end = entries.findIndex(isPast);
    wanted.push(...(end < 0 ? entries : entries.slice(0, end)).filter(isWanted));
    until = page.pagination.next === null || end >= 0 ? undefined : String(page.pagination.next);
  } while (until !== undefined && wanted.length < limit);
  return wanted.slice(0, limit);
}
