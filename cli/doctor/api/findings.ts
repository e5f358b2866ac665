import { isPlain } from "../../../provider/core/values";
import { type SchemaDifference, schemaDifferences } from "./schema";

export const differenceKinds = [
  ...schemaDifferences,
  "status",
  "error code",
  "other object",
  "contradiction",
  "order",
  "pages",
  "not JSON",
  "content type",
] as const;

/** Whose expectation an answer does not meet. */
export const expecting = ["provider", "server"] as const;
export type Expecting = (typeof expecting)[number];

export interface Difference {
  /** Such as `GET /v9/projects/{idOrName}`. */
  operation: string;
  /** The place in the answer; "" for the answer as a whole. A key of a map is `*`. */
  member: string;
  difference: (typeof differenceKinds)[number];
  expected: string;
  found: string;
  /** `provider`: the provider cannot read the answer. `server`: the bundled server answers otherwise. */
  differsFrom: Expecting[];
  /** The number of times that the difference occurs. */
  count: number;
}

export type FoundDifference = Omit<SchemaDifference, "kind"> & { kind: Difference["difference"] };

export interface Unread {
  operation: string;
  kind: string;
  reason: string;
}

/** Other names are not printed, since they may be keys of a map. */
const memberName = /^[A-Za-z_$][\w$-]{0,63}$/;
/** An object with more unknown members is taken for a map, whose keys may be names of the user. */
const mostUnknown = 25;

/** Collects what a comparison finds. It keeps no value of an answer after `list` and `report` have used it. */
export class Findings {
  readonly #differences = new Map<string, Difference & { name: string | undefined }>();
  readonly #unread = new Map<string, Unread>();
  readonly #compared = new Set<string>();
  readonly #lists = new Map<string, boolean>();
  /** All texts in the answers. A member whose name is one of them may be the key of a map. */
  readonly #texts = new Set<string>();

  add(
    operation: string,
    { kind, member, name, expected, found }: FoundDifference,
    differsFrom: Expecting,
  ): void {
    const key = JSON.stringify([operation, kind, member, name, found]);
    const known = this.#differences.get(key);
    if (!known) {
      const row = {
        operation,
        member,
        difference: kind,
        expected,
        found,
        differsFrom: [differsFrom],
        count: 1,
      };
      this.#differences.set(key, { ...row, name });
      return;
    }
    if (known.differsFrom[0] === differsFrom) known.count++;
    else if (!known.differsFrom.includes(differsFrom)) known.differsFrom.push(differsFrom);
  }

  addUnread(operation: string, kind: string, reason: string): void {
    this.#unread.set(`${operation} ${reason}`, { operation, kind, reason });
  }

  addCompared(operation: string, body: unknown): void {
    this.#compared.add(operation);
    this.#collectTexts(body);
  }

  /** Records whether a list has objects. */
  addList(kind: string, hasObjects: boolean): void {
    this.#lists.set(kind, hasObjects || (this.#lists.get(kind) ?? false));
  }

  report(): { compared: string[]; differences: Difference[]; unread: Unread[]; withoutObjects: string[] } {
    return {
      compared: [...this.#compared].sort(),
      differences: this.#shownDifferences().sort(
        (a, b) => compareTexts(a.operation, b.operation) || compareTexts(a.member, b.member),
      ),
      unread: [...this.#unread.values()].sort((a, b) => compareTexts(a.operation, b.operation)),
      withoutObjects: [...this.#lists.keys()].filter((kind) => !this.#lists.get(kind)).sort(),
    };
  }

  /** Names unknown members, unless their names may be keys of a map. */
  #shownDifferences(): Difference[] {
    const rows = [...this.#differences.values()];
    const unknown = Map.groupBy(
      rows.filter(({ name }) => name !== undefined),
      ({ operation, member }) => `${operation} ${member}`,
    );
    const shown = new Map<string, Difference>();
    for (const { name, ...row } of rows) {
      const isMap = (unknown.get(`${row.operation} ${row.member}`)?.length ?? 0) > mostUnknown;
      const isShown = name !== undefined && !isMap && memberName.test(name) && !this.#texts.has(name);
      const member = isShown ? row.member.replace(/\*$/, name) : row.member;
      const key = JSON.stringify([row.operation, row.difference, member, row.found]);
      const same = shown.get(key);
      if (same) same.count += row.count;
      else shown.set(key, { ...row, member });
    }
    return [...shown.values()];
  }

  #collectTexts(value: unknown): void {
    if (typeof value === "string") this.#texts.add(value);
    else if (Array.isArray(value)) for (const item of value) this.#collectTexts(item);
    else if (isPlain(value)) for (const member of Object.values(value)) this.#collectTexts(member);
  }
}

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
