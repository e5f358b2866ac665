import * as z from "zod";
import { command, flagNameOf } from "../core/command";
import { UsageError } from "../core/errors";
import { print, printJson } from "../core/output";
import { duration, httpMethod, wholeNumber } from "../core/parse";
import { control, serverNote } from "./control";

const fault = z.strictObject({
  kind: z.enum(["status", "delay", "drop-before", "drop-after"]),
  method: z.string().optional(),
  path: z.string(),
  times: z.int(),
  skip: z.int(),
  status: z.int().optional(),
  code: z.string().optional(),
  message: z.string().optional(),
  /** The header `Retry-After`, in seconds. */
  retryAfter: z.int().optional(),
  delayMs: z.int().optional(),
});

export const faultAdd = command({
  summary: "makes the next requests fail, wait or lose their connection",
  description:
    "Makes the next requests of a path fail. The kind status answers with the status of --status, and delay makes the " +
    "request wait for the time of --delay. drop-before closes the connection before the request takes effect, and " +
    "drop-after closes it after the change is committed.",
  arguments: [
    { name: "kind", choices: ["status", "delay", "drop-before", "drop-after"], help: "what happens" },
    { name: "path", help: "the path of the requests; a segment that begins with : matches any" },
  ],
  flags: {
    method: { value: "method", help: "only requests of this method", parse: httpMethod },
    times: { value: "number", help: "how many requests", default: 1, parse: wholeNumber(1) },
    skip: { value: "number", help: "how many requests pass first", default: 0, parse: wholeNumber(0) },
    status: { value: "status", help: "the status; by default 503", parse: wholeNumber(400, 599) },
    code: { value: "code", help: "the code of the error" },
    message: { value: "text", help: "the message of the error" },
    retryAfter: { value: "seconds", help: "the header Retry-After", parse: wholeNumber(0) },
    delay: { value: "duration", help: "how long requests wait, such as 5s", parse: duration },
  },
  examples: [
    [
      "slipway fault add status /v10/projects --method POST --status 429 --retry-after 1",
      "a rate limit, once",
    ],
    ["slipway fault add drop-after /v9/projects/:id --method PATCH", "the answer of a change is lost"],
    ["slipway fault add delay /v9/projects --delay 5s --times 3", "three slow answers"],
  ],
  notes: serverNote,
  output: fault,
  async run({ args: [kind = "", path = ""], flags: { delay, ...flags }, json }) {
    if (kind === "delay" && delay === undefined)
      throw new UsageError("Give the time with --delay, such as 5s.");
    for (const key of ["status", "code", "message", "retryAfter"] as const) {
      if (kind !== "status" && flags[key] !== undefined)
        throw new UsageError(`${flagNameOf(key)} is only for faults of kind status.`);
    }
    if (kind !== "delay" && delay !== undefined)
      throw new UsageError("--delay is only for faults of kind delay.");
    if (!path.startsWith("/"))
      throw new UsageError(`The path ${path} must begin with /, such as /v9/projects.`);
    if (path.includes("?")) throw new UsageError(`Leave out the query of ${path}: a fault is for a path.`);
    if (/^\/(_|docs(\/|$)|openapi(-control)?\.json$|$)/.test(path))
      throw new UsageError(
        `${path} is a path of the server itself. Faults can only be added to paths of the API.`,
      );
    const made = Object.fromEntries(
      Object.entries({ kind, path, ...flags, delayMs: delay }).filter(([, value]) => value !== undefined),
    );
    await control("POST", "/faults", made);
    if (json) printJson(made);
    else print(`the next ${flags.times === 1 ? "request" : `${flags.times} requests`} to ${path}: ${kind}`);
  },
});
