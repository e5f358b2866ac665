import type { Plain } from "../../provider/values";
import { given, operations } from "./operations";
import { type World, world } from "./stack";

let w: World;
let elsewhere: World;
beforeAll(async () => {
  [w, elsewhere] = await Promise.all([world(), world()]);
});
beforeEach(async () => {
  await w.server.control.reset();
  await w.server.control.seed({
    ...given,
    teams: [{ slug: "beta", members: [{ user: "dev", role: "OWNER" }] }],
  });
});
afterAll(() => Promise.all([w.close(), elsewhere.close()]));

const created = operations.filter(({ name }) => name.endsWith(": create"));

it.each(created)(
  "$name: another account or address refreshes, updates and deletes nothing, and says so",
  async ({ resource, prepare, inputs }) => {
    const prepared: Plain = (await prepare?.(w)) ?? {};
    const stack = w.stack(resource);
    const declared = inputs?.(prepared) ?? {};
    await stack.up(declared);
    const { now: _, ...before } = await w.server.control.snapshot();
    const state = JSON.stringify([stack.id, stack.state]);
    for (const [client, says] of [
      [w.another({ team: "beta" }), /made in another account.*SLIPWAY_TEAM/],
      [w.another({ team: "" }), /made in another account.*SLIPWAY_TEAM/],
      [elsewhere.another(), /made at another address.*SLIPWAY_API_URL/],
    ] as const) {
      await expect(stack.refresh(client)).rejects.toThrow(says);
      await expect(stack.destroy(client)).rejects.toThrow(says);
      const update = resource.update(client, () => {}, stack.id, stack.state, declared);
      await expect(update).rejects.toThrow(says);
    }
    expect(JSON.stringify([stack.id, stack.state])).toBe(state);
    const { now: __, ...after } = await w.server.control.snapshot();
    expect(after).toEqual(before);
  },
);
