import { describeProblem, type Post } from "../events/http-post";
import { startPoller } from "../platform/poller";
import type { Services } from "../platform/services";
import { type LogLine, logRecord } from "./record";
import { drainAccounts, type OpenDrain, openDrains, openSettings, projectOf, wants } from "./store";

/**
 * Forwards the request log to drains. The queues are in memory and bounded, and no request waits for a drain: lines
 * are lost when a receiver is unreachable for long, or when the server ends.
 */
export interface LogForwarding {
  /** True when an account has drains, or when that is not known. */
  wants(account: string): boolean;
  /** Records an answered request. */
  note(line: LogLine): void;
  /** Drains may have come or gone: until that is known, lines of every account are kept. */
  drainsChanged(): void;
  stop(): Promise<void>;
}

/** The largest number of lines of all accounts that wait to be assigned to drains. */
const ringSize = 10_000;
/** The largest number of lines that wait for a drain; beyond it, the oldest are dropped. */
const backlog = 2_000;
const batchSize = 200;
const flushMs = 1_000;
/** How often the drains in the store are read, which other servers may have changed, in milliseconds. */
const lookMs = 5_000;
const longestPauseMs = 60_000;

interface Queue {
  lines: string[];
  failures: number;
  nextAt: number;
  sending: Promise<void> | undefined;
}

export function startLogForwarding({ store, clock, vault, log }: Services, post: Post): LogForwarding {
  const abandon = new AbortController();
  const queues = new Map<string, Queue>();
  let ring: LogLine[] = [];
  /** The ids of the accounts that have drains; undefined: not known. */
  let accounts: ReadonlySet<string> | undefined;
  let changes = 0;
  let stopped = false;
  /** Assigns lines to drains soon after they are made, by what each drain may receive at that moment. */
  const sorter = startPoller({ run: sortRing, failure: "assigning log lines to drains failed", log });
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
    everyMs: lookMs,
  });

  function note(line: LogLine): void {
    if (stopped || ring.length >= ringSize) return;
    ring.push(line);
    sorter.wake();
  }

  async function sortRing(): Promise<void> {
    const lines = ring;
    ring = [];
    await store.read(async (tx) => {
      if (!accounts) {
        const seen = changes;
        const found = await drainAccounts(tx);
        if (seen === changes) accounts = found;
      }
      const byAccount = new Map<string, OpenDrain[]>();
      for (const line of lines) {
        const drains = byAccount.get(line.accountId) ?? (await openDrains(tx, line.accountId));
        byAccount.set(line.accountId, drains);
        if (drains.length === 0) continue;
        const project = await projectOf(tx, line);
        for (const drain of drains) {
          if (wants(drain, project)) keep(drain.id, JSON.stringify(logRecord(line, project)));
        }
      }
    });
  }

  function keep(drain: string, record: string): void {
    const queue = queues.get(drain) ?? { lines: [], failures: 0, nextAt: 0, sending: undefined };
    queues.set(drain, queue);
    if (queue.lines.length >= backlog) queue.lines.splice(0, batchSize);
    queue.lines.push(record);
    if (queue.lines.length >= batchSize) flush();
  }

  function flush(): void {
    for (const [id, queue] of queues) {
      if (queue.sending || queue.lines.length === 0 || queue.nextAt > clock.now()) continue;
      queue.sending = sendBatch(id, queue)
        .catch((error) => log.error({ err: error, drain: id }, "forwarding log lines failed"))
        .finally(() => {
          queue.sending = undefined;
          if (queue.lines.length === 0) queues.delete(id);
        });
    }
  }

  async function sendBatch(id: string, queue: Queue): Promise<void> {
    const drain = await store.read((tx) => openDrains(tx, undefined, id).then(([found]) => found));
    if (!drain) {
      // The drain was removed or closed: it gets nothing more, not even lines from before.
      queue.lines = [];
      return;
    }
    const lines = queue.lines.splice(0, batchSize);
    try {
      const { url, deliveryFormat, headers } = openSettings(vault, drain);
      const isNdjson = deliveryFormat === "ndjson";
      await post.send(
        {
          url,
          body: isNdjson ? `${lines.join("\n")}\n` : `[${lines.join(",")}]`,
          secret: drain.secret === null ? null : vault.open(id, drain.secret),
          contentType: isNdjson ? "application/x-ndjson" : "application/json",
          headers,
        },
        abandon.signal,
      );
      queue.failures = 0;
    } catch (error) {
      log.debug({ drain: id, problem: describeProblem(error) }, "log lines were not accepted");
      queue.lines = [...lines, ...queue.lines].slice(-backlog);
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
      await sorter.idle();
      stopped = true;
      flush();
      const forceTimer = setTimeout(() => abandon.abort(), 1_000);
      await Promise.all([...queues.values()].map(({ sending }) => sending));
      clearTimeout(forceTimer);
    },
  };
}
