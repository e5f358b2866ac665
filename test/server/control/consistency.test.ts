import { startServer } from "../../../server";
import { useTestServer } from "../../support/world";

const world = useTestServer("memory", { profile: "hosted" });
const names = async (): Promise<string[]> =>
  (await world.call("GET", "/v9/projects")).body.projects.map(({ name }: { name: string }) => name);
const statusOf = async (name: string, options = {}): Promise<number> =>
  (await world.call("GET", `/v9/projects/${name}`, options)).status;
const create = (name: string) => world.call("POST", "/v10/projects", { body: { name } });

beforeEach(() => world.control.setConsistency({ staleMs: 5000 }));

it("a list and an object that were read before a write are as before, until the time has passed", async () => {
  expect([await names(), await statusOf("web")]).toEqual([[], 404]);
  await create("web");
  expect([await names(), await statusOf("web")]).toEqual([[], 404]);
  await world.control.advanceClock(4000);
  expect([await names(), await statusOf("web")]).toEqual([[], 404]);
  await world.control.advanceClock(1000);
  expect([await names(), await statusOf("web")]).toEqual([["web"], 200]);
});

it("what was not read before the write is answered fresh", async () => {
  await create("web");
  expect([await names(), await statusOf("web")]).toEqual([["web"], 200]);
});

it("a refused write, and one of the control plane, leave reads fresh", async () => {
  expect(await statusOf("web")).toBe(404);
  await world.seed({ projects: [{ team: "acme", name: "web" }] });
  await create("web");
  expect(await statusOf("web")).toBe(200);
});

it("without a time, and after a reset, reads are fresh", async () => {
  expect(await statusOf("web")).toBe(404);
  await world.control.setConsistency({ staleMs: 0 });
  await create("web");
  expect(await statusOf("web")).toBe(200);
  await world.control.setConsistency({ staleMs: 5000 });
  await world.control.reset();
  expect(await statusOf("web")).toBe(404);
  await create("web");
  expect(await statusOf("web")).toBe(200);
});

it("is refused by a server with the profile specification", async () => {
  const server = await startServer();
  await expect(server.control.setConsistency({ staleMs: 1 })).rejects.toThrow(
    "Start the server with --profile hosted.",
  );
  await server.close();
});
