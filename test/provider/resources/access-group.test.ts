import type { Plain } from "../../../provider/core/values";
import { accessGroup } from "../../../provider/resources/access-group";
import { type Harness, quietStep, type Stack, startHarness } from "../stack";

let w: Harness;
beforeEach(async () => {
  w = await startHarness();
  await w.server.control.changeTeam("acme", { plan: "enterprise" });
});
afterEach(() => w.close());

const make = async (name: string): Promise<string> =>
  String(((await w.curl("POST", "/v1/access-groups", { name })) as Plain).accessGroupId);
const names = async (): Promise<unknown[]> => {
  const { accessGroups } = (await w.curl("GET", "/v1/access-groups")) as unknown as { accessGroups: Plain[] };
  return accessGroups.map(({ accessGroupId, name }) => `${accessGroupId} ${name}`).sort();
};

/** Begins a run in which the resources act. */
const begin = (...stacks: Stack[]): void => {
  const run = w.another();
  for (const one of stacks) one.use(run);
};

it("is created, renamed with its members and projects, and deleted", async () => {
  const group = w.stack(accessGroup, "group");
  await group.up({ name: "Developers" });
  expect(group).toMatchObject({ id: expect.stringMatching(/^ag_/), state: { accessGroupId: group.id } });
  await w.curl("POST", "/v10/projects", { name: "web" });
  const { id: projectId } = await w.curl("GET", "/v9/projects/web");
  await w.curl("POST", `/v1/access-groups/${group.id}/projects`, { projectId, role: "ADMIN" });
  expect(await group.up({ name: "Designers" })).toBe("update");
  expect(await names()).toEqual([`${group.id} Designers`]);
  expect(await w.curl("GET", "/v1/access-groups/Designers")).toMatchObject({ projectsCount: 1 });
  await group.destroy();
  expect(await names()).toEqual([]);
});

it("refuses a group that exists, and adopts it with what it has", async () => {
  const id = await make("Developers");
  const group = w.stack(accessGroup, "group");
  await expect(group.preview({ name: "Developers" })).rejects.toThrow(
    new RegExp(`The access group Developers already exists \\(${id}\\).*Adopt it with \\{ adopt: true \\}`),
  );
  await expect(group.up({ name: "Developers" })).rejects.toThrow(/already exists/);
  expect(await group.up({ name: "Developers", adopt: true })).toBe("create");
  expect(group.id).toBe(id);
});

it("refuses a group that somebody creates after the preview, and makes no second one", async () => {
  const group = w.stack(accessGroup);
  const id = await make("Developers");
  await expect(group.up({ name: "Developers" })).rejects.toThrow(/409.*already exists/);
  expect(await names()).toEqual([`${id} Developers`]);
});

it("gives a group its name back that an interrupted run has left a temporary one", async () => {
  const group = w.stack(accessGroup, "group");
  await group.up({ name: "Developers" });
  await w.curl("POST", `/v1/access-groups/${group.id}`, { name: "Developers-moving-0a1b2c3d" });
  begin(group);
  await group.refresh();
  expect(await group.up({ name: "Developers" })).toBe("update");
  expect(await names()).toEqual([`${group.id} Developers`]);
});

it("does not give the name of a group to a new resource", async () => {
  const [owner, heir] = [w.stack(accessGroup, "owner"), w.stack(accessGroup, "heir")];
  await owner.up({ name: "Developers" });
  begin(owner, heir);
  await owner.preview({ name: "Developers" });
  await expect(heir.preview({ name: "Developers" })).rejects.toThrow(
    /both declare the access group Developers/,
  );
});

it("gets a name that another group has just released", async () => {
  const other = await make("Designers");
  const group = w.stack(accessGroup, "group");
  await group.up({ name: "Developers" });
  const send = w.client.send.bind(w.client);
  jest.spyOn(w.client, "send").mockImplementation(async (request) => {
    try {
      return await send(request);
    } catch (error) {
      if (request.method === "POST") await w.curl("POST", `/v1/access-groups/${other}`, { name: "Others" });
      throw error;
    }
  });
  await accessGroup.update(w.run, quietStep, group.id, group.state, { name: "Designers" });
  expect(await names()).toEqual([`${group.id} Designers`, `${other} Others`].sort());
});

it("is imported by its name or id", async () => {
  const id = await make("Developers");
  for (const name of [id, "Developers"])
    expect(await accessGroup.read(w.runOf(w.another()), name)).toMatchObject({
      id,
      inputs: { name: "Developers" },
    });
  await expect(accessGroup.read(w.runOf(w.another()), "Nobody")).rejects.toThrow(/404.*`<name>`, or `<id>`/);
});

it("says that the plan has no access groups, and refuses names that could be ids", async () => {
  await w.server.control.changeTeam("acme", { plan: "pro" });
  const group = w.stack(accessGroup);
  await expect(group.up({ name: "Developers" })).rejects.toThrow(/403/);
  for (const name of ["ag_1", "a/b", "", " ", ".", ".."])
    await expect(group.up({ name })).rejects.toThrow(/name must/);
});
