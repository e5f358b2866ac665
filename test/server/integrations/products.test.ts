import { addIntegration, installWithToken } from "../../support/integrations";
import { useTestServer } from "../../support/world";

const world = useTestServer();

it("an installed integration has no products", async () => {
  await addIntegration(world, ["integration-configuration"]);
  const { id, token } = await installWithToken(world);
  const read = (configuration: string, options: object = {}) =>
    world.call("GET", `/v1/integrations/configuration/${configuration}/products`, options);
  const { body } = await read(id);
  expect(body).toEqual({
    integration: { id: "oac_cron", slug: "cron", name: "Cron" },
    configuration: { id },
    products: [],
  });
  expect((await read(id, { token })).body).toEqual(body);
  expect((await read("icfg_none")).status).toBe(404);
});
