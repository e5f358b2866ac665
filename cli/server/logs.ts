import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod";
import { command } from "../core/command";
import { UsageError, UserError } from "../core/errors";
import { paint, print, printJsonLine, shown, timeText } from "../core/output";
import { httpMethod, wholeNumber } from "../core/parse";
import { findTarget, listNewest, NoAnswer, serverNote, type Target } from "./control";

/** A request that the server answered. */
const request = z.strictObject({
  /** A consecutive number. */
  sequence: z.int(),
  /** The header `x-request-id` of the answer; null for an action on the dashboard. */
  id: z.string().nullable(),
  /** The time of the answer by the server's clock, in milliseconds since the epoch. */
  at: z.int(),
  /** The time of the answer in milliseconds since the start of the server. Setting the clock does not change it. */
  uptime: z.number(),
  method: z.string(),
  /** The path that the client sent, without the query; with the host name in front if it is for a deployment. */
  path: z.string(),
  query: z.string(),
  /** null if the connection was dropped, or the client had closed it. */
  status: z.int().nullable(),
  ms: z.number(),
  /** The id of the user; null when the token is unknown. */
  caller: z.string().nullable(),
  /** The id of the account. */
  account: z.string().nullable(),
  /** The code of a refusal. */
  code: z.string().nullable(),
  message: z.string().nullable(),
  /** The Pulumi resource that sent the request; null if another client sent it. */
  resource: z.string().nullable(),
  /** The run of the Pulumi program that sent the request; null if another client sent it. */
  run: z.string().nullable(),
  /** The operation in the reference of the API; null if the request was refused before its route was known. */
  operation: z.string().nullable(),
  dashboard: z.boolean(),
});
type Request = z.output<typeof request>;

const pollMs = 300;

export const logs = command({
  summary: "shows the requests that the server answered",
  description:
    "Shows the last requests that the server answered, oldest first, with the Pulumi resource that sent each. " +
    "The server keeps the last 10,000 in memory.",
  flags: {
    follow: { short: "f", help: "waits for more requests, until Ctrl-C" },
    refused: {
      help: "only requests that were refused or dropped, without look-ups of resources that found nothing",
    },
    method: { value: "method", help: "only requests of this method", parse: httpMethod },
    path: { value: "path", help: "only this path; /v9/projects/* is everything below it" },
    status: { value: "status", help: "only requests with this status", parse: wholeNumber(100, 599) },
    code: { value: "code", help: "only refusals with this code" },
    run: {
      value: "run",
      help: "only requests of this run of a program, such as run in the output of --json",
    },
    limit: { value: "number", help: "how many of the last requests", default: 20, parse: wholeNumber(0) },
  },
  examples: [
    ["slipway logs --refused", "shows why requests were refused"],
    ["slipway logs --follow --path '/v9/projects/*'", "shows requests to projects as they arrive"],
    ["slipway logs --json --limit 1000 | jq -r .path", "prints the paths of the last requests"],
  ],
  notes: serverNote,
  output: request,
  isStream: true,
  async run({ flags: { follow, refused, method, path, status, code, run, limit }, json }) {
    const write = json ? printJsonLine : (one: Request) => printRequest(one, refused === true);
    const query = { method, path, code, run, status: status?.toString() };
    const isWanted = (one: Request): boolean => !refused || isRefused(one);
    if (path !== undefined && !path.startsWith("/"))
      throw new UsageError(`The path ${path} must begin with /, such as /v9/projects.`);
    // Found only once, because the server removes its record when it stops.
    const target = findTarget();
    const last = await newest(target);
    const first = await listNewest<Request>("requests", query, { limit, isWanted, target });
    for (const one of first.reverse()) write(one);
    if (!follow) return;
    await followFrom(Math.max(last, first.at(-1)?.sequence ?? 0), { query, isWanted, target, write });
  },
});

interface Following {
  query: Readonly<Record<string, string | undefined>>;
  isWanted: (one: Request) => boolean;
  target: Target;
  write: (one: Request) => void;
}

/** Writes requests as they are answered. @throws UserError when the server stops */
async function followFrom(first: number, { query, isWanted, target, write }: Following): Promise<never> {
  let last = first;
  try {
    for (;;) {
      await sleep(pollMs);
      const now = await newest(target);
      // A restarted server counts from 1 again.
      if (now < last) last = 0;
      if (now === last) continue;
      const isPast = ({ sequence }: Request): boolean => sequence <= last;
      const added = await listNewest<Request>("requests", query, { isWanted, isPast, target });
      for (const one of added.reverse()) write(one);
      last = Math.max(now, added.at(-1)?.sequence ?? 0);
    }
  } catch (error) {
    throw error instanceof NoAnswer ? new UserError("The server stopped.") : error;
  }
}

/** The sequence of the newest request; 0 if there is none. */
async function newest(target: Target): Promise<number> {
  const [one] = await listNewest<Request>("requests", {}, { limit: 1, target });
  return one?.sequence ?? 0;
}

/** A resource looks up whether its object exists. A 404 to this look-up is not a refusal. */
const isRefused = ({ status, method, resource }: Request): boolean =>
  status === null || (status >= 400 && !(status === 404 && method === "GET" && resource !== null));

function printRequest(one: Request, withMessage: boolean): void {
  const { at, method, path, status, code, ms, resource, message } = one;
  const answer =
    status === null
      ? paint("red", "dropped")
      : paint(status >= 500 ? "red" : status >= 400 ? "yellow" : "green", String(status));
  const parts = [
    paint("gray", timeText(at)),
    answer,
    `${shown(method).padEnd(6)} ${shown(path)}`,
    ...(code === null ? [] : [paint("yellow", shown(code))]),
    paint("gray", `${ms} ms`),
    ...(resource === null ? [] : [paint("cyan", shown(resource))]),
  ];
  print(parts.join("  "));
  if (withMessage && message !== null) print(`    ${shown(message)}`);
}
