import type { ScopeSetting } from "../../../server/access/scopes";
import { scopeSubjects } from "../../../server/access/scopes";
import { addIntegration, eventsOf, install, installWithToken, mailSent } from "../../support/integrations";
import { type Answer, useTestServer } from "../../support/world";

const world = useTestServer();

beforeEach(() => addIntegration(world, ["read:project"]));

const request = (...scopes: ScopeSetting[]): Promise<Answer> =>
  world.askControl("POST", "/integrations/cron/scopes", { scopes });
const confirm = (id: string, body: object = {}): Promise<Answer> =>
  world.askControl("POST", `/installations/${id}/confirm-scopes`, body);

/** The permissions of a token, as shown by a read and a write of projects and by a read of the user. */
const rights = async (token: string): Promise<Record<string, boolean>> => ({
  read: (await world.call("GET", "/v9/projects", { token })).status === 200,
  write: (await world.call("POST", "/v10/projects", { token, body: { name: "web" } })).status !== 403,
  user: (await world.call("GET", "/v2/user", { token })).status === 200,
});

describe("requested scopes", () => {
  // AU-35, AU-43
  test("an added scope works for the same token once it is confirmed, and not before", async () => {
    const { token, id } = await installWithToken(world);
    await request("read:project", "read:user");
    expect(await rights(token)).toEqual({ read: true, write: false, user: false });
    const { status, body } = await confirm(id);
    expect(status).toBe(200);
    expect(body).toMatchObject({ scopes: ["read:project", "read:user"], pendingScopes: [] });
    expect(await rights(token)).toEqual({ read: true, write: false, user: true });
  });

  // AU-36, AU-43
  test("an upgraded scope gives the old right until it is confirmed", async () => {
    const { token, id } = await installWithToken(world);
    await request("project");
    expect(await rights(token)).toEqual({ read: true, write: false, user: false });
    await confirm(id);
    expect(await rights(token)).toEqual({ read: true, write: true, user: false });
  });

  // AU-38
  test("one confirmation confirms the changes of two requests together", async () => {
    const { token, id } = await installWithToken(world);
    await request("read:project", "read:user");
    await request("project", "read:user");
    await confirm(id);
    expect(await rights(token)).toEqual({ read: true, write: true, user: true });
  });

  // AU-38
  test("the first who confirms confirms for all; nothing is left to confirm", async () => {
    await world.member("OWNER");
    const { id } = await installWithToken(world);
    await request("project");
    expect((await confirm(id, { user: "owner-of-acme" })).status).toBe(200);
    const { status, body } = await confirm(id);
    expect(status).toBe(409);
    expect(body.error.code).toBe("conflict");
  });

  // AU-39
  test("a confirmed scope that is removed is gone at once", async () => {
    const { token } = await installWithToken(world);
    await request();
    expect(await rights(token)).toEqual({ read: false, write: false, user: false });
  });

  // AU-40
  test("a confirmed scope that is downgraded is lower at once", async () => {
    const { token } = await installWithToken(world, { scopes: ["project", "user"] });
    await request("read:project", "user");
    expect(await rights(token)).toEqual({ read: true, write: false, user: true });
  });

  // AU-41
  test("a pending scope that is removed is not granted by a later confirmation", async () => {
    const { token, id } = await installWithToken(world);
    await request("project", "read:user");
    await request("project");
    await confirm(id);
    expect(await rights(token)).toEqual({ read: true, write: true, user: false });
  });

  // AU-42
  test("a pending scope that is downgraded is granted as the lower one", async () => {
    await addIntegration(world);
    const { token, id } = await installWithToken(world, { scopes: ["read:user"] });
    await request("read:user", "project");
    await request("read:user", "read:project");
    await confirm(id);
    expect(await rights(token)).toEqual({ read: true, write: false, user: true });
  });

  // AU-43
  test("every installation confirms for itself; a new one has the scopes from the start", async () => {
    const first = await installWithToken(world);
    const second = await installWithToken(world, { user: "dev" });
    await request("project");
    await confirm(first.id);
    expect(await rights(first.token)).toMatchObject({ write: true });
    const answer = await world.call("POST", "/v10/projects", {
      token: second.token,
      team: null,
      body: { name: "web" },
    });
    expect(answer.status).toBe(403);
    expect(await rights((await installWithToken(world)).token)).toMatchObject({ write: true });
  });

  // AU-19
  test("each of the eleven names can be set, with both spellings of its right, and no other", async () => {
    for (const subject of scopeSubjects) {
      expect((await request(subject)).status).toBe(200);
      expect((await request(`read:${subject}`, `read-write:${subject}`)).status).toBe(200);
    }
    expect(scopeSubjects).toHaveLength(11);
    for (const unknown of ["billing", "write:project", "read:"]) {
      const { status, body } = await request(unknown as ScopeSetting);
      expect(status).toBe(400);
      expect(body.error.code).toBe("bad_request");
    }
  });
});

describe("mail", () => {
  const subject = "Cron requests more permissions";

  // AU-37
  test("an addition informs the user of the installation and the owners of the team, each once", async () => {
    await world.member("MEMBER");
    await world.member("OWNER");
    await world.member("VIEWER");
    await install(world, { installedBy: "member-of-acme" });
    await request("read:project", "read:user");
    expect(await mailSent(world)).toEqual([
      { to: "dev@example.com", subject },
      { to: "member-of-acme@example.com", subject },
      { to: "owner-of-acme@example.com", subject },
    ]);
    expect((await world.control.mail())[0]?.body).toContain("read:user");
  });

  // AU-37
  test("an upgrade informs too; on a personal account its person alone", async () => {
    await install(world, { user: "dev" });
    await request("project");
    expect(await mailSent(world)).toEqual([{ to: "dev@example.com", subject }]);
  });

  test("who installed it gets none after leaving the team", async () => {
    await world.member("MEMBER");
    await install(world, { installedBy: "member-of-acme" });
    await world.control.removeMember("acme", "member-of-acme");
    await request("read:project", "read:user");
    const asked = (await mailSent(world)).filter((mail) => mail.subject === subject);
    expect(asked).toEqual([{ to: "dev@example.com", subject }]);
  });

  // AU-39, AU-40, AU-42
  test("a removal, a downgrade and the same again inform nobody", async () => {
    await install(world, { scopes: ["project", "user"] });
    await request("read:project");
    await request("read:project");
    expect(await mailSent(world)).toEqual([]);
  });
});

describe("the event", () => {
  const type = "integration-configuration.scope-change-confirmed";

  // EV-07
  test("is sent after the confirmation, not before, and tells the scopes that hold now", async () => {
    const { id } = await installWithToken(world);
    await request("project", "read:user");
    expect(await eventsOf(world, type)).toEqual([]);
    await confirm(id);
    expect(await eventsOf(world, type)).toMatchObject([
      { payload: { configuration: { id, scopes: ["read-write:project", "read:user"] } } },
    ]);
  });

  // EV-07
  test("is not sent for what applies unconfirmed, nor by a refused confirmation", async () => {
    await world.member("VIEWER");
    const { id } = await installWithToken(world, { scopes: ["project"] });
    await request("read:project");
    expect((await confirm(id)).status).toBe(409);
    await request("project");
    const viewer = await confirm(id, { user: "viewer-of-acme" });
    expect(viewer.status).toBe(403);
    expect(await eventsOf(world, type)).toEqual([]);
  });

  test("an unknown installation or integration is 404", async () => {
    expect((await confirm("icfg_none")).status).toBe(404);
    expect((await world.askControl("POST", "/integrations/none/scopes", { scopes: [] })).status).toBe(404);
  });
});
