import * as z from "zod";
import { isPlain } from "../../../provider/core/values";
import type { Operation } from "../../objects/operation";
import type { Expecting, Findings, FoundDifference } from "./findings";
import {
  contradictions,
  firstPageProblem,
  type Item,
  itemsIn,
  missingMembers,
  nextIn,
  pageProblems,
  secondPageProblem,
} from "./lists";
import { type Answer, type Reader, TooManyRequests } from "./reader";
import type { Reference } from "./reference";
import { compareWithSchema, type Schema } from "./schema";

type Parameters = Readonly<Record<string, string>>;

/** An object in a list. */
export interface ListedItem {
  list: Operation;
  item: Item;
}

/** The number of objects in a page of a list. */
const pageSize = 20;

/** Statuses that say nothing about the operation: the token, the plan, a limit, or a failure. */
const refusalOfAccess = [401, 402, 403, 428, 429];
const isUnreadable = (status: number): boolean => refusalOfAccess.includes(status) || status >= 500;

/** Reads the objects of an account, and compares each answer with the provider's shapes and the bundled server. */
export class ComparedAccount {
  readonly #schemas = new Map<Operation, Schema>();

  constructor(
    readonly reader: Reader,
    readonly reference: Reference,
    readonly findings: Findings,
    readonly progress: (kind: string) => void,
  ) {}

  /**
   * Reads an object.
   * @param listed the object in a list, with which the object must agree
   * @returns undefined if it could not be read
   */
  async one(
    operation: Operation,
    parameters: Parameters,
    { query = {}, listed }: { query?: Parameters; listed?: ListedItem } = {},
  ): Promise<Item | undefined> {
    const answer = await this.#read(operation, parameters, query);
    if (!isPlain(answer?.body)) return undefined;
    const asked = Object.values(parameters).at(-1);
    if (operation.id !== undefined && answer.body[operation.id] !== asked)
      this.add(operation, {
        ...{ kind: "other object", member: operation.id },
        ...{ expected: "the requested object", found: "another object" },
      });
    if (listed) this.#compareWithListed(operation, answer.body, listed);
    return answer.body;
  }

