import { hash } from "node:crypto";
import type { FastifyRequest } from "fastify";
import type { Account, Caller } from "./auth";
import type { Store } from "./store/store";

/** The answer to a read, and on whose behalf it was given. */
export interface Answered {
  status: number;
  body: Buffer;
  caller: Caller | undefined;
  account: Account | undefined;
}

/**
 * Answers to reads, kept until something is committed: between two commits the same question by the same
 * caller has the same answer. Only a store that sees every commit can say that nothing changed; over one that
 * several servers share nothing is kept.
 * @param limit bytes of bodies kept at most; when they are reached, all are let go
 */
export class AnswerCache {
  private readonly kept = new Map<string, Answered>();
  private generation: number | undefined;
  private size = 0;

  constructor(
    private readonly store: Pick<Store, "generation">,
    private readonly limit = 16 * 1024 * 1024,
  ) {}

  /** @returns the answer that still holds, or what keeps one that is made from now on */
  find(request: FastifyRequest): Answered | ((answer: Answered) => void) {
    const generation = this.store.generation?.();
    if (generation === undefined) return () => {};
    if (generation !== this.generation) this.clear(generation);
    // Tokens are not kept in the clear, here either.
    const key = hash("sha256", `${request.headers.authorization}\n${request.url}`, "base64");
    return this.kept.get(key) ?? ((answer) => this.keep(key, generation, answer));
  }

  private keep(key: string, generation: number, answer: Answered): void {
    // Something was committed while the answer was made: it may be of before or after.
    if (generation !== this.store.generation?.()) return;
    if (this.size + answer.body.length > this.limit) this.clear(generation);
    this.size += answer.body.length;
    this.kept.set(key, answer);
  }

  private clear(generation: number): void {
    this.kept.clear();
    this.size = 0;
    this.generation = generation;
  }
}
