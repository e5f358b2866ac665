import { type Generation, nameless, type Sdk } from "./generations";
import { type Operation, operations } from "./operations";

// biome-ignore lint/suspicious/noExplicitAny: a test says by its expectations what the answer is
export type Answered = any;

interface Refused {
  status: number;
  code: string;
}

/** One generation of the SDK, with a person's or an installation's token, towards one server. */
export class Client {
  /** Status and text of the last answer, as they came. */
  private last = { status: 0, text: "" };
  private readonly connection: object;

  constructor(
    readonly generation: Generation,
    private readonly sdk: Sdk,
    private readonly url: string,
    token: string | undefined,
    /** The operations that succeeded, with whatever token. */
    readonly succeeded: Set<Operation> = new Set(),
    alter: (body: string) => string = (body) => body,
  ) {
    this.connection = sdk.connect({
      url,
      token,
      fetch: async (input, init) => {
        const response = await fetch(input, init);
        const text = await response.text();
        this.last = { status: response.status, text };
        const { status, headers } = response;
        return new Response(status === 204 ? null : alter(text), { status, headers });
      },
    });
  }

  /**
   * The last answer as it came. Where an SDK takes one of several shapes, it keeps no more than the first one that
   * fits, which may be the one without any members.
   */
  get body(): Answered {
    return JSON.parse(this.last.text);
  }

  has(operation: Operation): boolean {
    return operations[operation].includes(this.generation);
  }

  /** The same with another token. `undefined`: with none. */
  as(token: string | undefined): Client {
    return new Client(this.generation, this.sdk, this.url, token, this.succeeded);
  }

  /** The same behind somebody who changes answers. */
  altering(alter: (body: string) => string, token: string): Client {
    return new Client(this.generation, this.sdk, this.url, token, new Set(), alter);
  }

  /** Calls in the name of the team `acme`, unless the request names an account. @returns what the SDK made of the answer */
  async call(operation: Operation, request: object = {}): Promise<Answered> {
    const result = await this.send(operation, request);
    if (result.ok) {
      this.succeeded.add(operation);
      return result.value;
    }
    throw new Error(`${this.generation}: ${operation}: ${describe(result.error)}\n${this.last.text}`);
  }

  /** Calls, and is refused in the way that the SDK understands. @throws what else comes of it */
  async refused(operation: Operation, request: object = {}): Promise<Refused> {
    const result = await this.send(operation, request);
    if (result.ok) throw new Error(`${this.generation}: ${operation} was not refused\n${this.last.text}`);
    const { status, text } = this.last;
    const { code } = JSON.parse(text).error;
    const expected = this.operation(operation).errorClass(status);
    const { error } = result;
    if (error.constructor.name === expected || this.wantsOneText(error, expected)) return { status, code };
    throw new Error(`${this.generation}: ${operation}: not a ${expected}, but ${describe(error)}\n${text}`);
  }

  /**
   * k3 holds the bodies of 400 and 404 against one code and one message, word for word. The specification gives
   * no body, the service itself has many codes and messages there, and later generations take any. So for k3,
   * and for these two classes, exactly that difference is not the server's fault, and nothing besides.
   */
  private wantsOneText(error: Error, expected: string): boolean {
    const wording = ["VercelBadRequestError", "VercelNotFoundError"];
    if (this.generation !== "k3" || !wording.includes(expected)) return false;
    const { issues = [] } = (error.cause ?? {}) as { issues?: { code: string; path: string[] }[] };
    return (
      issues.length > 0 &&
      issues.every(
        ({ code, path }) =>
          code === "invalid_literal" && ["error.code", "error.message"].includes(path.join(".")),
      )
    );
  }

  private operation(operation: Operation) {
    const [method = "", path = ""] = operation.split(" ");
    const found = this.sdk.operations.get(nameless(method, path));
    if (!found) throw new Error(`${this.generation} has no ${operation}`);
    return found;
  }

  private send(operation: Operation, request: object) {
    const { call } = this.operation(operation);
    // The one operation that is about no account takes options in the place of a request.
    if (operation === "GET /v2/user") return call(this.connection);
    return call(this.connection, { ...("teamId" in request ? {} : { slug: "acme" }), ...request });
  }
}

/** Errors of validation can tell what is wrong, and where. */
function describe(error: Error & { pretty?: () => string }): string {
  return `${error.constructor.name}: ${error.pretty?.() ?? error.message}`;
}
