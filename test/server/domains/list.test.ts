import { domainsOf } from "../../support/domains";
import { beginning, useTestServer } from "../../support/world";

const world = useTestServer();
const web = domainsOf(world);

beforeEach(() =>
  world.seed({
    projects: [
      { team: "acme", name: "web" },
      { team: "acme", name: "other" },
    ],
  }),
);

const addMany = async (count: number): Promise<void> => {
  for (let n = 1; n <= count; n++) await web.add(`d${n}.example.com`);
};

// DO-01, DO-28, X-12
it("the list of a project without domains is empty and paginated", async () => {
  const answer = await web.list();
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({ domains: [], pagination: { count: 0, next: null, prev: null } });
});

// DO-28, X-14
it("the list has that project's domains alone, the newest first", async () => {
  await addMany(3);
  await domainsOf(world, "other").add("other.example.com");
  expect(await web.names()).toEqual(["d3.example.com", "d2.example.com", "d1.example.com"]);
});

// DO-31, X-14
it.each([
  ["ASC", ["d1.example.com", "d2.example.com"]],
  ["DESC", ["d2.example.com", "d1.example.com"]],
])("order %s orders by the time of adding", async (order, names) => {
  await addMany(2);
  expect(await web.names({ order })).toEqual(names);
});

describe("a flag of the query", () => {
  it.each([
    ["true", ["d1.example.com"]],
    ["false", ["d2.example.com"]],
  ])("is %s", async (verified, names) => {
    const project = { team: "acme", project: "web" };
    await world.seed({
      domains: [
        { ...project, name: "d1.example.com", verified: true },
        { ...project, name: "d2.example.com", verified: false },
      ],
    });
    expect(await web.names({ verified })).toEqual(names);
  });

  it.each(["yes", "TRUE", "", "1", "0"])("is not %j", async (verified) => {
    const { status, body } = await web.list({ verified });
    expect([status, body.error.code]).toEqual([400, "bad_request"]);
  });
});

describe("limit", () => {
  // DO-30, LI-07, X-12
  it("caps the list", async () => {
    await addMany(3);
    const { body } = await web.list({ limit: 2 });
    expect(body.domains).toHaveLength(2);
    expect(body.pagination).toMatchObject({ count: 2, next: expect.any(Number) });
  });

  //
  it("is 20 when not given and 100 at most", async () => {
    await addMany(101);
    expect((await web.list()).body.domains).toHaveLength(20);
    expect((await web.list({ limit: 500 })).body.domains).toHaveLength(100);
  });
});

describe("pagination", () => {
  //
  it.each(["until", "since"] as const)(
    "followed by %s visits each domain once while others come and go",
    async (by) => {
      await addMany(7);
      const order = by === "until" ? "DESC" : "ASC";
      const seen: string[] = [];
      let next: number | null = null;
      do {
        const { body } = await web.list({ limit: 2, order, ...(next === null ? {} : { [by]: next }) });
        seen.push(...body.domains.map(({ name }: { name: string }) => name));
        next = body.pagination.next;
        if (seen.length === 2) {
          await web.remove(seen[0] ?? "");
          if (by === "until") await web.add("late.example.com");
        }
      } while (next !== null);
      const expected = [7, 6, 5, 4, 3, 2, 1].map((n) => `d${n}.example.com`);
      expect(seen).toEqual(by === "until" ? expected : expected.reverse());
    },
  );

  // X-15, DO-35, DO-36
  it("until is strictly older and since strictly newer", async () => {
    await addMany(3);
    expect(await web.names({ until: beginning + 1 })).toEqual(["d1.example.com"]);
    expect(await web.names({ since: beginning + 1 })).toEqual(["d3.example.com"]);
    expect(await web.names({ since: beginning, until: beginning + 2 })).toEqual(["d2.example.com"]);
  });
});

describe("filters", () => {
  beforeEach(async () => {
    const of = { team: "acme", project: "web" };
    await world.seed({
      domains: [
        { ...of, name: "example.com", verified: true },
        { ...of, name: "www.example.com", redirect: "example.com", verified: false },
        { ...of, name: "next.example.com", gitBranch: "next", verified: false },
        { ...of, name: "env.example.org" },
      ],
    });
    await world.services.store.write((tx) =>
      tx
        .updateTable("domains")
        .set({ custom_environment_id: "env_1" })
        .where("name", "=", "env.example.org")
        .execute(),
    );
  });

  const all = ["env.example.org", "next.example.com", "www.example.com", "example.com"];
  it.each<[query: Record<string, string | boolean>, names: string[]]>([
    [{ gitBranch: "next" }, ["next.example.com"]], // DO-29, X-55
    [{ gitBranch: "nex" }, []], // DO-29, X-55
    [{ production: true }, ["www.example.com", "example.com"]], // DO-32, X-52
    [{ production: false }, all], // DO-32, X-52
    [{ redirect: "Example.com" }, ["www.example.com"]], // DO-33, X-55
    [{ redirect: "www.example.com" }, []], // DO-33, X-55
    [{ redirects: true }, all], // DO-34, X-54
    [{ redirects: false }, ["env.example.org", "next.example.com", "example.com"]], // DO-34, X-54
    [{ target: "production" }, ["www.example.com", "example.com"]], // DO-37, X-53
    [{ target: "preview" }, ["next.example.com"]], // DO-37, X-53
    [{ verified: true }, ["example.com"]], // DO-38, X-55
    [{ verified: false }, ["env.example.org", "next.example.com", "www.example.com"]], // DO-38, X-55
    [{ production: true, redirects: false }, ["example.com"]],
  ])("by %j", async (query, names) => {
    expect(await web.names(query)).toEqual(names);
  });

  it("says what a limit may be", async () => {
    expect((await web.list({ limit: 0 })).body.error.message).toContain("limit: must be at least 1");
  });

  // DO-39
  it.each([
    ["limit", "many"], // DO-30
    ["limit", "0"], // DO-30
    ["order", "UP"], // DO-31
    ["production", "maybe"], // DO-32
    ["redirects", "maybe"], // DO-34
    ["since", "yesterday"], // DO-35
    ["until", "1.5"], // DO-36
    ["target", "staging"], // DO-37
    ["verified", "2"], // DO-38
  ])("%s=%s is refused with 400", async (member, value) => {
    const answer = await web.list({ [member]: value });
    expect(answer.status).toBe(400);
    expect(answer.body.error.code).toBe("bad_request");
    expect(answer.body.error.message).toContain(member);
  });
});
