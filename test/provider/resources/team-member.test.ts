import nock from "nock";
import type { Client } from "../../../provider/client/client";
import type { Plain } from "../../../provider/core/values";
import { teamMember } from "../../../provider/resources/team-member";
import { membersOf, teamOf } from "../../../provider/resources/team-member/records";
import { type Harness, quietStep, recordStack, type Stack, startHarness } from "../stack";

let w: Harness;
beforeEach(async () => {
  w = await startHarness();
});
afterEach(async () => {
  jest.restoreAllMocks();
  await w.close();
});
// Interceptors outlive the file: Node.js has one module of sockets for all files of a process.
afterAll(() => nock.restore());

const path = "/v2/teams/acme/members";
const email = "ada@example.org";
const ada = { email, role: "VIEWER" };
const dev = { email: "dev@example.com", role: "OWNER", adopt: true };

interface Person {
  uid: string;
  email: string;
  role: string;
  confirmed: boolean;
}
const people = async (): Promise<Person[]> =>
  (await w.curl("GET", "/v3/teams/acme/members")).members as unknown as Person[];
const person = async (of: string): Promise<Person | undefined> =>
  (await people()).find((one) => one.email === of);
const mailTo = async (to: string): Promise<number> =>
  (await w.server.control.mail()).filter((mail) => mail.to === to).length;

type Named = Person & { username: string };

