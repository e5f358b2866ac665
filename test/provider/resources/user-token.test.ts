import { userToken } from "../../../provider/resources/user-token";
import { byProfile } from "../../support/profile";
import { type Harness, startHarness } from "../stack";

let w: Harness;
beforeEach(async () => {
  w = await startHarness();
});
afterEach(() => w.close());

const later = Date.UTC(2100, 0, 1);
const path = "/v3/user/tokens";

interface Listed {
  id: string;
  name: string;
}
const tokens = async (): Promise<Listed[]> =>
  ((await w.curl("GET", "/v6/user/tokens")).tokens as unknown as Listed[]).filter(
    ({ name }) => name !== "development",
  );
const make = async (body: object): Promise<{ token: Listed; bearerToken: string }> =>
  w.curl("POST", path, body) as unknown as { token: Listed; bearerToken: string };
/** The answer to a request that has the token of a resource. */
const statusWith = async (token: unknown, query = ""): Promise<number> =>
  (await fetch(`${w.server.url}/v2/user${query}`, { headers: { authorization: `Bearer ${token}` } })).status;

it("creates a token of the team, keeps it through a refresh, and deletes it", async () => {
  const token = w.stack(userToken);
  await token.up({ name: "deploy", expiresAt: later });
  const { bearerToken, tokenId, teamId } = token.state;
  expect([token.id, teamId]).toEqual([tokenId, (await w.curl("GET", "/v2/teams/acme")).id]);
  expect(await statusWith(bearerToken, "?slug=acme")).toBe(200);
  await token.refresh(w.another());
  expect(token.state).toMatchObject({ bearerToken, tokenId, teamId, expiresAt: later });
  expect(await token.up({ name: "deploy", expiresAt: later })).toBe("same");
  await token.destroy();
  expect([await tokens(), await statusWith(bearerToken)]).toEqual([[], byProfile(401, 403)]);
});

it("creates a token with all the access of the user where no team is selected", async () => {
  const token = w.stack(userToken);
  token.use(w.another({ team: "" }));
  await token.up({ name: "deploy" });
  expect(token.state).toMatchObject({ teamId: null });
  await token.refresh(w.another({ team: "" }));
  expect(await statusWith(token.state.bearerToken, "?slug=acme")).toBe(200);
  await token.destroy(w.another({ team: "" }));
  expect(await tokens()).toEqual([]);
});

it.each([
  ["another name", { name: "report", expiresAt: later }],
  ["another expiry", { name: "deploy", expiresAt: later + 1 }],
  ["no expiry", { name: "deploy" }],
])("replaces a token for %s, and creates the new one first", async (_what, news) => {
  const token = w.stack(userToken);
  await token.up({ name: "deploy", expiresAt: later });
  const { bearerToken } = token.state;
  expect(await token.up(news)).toBe("replace");
  expect(token.state.bearerToken).not.toBe(bearerToken);
  expect((await tokens()).map(({ id }) => id)).toEqual([token.id]);
  expect(w.warnings).toEqual([]);
});

it.each(["drop-after", "drop-before"] as const)(
  "creates one token although the answer is lost, and leaves an older one of the name alone: %s",
  async (kind) => {
    const { token: older, bearerToken } = await make({ name: "deploy" });
    await w.server.control.addFaults({ kind, method: "POST", path, times: 1 });
    const token = w.stack(userToken);
    await token.up({ name: "deploy" });
    expect((await tokens()).map(({ id }) => id).sort()).toEqual([older.id, token.id].sort());
    expect([await statusWith(bearerToken), await statusWith(token.state.bearerToken)]).toEqual([200, 200]);
    expect(w.warnings).toEqual([
      expect.stringMatching(/already has an equal access token with the name deploy \(\w+\)\. If an inter/),
    ]);
  },
);

it("creates two tokens of one name at once, of which each is its resource's own", async () => {
  const stacks = [w.stack(userToken, "a"), w.stack(userToken, "b")];
  await Promise.all(stacks.map((stack) => stack.up({ name: "deploy" })));
  expect((await tokens()).map(({ id }) => id).sort()).toEqual(stacks.map(({ id }) => id).sort());
  expect(w.warnings).toEqual([]);
});

it("is gone when it was deleted at the service, or has expired there", async () => {
  const deleted = w.stack(userToken, "deleted");
  await deleted.up({ name: "deploy" });
  await w.curl("DELETE", `${path}/${deleted.id}`);
  expect(await deleted.refresh(w.another())).toBe(false);
  const expired = w.stack(userToken, "expired");
  await expired.up({ name: "report", expiresAt: Date.now() + 3_600_000 });
  await w.server.control.advanceClock(7_200_000);
  expect(await expired.refresh(w.another())).toBe(false);
  await Promise.all([deleted.destroy(), expired.destroy()]);
});

describe("when the time has passed", () => {
  afterEach(() => jest.restoreAllMocks());
  const pass = () => jest.spyOn(Date, "now").mockReturnValue(later);

  it("is gone, also if the service still has it, and is deleted there", async () => {
    const token = w.stack(userToken);
    await token.up({ name: "deploy", expiresAt: later });
    pass();
    expect(await token.refresh(w.another())).toBe(false);
    await token.destroy(w.another());
    expect(await tokens()).toEqual([]);
  });

  it("refuses this expiry at preview, but not for a token that has it", async () => {
    const token = w.stack(userToken, "token");
    await token.up({ name: "deploy", expiresAt: later });
    pass();
    expect(await token.preview({ name: "deploy", expiresAt: later })).toBe("same");
    for (const stack of [token, w.stack(userToken, "fresh")])
      await expect(stack.preview({ name: "deploy", expiresAt: later - 1 })).rejects.toThrow(
        /expiresAt must be in the future/,
      );
  });
});

it("never deletes the token of the run itself", async () => {
  const token = w.stack(userToken);
  await token.up({ name: "deploy" });
  const { bearerToken } = token.state;
  const own = w.another({ token: String(bearerToken) });
  const said = await token.destroy(own).then(String, String);
  expect(said).toMatch(/"deploy" \(\w+\) is the one with which this run sends its requests.*SLIPWAY_TOKEN/);
  expect(said).not.toContain(bearerToken);
  expect(await statusWith(bearerToken)).toBe(200);
  await token.destroy(w.another());
  expect(await tokens()).toEqual([]);
});

it("is imported by its id, without its value, and a token in place of the id is not repeated", async () => {
  const { token, bearerToken } = await make({ name: "deploy", expiresAt: later });
  const read = (id: string) => userToken.read(w.runOf(w.another()), id, undefined);
  expect(await read(token.id)).toMatchObject({
    id: token.id,
    inputs: { name: "deploy", expiresAt: later },
    state: { bearerToken: null, tokenId: token.id },
  });
  for (const id of [bearerToken, "current"]) {
    const said = await read(id).then(String, String);
    expect(said).toMatch(/404 not_found: The user has no access token with this id/);
    expect(said).not.toContain(id);
  }
  const requests = JSON.stringify(await w.server.control.requests());
  expect(requests).not.toContain(bearerToken);
});

it("is refused to an integration", () => {
  expect(userToken.scopes).toEqual([]);
});
