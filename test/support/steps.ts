import { Session } from "node:inspector/promises";
import { GCProfiler, getHeapStatistics } from "node:v8";

/** The work of a call, in units that do not depend on the speed of the machine. */
export interface Work {
  /** How many blocks of JavaScript ran: function bodies, branches and rounds of loops. */
  blocks: number;
  /** The memory that was allocated. Copies by built-in functions show here alone. */
  bytes: number;
}

/** Counts the work of calls in this process. Close it after use. */
export class StepCounter {
  private readonly session = new Session();

  static async open(): Promise<StepCounter> {
    const counter = new StepCounter();
    counter.session.connect();
    await counter.session.post("Profiler.enable");
    await counter.session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
    return counter;
  }

  /** Forgets the work since the last count: to read it takes as long as many requests, so a count does not. */
  async reset(): Promise<void> {
    await this.takeBlocks();
  }

  /** Counts the work since the end of the last count or reset: what a caller does in between has to be little. */
  async count(call: () => Promise<unknown>): Promise<Work> {
    const collections = new GCProfiler();
    collections.start();
    let used = getHeapStatistics().used_heap_size;
    await call();
    const usedAfter = getHeapStatistics().used_heap_size;
    let bytes = 0;
    for (const { beforeGC, afterGC } of collections.stop()?.statistics ?? []) {
      bytes += beforeGC.heapStatistics.usedHeapSize - used;
      used = afterGC.heapStatistics.usedHeapSize;
    }
    return { blocks: await this.takeBlocks(), bytes: bytes + usedAfter - used };
  }

  /** The blocks that ran since the last call. */
  private async takeBlocks(): Promise<number> {
    const { result } = await this.session.post("Profiler.takePreciseCoverage");
    let blocks = 0;
    for (const { functions } of result)
      for (const { ranges } of functions) for (const { count } of ranges) blocks += count;
    return blocks;
  }

  async close(): Promise<void> {
    await this.session.post("Profiler.stopPreciseCoverage");
    this.session.disconnect();
  }
}
