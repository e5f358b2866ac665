import { Session } from "node:inspector/promises";
import { basename } from "node:path";
import { GCProfiler, getHeapStatistics } from "node:v8";

/** The first of the files that Jest loads for each test file. */
const setupFile = "/test/support/own-sockets.cjs";
const thisFile = "/test/support/steps.ts";

/** The work of a call, in units that do not depend on the speed of the machine. */
export interface Work {
  /** How many blocks of JavaScript ran: function bodies, branches and rounds of loops. */
  blocks: number;
  /** The memory that was allocated. Copies by built-in functions show here alone. */
  bytes: number;
  /** The files that ran the most blocks, with their numbers. */
  most: string[];
}

/** Counts the work of calls in this process. Close it after use. */
export class StepCounter {
  private readonly session = new Session();
  private firstScript = 0;

  static async open(): Promise<StepCounter> {
    const counter = new StepCounter();
    counter.session.connect();
    // Jest loads it again for each test file, before all others.
    counter.session.on("Debugger.scriptParsed", ({ params: { url, scriptId } }) => {
      if (url.endsWith(setupFile)) counter.firstScript = Math.max(counter.firstScript, Number(scriptId));
    });
    await counter.session.post("Debugger.enable");
    await counter.session.post("Debugger.disable");
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
    return { ...(await this.takeBlocks()), bytes: bytes + usedAfter - used };
  }

  /**
   * The blocks that ran since the last call, in scripts of this test file, except this one: it goes over the scripts of
   * all files that the process has run, which are many at the end of a long run.
   */
  private async takeBlocks(): Promise<Pick<Work, "blocks" | "most">> {
    const { result } = await this.session.post("Profiler.takePreciseCoverage");
    const own = result
      .filter(({ scriptId, url }) => Number(scriptId) >= this.firstScript && !url.endsWith(thisFile))
      .map(({ url, functions }) => {
        let blocks = 0;
        for (const { ranges } of functions) for (const { count } of ranges) blocks += count;
        return { url, blocks };
      })
      .sort((a, b) => b.blocks - a.blocks);
    return {
      blocks: own.reduce((sum, { blocks }) => sum + blocks, 0),
      most: own.slice(0, 3).map(({ url, blocks }) => `${basename(url)}: ${blocks}`),
    };
  }

  async close(): Promise<void> {
    await this.session.post("Profiler.stopPreciseCoverage");
    this.session.disconnect();
  }
}
