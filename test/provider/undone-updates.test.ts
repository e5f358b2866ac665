import type { Plain } from "../../provider/core/values";
import { firstOfEach } from "../support/slices";
import { freshAccount } from "./fields/common";
import { inputsWith, withKnown } from "./fields/paths";
import { type Harness, startHarness } from "./stack";
import type { Row, Subject } from "./subject";
import { subjects } from "./subjects";

let w: Harness;
beforeAll(async () => {
  w = await startHarness();
});
afterAll(() => w.close());
beforeEach(() => freshAccount(w));

const updated = subjects.flatMap((subject) =>
  subject.rows
    .filter(({ changed }) => changed === "update")
    .map((row) => [`${subject.resource.type}.${row.path}`, subject, row] as const),
);

/**
 * A rule that only the lost update has added stays until a refresh has shown it, because it may be somebody else's: the
 * resource removes only what its state has.
 */
const staying = [
  ...["rules", "ipRules", "ipRules[].ip", "ipRules[].hostname"].map((path) => `FirewallConfig.${path}`),
  ...["redirects", "redirects[].source"].map((path) => `BulkRedirects.${path}`),
];
const undone = updated.filter(([name]) => !staying.includes(name));

/** The rows of a resource whose values have the same type are alike. */
const kindOf = ([, { resource }, { first }]: (typeof updated)[number]): string =>
  `${resource.type} ${Array.isArray(first) ? "list" : typeof first}`;

it.each(firstOfEach(undone, kindOf))(
  "%s gets its former value back after an update that may have taken effect",
  async (_name, ...of) => {
    const story = { before: "first", lost: "second", kind: "drop-after" } as const;
    const { after, shown } = await lives(of, of[1].first, story);
    expect(after).toMatchObject(shown);
  },
);

const added = updated.filter(([, , { cleared }]) => cleared === "update");

/** Inputs without a default, which keep their value, and one that shows its default. */
const others = [
  "Project.nodeVersion",
  "Project.autoAssignCustomDomainsUpdatedBy",
  "Project.gitProviderOptions",
];
/** A member of an input keeps its value. */
const reset = added.filter(
  ([name, , { path }]) => !path.includes(".") && ![...others, ...staying].includes(name),
);

it.each(firstOfEach(reset, kindOf))(
  "%s is cleared after an update that may have added it",
  async (_name, ...of) => {
    const story = { before: "nothing", lost: "first", kind: "drop-after" } as const;
    const { before, after } = await lives(of, undefined, story);
    if (!isWithout(of[1], before, after)) expect(after).toEqual(before);
  },
);

it.each(firstOfEach(added, kindOf))(
  "%s is sent after a refresh when the update that added it was lost",
  async (_name, ...of) => {
    const story = { before: "nothing", lost: "first", kind: "drop-before", refreshes: true } as const;
    const { after, shown } = await lives(of, of[1].first, story);
    expect(after).toMatchObject(shown);
  },
);

interface Story {
  /** The value that is declared at first. */
  before: "first" | "nothing";
  /** The value that is declared by an update whose requests get no answer. */
  lost: "first" | "second";
  /** With `drop-after`, the requests take effect. */
  kind: "drop-before" | "drop-after";
  refreshes?: true;
}

/** True if the service shows no value where the program declares none: a cleared one, or the same as before. */
function isWithout(row: Row, before: Plain, after: Plain): boolean {
  const cleared = row.shown(undefined);
  const pick = (values: Plain): Plain =>
    Object.fromEntries(Object.keys(cleared).map((key) => [key, values[key] || null]));
  return [cleared, before].some((expected) => {
    try {
      expect(pick(after)).toMatchObject(pick(expected));
      return true;
    } catch {
      return false;
    }
  });
}

/** Updates an object, loses the answers, and updates it again. @param last the last value of the row, if it has one */
async function lives(
  [subject, row]: [Subject, Row],
  last: unknown,
  { before: first, lost, kind, refreshes }: Story,
): Promise<{ before: Plain; after: Plain; shown: Plain }> {
  const prepared = await subject.prepare(w);
  const inputs = inputsWith(row, prepared);
  const stack = w.stack(subject.resource);
  await stack.up(inputs(first === "first" ? row.first : undefined));
  const before = await subject.look(w, stack.id, stack.state);

  stack.use(w.another({ times: { attempts: 1 } }));
  const paths = Array.from({ length: 8 }, (_, at) => "/:any".repeat(at + 1));
  const writes = ["POST", "PUT", "PATCH", "DELETE"].flatMap((method) =>
    paths.map((path) => ({ method, path, kind, times: 1_000 })),
  );
  await w.server.control.addFaults(...writes);
  await stack.up(inputs(row[lost])).catch(() => {});
  await w.server.control.clearFaults();

  if (refreshes) expect(await stack.refresh(w.another())).toBe(true);
  stack.use(w.another());
  await stack.up(inputs(last));
  const after = await subject.look(w, stack.id, stack.state);
  return { before, after, shown: row.shown(withKnown(last, prepared.known ?? {})) };
}
