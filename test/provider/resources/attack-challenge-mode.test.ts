/** @own-code The time is fake, for the server too. */

import type { Plain } from "../../../provider/core/values";
import { attackChallengeMode } from "../../../provider/resources/attack-challenge-mode";
import { type Harness, startHarness } from "../stack";

let w: Harness;
let web: string;
beforeEach(async () => {
  w = await startHarness();
  web = String(((await w.curl("POST", "/v10/projects", { name: "web" })) as Plain).id);
});
afterEach(async () => {
  jest.restoreAllMocks();
  await w.close();
});

const enabled = { project: "web", enabled: true };
const path = "/v1/security/attack-mode";
const security = async () => (await w.curl("GET", "/v9/projects/web")).security as unknown as Plain;
const set = (attackModeEnabled: boolean, more: object = {}) =>
  w.curl("POST", path, { projectId: web, attackModeEnabled, ...more });

it("is enabled, kept, disabled and deleted, which disables it", async () => {
  const mode = w.stack(attackChallengeMode);
  await mode.up(enabled);
  expect(mode.id).toBe(web);
  expect(mode.state).toMatchObject({ projectId: web, enabled: true });
  expect(await security()).toMatchObject({ attackModeEnabled: true, attackModeActiveUntil: null });
  await mode.refresh(w.another());
  expect(await mode.up(enabled)).toBe("same");
  expect(await mode.up({ ...enabled, project: web })).toBe("same");
  expect(await mode.up({ ...enabled, enabled: false })).toBe("update");
  expect(await security()).toMatchObject({ attackModeEnabled: false });
  await mode.up(enabled);
  await mode.destroy();
  expect(await security()).toMatchObject({ attackModeEnabled: false });
});

it("takes over a mode that is set already", async () => {
  await set(true, { attackModeActiveUntil: Date.UTC(2100, 0, 1) });
  await w.stack(attackChallengeMode).up(enabled);
  expect(await security()).toMatchObject({ attackModeEnabled: true, attackModeActiveUntil: null });
});

it("restores what the program declares when somebody changes it", async () => {
  const mode = w.stack(attackChallengeMode);
  await mode.up(enabled);
  await set(false);
  await mode.refresh(w.another());
  expect(mode.state).toMatchObject({ enabled: false });
  expect(await mode.up(enabled)).toBe("update");
  expect(await security()).toMatchObject({ attackModeEnabled: true });
});

it("stays as it is after it has ended as declared", async () => {
  const activeUntil = Date.now() + 3_600_000;
  const declared = { ...enabled, activeUntil };
  const mode = w.stack(attackChallengeMode);
  await mode.up(declared);
  await w.server.control.advanceClock(2 * 3_600_000);
  expect(await security()).toMatchObject({ attackModeEnabled: false, attackModeActiveUntil: activeUntil });
  // The clock of the machine has passed the time too.
  const now = Date.now();
  jest.spyOn(Date, "now").mockReturnValue(now + 2 * 3_600_000);
  await mode.refresh(w.another());
  expect(await mode.up(declared)).toBe("same");
  expect(await mode.up({ ...declared, activeUntil: activeUntil + 4 * 3_600_000 })).toBe("update");
  expect(await security()).toMatchObject({ attackModeEnabled: true });
});

it("is drift when it was disabled before its time", async () => {
  const declared = { ...enabled, activeUntil: Date.now() + 3_600_000 };
  const mode = w.stack(attackChallengeMode);
  await mode.up(declared);
  await set(false);
  await mode.refresh(w.another());
  expect(await mode.up(declared)).toBe("update");
  expect(await security()).toMatchObject({
    attackModeEnabled: true,
    attackModeActiveUntil: declared.activeUntil,
  });
});

it("is drift when it has ended at a time that the program does not declare", async () => {
  const mode = w.stack(attackChallengeMode);
  await mode.up(enabled);
  await set(true, { attackModeActiveUntil: Date.now() + 3_600_000 });
  await w.server.control.advanceClock(2 * 3_600_000);
  const now = Date.now();
  jest.spyOn(Date, "now").mockReturnValue(now + 2 * 3_600_000);
  await mode.refresh(w.another());
  expect(mode.state).toMatchObject({ enabled: false });
  expect(await mode.up(enabled)).toBe("update");
  expect(await security()).toMatchObject({ attackModeEnabled: true, attackModeActiveUntil: null });
});

it("is imported, with its time while it is enabled", async () => {
  const inputsOf = async (id: string) =>
    (await attackChallengeMode.read(w.runOf(w.another()), id, undefined))?.inputs;
  expect(await inputsOf("web")).toEqual({ project: web, enabled: false });
  const attackModeActiveUntil = Date.UTC(2100, 0, 1);
  await set(true, { attackModeActiveUntil });
  expect(await inputsOf(web)).toEqual({ project: web, enabled: true, activeUntil: attackModeActiveUntil });
  await set(false, { attackModeActiveUntil });
  expect(await inputsOf("web")).toEqual({ project: web, enabled: false });
});

it("is not disabled by the deletion of one whose project another resource has", async () => {
  const before = w.stack(attackChallengeMode, "before");
  await before.up(enabled);
  const run = w.another();
  before.use(run);
  const after = w.stack(attackChallengeMode, "after");
  after.use(run);
  await after.up(enabled);
  await before.destroy();
  expect(await security()).toMatchObject({ attackModeEnabled: true });
});

it("passes from a resource that moves on to another one, which takes its step first", async () => {
  await w.curl("POST", "/v10/projects", { name: "other" });
  const [first, second] = [w.stack(attackChallengeMode, "first"), w.stack(attackChallengeMode, "second")];
  await first.up(enabled);
  await second.up({ ...enabled, project: "other" });
  const run = w.another();
  for (const mode of [first, second]) mode.use(run);
  expect(await second.up(enabled)).toBe("replace");
  expect(await first.up({ ...enabled, project: "other" })).toBe("replace");
  expect(await security()).toMatchObject({ attackModeEnabled: true });
});

it("refuses two resources of one project", async () => {
  const both = [w.stack(attackChallengeMode, "a"), w.stack(attackChallengeMode, "b")];
  const ends = await Promise.allSettled(both.map((one) => one.up(enabled)));
  expect(ends.map((end) => (end.status === "rejected" ? String(end.reason) : ""))).toContainEqual(
    expect.stringMatching(
      /both declare the setting attack challenge mode.*or give one of them another project/,
    ),
  );
});

it("is gone with its project, which is no failure", async () => {
  const mode = w.stack(attackChallengeMode);
  await mode.up(enabled);
  await w.curl("DELETE", "/v9/projects/web");
  await mode.destroy();
});

it("refuses a time for a mode that is disabled, and a project that does not exist", async () => {
  const mode = w.stack(attackChallengeMode);
  await expect(mode.up({ ...enabled, enabled: false, activeUntil: 1 })).rejects.toThrow(
    /activeUntil is the end of an enabled mode/,
  );
  await expect(mode.up({ ...enabled, project: "nope" })).rejects.toThrow(/404/);
});
