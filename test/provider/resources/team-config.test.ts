import type { Plain } from "../../../provider/core/values";
import { envVar } from "../../../provider/resources/env-var";
import { teamConfig } from "../../../provider/resources/team-config";
import { type Harness, startHarness } from "../stack";

let w: Harness;
let id: string;
beforeEach(async () => {
  w = await startHarness();
  id = String((await team()).id);
});
afterEach(() => w.close());

const path = "/v2/teams/acme";
const team = (): Promise<Plain> => w.curl("GET", path);
const set = (body: object) => w.curl("PATCH", path, body);

it("changes what it declares, and leaves the team as it is when it is deleted", async () => {
  await set({ description: "Theirs", hideIpAddresses: true });
  const config = w.stack(teamConfig, "team");
  await config.up({ name: "Acme Works", enablePreviewFeedback: "off" });
  expect(config).toMatchObject({ id, state: { teamId: id } });
  const changed = { name: "Acme Works", description: "Theirs", hideIpAddresses: true };
  expect(await team()).toMatchObject({ ...changed, enablePreviewFeedback: "off" });
  await config.destroy();
  expect(await team()).toMatchObject({ ...changed, enablePreviewFeedback: "off" });
});

it("sends nothing when it declares nothing", async () => {
  const config = w.stack(teamConfig, "team");
  const sent = jest.spyOn(w.client, "send");
  await config.up({});
  expect(sent.mock.calls.filter(([{ method }]) => method !== "GET")).toEqual([]);
  expect(config.id).toBe(id);
});

it("sends only what changes", async () => {
  const config = w.stack(teamConfig, "team");
  await config.up({ name: "Acme", hideIpAddresses: true });
  await set({ name: "Others" });
  const sent = jest.spyOn(w.client, "send");
  await config.up({ name: "Acme", hideIpAddresses: false });
  expect(sent.mock.calls.flatMap(([{ method, body }]) => (method === "PATCH" ? [body] : []))).toEqual([
    { hideIpAddresses: false },
  ]);
});

it("changes the slug if the provider selects the team by its id", async () => {
  const config = w.stack(teamConfig, "team");
  await expect(config.preview({ slug: "acme-works" })).rejects.toThrow(
    /selects the team by its slug, acme, which would change during the run. Select the team by its id: SLIPWAY_TEAM/,
  );
  config.use(w.another({ team: id }));
  await config.up({ slug: "acme-works" });
  const run = w.another({ team: "acme-works" });
  expect((await teamConfig.read(w.runOf(run), id))?.inputs).toMatchObject({ slug: "acme-works" });
  expect(await config.up({ slug: "acme-works" })).toBe("same");
});

it("says that another team has the slug", async () => {
  await w.server.control.seed({ teams: [{ slug: "beta", members: [{ user: "dev", role: "OWNER" }] }] });
  const config = w.stack(teamConfig, "team");
  config.use(w.another({ team: id }));
  await expect(config.up({ slug: "beta" })).rejects.toThrow(/409.*Another team has the slug "beta"/);
});

it("needs a team, and an owner's token", async () => {
  const config = w.stack(teamConfig, "team");
  config.use(w.another({ team: "" }));
  await expect(config.preview({ name: "Acme" })).rejects.toThrow(/Select the team: SLIPWAY_TEAM/);
  await w.server.control.seed({
    users: [{ username: "grace" }],
    teams: [{ slug: "acme", members: [{ user: "grace", role: "MEMBER" }] }],
    tokens: [{ token: "of-grace", user: "grace" }],
  });
  config.use(w.another({ token: "of-grace" }));
  await expect(config.up({ name: "Acme" })).rejects.toThrow(/403.*Only an owner may change the team/);
});

it("is imported with the settings that are not the defaults, of the provider's team alone", async () => {
  await set({
    name: "Acme Works",
    description: "",
    hideIpAddresses: false,
    requireVerifiedCommits: true,
    enablePreviewFeedback: "default",
    enableProductionFeedback: "on",
    saml: { enforced: true, roles: { dg_1: "MEMBER", dg_2: { accessGroupId: "ag_1" } } },
  });
  const read = async (name: string, client = w.another()) =>
    (await teamConfig.read(w.runOf(client), name))?.inputs;
  const declared = {
    name: "Acme Works",
    slug: "acme",
    requireVerifiedCommits: true,
    enableProductionFeedback: "on",
    saml: { enforced: true, roles: { dg_1: { role: "MEMBER" }, dg_2: { accessGroupId: "ag_1" } } },
  };
  expect(await read(id)).toEqual(declared);
  expect(await read("acme")).toEqual(declared);
  await w.server.control.seed({ teams: [{ slug: "beta", members: [{ user: "dev", role: "OWNER" }] }] });
  await expect(read("beta")).rejects.toThrow(new RegExp(`The provider acts on the account ${id}`));
  await expect(read("team_none")).rejects.toThrow(/404/);
});

