import type { Plain } from "../../provider/core/values";
import { envVars } from "../../provider/resources/env-vars";
import { given, operations } from "./operations";
import { type Stack, type World, world } from "./stack";

let w: World;
beforeAll(async () => {
  w = await world();
});
beforeEach(async () => {
  await w.server.control.reset();
  await w.server.control.seed(given);
});
afterAll(() => w.close());

const adopting = operations.filter(({ name }) => name.endsWith(": adopt"));

/** A resource that has the object, and what declares it for another one that adopts it. */
async function owned(
  operation: (typeof operations)[number],
): Promise<{ owner: Stack; heir: Stack; declared: Plain }> {
  await operation.prepare?.(w);
  const declared = operation.inputs?.({}) ?? {};
  const owner = w.stack(operation.resource);
  // Each run has a process of its own.
  owner.use(w.another());
  await owner.up(declared);
  const run = w.another();
  owner.use(run);
  const heir = w.stack(operation.resource);
  heir.use(run);
  return { owner, heir, declared };
}

it.each(adopting)("$name: what another resource has just taken over is not removed", async (operation) => {
  const { owner, heir, declared } = await owned(operation);
  // As when a resource gets another name in the program: the new one is made, then the old one removed.
  await heir.up(declared);
  await owner.destroy();
  heir.use(w.another());
  expect(await heir.refresh()).toBe(true);
  expect(await heir.up(declared)).toBe("same");
  // A later run removes it as ever.
  await heir.destroy(w.another());
  expect(await heir.refresh(w.another()).catch(() => false)).toBe(operation.resource === envVars);
});

it.each(adopting)("$name: two do not adopt the same", async (operation) => {
  const { declared } = await owned(operation);
  const both = [w.stack(operation.resource), w.stack(operation.resource)];
  const run = w.another();
  for (const stack of both) stack.use(run);
  const ups = await Promise.allSettled(both.map((stack) => stack.up(declared)));
  expect(ups.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
});
