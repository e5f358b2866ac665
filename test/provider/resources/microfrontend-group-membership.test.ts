import type { Plain } from "../../../provider/core/values";
import { microfrontendGroup } from "../../../provider/resources/microfrontend-group";
import { microfrontendGroupMembership } from "../../../provider/resources/microfrontend-group-membership";
import { microfrontendGroup as makeGroup } from "../fields/common";
import { type Harness, recordStack, startHarness } from "../stack";

let w: Harness;
let shell: string;
let docs: string;
let group: string;
beforeEach(async () => {
  w = await startHarness();
  await w.server.control.changeTeam("acme", { plan: "pro" });
  const make = async (name: string) => String((await w.curl("POST", "/v10/projects", { name })).id);
  [shell, docs] = [await make("shell"), await make("docs")];
  group = await makeGroup(w, "shop", shell);
});
afterEach(() => w.close());

const declared = (more: object = {}): Plain => ({ project: "docs", microfrontendGroupId: group, ...more });
const settings = async (project = "docs"): Promise<Plain | undefined> =>
  (await w.curl("GET", `/v9/projects/${project}`)).microfrontends as never;
const patch = (body: object, project = "docs") =>
  w.curl("PATCH", `/v1/projects/${project}/microfrontends`, body);
const secondGroup = async () =>
  makeGroup(w, "news", String((await w.curl("POST", "/v10/projects", { name: "front" })).id));

it("adds a project, changes it in place, and removes it", async () => {
  const docsOfShop = w.stack(microfrontendGroupMembership, "docs");
  await docsOfShop.up(declared({ defaultRoute: "/docs", routeObservabilityToThisProject: true }));
  expect(docsOfShop).toMatchObject({ id: `${docs}/${group}`, state: { projectId: docs } });
  expect(await docsOfShop.up(declared({ project: docs, defaultRoute: "/help" }))).toBe("update");
  expect(await settings()).toMatchObject({
    ...{ groupIds: [group], isDefaultApp: false, defaultRoute: "/help" },
    routeObservabilityToThisProject: false,
  });
  await docsOfShop.destroy();
  expect(await settings()).toBeUndefined();
  expect(await settings("shell")).toMatchObject({ isDefaultApp: true });
});

it("sends and keeps only the declared settings", async () => {
  const docsOfShop = w.stack(microfrontendGroupMembership, "docs");
  await docsOfShop.up(declared());
  await patch({ defaultRoute: "/by-hand", doNotRouteWithMicrofrontendsRouting: true });
  await docsOfShop.refresh(w.another());
  expect(await docsOfShop.up(declared({ routeObservabilityToThisProject: true }))).toBe("update");
  expect(await settings()).toMatchObject({
    ...{ defaultRoute: "/by-hand", doNotRouteWithMicrofrontendsRouting: true },
    routeObservabilityToThisProject: true,
  });
});

it("refuses a project that the group has, and adopts it with the declared settings", async () => {
  await patch({ microfrontendsGroupId: group, defaultRoute: "/old" });
  const docsOfShop = w.stack(microfrontendGroupMembership, "docs");
  await expect(docsOfShop.preview(declared())).rejects.toThrow(
    /already exists.*Adopt it with \{ adopt: true \}/,
  );
  await expect(w.stack(microfrontendGroupMembership).up(declared())).rejects.toThrow(/already exists/);
  await docsOfShop.up(declared({ defaultRoute: "/docs", adopt: true }));
  expect(await settings()).toMatchObject({ defaultRoute: "/docs" });
});

it("refuses a project of another group, also if it adopts", async () => {
  await patch({ microfrontendsGroupId: await secondGroup() });
  const docsOfShop = w.stack(microfrontendGroupMembership, "docs");
  await expect(docsOfShop.preview(declared())).rejects.toThrow(/already exists/);
  const reason = /is in the microfrontend group mfe_\w+, and a project can be in one group only/;
  await expect(docsOfShop.preview(declared({ adopt: true }))).rejects.toThrow(reason);
  await expect(w.stack(microfrontendGroupMembership).up(declared({ adopt: true }))).rejects.toThrow(reason);
  expect(await settings()).not.toMatchObject({ groupIds: [group] });
});

