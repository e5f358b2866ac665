import { setTimeout as sleep } from "node:timers/promises";
import type { Pace } from "./pace";
import { currentSender, sentForAll } from "./sender";
import { BatchedStep } from "./step-limits";

/** An item of a batch, with the step that waits for it. */
export interface Member<I, T> {
  readonly item: I;
  readonly step: BatchedStep<T>;
  /** The resource of the step. */
  readonly sender: string | undefined;
}

/** How a kind of batch works. */
export interface BatchRule<I, T> {
  /** Sends a batch, and settles the step of each member with its outcome. */
  perform(members: readonly Member<I, T>[]): Promise<void>;
  /** The unique keys of an item. Two items with the same key are never in one batch. */
  keysOf(item: I): readonly string[];
  /** The largest number of items in a batch. */
  largest: number;
}

/** The longest time that a batch waits for further items, in milliseconds. */
const gatherMs = 1_000;

/**
 * Collects the items that steps add at the same time into batches. A batch begins when the engine is not likely to
 * begin another step: when the engine runs as many steps as it can, or has begun no step for a while (see `Pace`).
 */
export class Batches<I, T> {
  #waiting: Member<I, T>[] = [];
  #isGathering = false;
  /** The keys of the items in progress. */
  readonly #underWay = new Set<string>();

  constructor(
    private readonly rule: BatchRule<I, T>,
    private readonly pace: Pace,
  ) {}

  /** Adds an item to the next batch. @returns the outcome of this item */
  add(item: I): Promise<T> {
    const step = new BatchedStep<T>();
    this.#waiting.push({ item, step, sender: currentSender() });
    if (!this.#isGathering) void this.#begin();
    return step.outcome;
  }

  /** Begins the next batch, unless every waiting item shares a key with an item in progress. */
  async #begin(): Promise<void> {
    this.#isGathering = true;
    await this.#gather();
    this.#isGathering = false;
    const batch = this.#next();
    if (batch.length === 0) return;
    const keys = batch.flatMap(({ item }) => this.rule.keysOf(item));
    for (const key of keys) this.#underWay.add(key);
    // Items that did not fit into this batch begin the next one.
    if (this.#waiting.length > 0) void this.#begin();
    await this.#perform(batch);
    for (const key of keys) this.#underWay.delete(key);
    if (this.#waiting.length > 0 && !this.#isGathering) void this.#begin();
  }

  async #perform(batch: readonly Member<I, T>[]): Promise<void> {
    const [steps, senders] = [batch.map(({ step }) => step), batch.map(({ sender }) => sender)];
    const perform = () => sentForAll(senders, () => this.rule.perform(batch));
    await BatchedStep.runForAll(steps, perform).catch((error) => {
      for (const step of steps) step.reject(error);
    });
  }

  /** Waits until no further items are likely to be added. */
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
      if (member.step.isOver) return false;
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
