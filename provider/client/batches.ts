import { setTimeout as sleep } from "node:timers/promises";
import type { Pace } from "./pace";
import { currentSender, sentForAll } from "./sender";
import { Share } from "./step-limits";

/** An item of a batch, with the part that its step has in the request. */
export interface Member<I, T> {
  readonly item: I;
  readonly share: Share<T>;
  /** The resource of the step. */
  readonly sender: string | undefined;
}

/** How items are carried out together. */
export interface BatchRule<I, T> {
  /** Carries out a batch. It settles the share of each member. */
  perform(members: readonly Member<I, T>[]): Promise<void>;
  /** The unique keys of an item. Two items with the same key are never in one batch. */
  keysOf(item: I): readonly string[];
  /** The largest number of items in a batch. */
  largest: number;
}

/** The longest time that a batch waits for further items, in milliseconds. */
const gatherMs = 1_000;

/**
 * Collects what steps ask for at the same moment, and carries it out together. A batch begins when the engine begins no
 * further steps before one of those under way has ended.
 */
export class Batches<I, T> {
  #waiting: Member<I, T>[] = [];
  #isGathering = false;
  /** The keys of the items under way. */
  readonly #underWay = new Set<string>();

  constructor(
    private readonly rule: BatchRule<I, T>,
    private readonly pace: Pace,
  ) {}

  /** Adds an item to the next batch. @returns the outcome of this item alone */
  add(item: I): Promise<T> {
    const share = new Share<T>();
    this.#waiting.push({ item, share, sender: currentSender() });
    if (!this.#isGathering) void this.#begin();
    return share.outcome;
  }

  /** Begins the next batch, unless all items wait for others under way. */
  async #begin(): Promise<void> {
    this.#isGathering = true;
    await this.#gather();
    this.#isGathering = false;
    const batch = this.#next();
    if (batch.length === 0) return;
    const keys = batch.flatMap(({ item }) => this.rule.keysOf(item));
    for (const key of keys) this.#underWay.add(key);
    // Items beyond the largest batch.
    if (this.#waiting.length > 0) void this.#begin();
    await this.#perform(batch);
    for (const key of keys) this.#underWay.delete(key);
    if (this.#waiting.length > 0 && !this.#isGathering) void this.#begin();
  }

  async #perform(batch: readonly Member<I, T>[]): Promise<void> {
    const [shares, senders] = [batch.map(({ share }) => share), batch.map(({ sender }) => sender)];
    const perform = () => sentForAll(senders, () => this.rule.perform(batch));
    await Share.together(shares, perform).catch((error) => {
      for (const share of shares) share.reject(error);
    });
  }

  /** Waits for items that are about to come. */
  async #gather(): Promise<void> {
    const latest = performance.now() + gatherMs;
    for (;;) {
      await sleep(1);
      const { isFull, quietMs, sinceLastMs } = this.pace;
      if (isFull || sinceLastMs >= quietMs || performance.now() >= latest) return;
      await sleep(quietMs - sinceLastMs);
    }
  }

  /** Takes the items of the next batch. */
  #next(): Member<I, T>[] {
    const { keysOf, largest } = this.rule;
    const batch: Member<I, T>[] = [];
    const inBatch = new Set<string>();
    this.#waiting = this.#waiting.filter((member) => {
      if (member.share.isOver) return false;
      const keys = keysOf(member.item);
      if (batch.length === largest || keys.some((key) => inBatch.has(key) || this.#underWay.has(key)))
        return true;
      for (const key of keys) inBatch.add(key);
      batch.push(member);
      return false;
    });
    return batch;
  }
}
