import { resources } from "../../provider/resources";
import { command, flagNameOf } from "../core/command";
import { UsageError } from "../core/errors";
import { print, printJson } from "../core/output";
import { durationUpTo, httpMethod, share, wholeNumber } from "../core/parse";
import { suggestion } from "../core/suggest";
import { control, serverNote } from "./control";
import { type Fault, fault, faultKinds, linesOf } from "./fault";

/** The longest delay of the server, in milliseconds. */
const longestMs = 600_000;

export const faultAdd = command({
  summary: "makes the next requests fail, wait or lose their connection",
  description:
    "Makes the next requests of a path, an operation, an account or a resource fail. The kind status answers with the status of --status, and delay makes the " +
    "request wait for the time of --delay. slow sends the answer in parts during this time, and malformed cuts the " +
    "answer off. drop-before closes the connection before the request takes effect, and drop-after closes it after the " +
    "change is committed.",
  arguments: [
    { name: "kind", choices: faultKinds, help: "what happens" },
    {
      name: "requests",
      isOptional: true,
      help:
        "their path, such as /v9/projects, or their operation in the reference, such as createProject; by default any; " +
        "a segment of a path that begins with : matches any",
    },
  ],
  flags: {
    method: { value: "method", help: "only requests of this method", parse: httpMethod },
    times: {
      value: "number",
      help: "how many requests; by default 1, with --rate any number",
      parse: wholeNumber(1),
    },
    rate: { value: "share", help: "the share of the requests that it meets, such as 0.1", parse: share },
    seed: {
      value: "number",
      help: "repeats the choices of --rate and --jitter",
      parse: wholeNumber(0, 0xffff_ffff),
    },
    account: { value: "account", help: "only requests about this account, by its slug or id" },
    resource: {
      value: "type",
      help: "only requests of a Pulumi resource, by its type, or its type and name",
    },
    skip: { value: "number", help: "how many requests pass first", default: 0, parse: wholeNumber(0) },
    status: { value: "status", help: "the status; by default 503", parse: wholeNumber(400, 599) },
    code: { value: "code", help: "the code of the error" },
    message: { value: "text", help: "the message of the error" },
    retryAfter: { value: "seconds", help: "the header Retry-After", parse: wholeNumber(0) },
    delay: {
      value: "duration",
      help: "how long requests wait, or how long a slow answer takes, such as 5s; at most 10m",
      parse: durationUpTo(longestMs, "10m"),
    },
    jitter: {
      value: "duration",
      help: "the longest time that is added to --delay at random; at most 10m",
      parse: durationUpTo(longestMs, "10m"),
    },
  },
  examples: [
    [
      "slipway fault add status /v10/projects --method POST --status 429 --retry-after 1",
      "a rate limit, once",
    ],
    ["slipway fault add drop-after /v9/projects/:id --method PATCH", "the answer of a change is lost"],
    ["slipway fault add delay /v9/projects --delay 5s --times 3", "three late answers"],
    ["slipway fault add malformed createProject", "the answer of the next create is cut off"],
    [
      "slipway fault add drop-after --account acme --rate 0.1 --seed 7",
      "a tenth of the requests about a team",
    ],
  ],
  notes: serverNote,
  output: fault,
  async run({ args: [kind = "", requests], flags: { delay, jitter, ...flags }, json }) {
    refuseUnused(kind, { delay, jitter, ...flags });
    if (requests === undefined && flags.account === undefined && flags.resource === undefined)
      throw new UsageError("Say which requests: a path, an operation, --account or --resource.");
    const isPath = requests?.includes("/") ?? false;
    if (isPath) requirePath(requests ?? "");
    if (flags.resource !== undefined) requireType(flags.resource);
    const given = {
      kind,
      [isPath ? "path" : "operation"]: requests,
      ...flags,
      delayMs: delay,
      jitterMs: jitter,
    };
    const { faults } = (await control("POST", "/faults", given)) as { faults: Fault[] };
    if (json) printJson(faults[0]);
    else for (const line of linesOf(faults)) print(line);
  },
});

/** @throws UsageError for a type that no resource has */
function requireType(resource: string): void {
  const [type = ""] = resource.split(" ");
  const types = Object.values(resources).map((one) => one.type);
  if (types.includes(type)) return;
  throw new UsageError(`There is no resource ${type}.${suggestion(type, types)}`);
}

/** @throws UsageError for a flag that faults of this kind do not use */
function refuseUnused(
  kind: string,
  flags: Record<"delay" | "jitter" | "rate" | "seed" | "status" | "code" | "message" | "retryAfter", unknown>,
): void {
  const waits = kind === "delay" || kind === "slow";
  if (waits && flags.delay === undefined) throw new UsageError("Give the time with --delay, such as 5s.");
  for (const key of ["status", "code", "message", "retryAfter"] as const) {
    if (kind !== "status" && flags[key] !== undefined)
      throw new UsageError(`${flagNameOf(key)} is only for faults of kind status.`);
  }
  if (!waits && (flags.delay !== undefined || flags.jitter !== undefined))
    throw new UsageError("--delay and --jitter are only for faults of the kinds delay and slow.");
  if (flags.seed !== undefined && flags.rate === undefined && flags.jitter === undefined)
    throw new UsageError("--seed is only for --rate and --jitter.");
}

/** @throws UsageError for a path that no request of the API has */
function requirePath(path: string): void {
  if (!path.startsWith("/"))
    throw new UsageError(`The path ${path} must begin with /, such as /v9/projects.`);
  if (path.includes("?")) throw new UsageError(`Leave out the query of ${path}: a fault is for a path.`);
  if (/^\/(_|docs(\/|$)|openapi(-control)?\.json$|$)/.test(path))
    throw new UsageError(
      `${path} is a path of the server itself. Faults can only be added to paths of the API.`,
    );
}
