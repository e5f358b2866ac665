import { StoreError } from "../../../server/store/store";
import { useTestServer } from "../../support/world";

const world = useTestServer();

it("a server whose store cannot be used lives, and is not ready", async () => {
  const logged = jest.spyOn(world.services.log, "error");
  const error = new StoreError("/data/slipway.db: the disk is full");
  jest.spyOn(world.services.store, "check").mockRejectedValueOnce(error);
  const { statusCode, body } = await world.app.inject("/_ready");
  expect([statusCode, JSON.parse(body).status]).toEqual([503, "unavailable"]);
  expect(body).not.toContain("slipway.db");
  expect(logged).toHaveBeenCalledWith({ err: error }, "the store cannot be used");
  expect((await world.app.inject("/_health")).statusCode).toBe(200);
  expect((await world.app.inject("/_ready")).statusCode).toBe(200);
});
