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

/** The rows of a resource whose values have the same type are alike. */
const kindOf = ([, { resource }, { first }]: (typeof updated)[number]): string =>
  `${resource.type} ${Array.isArray(first) ? "list" : typeof first}`;

it.each(firstOfEach(updated, kindOf))(
  "%s gets its former value back after an update that may have taken effect",
  (_name, ...of) => endsWithFirst(of, { before: "first", lost: "second", kind: "drop-after" }),
);

const added = updated.filter(([, , { cleared }]) => cleared === "update");

it.each(firstOfEach(added, kindOf))(
  "%s is sent after a refresh when the update that added it was lost",
  (_name, ...of) =>
    endsWithFirst(of, { before: "nothing", lost: "first", kind: "drop-before", refreshes: true }),
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

/** After a lost update, a run with the first value of a row makes the service have it. */
async function endsWithFirst(
  [subject, row]: [Subject, Row],
  { before, lost, kind, refreshes }: Story,
): Promise<void> {
  const prepared = await subject.prepare(w);
  const inputs = inputsWith(row, prepared);
  const stack = w.stack(subject.resource);
  await stack.up(inputs(before === "first" ? row.first : undefined));

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
  await stack.up(inputs(row.first));
  const there = await subject.look(w, stack.id, stack.state);
  expect(there).toMatchObject(row.shown(withKnown(row.first, prepared.known ?? {})));
}
