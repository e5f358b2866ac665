import type { IncomingMessage } from "node:http";
import type { Account, Caller } from "../access/caller";

/** A request that was answered, for whoever keeps account of requests. */
export interface Exchange {
  readonly request: IncomingMessage;
  /** As it was sent, without the query. */
  readonly path: string;
  /** Path of the route that answered, without a version; undefined: there was none. */
  readonly route: string | undefined;
  readonly requestId: string;
  readonly status: number;
  /** From the request's head to the end of its answer. */
  readonly ms: number;
  readonly caller: Caller | undefined;
  readonly account: Account | undefined;
  /** Id or name of the project that the path names. */
  readonly projectKey: string | undefined;
  /** What was answered in place of what was asked for. */
  readonly refusal?: { code: string; message: string } | undefined;
}

/** How the parts of a server take part in every request, whether it is routed or answered from the cache. */
export class Traffic {
  private readonly observers: ((exchange: Exchange) => void)[] = [];
  private readonly reasons: (() => boolean)[] = [];

  /** @param observer is called once an answer is out */
  onAnswered(observer: (exchange: Exchange) => void): void {
    this.observers.push(observer);
  }

  /** While the condition holds, every request is routed, so that the hooks of the parts see it first. */
  routeWhile(condition: () => boolean): void {
    this.reasons.push(condition);
  }

  get mustRoute(): boolean {
    return this.reasons.some((holds) => holds());
  }

  answered(exchange: Exchange): void {
    for (const observe of this.observers) observe(exchange);
  }
}
