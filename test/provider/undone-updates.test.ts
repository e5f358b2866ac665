import type { Plain } from "../../provider/core/values";
import { put, withKnown } from "./fields/paths";
import { type Harness, type Stack, startHarness } from "./stack";
import { subjects } from "./subjects";

let w: Harness;
beforeAll(async () => {
  w = await startHarness();
});
afterAll(() => w.close());
beforeEach(async () => {
  await w.server.control.reset();
  await w.server.control.changeTeam("acme", { plan: "enterprise" });
  await w.server.control.seed({
    gitProviders: [{ team: "acme", type: "github", repos: ["acme/web", "acme/other", "acme/api"] }],
  });
});

const updated = subjects.flatMap((subject) =>
  subject.rows
    .filter(({ changed }) => changed === "update")
    .map((row) => [`${subject.resource.type}.${row.path}`, subject, row] as const),
);

it.each(updated)(
  "%s gets its former value back after an update that may have taken effect",
  async (_name, subject, row) => {
    const { given, known = {} } = await subject.prepare(w);
    const inputs = (value: unknown): Plain =>
      put(withKnown({ ...given, ...row.given }, known) as Plain, row.path, withKnown(value, known)) as Plain;
    const stack = w.stack(subject.resource);
    await stack.up(inputs(row.first));

    await updateWithoutAnswer(stack, inputs(row.second));
    stack.use(w.another());
    await stack.up(inputs(row.first));
    const there = await subject.look(w, stack.id);
    expect(there).toMatchObject(row.shown(withKnown(row.first, known)));
  },
);

/** Each request that changes something takes effect, and its answer is lost. */
async function updateWithoutAnswer(stack: Stack, inputs: Plain): Promise<void> {
  stack.use(w.another({ times: { attempts: 1 } }));
  for (const method of ["POST", "PUT", "PATCH", "DELETE"])
    for (let segments = 1; segments <= 8; segments++)
      await w.server.control.addFaults({
        method,
        path: "/:any".repeat(segments),
        kind: "drop-after",
        times: 1_000,
      });
  await stack.up(inputs).catch(() => {});
  await w.server.control.clearFaults();
}
