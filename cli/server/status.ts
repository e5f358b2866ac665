import * as z from "zod";
import { command } from "../core/command";
import { UserError } from "../core/errors";
import { columns, print, printJson, timeText } from "../core/output";
import { ask, control, dashboardLink, findTarget, serverNote } from "./control";
import { readRecord } from "./record";

const status = z.strictObject({
  url: z.string(),
  /**
   * `other`: another program answers at the address, or a server that neither this folder nor SLIPWAY_API_URL names.
   */
  state: z.enum(["running", "unavailable", "stopped", "other"]),
  version: z.string().nullable(),
  /** The process id, if slipway serve --detach started the server in this folder. */
  pid: z.int().nullable(),
  /** A folder, memory or postgres, if it is known. */
  data: z.string().nullable(),
  /** Whether the server accepts the control token of this folder or the environment; null if it is not ready. */
  controlPlane: z.enum(["open", "refused", "no token"]).nullable(),
  /** The server's clock, in milliseconds since the epoch; null without the control plane. */
  now: z.int().nullable(),
});
type Status = z.output<typeof status>;

export const statusCommand = command({
  summary: "shows whether the server runs, and where",
  description:
    "Shows the server that the other commands act on: its address, state, version, data and clock, and a link that " +
    "opens its dashboard once.",
  examples: [
    ["slipway status", "shows the server of this folder"],
    ["slipway status --json", "for a script, with the exit code 3 if no server answers"],
  ],
  notes: serverNote,
  exitCodes: { 3: "no server answers" },
  output: status,
  async run({ json }) {
    const found = await read();
    if (json) printJson(found);
    else for (const line of describe(found, await linkOf(found))) print(line);
    return found.state === "stopped" || found.state === "other" ? 3 : found.state === "running" ? 0 : 1;
  },
});

const linkOf = async ({ controlPlane }: Status): Promise<string | undefined> =>
  controlPlane === "open" ? dashboardLink(findTarget()) : undefined;

async function read(): Promise<Status> {
  const { url, token } = findTarget();
  const record = readRecord();
  const known = record?.url === url ? record : undefined;
  const health = await readHealth(url);
  const isNamed = record !== undefined || token !== undefined || process.env.SLIPWAY_API_URL !== undefined;
  const runs = isNamed && health?.service === "slipway";
  const ready = runs && (await ask(url, "/_ready")).ok;
  const answer: Status = {
    url,
    state: ready ? "running" : runs ? "unavailable" : health === undefined ? "stopped" : "other",
    version: (runs ? health.version : undefined) ?? null,
    pid: (runs && known?.instance === health.instance ? known?.pid : undefined) ?? null,
    data: (runs ? known?.data : undefined) ?? null,
    controlPlane: !ready ? null : token === undefined ? "no token" : "refused",
    now: null,
  };
  if (!ready || token === undefined) return answer;
  try {
    const { now } = (await control("POST", "/clock", { advanceMs: 0 })) as { now: number };
    return { ...answer, controlPlane: "open", now };
  } catch (error) {
    if (error instanceof UserError) return answer;
    throw error;
  }
}

interface Health {
  service?: string;
  version?: string;
  instance?: string;
}

/** @returns undefined if nothing answers, and an empty object if the answer is not JSON */
async function readHealth(url: string): Promise<Health | undefined> {
  let answer: Response;
  try {
    answer = await ask(url, "/_health", { signal: AbortSignal.timeout(3_000) });
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
  return ((await answer.json().catch(() => undefined)) as Health | undefined) ?? {};
}

const states = {
  running: "running",
  unavailable: "running, but not ready: --init has not finished, or its store cannot be used; see its log",
  stopped: "not running; slipway serve --detach starts it",
  other: "another program answers at this address",
};

const unnamed =
  "slipway serve --detach started no server in this folder; to use the one at this address, set SLIPWAY_API_URL";

function describe(found: Status, dashboard: string | undefined): string[] {
  const { url, state, version, pid, data, controlPlane, now } = found;
  const isElsewhere = state === "stopped" && process.env.SLIPWAY_API_URL !== undefined;
  const isUnnamed =
    state === "other" && process.env.SLIPWAY_API_URL === undefined && readRecord() === undefined;
  return columns([
    ["server", url],
    ["state", isElsewhere ? "does not answer" : isUnnamed ? unnamed : states[state]],
    ...(version === null ? [] : [["version", version]]),
    ...(pid === null ? [] : [["process", String(pid)]]),
    ...(data === null ? [] : [["data", data]]),
    ...(controlPlane === null ? [] : [["control plane", controlPlane]]),
    ...(now === null ? [] : [["clock", timeText(now)]]),
    ...(dashboard === undefined ? [] : [["dashboard", dashboard]]),
  ]);
}