/** Has an invited user accept. @returns an access token of the user */
async function accept(of: string): Promise<string> {
  const { username } = (await person(of)) as Named;
  const token = `token-of-${username}`;
  await w.server.control.seed({ tokens: [{ token, user: username }] });
  const answer = await fetch(`${w.server.url}/v1/teams/acme/members/teams/join`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}` },
  });
  expect(answer.status).toBe(200);
  return token;
}

/** A further owner of the team. */
async function owner(of: string): Promise<Stack> {
  const stack = w.stack(teamMember, of);
  await stack.up({ email: of, role: "OWNER" });
  await accept(of);
  await stack.refresh();
  return stack;
}

it.each(["o'neil&co@example.org", "a/b=c!d@example.org", "ada@example.xn--p1ai"])(
  "takes the address %s, which is rare but valid",
  async (rare) => {
    expect(teamMember.check({}, { email: rare, role: "VIEWER" })).toEqual([]);
    await w.stack(teamMember).up({ email: rare, role: "VIEWER" });
    expect(await person(rare)).toMatchObject({ role: "VIEWER" });
  },
);

it("invites, keeps who has not accepted, and shows who has without a difference", async () => {
  const member = w.stack(teamMember);
  await member.up(ada);
  const { uid } = (await person(email)) as Person;
  const team = ((await w.curl("GET", "/v2/teams/acme")) as Plain).id;
  expect(member.id).toBe(`${team}/${uid}`);
  expect(member.state).toMatchObject({ ...ada, userId: uid, username: "ada", confirmed: false });
  await member.refresh(w.another());
  expect(await member.up(ada)).toBe("same");
  await accept(email);
  await member.refresh(w.another());
  expect(member.state).toMatchObject({ userId: uid, confirmed: true, currentEmail: email });
  expect(await member.up(ada)).toBe("same");
  expect(await member.up({ email, role: "MEMBER" })).toBe("update");
  expect(await person(email)).toMatchObject({ uid, role: "MEMBER", confirmed: true });
  expect(await mailTo(email)).toBe(1);
  await member.destroy();
  expect(await person(email)).toBeUndefined();
  expect(await member.refresh(w.another())).toBe(false);
});

it("withdraws an invitation when it is deleted", async () => {
  const member = w.stack(teamMember);
  await member.up(ada);
  await member.destroy();
  expect(await people()).toHaveLength(1);
});

it("invites once when the answer gets lost", async () => {
  for (const kind of ["drop-after", "drop-before"] as const) {
    const to = `${kind}@example.org`;
    await w.server.control.addFaults({ method: "POST", path, times: 1, kind });
    const member = w.stack(teamMember, kind);
    await member.up({ email: to, role: "VIEWER" });
    expect(member.state).toMatchObject({ userId: (await person(to))?.uid, confirmed: false });
    expect(await mailTo(to)).toBe(1);
  }
});

describe("a member whom the team has already", () => {
  const exists = /The team member ada@example.org already exists \(.*Adopt it with \{ adopt: true \}/;

  it("is refused at preview and by the step, and nobody is invited again", async () => {
    await w.curl("POST", path, ada);
    for (const name of ["planned", undefined])
      await expect(w.stack(teamMember, name).up({ email: "ADA@example.org", role: "OWNER" })).rejects.toThrow(
        exists,
      );
    expect(await person(email)).toMatchObject({ role: "VIEWER" });
    expect(await mailTo(email)).toBe(1);
  });

  it("is refused when it was invited meanwhile, and adopted with adopt", async () => {
    const busy = w.another();
    const [refused, adopting] = [w.stack(teamMember), w.stack(teamMember)];
    for (const stack of [refused, adopting]) stack.use(busy);
    // Both have seen the team without it.
    await membersOf(busy, await teamOf(busy));
    await w.curl("POST", path, ada);
    await expect(refused.up(ada)).rejects.toThrow(/already exists|is a member of the team/);
    await adopting.up({ ...ada, role: "MEMBER", adopt: true });
    expect(await person(email)).toMatchObject({ role: "MEMBER" });
  });

  it("is adopted with its role, unless that is ignored", async () => {
    await w.curl("POST", path, ada);
    const member = w.stack(teamMember, "a");
    await member.up({ ...ada, role: "MEMBER", adopt: true });
    expect(await person(email)).toMatchObject({ role: "MEMBER" });
    await w.curl("POST", path, { email: "b@example.org", role: "BILLING" });
    const other = w.stack(teamMember, "b");
    await other.up(
      { email: "b@example.org", role: "MEMBER", adopt: true },
      { ignored: async () => ["role"] },
    );
    expect(await person("b@example.org")).toMatchObject({ role: "BILLING" });
    expect(await mailTo(email)).toBe(1);
  });
});

it("refuses two resources that declare the same address", async () => {
  const both = [w.stack(teamMember, "a"), w.stack(teamMember, "b")];
  const ends = await Promise.allSettled(
    both.map((one, at) => one.up({ ...ada, email: at === 0 ? email : email.toUpperCase() })),
  );
  expect(ends.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(ends.map((end) => (end.status === "rejected" ? String(end.reason) : ""))).toContainEqual(
    expect.stringMatching(/both declare the team member ada@example.org/),
  );
});

/** @returns the access token of an installation, which is no user's and changes roles */
/** A client that sees the team without its own user, as with a token whose user is no member. */
function outsider(): Client {
  const client = w.another();
  const isOther = (item: unknown): boolean => (item as Person).email !== "dev@example.com";
  for (const name of ["list", "listNow"] as const) {
    const read = client[name].bind(client) as (...given: unknown[]) => Promise<unknown[]>;
    jest
      .spyOn(client, name)
      .mockImplementation(async (...given: unknown[]) => (await read(...given)).filter(isOther) as never);
  }
  jest.spyOn(client, "userId").mockResolvedValue(undefined);
  return client;
}

describe("the owners of the team", () => {
  it("keep their role while the access token is theirs, at preview and by the step", async () => {
    await owner(email);
    const own = w.stack(teamMember, "dev");
    await own.up(dev);
    const less = { ...dev, role: "MEMBER" };
    const says = /The access token belongs to dev@example.com.*token of another owner/;
    await expect(own.preview(less)).rejects.toThrow(says);
    await expect(w.stack(teamMember, "another").preview({ ...less })).rejects.toThrow(says);
    await expect(teamMember.update(w.run, quietStep, own.id, own.state, less)).rejects.toThrow(says);
    await expect(own.destroy()).rejects.toThrow(/would remove itself from the team.*pulumi state delete/);
    expect(await person("dev@example.com")).toMatchObject({ role: "OWNER" });
  });

  it("have one who stays, at preview and by the step", async () => {
    const other = await owner(email);
    const client = outsider();
    const run = w.runOf(client);
    other.use(client);
    const says = /ada@example.org is the last owner of the team.*Make another member an owner first/;
    const less = { email, role: "MEMBER" };
    await expect(other.preview(less)).rejects.toThrow(says);
    await expect(teamMember.update(run, quietStep, other.id, other.state, less)).rejects.toThrow(says);
    await expect(other.destroy()).rejects.toThrow(says);
    expect(await person(email)).toMatchObject({ role: "OWNER" });
  });

  it("have one who stays and has accepted, whoever is invited as an owner", async () => {
    const other = await owner(email);
    await w.curl("POST", path, [{ email: "bob@example.org", role: "OWNER" }] as never);
    const client = outsider();
    other.use(client);
    const says = /ada@example.org is the last owner of the team with an accepted invitation/;
    const less = { email, role: "MEMBER" };
    await expect(other.preview(less)).rejects.toThrow(says);
    const update = () => teamMember.update(w.runOf(client), quietStep, other.id, other.state, less);
    await expect(update()).rejects.toThrow(says);
    await expect(other.destroy()).rejects.toThrow(says);
    expect(await person(email)).toMatchObject({ role: "OWNER" });
    await accept("bob@example.org");
    other.use(outsider());
    expect(await other.up(less)).toBe("update");
  });

  it("may be invited, and lose the role or the invitation before they accept", async () => {
    await owner("bob@example.org");
    const client = outsider();
    const invited = w.stack(teamMember, "invited");
    invited.use(client);
    await invited.up({ email, role: "OWNER" });
    expect(await invited.up({ email, role: "MEMBER" })).toBe("update");
    await invited.destroy();
    expect(await person(email)).toBeUndefined();
  });

  it("are not all given another role by one program", async () => {
    const stacks = [await owner("a@example.org"), await owner("b@example.org")];
    const client = outsider();
    for (const stack of stacks) stack.use(client);
    const ends = await Promise.allSettled(
      stacks.map((stack) => stack.preview({ email: String(stack.inputs.email), role: "MEMBER" })),
    );
    expect(ends.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    // Without a check, one step waits for the other.
    const steps = await Promise.allSettled(
      stacks.map((stack) =>
        teamMember.update(w.runOf(client), quietStep, stack.id, stack.state, {
          ...stack.inputs,
          role: "MEMBER",
        }),
      ),
    );
    expect(steps.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });

  it("are handed on in two runs", async () => {
    const other = await owner(email);
    await other.up({ email, role: "OWNER" });
    const own = w.stack(teamMember, "dev");
    await own.up(dev);
    own.use(w.another({ token: "token-of-ada" }));
    expect(await own.up({ ...dev, role: "MEMBER" })).toBe("update");
  });
});

describe("between the resources of a stack", () => {
  it("a member passes on when a list loses its first item, and nobody is removed or invited again", async () => {
    const [first, second] = [w.stack(teamMember, "members-0"), w.stack(teamMember, "members-1")];
    await first.up({ email: "a@example.org", role: "VIEWER" });
    await second.up({ email: "b@example.org", role: "MEMBER" });
    await accept("b@example.org");
    const { uid } = (await person("b@example.org")) as Person;
    const [later, rest] = [w.another(), second.state];
    recordStack([
      { type: "TeamMember", name: "members-0", outputs: first.state },
      { type: "TeamMember", name: "members-1", outputs: rest },
    ]);
    for (const stack of [first, second]) stack.use(later);
    expect(await first.up({ email: "b@example.org", role: "MEMBER" })).toBe("replace");
    await second.destroy();
    expect(await people()).toHaveLength(2);
    expect(await person("b@example.org")).toMatchObject({ uid, role: "MEMBER", confirmed: true });
    expect(await mailTo("b@example.org")).toBe(1);
    expect(w.warnings).toEqual([]);
  });
});

it("is the same member in another case, and under the address that the account has now", async () => {
  const member = w.stack(teamMember);
  await member.up(ada);
  expect(await member.up({ ...ada, email: "ADA@Example.org" })).toBe("same");
  await w.server.control.seed({ users: [{ username: "ada", email: "lovelace@example.org" }] });
  await member.refresh(w.another());
  expect(member.state).toMatchObject({ currentEmail: "lovelace@example.org" });
  expect(await member.up({ ...ada, email: "ADA@Example.org" })).toBe("same");
  expect(await member.up({ ...ada, email: "lovelace@example.org" })).toBe("same");
});

it("finds a member on any page", async () => {
  for (let at = 0; at < 105; at++)
    await w.curl("POST", path, { email: `user-${at}@example.org`, role: "VIEWER" });
  const found = await teamMember.read(w.run, "user-0@example.org", undefined);
  expect(found?.inputs).toEqual({ email: "user-0@example.org", role: "VIEWER" });
});

it.each(["", "a/b/c", "acme/ada@example.org", "team_1/"])("is not found by the id %j", async (id) => {
  await expect(teamMember.read(w.run, id, undefined)).rejects.toThrow(
    'The id of a team member is "team/user", such as "team_…/ada@example.com"',
  );
});

it("is not found in another team, and says what to check", async () => {
  await expect(teamMember.read(w.run, "team_other/dev@example.com", undefined)).rejects.toThrow(
    /404 not_found: The team has no member team_other.*Check the id, `<email address>`, or .*, and the account/,
  );
});

it("is refused without a team, at preview and by the step", async () => {
  for (const name of ["planned", undefined]) {
    const member = w.stack(teamMember, name);
    member.use(w.another({ team: "" }));
    await expect(member.up(ada)).rejects.toThrow(/Only teams have members. Select the team: SLIPWAY_TEAM/);
  }
});

it("says who may invite", async () => {
  await w.stack(teamMember).up({ email, role: "MEMBER" });
  const member = w.stack(teamMember);
  member.use(w.another({ token: await accept(email) }));
  await expect(member.up({ email: "b@example.org", role: "VIEWER" })).rejects.toThrow(
    /403 forbidden: Only an owner of the team may invite members/,
  );
});

it.each([
  [{ email: "ada", role: "VIEWER" }, /^email must be an email address/],
  [{ email, role: "KING" }, /^role/],
])("refuses %j before anything is asked", async (inputs, reason) => {
  await expect(w.stack(teamMember).up(inputs)).rejects.toThrow(reason);
});

describe("an invitation of an address without an account, as the service may list it", () => {
  const team = "team_hosted";
  const list = `/v3/teams/${team}/members`;
  const code = { id: "code_1", email, role: "VIEWER", isDSyncUser: false };
  const pagination = { count: 0, hasNext: false, next: null, prev: null };
  const api = () => nock("http://api.test").matchHeader("authorization", "Bearer token");
  const lists = (answer: object) =>
    api()
      .get(list)
      .query(true)
      .reply(200, { members: [], pagination, ...answer });
  const hosted = () => {
    const member = w.stack(teamMember);
    member.use(w.another({ apiUrl: "http://api.test", team, token: "token" }));
    return member;
  };
  async function invited(): Promise<Stack> {
    const member = hosted();
    lists({});
    api()
      .post(`/v2/teams/${team}/members`, [{ email, role: "VIEWER" }])
      .query(true)
      .reply(200, { uid: "user_1", username: "ada", email, role: "VIEWER" });
    await member.up(ada);
    expect(member.id).toBe(`${team}/user_1`);
    return member;
  }

  it("is kept under its address, until a user accepts it under an id", async () => {
    const member = await invited();
    lists({ emailInviteCodes: [code] }).persist();
    expect(await member.refresh()).toBe(true);
    expect(member.id).toBe(`${team}/${email}`);
    expect(member.state).toMatchObject({ userId: null, confirmed: false });
    expect(await member.up(ada)).toBe("same");
    nock.cleanAll();
    const user = { uid: "user_2", username: "ada", email, role: "VIEWER", confirmed: true, createdAt: 1 };
    lists({ members: [user] });
    member.use(w.another({ apiUrl: "http://api.test", team, token: "token" }));
    expect(await member.refresh()).toBe(true);
    expect(member.id).toBe(`${team}/user_2`);
    expect(member.state).toMatchObject({ userId: "user_2", confirmed: true });
  });

  it("is withdrawn and made again to change the role, and withdrawn to delete it", async () => {
    const member = await invited();
    lists({ emailInviteCodes: [code] }).persist();
    api().delete(`/v1/teams/${team}/invites/code_1`).query(true).twice().reply(200, { id: team });
    api()
      .post(`/v2/teams/${team}/members`, [{ email, role: "MEMBER" }])
      .query(true)
      .reply(200, { uid: "user_1", username: "ada", email, role: "MEMBER" });
    api()
      .get("/v2/user")
      .query(true)
      .reply(200, { user: { id: "user_0" } });
    expect(await member.up({ email, role: "MEMBER" })).toBe("update");
    expect(member.state).toMatchObject({ role: "MEMBER" });
    await member.destroy();
    expect(nock.pendingMocks().filter((mock) => !mock.startsWith("GET"))).toEqual([]);
    nock.cleanAll();
  });
});
