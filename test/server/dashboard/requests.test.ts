import { useTestServer } from "../../support/world";

const world = useTestServer("memory", { dashboard: true });

it.each(["null", "1", "[", '"code"'])(
  "a body %s that is no object is refused without a failure",
  async (payload) => {
    const { statusCode } = await world.app.inject({
      method: "POST",
      url: "/_dashboard/open",
      headers: { "x-slipway-dashboard": "1", host: "localhost" },
      payload,
    });
    expect(statusCode).toBe(400);
  },
);
