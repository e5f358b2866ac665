import type { Plain } from "../../../provider/core/values";
import { microfrontendGroup } from "../../../provider/resources/microfrontend-group";
import { microfrontendGroupMembership } from "../../../provider/resources/microfrontend-group-membership";
import { microfrontendGroup as makeGroup } from "../fields/common";
import { type Harness, quietStep, recordStack, startHarness } from "../stack";

let w: Harness;
let web: string;
let docs: string;
beforeEach(async () => {
  w = await startHarness();
  await w.server.control.changeTeam("acme", { plan: "pro" });
  const make = async (name: string) => String((await w.curl("POST", "/v10/projects", { name })).id);
  [web, docs] = [await make("web"), await make("docs")];
});
afterEach(() => w.close());

const declared = (more: object = {}): Plain => ({ name: "shop", defaultAppProjectId: web, ...more });
const groups = async (): Promise<{ group: Plain; projects: { id: string; microfrontends: Plain }[] }[]> =>
  (await w.curl("GET", "/v1/microfrontends/groups")).groups as never;
/** The names of groups, each with its projects. A star marks the default application. */
const members = async (): Promise<unknown[]> =>
  (await groups()).map(({ group, projects }) => [
    group.name,
    ...projects.map(({ id, microfrontends }) => `${id}${microfrontends.isDefaultApp ? "*" : ""}`),
  ]);
const join = (project: string, group: string, more: object = {}) =>
  w.curl("PATCH", `/v1/projects/${project}/microfrontends`, { microfrontendsGroupId: group, ...more });

it("is created with its default application, renamed in place, and deleted", async () => {
  const group = w.stack(microfrontendGroup, "group");
  await group.up(declared({ defaultRoute: "/home", fallbackEnvironment: "PRODUCTION" }));
  expect(group).toMatchObject({
    id: expect.stringMatching(/^mfe_/),
    state: { microfrontendGroupId: group.id, slug: "shop" },
  });
  expect(await members()).toEqual([["shop", `${web}*`]]);
  expect(await group.up(declared({ name: "The Store" }))).toBe("update");
  expect(group.state).toMatchObject({ slug: "the-store" });
  expect((await groups())[0]).toMatchObject({
    group: { name: "The Store", fallbackEnvironment: "SAME_ENV" },
    projects: [{ microfrontends: { defaultRoute: "/" } }],
  });
  await group.destroy();
  expect(await groups()).toEqual([]);
});

it("keeps settings that the program does not declare", async () => {
  const group = w.stack(microfrontendGroup, "group");
  await group.up(declared());
  expect(group.state.computed).toEqual({
    ...{ defaultRoute: "/", fallbackEnvironment: "SAME_ENV", enablePolyrepoBranchRouting: false },
  });
  const settings = { fallbackEnvironment: "PRODUCTION", enablePolyrepoBranchRouting: true };
  await w.curl("PATCH", `/v1/teams/acme/microfrontends/${group.id}`, settings);
  await group.refresh(w.another());
  expect(await group.up(declared({ name: "store" }))).toBe("update");
  expect((await groups())[0]?.group).toMatchObject({ name: "store", ...settings });
});

it("makes another project the default application, and removes the one before from the group", async () => {
  const group = w.stack(microfrontendGroup, "group");
  await group.up(declared());
  expect(await group.up(declared({ defaultAppProjectId: docs, defaultRoute: "/docs" }))).toBe("update");
  expect(await members()).toEqual([["shop", `${docs}*`]]);
  // Also a project that is in the group already, with a route of its own.
  await join(web, group.id, { defaultRoute: "/own" });
  expect(await group.up(declared({ defaultAppProjectId: web, defaultRoute: "/docs" }))).toBe("update");
  expect(await members()).toEqual([["shop", `${web}*`]]);
  expect((await groups())[0]?.projects[0]?.microfrontends).toMatchObject({ defaultRoute: "/docs" });
});

it("swaps its name with another group in one run", async () => {
  const [shop, news] = [w.stack(microfrontendGroup, "shop"), w.stack(microfrontendGroup, "news")];
  await shop.up(declared());
  await news.up({ name: "news", defaultAppProjectId: docs });
  const client = w.another();
  for (const one of [shop, news]) one.use(client);
  recordStack([shop, news].map(({ type, name, state }) => ({ type, name, outputs: state })));
  await shop.preview(declared({ name: "news" }));
  await news.preview({ name: "shop", defaultAppProjectId: docs });
  await shop.up(declared({ name: "news" }));
  await news.up({ name: "shop", defaultAppProjectId: docs });
  expect((await members()).sort()).toEqual([
    ["news", `${web}*`],
    ["shop", `${docs}*`],
  ]);
});

it("restores a default application that somebody has removed or changed", async () => {
  const group = w.stack(microfrontendGroup, "group");
  await group.up(declared());
  await w.curl("PATCH", `/v1/projects/${web}/microfrontends`, { enabled: false });
  expect(await group.refresh(w.another())).toBe(true);
  expect(await group.up(declared())).toBe("update");
  expect(await members()).toEqual([["shop", `${web}*`]]);
  await join(docs, group.id, { isDefaultApp: true });
  expect(await group.refresh(w.another())).toBe(true);
  expect(await group.up(declared())).toBe("update");
  expect(await members()).toEqual([["shop", `${web}*`]]);
});

it("is not deleted while it has projects that the program did not remove", async () => {
  const group = w.stack(microfrontendGroup, "group");
  await group.up(declared());
  await join(docs, group.id);
  group.use(w.another({ times: { settleMs: 100 } }));
  await expect(group.destroy()).rejects.toThrow(/was not deleted: docs \(prj_\w+\)\. Remove them/);
  expect(await members()).toEqual([["shop", docs, `${web}*`]]);
  await w.curl("PATCH", `/v1/projects/${docs}/microfrontends`, { enabled: false });
  await group.destroy();
  expect(await groups()).toEqual([]);
});

