/**
 * The largest length of a message. Messages that list the allowed values are shorter. A limit is needed because a
 * message may repeat a value as long as a body, and the list of requests keeps messages.
 */
const longestMessage = 5000;

/**
 * An error answer that the API defines. Any other error that a handler throws is a bug and becomes a 500. The client
 * gets the message unchanged, so it must not contain a secret.
 */
export class Refusal extends Error {
  override readonly name = "Refusal";

  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    /** Further members of the error object. */
    readonly extra: Record<string, unknown> = {},
    /** Members beside `error` in the body. */
    readonly beside: Record<string, unknown> = {},
    readonly headers: Record<string, string> = {},
  ) {
    super(message.length > longestMessage ? `${message.slice(0, longestMessage).toWellFormed()}…` : message);
  }

  /** The error body. @source wire-shapes 1 */
  get body(): Record<string, unknown> {
    return { error: { code: this.code, message: this.message, ...this.extra }, ...this.beside };
  }
}

export const badRequest = (message: string): Refusal => new Refusal(400, "bad_request", message);

export const notFound = (what: string): Refusal => new Refusal(404, "not_found", `${what} was not found.`);

/** A row of the specification's list of refusals: status, code, message, when it holds, and more error members. */
export type RefusalRow<C> = readonly [
  status: number,
  code: string,
  message: string | ((call: C) => string),
  holds: (call: C) => boolean | Promise<boolean>,
  extra?: (call: C) => Record<string, unknown>,
];

/** @throws Refusal of the first row that holds for a call */
export async function refuseIf<C>(rows: readonly RefusalRow<C>[], call: C): Promise<void> {
  for (const [status, code, message, holds, extra] of rows) {
    if (await holds(call)) {
      const text = typeof message === "string" ? message : message(call);
      throw new Refusal(status, code, text, extra?.(call));
    }
  }
}

/** The refusal of a request beyond a rate limit. */
export class LimitRefusal extends Refusal {
  constructor(
    private readonly limitName: string,
    message: string,
    private readonly quota: { total: number; resetsAt: number },
    headers: Record<string, string>,
  ) {
    const { total, resetsAt } = quota;
    const limit = { remaining: 0, reset: Math.ceil(resetsAt / 1000), resetMs: resetsAt, total };
    super(429, "rate_limited", message, { limit }, {}, headers);
  }

  /** The refusal as the hosted API answers it: its code is the name of the limit. */
  named(): Refusal {
    const { total, resetsAt: reset } = this.quota;
    return new Refusal(
      429,
      this.limitName,
      this.message,
      { limit: { total, remaining: 0, reset } },
      {},
      this.headers,
    );
  }
}
