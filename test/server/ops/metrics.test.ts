import { useWorld } from "../../support/world";

const world = useWorld();
const read = async (): Promise<string> =>
  (await world.call("GET", "/metrics", { token: null, team: null })).body;

describe("the metrics", () => {
  it("count requests by method, route and status, and need no token", async () => {
    await world.call("POST", "/v10/projects", { body: { name: "secret-name" } });
    for (let i = 0; i < 3; i++) await world.call("GET", "/v9/projects/secret-name");
    await world.call("GET", "/v9/projects/nothing");
    const text = await read();
    expect(text).toContain('slipway_requests_total{method="GET",route="/projects/:idOrName",status="200"} 3');
    expect(text).toContain('slipway_requests_total{method="GET",route="/projects/:idOrName",status="404"} 1');
    expect(text).toContain('slipway_request_duration_seconds_count{method="POST",route="/projects"} 1');
    expect(text).not.toContain("secret-name");
  });

  it("take paths that there are not for one", async () => {
    await world.call("GET", "/v9/one");
    await world.call("GET", "/v9/two");
    expect(await read()).toContain('slipway_requests_total{method="GET",route="unknown",status="404"} 2');
  });

  it("tell what waits for delivery", async () => {
    expect(await read()).toContain('slipway_deliveries{state="waiting"} 0');
  });
});
