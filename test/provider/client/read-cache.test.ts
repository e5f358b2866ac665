import { ReadCache } from "../../../provider/client/read-cache";

afterEach(() => jest.restoreAllMocks());

it.each([
  ["for a while", 10, [0, 9], [10]],
  ["never where others write at the same time", 0, [], [0]],
])("keeps lists and identities %s", async (_, freshMs, fresh, expired) => {
  const cache = new ReadCache(freshMs);
  const now = jest.spyOn(Date, "now").mockReturnValue(0);
  const read = jest.fn(async () => []);
  cache.remember("web", { id: "prj_1", accountId: "team_1" });
  await cache.list("key", "prj_1", false, read);
  for (const at of fresh) {
    now.mockReturnValue(at);
    expect(cache.recall("web")).toEqual({ id: "prj_1", accountId: "team_1" });
    await cache.list("key", "prj_1", false, read);
    expect(read).toHaveBeenCalledTimes(1);
  }
  for (const at of expired) {
    now.mockReturnValue(at);
    expect(cache.recall("web")).toBeUndefined();
    await cache.list("key", "prj_1", false, read);
    expect(read).toHaveBeenCalledTimes(2);
  }
});
