import type { Plain } from "../../../provider/core/values";
import { edgeConfigToken } from "../../../provider/resources/edge-config-token";
import { type Harness, startHarness } from "../stack";

let w: Harness;
let flags: string;
beforeEach(async () => {
  w = await startHarness();
  flags = String(((await w.curl("POST", "/v1/edge-config", { slug: "flags" })) as Plain).id);
});
afterEach(() => w.close());

const declared = (label = "web") => ({ edgeConfigId: flags, label });
const tokens = async () => (await w.curl("GET", `/v1/edge-config/${flags}/tokens`)) as unknown as Plain[];
const labels = async () => (await tokens()).map(({ label }) => label);
const make = (label: string) => w.curl("POST", `/v1/edge-config/${flags}/token`, { label });

it("creates a token, keeps its value through a refresh, and deletes it", async () => {
  const token = w.stack(edgeConfigToken);
  await token.up(declared());
  const { tokenId, token: value, connectionString } = token.state;
  expect(token.id).toBe(`${flags}/${tokenId}`);
  expect(connectionString).toBe(`https://edge-config.vercel.com/${flags}?token=${value}`);
  expect(await w.curl("GET", `/v1/edge-config/${flags}/token/${value}`)).toMatchObject({ id: tokenId });
  await token.refresh(w.another());
  expect(token.state).toMatchObject({ token: value, connectionString });
  expect(await token.up(declared())).toBe("same");
  await token.destroy();
  expect(await tokens()).toEqual([]);
});

it("replaces a token of another label, which first exists beside the old one", async () => {
  const token = w.stack(edgeConfigToken);
  await token.up(declared());
  const { token: old } = token.state;
  expect(await token.up(declared("docs"))).toBe("replace");
  expect(token.state.token).not.toBe(old);
  expect(await labels()).toEqual(["docs"]);
  expect(w.warnings).toEqual([]);
});

it.each(["drop-after", "drop-before"] as const)(
  "creates one token although the answer is lost: %s",
  async (kind) => {
    const path = `/v1/edge-config/${flags}/token`;
    await w.server.control.addFaults({ kind, method: "POST", path, times: 1 });
    const token = w.stack(edgeConfigToken);
    await token.up(declared());
    const [{ id } = { id: "" }, ...others] = await tokens();
    expect([id, others]).toEqual([token.state.tokenId, []]);
  },
);

it("creates two tokens of one label at once, of which each is its resource's own", async () => {
  const stacks = [w.stack(edgeConfigToken, "a"), w.stack(edgeConfigToken, "b")];
  await Promise.all(stacks.map((stack) => stack.up(declared())));
  expect((await tokens()).map(({ id }) => id).sort()).toEqual(
    stacks.map(({ state }) => state.tokenId).sort(),
  );
  expect(w.warnings).toEqual([]);
});

it("leaves a token alone that has the label already, and warns of it", async () => {
  await make("web");
  await w.stack(edgeConfigToken).up(declared());
  expect(await labels()).toEqual(["web", "web"]);
  expect(w.warnings).toEqual([
    expect.stringMatching(/already has a token with the label web \(\S+\)\. If an inter/),
  ]);
});

it("leaves a token of the same label alone when its own answer is lost", async () => {
  const { id } = (await make("web")) as Plain;
  const path = `/v1/edge-config/${flags}/token`;
  await w.server.control.addFaults({ kind: "drop-after", method: "POST", path, times: 1 });
  const token = w.stack(edgeConfigToken);
  await token.up(declared());
  const ids = (await tokens()).map((one) => one.id);
  expect(ids.sort()).toEqual([id, token.state.tokenId].sort());
});

it("is gone when it was deleted at the service", async () => {
  const token = w.stack(edgeConfigToken);
  await token.up(declared());
  await w.curl("DELETE", `/v1/edge-config/${flags}/tokens`, { ids: [token.state.tokenId] });
  expect(await token.refresh(w.another())).toBe(false);
  await token.destroy();
});

it("says what to do when the Edge Config does not exist", async () => {
  const token = w.stack(edgeConfigToken);
  await expect(token.up({ ...declared(), edgeConfigId: "ecfg_nope" })).rejects.toThrow(
    /404 not_found.*Give the id of an Edge Config of this account/,
  );
});

it("is imported by its id, without its value", async () => {
  const { id } = await make("web");
  const read = (name: string) => edgeConfigToken.read(w.runOf(w.another()), name, undefined);
  for (const config of [flags, "flags"])
    expect(await read(`${config}/${id}`)).toMatchObject({
      id: `${flags}/${id}`,
      inputs: declared(),
      state: { token: null, connectionString: null },
    });
  await expect(read("flags/nothing")).rejects.toThrow(/404 not_found: The Edge Config ecfg_\w+ has no token/);
  await expect(read(flags)).rejects.toThrow(/"Edge Config\/token"/);
});

it("does not repeat the id of a token that is not found, which may be the token itself", async () => {
  const said = await edgeConfigToken
    .read(w.runOf(w.another()), "flags/canary", undefined)
    .then(String, String);
  expect(said).toMatch(/404 not_found: The Edge Config ecfg_\w+ has no token with this id/);
  expect(said).not.toContain("canary");
});
