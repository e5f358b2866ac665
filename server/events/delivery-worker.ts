import type { Services } from "../platform/services";
import type { EventRow } from "../store/schema";
import { type Head, settle, takeHead } from "./delivery-store";
import { describeProblem, type Post } from "./http-post";
import { leases } from "./leases";

/** Sends what waits in the outbox. */
export interface Delivery {
  /** Something may have become due. */
  wake(): void;
  /** Finishes or abandons what is being sent. What was not delivered is, after the next start. */
  stop(): Promise<void>;
}

/** Receivers that are sent to at the same time, at most. */
const concurrency = 32;
/** Events that go to one receiver before the others have their turn. */
const turn = 50;
const pollMs = 1_000;
/** How long an attempt under way may still take when the server closes. */
const patienceMs = 3_000;

/**
 * Delivers events: to each receiver in order and one at a time, at least once. An attempt stands in no
 * transaction: a receiver that hangs holds up nobody but itself.
 * @source Events; wire-shapes 10
 */
export function startDelivery({ store, clock, vault, log }: Services, post: Post): Delivery {
  const owned = leases(store, "receivers");
  const abandon = new AbortController();
  /** The receivers that are being sent to. */
  const tasks = new Map<string, Promise<void>>();
  let filling: Promise<void> | undefined;
  let woken = false;
  let stopped = false;

  function wake(): void {
    woken = true;
    if (stopped) return;
    filling ??= fill()
      .catch((error) => log.error({ err: error }, "looking for deliveries failed"))
      .finally(() => {
        filling = undefined;
        if (woken) wake();
      });
  }

  async function fill(): Promise<void> {
    woken = false;
    const free = concurrency - tasks.size;
    if (free <= 0) return;
    for (const id of await owned.claim(clock.now(), free, tasks.keys())) {
      const task = serve(id).then(
        () => true,
        (error) => {
          // The poll comes back to it: at once, a broken store would be asked without end.
          log.error({ err: error, receiver: id }, "delivering failed");
          return false;
        },
      );
      tasks.set(
        id,
        task.then((goOn) => {
          tasks.delete(id);
          if (goOn) wake();
        }),
      );
    }
  }

  /** Its units take the receiver's turn: beside those of accounts, which wait for the receiver's row alone. */
  async function serve(id: string): Promise<void> {
    let head = await store.write((tx) => takeHead(tx, owned, id), id);
    for (let sent = 0; head && sent < turn && !stopped; sent++) {
      const startedAt = clock.now();
      const problem = await attempt(head);
      if (problem === abandoned) break;
      const done: Head = head;
      head = await store.write((tx) => settle(tx, owned, done, problem, { startedAt, now: clock.now() }), id);
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

  const timer = setInterval(wake, pollMs);
  timer.unref();
  const deaf = clock.onAdvance(wake);
  wake();
  return {
    wake,
    async stop() {
      stopped = true;
      clearInterval(timer);
      deaf();
      await filling;
      const impatience = setTimeout(() => abandon.abort(), patienceMs);
      await Promise.all(tasks.values());
      clearTimeout(impatience);
    },
  };
}

const abandoned = Symbol("abandoned");

/** The same bytes at every attempt. @choice The server stands in no region. @source wire-shapes 10 */
function bodyOf({ id, type, created_at, payload }: EventRow): string {
  return `{"id":${JSON.stringify(id)},"type":${JSON.stringify(type)},"createdAt":${created_at},"region":null,"payload":${payload}}`;
}
