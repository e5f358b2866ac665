import { startPoller } from "../platform/poller";
import type { Services } from "../platform/services";
import { type Head, type Outcome, recordOutcome, takeHead } from "./delivery-store";
import { describeProblem, type Post } from "./http-post";
import { leases } from "./lease-store";
import type { EventRow } from "./object";

/** The worker that delivers events from the outbox. */
export interface Delivery {
  /** Looks for due deliveries at once. */
  wake(): void;
  /** Finishes or aborts the attempts in progress. Undelivered events are delivered after the next start. */
  stop(): Promise<void>;
}

/** The largest number of receivers that are served at the same time. `leases` gives each account a share of them. */
const concurrency = 256;
/** The number of events that go to a receiver before others are served. */
const eventsPerClaim = 50;
const pollMs = 1_000;
/** How long attempts in progress may take when the server closes, in milliseconds. */
const closeGraceMs = 3_000;

/**
 * How long an event is retried before the server sends the next one, in milliseconds.
 * @source wire-shapes 10
 */
const retryForMs = 24 * 60 * 60 * 1000;
const firstPauseMs = 5_000;
const longestPauseMs = 60 * 60 * 1000;

/**
 * Delivers events at least once, to each receiver in order and one at a time. Attempts run outside of transactions, so
 * that a receiver that hangs delays no other account.
 * @source Events; wire-shapes 10
 */
export function startDelivery({ store, clock, vault, log }: Services, post: Post): Delivery {
  const poller = startPoller({
    run: fill,
    failure: "looking for deliveries failed",
    log,
    everyMs: pollMs,
    clock,
  });
  const owned = leases(store, "receivers");
  const abandon = new AbortController();
  /** The receivers that are being served. */
  const tasks = new Map<string, Promise<void>>();

  async function fill(stopping: AbortSignal): Promise<void> {
    const free = concurrency - tasks.size;
    if (free <= 0) return;
    for (const id of await owned.claim(clock.now(), free, tasks.keys())) {
      const task = serve(id, stopping).then(
        () => true,
        (error) => {
          // The next poll retries the receiver. An immediate retry would loop if the store is broken.
          log.error({ err: error, receiver: id }, "delivering failed");
          return false;
        },
      );
      tasks.set(
        id,
        task.then((goOn) => {
          tasks.delete(id);
          if (goOn) poller.wake();
        }),
      );
    }
  }

  /** Delivers a receiver's events. The receiver is the lock key, so its units do not wait for units of accounts. */
  async function serve(id: string, stopping: AbortSignal): Promise<void> {
    let head = await store.write((tx) => takeHead(tx, owned, id), id);
    for (let sent = 0; head && sent < eventsPerClaim && !stopping.aborted; sent++) {
      const startedAt = clock.now();
      const problem = await attempt(head);
      if (problem === abandoned) break;
      const done: Head = head;
      const outcome = outcomeOf(done, problem, startedAt, clock.now());
      head = await store.write((tx) => recordOutcome(tx, owned, done, outcome), id);
    }
    if (head) await store.write((tx) => owned.release(tx, id), id);
  }

  async function attempt({ receiver, event }: Head): Promise<string | null | typeof abandoned> {
    try {
      const secret = vault.open(receiver.secret_row, receiver.secret);
      const message = { url: receiver.url, body: bodyOf(event), secret, contentType: "application/json" };
      await post.send(message, abandon.signal);
      return null;
    } catch (error) {
      if (abandon.signal.aborted) return abandoned;
      const problem = describeProblem(error);
      log.debug({ receiver: receiver.id, event: event.id, problem }, "an attempt to deliver failed");
      return problem;
    }
  }

  poller.wake();
  return {
    wake: poller.wake,
    async stop() {
      await poller.stop();
      const forceTimer = setTimeout(() => abandon.abort(), closeGraceMs);
      await Promise.all(tasks.values());
      clearTimeout(forceTimer);
    },
  };
}

const abandoned = Symbol("abandoned");

/** @param problem the error; null if the event was delivered */
function outcomeOf({ delivery }: Head, problem: string | null, startedAt: number, now: number): Outcome {
  const firstAttemptAt = delivery.first_attempt_at ?? startedAt;
  const attempts = delivery.attempts + 1;
  const end = firstAttemptAt + retryForMs;
  return {
    state: problem === null ? "delivered" : now >= end ? "dead" : "waiting",
    problem,
    attempts,
    firstAttemptAt,
    // The last attempt is made when the time for retries ends.
    retryAt: Math.min(now + pauseMs(attempts), end),
  };
}

/**
 * The pause after a failed attempt: exponential backoff with jitter, so that deliveries that failed together are not
 * retried together.
 * @choice At most 5 s after the first attempt, and at most an hour after later ones.
 */
function pauseMs(attempts: number): number {
  const longest = Math.min(firstPauseMs * 2 ** (attempts - 1), longestPauseMs);
  return Math.round(longest * (0.5 + Math.random() / 2));
}

/** The body, with the same bytes at every attempt. @choice The region is null. @source wire-shapes 10 */
function bodyOf({ id, type, created_at, payload }: EventRow): string {
  return `{"id":${JSON.stringify(id)},"type":${JSON.stringify(type)},"createdAt":${created_at},"region":null,"payload":${payload}}`;
}
