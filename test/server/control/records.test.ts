import { useReceivers } from "../../support/receiver";
import { beginning, useTestServer } from "../../support/world";

const world = useTestServer();
const openReceiver = useReceivers();
const team = "acme";

const ask = async (method: string, path: string, body?: unknown) => {
  const answer = await world.askControl(method, path, body);
  return [answer.status, answer.body];
};
const refused = (status: number, code: string) => [status, { error: { code, message: expect.any(String) } }];
const idOf = async (slug: string): Promise<string> => {
  const { accounts } = await world.control.snapshot();
  return accounts.find((one) => one.slug === slug)?.id ?? "";
};

describe("records", () => {
  it("of events have deliveries, and are paged where times are equal", async () => {
    const receiver = await openReceiver();
    receiver.react = () => 500;
    await world.call("POST", "/v1/webhooks", { body: { url: receiver.url, events: ["project.created"] } });
    await world.call("POST", "/v10/projects", { body: { name: "web" } });
    await world.call("POST", "/v10/projects", { body: { name: "mine" }, team: null });
    await world.call("POST", "/v10/projects", { body: { name: "api" } });
    await world.advance(1);
    await world.advance(0);
    const [, { events, pagination }] = (await ask("GET", "/events?type=project.created")) as [
      number,
      { events: { id: string; accountId: string; sequence: number }[]; pagination: object },
    ];
    expect(pagination).toEqual({ count: 3, next: null, prev: null });
    const delivery = {
      receiver: expect.any(String),
      url: receiver.url,
      state: "waiting",
      attempts: expect.any(Number),
      lastError: null,
    };
    const event = (name: string, account: string, accountId: string, deliveries: object[]) => ({
      id: expect.any(String),
      accountId,
      account,
      project: { id: expect.any(String), name },
      subject: name,
      sequence: expect.any(Number),
      type: "project.created",
      payload: expect.objectContaining({ project: expect.objectContaining({ name }) }),
      createdAt: beginning,
      deliveries,
    });
    const [acme, dev] = [await idOf(team), await idOf("dev")];
    expect(events).toHaveLength(3);
    expect(events).toEqual(
      expect.arrayContaining([
        event("web", team, acme, [{ ...delivery, attempts: 1, lastError: expect.stringContaining("500") }]),
        event("api", team, acme, [delivery]),
        event("mine", "dev", dev, []),
      ]),
    );
    expect(new Set(events.map(({ sequence }) => sequence)).size).toBe(2);
    const walked: string[] = [];
    for (let until: string | null = ""; until !== null; ) {
      const [, body] = (await ask("GET", `/events?limit=1${until && `&until=${until}`}`)) as [
        number,
        { events: { id: string; type: string }[]; pagination: { next: string | null } },
      ];
      walked.push(...body.events.filter(({ type }) => type === "project.created").map(({ id }) => id));
      until = body.pagination.next;
    }
    expect(walked).toEqual(events.map(({ id }) => id));
    for (const until of ["x", "1.2"])
      expect(await ask("GET", `/events?until=${until}`)).toEqual(refused(400, "bad_request"));
  });

  it("of requests are filtered by their members", async () => {
    await world.call("POST", "/v10/projects", { body: { name: "web" } });
    await world.call("GET", "/v9/projects/web");
    await world.call("GET", "/v9/projects/none", { team: null });
    const sequences = async (query: string) => {
      const [, { requests }] = (await ask("GET", `/requests?${query}`)) as [
        number,
        { requests: { sequence: number }[] },
      ];
      return requests.map(({ sequence }) => sequence);
    };
    expect(await sequences("")).toEqual([3, 2, 1]);
    expect(await sequences("method=post")).toEqual([1]);
    expect(await sequences("path=/v9/projects/*")).toEqual([3, 2]);
    expect(await sequences("path=/v9/projects/web")).toEqual([2]);
    expect(await sequences("status=404")).toEqual([3]);
    expect(await sequences("code=not_found")).toEqual([3]);
    expect(await sequences(`account=${await idOf("acme")}`)).toEqual([2, 1]);
    expect(await sequences("until=2")).toEqual([1]);
  });

  it("of mail have recipient and text", async () => {
    await world.seed({
      users: [{ username: "ada", email: "ada@example.com" }],
      teams: [{ slug: "crew", members: [{ user: "ada", role: "OWNER" }] }],
      integrations: [
        {
          clientSecret: "s",
          slug: "cron",
          owner: "dev",
          redirectUrl: "https://cron.example.com/callback",
          scopes: ["read:project"],
        },
      ],
    });
    for (const account of ["crew", team]) await world.control.install("cron", { team: account });
    await world.control.requestScopes("cron", "read-write:project");
    const [, { mail, pagination }] = (await ask("GET", "/mail")) as [
      number,
      { mail: { sequence: number; to: string }[]; pagination: object },
    ];
    expect(pagination).toMatchObject({ count: 2, next: null });
    expect(mail.map(({ sequence }) => sequence)).toEqual([2, 1]);
    expect(await ask("GET", "/mail?to=ada@example.com")).toEqual([
      200,
      {
        mail: [
          {
            id: expect.any(String),
            sequence: expect.any(Number),
            to: "ada@example.com",
            subject: expect.stringContaining("cron"),
            body: expect.stringContaining("project"),
            createdAt: beginning,
            sentAt: null,
          },
        ],
        pagination: { count: 1, next: null, prev: expect.any(Number) },
      },
    ]);
    expect(await ask("GET", "/mail?until=2")).toMatchObject([200, { mail: [{ sequence: 1 }] }]);
  });
});
