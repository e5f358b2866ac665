import { ReadCache } from "../../../provider/client/read-cache";

const freshMs = 10_000;
let cache: ReadCache;
let reads: number;

beforeEach(() => {
  jest.useFakeTimers({ now: 0 });
  cache = new ReadCache(freshMs);
  reads = 0;
});
afterEach(() => jest.useRealTimers());

const list = (): Promise<number[]> => cache.list("env", "prj_1", false, async () => [++reads]);

describe("a cached list", () => {
  it("serves reads for as long as it is fresh, and not longer", async () => {
    expect(await list()).toEqual([1]);
    jest.setSystemTime(freshMs - 1);
    expect(await list()).toEqual([1]);
    jest.setSystemTime(freshMs);
    expect(await list()).toEqual([2]);
  });

  it("of another project outlives a write to this one", async () => {
    await list();
    cache.forget("prj_2", true);
    expect(await list()).toEqual([1]);
    cache.forget("prj_1", false);
    expect(await list()).toEqual([2]);
  });
});

describe("a cached identity", () => {
  const identity = { id: "prj_1", accountId: "team_1" };

  it("is recalled for as long as it is fresh, and not longer", () => {
    cache.remember("web", identity);
    jest.setSystemTime(freshMs - 1);
    expect(cache.recall("web")).toEqual(identity);
    jest.setSystemTime(freshMs);
    expect(cache.recall("web")).toBeUndefined();
  });

  it("is forgotten with all plans when a project is renamed", () => {
    cache.remember("web", identity);
    cache.plan("site", identity);
    expect(cache.recall("site")).toEqual(identity);
    cache.forgetIdentities();
    expect([cache.recall("web"), cache.recall("site")]).toEqual([undefined, undefined]);
  });
});

describe("the name of a project", () => {
  it("is known to be free for as long as lists are fresh, until a project is renamed or removed", () => {
    expect(cache.isAbsent("web")).toBe(false);
    cache.rememberAbsent("web");
    expect(cache.isAbsent("web")).toBe(true);
    jest.setSystemTime(freshMs);
    expect(cache.isAbsent("web")).toBe(false);
    cache.rememberAbsent("web");
    cache.forgetIdentities();
    expect(cache.isAbsent("web")).toBe(false);
  });

  it("is not free any more when the run has created its project", () => {
    cache.rememberAbsent("web");
    cache.rememberCreated("prj_1", "web", "team_1");
    expect(cache.isAbsent("web")).toBe(false);
    expect(cache.recall("web")).toEqual({ id: "prj_1", accountId: "team_1" });
  });
});

it("the account of a project that the run has created is known until it is deleted", () => {
  cache.rememberCreated("prj_1", "web", "team_1");
  jest.setSystemTime(freshMs);
  // A later rename may give the name to another project.
  cache.forgetIdentities();
  expect(cache.recall("web")).toBeUndefined();
  expect(cache.recall("prj_1")).toEqual({ id: "prj_1", accountId: "team_1" });
  cache.forgetCreated("prj_1");
  expect([cache.recall("prj_1"), cache.hasCreated("prj_1")]).toEqual([undefined, false]);
});