it.each([false, true])(
  "moves to another group by a replacement, which removes it first (adopt: %s)",
  async (adopt) => {
    const other = await secondGroup();
    const docsOfShop = w.stack(microfrontendGroupMembership, "docs");
    await docsOfShop.up(declared({ adopt }));
    docsOfShop.use(w.another());
    recordStack([{ type: docsOfShop.type, name: "docs", outputs: docsOfShop.state }]);
    expect(await docsOfShop.up(declared({ adopt, microfrontendGroupId: other }))).toBe("replace");
    expect(docsOfShop.id).toBe(`${docs}/${other}`);
    expect(await settings()).toMatchObject({ groupIds: [other] });
  },
);

it("refuses the default application, which the resource of the group has", async () => {
  const of = w.stack(microfrontendGroupMembership, "of");
  const reason = /shell.* is the default application of a microfrontend group.*Remove this resource/;
  await expect(of.preview(declared({ project: "shell" }))).rejects.toThrow(reason);
  await expect(w.stack(microfrontendGroupMembership).up(declared({ project: "shell" }))).rejects.toThrow(
    /is the default application/,
  );
});

it("leaves the project where somebody has moved it", async () => {
  const docsOfShop = w.stack(microfrontendGroupMembership, "docs");
  await docsOfShop.up(declared());
  const other = await secondGroup();
  await patch({ enabled: false });
  await patch({ microfrontendsGroupId: other });
  await docsOfShop.destroy();
  expect(await settings()).toMatchObject({ groupIds: [other] });
});

it("leaves a project that has become the default application", async () => {
  const docsOfShop = w.stack(microfrontendGroupMembership, "docs");
  await docsOfShop.up(declared());
  await patch({ isDefaultApp: true });
  await docsOfShop.destroy();
  expect(await settings()).toMatchObject({ isDefaultApp: true });
  expect(w.warnings.at(-1)).toMatch(/is the default application of the group now, so it stays/);
});

it("is gone when the project has left the group, which is no failure", async () => {
  const docsOfShop = w.stack(microfrontendGroupMembership, "docs");
  await docsOfShop.up(declared());
  await patch({ enabled: false });
  expect(await docsOfShop.refresh(w.another())).toBe(false);
  await docsOfShop.destroy();
  expect(await settings()).toBeUndefined();
});

it("is imported by the name or id of the project", async () => {
  await patch({ microfrontendsGroupId: group, defaultRoute: "/docs" });
  for (const id of [`docs/${group}`, `${docs}/${group}`])
    expect(await microfrontendGroupMembership.read(w.runOf(w.another()), id)).toMatchObject({
      id: `${docs}/${group}`,
      inputs: { project: docs, microfrontendGroupId: group, defaultRoute: "/docs" },
    });
  const read = (id: string) => microfrontendGroupMembership.read(w.runOf(w.another()), id);
  await expect(read("docs")).rejects.toThrow(/"project\/group"/);
  await expect(read(`shell/${group}`)).rejects.toThrow(/is not in the microfrontend group/);
});

it("moves from another resource of the stack that the program no longer has", async () => {
  const other = await secondGroup();
  const before = w.stack(microfrontendGroupMembership, "before");
  await before.up(declared());
  const after = w.stack(microfrontendGroupMembership, "after");
  const client = w.another();
  for (const one of [before, after]) one.use(client);
  recordStack([{ type: before.type, name: "before", outputs: before.state }]);
  await after.up(declared({ microfrontendGroupId: other, defaultRoute: "/docs" }));
  await before.destroy();
  expect(await settings()).toMatchObject({ groupIds: [other], defaultRoute: "/docs" });
});

it("swaps with the default application in one run", async () => {
  const shop = w.stack(microfrontendGroup, "shop");
  await shop.up({ name: "shop", defaultAppProjectId: shell, adopt: true });
  const other = w.stack(microfrontendGroupMembership, "other");
  await other.up(declared());
  await shop.up({ name: "shop", defaultAppProjectId: docs, adopt: true });
  expect(await other.up(declared({ project: "shell" }))).toBe("replace");
  expect([await settings("docs"), await settings("shell")]).toMatchObject([
    { isDefaultApp: true },
    { isDefaultApp: false, groupIds: [group] },
  ]);
});

it("records a project whose answer was lost", async () => {
  const docsOfShop = w.stack(microfrontendGroupMembership, "docs");
  const path = `/v1/projects/${docs}/microfrontends`;
  await w.server.control.addFaults({ kind: "malformed", method: "PATCH", path, times: 1_000 });
  await docsOfShop.up(declared({ defaultRoute: "/docs" }));
  expect(docsOfShop.id).toBe(`${docs}/${group}`);
  await w.server.control.clearFaults();
  expect(await docsOfShop.up(declared({ defaultRoute: "/docs" }))).toBe("same");
});
