import { toJson } from "../../../server/http/pieces";
import { Pacer } from "../../../server/store/pacer";
import { useTestServer } from "../../support/world";

/** Long work lets the event loop turn. Here its time is always up, so each step in which it looks is counted. */

const world = useTestServer("memory", { strict: false });

let pauses: jest.SpyInstance;
const alwaysDue = (): void => {
  jest.spyOn(Pacer.prototype, "isDue", "get").mockReturnValue(true);
  pauses = jest.spyOn(Pacer.prototype, "pause");
};
afterEach(() => jest.restoreAllMocks());

it("the event loop turns between the items of a batch that is checked", async () => {
  await world.call("POST", "/v10/projects", { body: { name: "web" } });
  alwaysDue();
  const body = Array.from({ length: 500 }, (_, at) => ({ key: `KEY_${at}`, value: 1 }));
  await world.call("POST", "/v10/projects/web/env", { body });
  expect(pauses.mock.calls.length).toBeGreaterThanOrEqual(body.length);
});

it("the event loop turns between the pieces of a large answer", async () => {
  alwaysDue();
  const list = Array.from({ length: 5_000 }, (_, at) => ({ at, text: "x".repeat(400) }));
  const pieces = (await toJson({ list }, new Pacer())) as Buffer[];
  expect(JSON.parse(Buffer.concat(pieces).toString())).toEqual({ list });
  expect(pieces.length).toBeGreaterThan(20);
  expect(pauses.mock.calls.length).toBeGreaterThanOrEqual(pieces.length - 1);
});
