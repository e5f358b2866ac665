import * as z from "zod";
import { Client } from "../../../provider/client/client";
import { sentFor } from "../../../provider/client/sender";
import { type Host, startHost } from "../host";
import { type Harness, startHarness } from "../stack";

let w: Harness;
let host: Host;

beforeAll(async () => {
  w = await startHarness();
  host = await startHost({
    SLIPWAY_API_URL: w.server.url,
    SLIPWAY_TOKEN: w.server.token,
    SLIPWAY_TEAM: "acme",
  });
  await host.configure({});
});
afterAll(async () => {
  await host.close();
  await w.close();
});

it("each request says which resource sent it, and the server's log of requests shows it", async () => {
  await host.create("Project", { name: "web" });
  await host.create("EnvVar", { project: "web", key: "K", value: "v", target: ["production"] });
  const requests = await w.server.control.requests();
  const sender = (path: string) =>
    requests.find((one) => one.method === "POST" && one.path === path)?.resource;
  expect(sender("/v10/projects")).toBe("Project");
  expect(
    requests.find(({ method, path }) => method === "POST" && /\/env$/.test(String(path)))?.resource,
  ).toBe("EnvVar");
  const runs = new Set(requests.filter(({ resource }) => resource === "EnvVar").map(({ run }) => run));
  expect([...runs]).toEqual([expect.stringMatching(/^[0-9a-f]{8}$/)]);
});

it("a logical name of any letters comes through as it is", async () => {
  const client = new Client({ apiUrl: w.server.url, token: w.server.token, team: "acme" });
  await sentFor("Project größe:\r\n1", () => client.get("/v9/projects/other", z.unknown())).catch(() => {});
  await client.close();
  const [request] = await w.server.control.requests();
  expect(request).toMatchObject({
    path: "/v9/projects/other",
    status: 404,
    code: "not_found",
    resource: "Project größe:\r\n1",
  });
});