it("refuses a project of another group at preview, and before it changes anything", async () => {
  await makeGroup(w, "news", docs);
  const group = w.stack(microfrontendGroup, "group");
  const reason =
    /project docs \(prj_\w+\) is the default application of the microfrontend group mfe_\w+, and/;
  await expect(group.preview(declared({ defaultAppProjectId: docs }))).rejects.toThrow(reason);
  await group.up(declared());
  await expect(group.preview(declared({ defaultAppProjectId: docs }))).rejects.toThrow(reason);
  await expect(
    w.stack(microfrontendGroup).up(declared({ name: "a", defaultAppProjectId: docs })),
  ).rejects.toThrow(/A project cannot be in more than one group/);
  expect(await members()).toEqual([
    ["shop", `${web}*`],
    ["news", `${docs}*`],
  ]);
});

it("refuses at preview a project that the program declares in two groups", async () => {
  const reason = /declares the project prj_\w+ in two microfrontend groups/;
  await w.stack(microfrontendGroup, "shop").preview(declared());
  const other = w.stack(microfrontendGroup, "store");
  await expect(other.preview(declared({ name: "store" }))).rejects.toThrow(reason);
  const microfrontendGroupId = await makeGroup(w, "news", docs);
  const run = w.another();
  const member = w.stack(microfrontendGroupMembership, "member");
  for (const one of [member, other]) one.use(run);
  await member.preview({ project: web, microfrontendGroupId });
  await expect(other.preview(declared({ name: "store" }))).rejects.toThrow(reason);
});

it("refuses the name of a project, and an unknown project, at preview", async () => {
  const group = w.stack(microfrontendGroup, "group");
  for (const defaultAppProjectId of ["web", "prj_none"])
    await expect(group.preview(declared({ defaultAppProjectId }))).rejects.toThrow(
      /does not exist.*not its name/,
    );
});

it("refuses a group that exists, and adopts it with its projects", async () => {
  const id = await makeGroup(w, "shop", web);
  await join(docs, id);
  const group = w.stack(microfrontendGroup, "group");
  await expect(group.preview(declared())).rejects.toThrow(/already exists.*Adopt it with \{ adopt: true \}/);
  await expect(group.preview(declared({ adopt: true, defaultAppProjectId: docs }))).rejects.toThrow(
    /has the default application web \(prj_\w+\), and not prj_/,
  );
  await group.up(declared({ adopt: true, defaultRoute: "/home" }));
  expect([group.id, await members()]).toEqual([id, [["shop", docs, `${web}*`]]]);
  expect((await groups())[0]?.projects[1]?.microfrontends).toMatchObject({ defaultRoute: "/home" });
});

it("writes no setting that the program ignores when it adopts", async () => {
  await makeGroup(w, "shop", web);
  const group = w.stack(microfrontendGroup);
  const ignored = async () => ["fallbackEnvironment"];
  await group.up(declared({ adopt: true, fallbackEnvironment: "PRODUCTION" }), { ignored });
  expect((await groups())[0]?.group).toMatchObject({ fallbackEnvironment: "SAME_ENV" });
});

it("keeps a group whose settings the service refuses in the state", async () => {
  const group = w.stack(microfrontendGroup);
  await expect(group.up(declared({ fallbackEnvironment: "none" }))).rejects.toThrow(
    /slug of a custom environment/,
  );
  expect(group.id).toMatch(/^mfe_/);
  expect(await group.up(declared({ fallbackEnvironment: "PRODUCTION" }))).toBe("update");
  expect(await members()).toEqual([["shop", `${web}*`]]);
});

it("is imported by id or name, and not without a default application", async () => {
  const id = await makeGroup(w, "shop", web);
  for (const key of [id, "shop"])
    expect(await microfrontendGroup.read(w.runOf(w.another()), key)).toMatchObject({
      id,
      inputs: { name: "shop", defaultAppProjectId: web },
    });
  await w.curl("PATCH", `/v1/projects/${web}/microfrontends`, { enabled: false });
  await expect(microfrontendGroup.read(w.runOf(w.another()), id)).rejects.toThrow(/no default application/);
});

it("names the missing team", async () => {
  const client = w.another({ team: "" });
  const created = microfrontendGroup.create(w.runOf(client), quietStep, declared());
  await expect(created).rejects.toThrow(/belongs to a team: set SLIPWAY_TEAM/);
});

it("continues with a group whose change was accepted before a later request was refused", async () => {
  const group = w.stack(microfrontendGroup, "group");
  await group.up(declared());
  const path = "/v1/microfrontends/groups";
  await w.server.control.addFaults({ kind: "status", method: "GET", path, skip: 2, times: 1, status: 403 });
  await expect(group.up(declared({ name: "store" }))).rejects.toThrow("403");
  await w.server.control.clearFaults();
  group.use(w.another());
  expect(await group.up(declared({ name: "store" }))).toBe("update");
  expect(await members()).toEqual([["store", `${web}*`]]);
});

it("removes the default application that an interrupted run has left in the group", async () => {
  const group = w.stack(microfrontendGroup, "group");
  await group.up(declared());
  const path = `/v1/projects/${web}/microfrontends`;
  await w.server.control.addFaults({ kind: "status", method: "PATCH", path, status: 403, times: 1 });
  const next = declared({ defaultAppProjectId: docs });
  await expect(group.up(next)).rejects.toThrow("403");
  expect(await members()).toEqual([["shop", expect.any(String), expect.any(String)]]);
  group.use(w.another());
  expect(await group.up(next)).toBe("update");
  expect(await members()).toEqual([["shop", `${docs}*`]]);
});
