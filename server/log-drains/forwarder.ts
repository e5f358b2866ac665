import { describeProblem, type Post } from "../events/http-post";
import { startPoller } from "../platform/poller";
import type { Services } from "../platform/services";
import { type LogLine, linesOf, logRecord } from "./record";
import { openSettings } from "./settings";
import {
  findDrainAccounts,
  findLineProject,
  findOpenDrain,
  findOpenDrains,
  isWanted,
  type OpenDrain,
} from "./store";

/**
 * Forwards the request log to drains. The queues are in memory and bounded, and no request waits for a drain: lines
 * are lost when a receiver is unreachable for long, or when the server ends. Each account has a share of the queues
 * and of the batches that are sent at the same time.
 */
export interface LogForwarding {
  /** True when an account has drains, or when that is not known. */
  wants(account: string): boolean;
  /** Records an answered request. */
  note(line: LogLine): void;
  /** Reads the drains again. Until then, lines of every account are kept. */
  drainsChanged(): void;
  stop(): Promise<void>;
}

/** The largest number of lines that wait to be assigned to drains, of one account and of all accounts. */
const accountLines = 2_000;
const allLines = 10_000;
/** The largest number of lines that wait for a drain. When it is reached, the oldest lines are dropped. */
const largestBacklog = 2_000;
const batchSize = 200;
/** The largest number of batches that are sent at the same time, of one account and of all accounts. */
export const accountBatches = 4;
const allBatches = 64;
const flushMs = 1_000;
/** The interval at which the drains are read from the store, since other servers may have changed them (ms). */
const refreshMs = 5_000;
const longestPauseMs = 60_000;

interface Queue {
  accountId: string;
  lines: string[];
  failures: number;
  nextAt: number;
  sending: Promise<void> | undefined;
}

export function startLogForwarding({ store, clock, vault, log }: Services, post: Post): LogForwarding {
  const abandon = new AbortController();
  const queues = new Map<string, Queue>();
  let unassigned: LogLine[] = [];
  /** How many of the unassigned lines each account has. */
  let counts = new Map<string, number>();
  /** The number of batches that are being sent, by account. */
  const sending = new Map<string, number>();
  /** The ids of the accounts that have drains; undefined: not known. */
  let accounts: ReadonlySet<string> | undefined;
  let changes = 0;
  let stopped = false;
  /** Assigns lines to drains soon after the requests, so that a drain gets only lines that it may receive then. */
  const assigner = startPoller({ run: assign, failure: "assigning log lines to drains failed", log });
  const flusher = startPoller({
    run: flush,
    failure: "forwarding log lines failed",
    log,
    everyMs: flushMs,
    clock,
  });
  const refresher = startPoller({
    run: drainsChanged,
    failure: "refreshing the drains failed",
    log,
    everyMs: refreshMs,
  });

  function note(line: LogLine): void {
    const count = counts.get(line.accountId) ?? 0;
    if (stopped || unassigned.length >= allLines || count >= accountLines) return;
    counts.set(line.accountId, count + 1);
    unassigned.push(line);
    assigner.wake();
  }

  async function assign(): Promise<void> {
    const lines = unassigned;
    unassigned = [];
    counts = new Map();
    await store.read(async (tx) => {
      if (!accounts) {
        const seen = changes;
        const found = await findDrainAccounts(tx);
        if (seen === changes) accounts = found;
      }
      const byAccount = new Map<string, OpenDrain[]>();
      for (const line of lines) {
        const drains = byAccount.get(line.accountId) ?? (await findOpenDrains(tx, line.accountId));
        byAccount.set(line.accountId, drains);
        if (drains.length === 0) continue;
        const project = await findLineProject(tx, line);
        const record = JSON.stringify(logRecord(line, project));
        for (const drain of drains) if (isWanted(drain, project)) enqueue(drain, record);
      }
    });
  }

  function enqueue({ id, accountId }: OpenDrain, record: string): void {
    const queue = queues.get(id) ?? { accountId, lines: [], failures: 0, nextAt: 0, sending: undefined };
    queues.set(id, queue);
    if (queue.lines.length >= largestBacklog) queue.lines.splice(0, batchSize);
    queue.lines.push(record);
    if (queue.lines.length >= batchSize) start(id, queue);
  }

  function flush(): void {
    for (const [id, queue] of [...queues]) start(id, queue);
  }

  /** Sends a batch, if one is due and the limits for the account and for all accounts allow it. */
  function start(id: string, queue: Queue): void {
    if (queue.sending || queue.lines.length === 0 || queue.nextAt > clock.now()) return;
    const { accountId } = queue;
    const count = sending.get(accountId) ?? 0;
    const total = [...sending.values()].reduce((sum, batches) => sum + batches, 0);
    if (count >= accountBatches || total >= allBatches) return;
    sending.set(accountId, count + 1);
    // Moves the queue to the end, so that the other queues are served before it.
    queues.delete(id);
    queues.set(id, queue);
    queue.sending = sendBatch(id, queue)
      .catch((error) => log.error({ err: error, drain: id }, "forwarding log lines failed"))
      .finally(() => {
        queue.sending = undefined;
        if (queue.lines.length === 0) queues.delete(id);
        const left = (sending.get(accountId) ?? 1) - 1;
        if (left > 0) sending.set(accountId, left);
        else sending.delete(accountId);
        if (queues.size > 0 && !stopped) flusher.wake();
      });
  }

  async function sendBatch(id: string, queue: Queue): Promise<void> {
    const drain = await store.read((tx) => findOpenDrain(tx, id));
    if (!drain) {
      // The drain was removed or closed: it gets nothing more, not even earlier lines.
      queue.lines = [];
      return;
    }
    const lines = queue.lines.splice(0, batchSize);
    try {
      const { url, deliveryFormat, headers } = openSettings(vault, drain);
      await post.send(
        {
          url,
          ...linesOf(lines, deliveryFormat),
          secret: drain.secret === null ? null : vault.open(id, drain.secret),
          headers,
        },
        abandon.signal,
      );
      queue.failures = 0;
    } catch (error) {
      log.debug({ drain: id, problem: describeProblem(error) }, "log lines were not accepted");
      queue.lines = [...lines, ...queue.lines].slice(-largestBacklog);
      queue.nextAt = clock.now() + Math.min(1_000 * 2 ** queue.failures++, longestPauseMs);
    }
  }

  function drainsChanged(): void {
    changes++;
    accounts = undefined;
  }

  return {
    wants: (account) => !accounts || accounts.has(account),
    note,
    drainsChanged,
    async stop() {
      await Promise.all([flusher.stop(), refresher.stop()]);
      await assigner.idle();
      stopped = true;
      flush();
      const forceTimer = setTimeout(() => abandon.abort(), 1_000);
      await Promise.all([...queues.values()].map((queue) => queue.sending));
      clearTimeout(forceTimer);
    },
  };
}