  #compareWithListed(operation: Operation, read: Item, { list, item }: ListedItem): void {
    const { reference } = this;
    const problems = [
      ...contradictions(item, read),
      ...missingMembers(item, read, reference.optionalMembersOf(operation)),
    ];
    for (const problem of problems) this.add(operation, problem);
    const place = list.items === "" ? "[]." : `${list.items}[].`;
    for (const problem of missingMembers(read, item, reference.optionalMembersOf(list), place))
      this.add(list, problem);
  }

  /** Reads the first page of a list, and checks its order and pages. @returns undefined if it could not be read */
  async list(
    operation: Operation,
    parameters: Parameters = {},
    query: Parameters = {},
  ): Promise<Item[] | undefined> {
    this.progress(operation.kind);
    const { hasLimit } = this.reference.answerTo(operation);
    const answer = await this.#read(operation, parameters, {
      ...query,
      ...(hasLimit && { limit: `${pageSize}` }),
    });
    if (!answer) return undefined;
    const items = itemsIn(operation, answer.body);
    this.findings.addList(operation.kind, items.length > 0);
    for (const problem of pageProblems(operation, answer.body)) this.add(operation, problem);
    if (hasLimit && items.length > 1) await this.#checkPages(operation, parameters, query);
    return items;
  }

  /** Compares how both refuse a request: status and error code. */
  async refusal(
    operation: Operation,
    parameters: Parameters,
    reference: { parameters: Parameters; query?: Parameters },
  ): Promise<void> {
    const { query = {} } = reference;
    const expected = await this.reference.reader.get(pathOf(operation, reference.parameters), query);
    const found = await this.#get(operation, parameters, query);
    if (!found || found.status === 401 || found.status === 429) return;
    if (found.status !== expected.status) {
      const text = `${expected.status} for ${askedFor(query)}`;
      this.add(operation, { kind: "status", member: "", expected: text, found: `${found.status}` });
      return;
    }
    const [expectedCode, foundCode] = [expected, found].map(codeIn);
    if (expectedCode === foundCode) return;
    this.add(operation, {
      ...{ kind: "error code", member: "error.code", expected: `${expectedCode} for ${askedFor(query)}` },
      // A code that the bundled server does not have is not printed, since it may contain a value.
      found: this.reference.codes.has(foundCode ?? "") ? `${foundCode}` : "another code, or none",
    });
  }

  async #read(operation: Operation, parameters: Parameters, query: Parameters): Promise<Answer | undefined> {
    const answer = await this.#get(operation, parameters, query);
    if (!answer) return undefined;
    const { status, schema } = this.reference.answerTo(operation);
    const name = nameOf(operation);
    if (isUnreadable(answer.status)) {
      this.findings.addUnread(name, operation.kind, `${answer.status}`);
      return undefined;
    }
    this.findings.addCompared(name, answer.body);
    if (answer.status !== status)
      this.add(operation, {
        ...{ kind: "status", member: "", expected: `${status}`, found: `${answer.status}` },
      });
    if (answer.status >= 300) return undefined;
    if (answer.body === undefined) {
      this.add(operation, { kind: "not JSON", member: "", expected: "JSON", found: "no JSON" }, "provider");
      return undefined;
    }
    if (!answer.isJsonType)
      this.add(operation, {
        ...{ kind: "content type", member: "", expected: "application/json", found: "another type" },
      });
    for (const found of compareWithSchema(answer.body, schema, this.reference.definitions))
      this.findings.add(name, found, "server");
    for (const found of compareWithSchema(answer.body, this.#schemaOf(operation)))
      this.findings.add(name, found, "provider");
    return answer;
  }

  async #get(operation: Operation, parameters: Parameters, query: Parameters): Promise<Answer | undefined> {
    try {
      return await this.reader.get(pathOf(operation, parameters), { ...operation.query, ...query });
    } catch (error) {
      if (!(error instanceof TooManyRequests)) throw error;
      this.findings.addUnread(nameOf(operation), operation.kind, "limit of requests");
      return undefined;
    }
  }

  /** The provider's shape as JSON Schema. Its transformations are left out: this is what the provider accepts. */
  #schemaOf(operation: Operation): Schema {
    const known = this.#schemas.get(operation);
    if (known) return known;
    const schema = z.toJSONSchema(operation.shape, { io: "input", unrepresentable: "any" }) as Schema;
    this.#schemas.set(operation, schema);
    return schema;
  }

  /** Reads two pages with one item each. The list has at least two items. */
  async #checkPages(operation: Operation, parameters: Parameters, query: Parameters): Promise<void> {
    const first = await this.#read(operation, parameters, { ...query, limit: "1" });
    if (!first) return;
    const problem = firstPageProblem(operation, first.body);
    if (problem) this.add(operation, problem);
    const next = nextIn(first.body);
    if (problem || next === undefined) return;
    const second = await this.#read(operation, parameters, {
      ...query,
      limit: "1",
      [operation.cursor ?? "until"]: next,
    });
    const repeated = second && secondPageProblem(operation, first.body, second.body);
    if (repeated) this.add(operation, repeated);
  }

  add(operation: Operation, found: FoundDifference, differsFrom: Expecting = "server"): void {
    this.findings.add(nameOf(operation), found, differsFrom);
  }
}

/** The path of a request. The values of the parameters are in the order of the path. */
function pathOf({ path }: Operation, parameters: Parameters): string {
  const values = Object.values(parameters);
  return path.replace(/\{\w+\}/g, () => encodeURIComponent(values.shift() ?? ""));
}

const nameOf = ({ path }: Operation): string => `GET ${path}`;

const askedFor = (query: Parameters): string =>
  Object.keys(query).length > 0 ? "an invalid query" : "an unknown id";

function codeIn({ body }: Answer): string | undefined {
  const error = isPlain(body) ? body.error : undefined;
  return isPlain(error) && typeof error.code === "string" ? error.code : undefined;
}
