import { outbox } from "../../../server/events/outbox";
import { beginning, useTestServer } from "../../support/world";

const world = useTestServer();

it("a change whose event cannot be written is not made", async () => {
  const { body } = await world.call("POST", "/v10/projects", { body: { name: "web" } });
  const before = (await world.control.events()).length;
  const change = world.services.store.write(async (tx) => {
    await tx.updateTable("projects").set({ paused: 1 }).where("id", "=", body.id).execute();
    const emit = outbox({ tx, now: beginning }, { id: body.accountId, kind: "team" }, null);
    // A payload that is no JSON.
    await emit({ type: "project.removed", payload: { size: 1n }, projectId: body.id } as never);
  });
  await expect(change).rejects.toThrow(/BigInt/);
  expect((await world.call("GET", "/v9/projects/web")).body.paused).toBe(false);
  expect(await world.control.events()).toHaveLength(before);
});
