import { isDeepStrictEqual } from "node:util";

/** An answer that a statement does not allow. */
export class Failure extends Error {}
/** Thrown by a check that the account does not allow, such as a setting that its plan does not have. */
export class Skipped extends Error {}

/**
 * A check of statements over HTTP.
 * @param {string} ids the ids of the statements, separated by commas
 * @param {(t: Checker) => Promise<void>} run
 */
export const check = (ids, run) => ({ ids: ids.split(", "), run });

/** The statuses with which an account without the plan or the permission for a setting refuses it. */
const refusals = [402, 403, 428];

/** The requests of a check, and expectations that throw a `Failure`. */
export class Checker {
  /** The differences between the profiles that the check has met, by the ids of docs/differences.md. */
  differences = new Set();

  /** @param web a project that all checks share */
  constructor(session, web) {
    Object.assign(this, { session, web });
  }

  request(method, path, options) {
    return this.session.request(method, path, options);
  }

  /** Creates a project. Every status of success is accepted, so that only the check of this status fails. */
  async project(settings = {}) {
    const body = { name: this.session.name(), ...settings };
    const answer = await this.request("POST", "/v10/projects", { body });
    return answer.status < 300 ? answer.body : this.status(answer, 200);
  }

  /** Sends a request, and returns the body of the answer. */
  async ok(method, path, options = {}, status = 200) {
    return this.status(await this.request(method, path, options), status).body;
  }

  /**
   * Expects a status, and a code if it is given.
   * @param {{ difference: string, status: number, code?: string }} [hosted] how the hosted API is known to answer
   */
  status(answer, status, code, hosted) {
    const matches = (expected) =>
      answer.status === expected.status &&
      (expected.code === undefined || answer.body?.error?.code === expected.code);
    if (matches({ status, code })) return answer;
    if (hosted && matches(hosted)) {
      this.differences.add(hosted.difference);
      return answer;
    }
    const found = [answer.status, answer.body?.error?.code].filter((part) => part !== undefined).join(" ");
    throw new Failure(
      `${answer.request} answers ${found} instead of ${[status, code].filter((part) => part !== undefined).join(" ")}`,
    );
  }

  /** Sends a request, and expects a refusal. */
  async refused(method, path, options, status, code, hosted) {
    const answer = await this.request(method, path, options);
    this.status(answer, status, code, hosted);
    const { error } = answer.body ?? {};
    this.that(
      typeof error?.code === "string" && typeof error.message === "string",
      `${answer.request}: the error has no code and message`,
    );
    return answer;
  }

  /** Skips the check if the plan of the account does not allow a setting. */
  allowed(answer) {
    if (refusals.includes(answer.status)) throw new Skipped(`the account refuses it (${answer.status})`);
    return this.status(answer, 200).body;
  }

  that(isTrue, message) {
    if (!isTrue) throw new Failure(message);
  }

  same(found, expected, what) {
    this.that(isDeepStrictEqual(found, expected), `${what} has another value than expected`);
  }

  /** @param {Record<string, string>} types types by member, such as `string` or `string|null`; `?` allows absence */
  types(value, types, what) {
    for (const [member, names] of Object.entries(types)) {
      const type = typeOf(value?.[member]);
      const allowed = names.replace("?", "absent|").split("|");
      this.that(allowed.includes(type), `${what}.${member} is ${type} instead of ${allowed.join(" or ")}`);
    }
  }
}

const typeOf = (value) =>
  value === undefined ? "absent" : value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