it("does not manage the roles of single sign-on that it does not declare", async () => {
  const config = w.stack(teamConfig, "team");
  await config.up({ saml: { enforced: true } });
  const roles = { dg_1: "MEMBER" };
  await set({ saml: { enforced: true, roles } });
  await config.refresh(w.another());
  expect(await config.up({ saml: { enforced: true } })).toBe("same");
  // A group that somebody has added is drift of declared roles.
  await config.up({ saml: { enforced: true, roles: { dg_1: { role: "MEMBER" } } } });
  await set({ saml: { enforced: true, roles: { ...roles, dg_2: "OWNER" } } });
  await config.refresh(w.another());
  expect(await config.up({ saml: { enforced: true, roles: { dg_1: { role: "MEMBER" } } } })).toBe("update");
  expect(await team()).toMatchObject({ saml: { enforced: true, roles } });
});

it("keeps the roles of single sign-on that it does not declare, or ignores", async () => {
  const roles = { dg_1: "MEMBER", dg_2: { accessGroupId: "ag_1" } };
  await set({ saml: { enforced: false, roles } });
  const config = w.stack(teamConfig, "team");
  await config.up({ saml: { enforced: true } });
  expect(await team()).toMatchObject({ saml: { enforced: true, roles } });
  await config.up({ saml: { enforced: false } });
  expect(await team()).toMatchObject({ saml: { enforced: false, roles } });
  await config.up({ saml: { enforced: false, roles: { dg_1: { role: "OWNER" } } } });
  expect(await team()).toMatchObject({ saml: { enforced: false, roles: { dg_1: "OWNER" } } });
  // The engine gives ignored inputs the values of the state.
  await set({ saml: { enforced: false, roles: { ...roles, dg_3: "VIEWER" } } });
  const ignored = async () => ["saml.roles"];
  await config.up({ saml: { enforced: true, roles: { dg_1: { role: "OWNER" } } } }, { ignored });
  expect(await team()).toMatchObject({ saml: { enforced: true, roles: { ...roles, dg_3: "VIEWER" } } });
});

it("refuses two resources of one team, and passes between resources", async () => {
  const [one, other] = [w.stack(teamConfig, "one"), w.stack(teamConfig, "other")];
  await one.preview({ name: "Acme" });
  await expect(other.preview({ name: "Acme" })).rejects.toThrow(
    /TeamConfig "one" and TeamConfig "other" both declare the team's configuration/,
  );
  await one.up({ name: "Acme" });
  const run = w.another();
  for (const each of [one, other]) each.use(run);
  expect(await other.up({ name: "Acme Works" })).toBe("create");
  await one.destroy();
  expect(await team()).toMatchObject({ name: "Acme Works" });
});

it("is another team's with a provider of that team", async () => {
  await w.server.control.seed({ teams: [{ slug: "beta", members: [{ user: "dev", role: "OWNER" }] }] });
  const [one, other] = [w.stack(teamConfig, "one"), w.stack(teamConfig, "other")];
  other.use(w.another({ team: "beta" }));
  await one.up({ name: "Acme" });
  await other.up({ name: "Beta" });
  expect(await team()).toMatchObject({ name: "Acme" });
  expect(other.id).not.toBe(one.id);
});

it("counts with a policy that is planned while the variable is checked", async () => {
  await w.curl("POST", "/v10/projects", { name: "web" });
  await set({ sensitiveEnvironmentVariablePolicy: "on" });
  const [config, variable] = [w.stack(teamConfig, "team"), w.stack(envVar, "a")];
  const checked = variable.preview({ project: "web", key: "A", value: "canary-a", target: ["production"] });
  await config.preview({ sensitiveEnvironmentVariablePolicy: "off" });
  expect(await checked).toBe("create");
});

it("counts with its policy on variables before it is set", async () => {
  await w.curl("POST", "/v10/projects", { name: "web" });
  const readable = { project: "web", key: "A", value: "canary-a", target: ["production"] };
  const [config, variable] = [w.stack(teamConfig, "team"), w.stack(envVar, "a")];
  await config.preview({ sensitiveEnvironmentVariablePolicy: "on" });
  await expect(variable.preview(readable)).rejects.toThrow(
    /The policy of the team requires the type sensitive/,
  );
  await config.up({ sensitiveEnvironmentVariablePolicy: "on" });
  const [run, next] = [w.another(), w.another()];
  for (const each of [config, variable]) each.use(run);
  expect(await config.preview({ sensitiveEnvironmentVariablePolicy: "off" })).toBe("update");
  expect(await variable.preview(readable)).toBe("create");
  for (const each of [config, variable]) each.use(next);
  expect(await config.preview({})).toBe("update");
  expect(await variable.preview(readable)).toBe("create");
});
