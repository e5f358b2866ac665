import type { Plain } from "../../../provider/core/values";
import { projectMember } from "../../../provider/resources/project-member";
import { type Harness, recordStack, startHarness } from "../stack";

const email = "ada@example.org";
const declared = { project: "web", email, role: "PROJECT_DEVELOPER" };

let w: Harness;
let web: string;
let ada: string;
beforeEach(async () => {
  w = await startHarness();
  web = String((await w.curl("POST", "/v10/projects", { name: "web" })).id);
  ada = String((await w.curl("POST", "/v2/teams/acme/members", { email, role: "CONTRIBUTOR" })).uid);
});
afterEach(() => w.close());

const members = async () => (await w.curl("GET", "/v1/projects/web/members")).members as unknown as Plain[];
const roles = async () => (await members()).map((one) => [one.email, one.role]);

it("is added by address, changed in place and removed", async () => {
  const member = w.stack(projectMember);
  await member.up(declared);
  expect(member.id).toBe(`${web}/${ada}`);
  expect(member.state).toMatchObject({ projectId: web, userId: ada, currentEmail: email });
  await member.refresh(w.another());
  expect(await member.up({ ...declared, email: "ADA@example.org", project: web })).toBe("same");
  expect(await member.up({ ...declared, role: "ADMIN" })).toBe("update");
  expect(await roles()).toEqual([[email, "ADMIN"]]);
  await member.destroy();
  expect(await roles()).toEqual([]);
});

it("is one member, however its address is written", async () => {
  const [one, other] = [w.stack(projectMember, "one"), w.stack(projectMember, "other")];
  await one.preview(declared);
  await expect(other.preview({ ...declared, email: "ADA@example.org" })).rejects.toThrow(
    / both declare the /,
  );
  await w.curl("POST", "/v1/projects/web/members", { uid: ada, role: "PROJECT_DEVELOPER" });
  const later = w.stack(projectMember, "later");
  later.use(w.another());
  await expect(later.preview({ ...declared, email: "ADA@example.org" })).rejects.toThrow(/adopt/);
});

it("is the same member under the address that the account has now, and under the one before", async () => {
  const member = w.stack(projectMember);
  await member.up(declared);
  await w.server.control.seed({ users: [{ username: "ada", email: "lovelace@example.org" }] });
  await member.refresh(w.another());
  expect(member.state).toMatchObject({ currentEmail: "lovelace@example.org" });
  expect(await member.up({ ...declared, email: "ADA@example.org" })).toBe("same");
  expect(await member.up({ ...declared, email: "Lovelace@example.org" })).toBe("same");
  expect(member.id).toBe(`${web}/${ada}`);
});

it("is recorded when the service lists no members after it was added", async () => {
  const failing = { kind: "status" as const, status: 500, skip: 1, times: 1_000 };
  await w.server.control.addFaults({ method: "GET", path: "/projects/:id/members", ...failing });
  const member = w.stack(projectMember);
  await member.up(declared);
  await w.server.control.clearFaults();
  expect(member.id).toBe(`${web}/${ada}`);
  expect(member.state).toMatchObject({ projectId: web, userId: ada, username: "ada", currentEmail: email });
  expect(await roles()).toEqual([[email, "PROJECT_DEVELOPER"]]);
});

it("is refused for a user who is not a member of the team, with what to do", async () => {
  await expect(w.stack(projectMember).up({ ...declared, email: "new@example.org" })).rejects.toThrow(
    /400 bad_request: new@example.org is not a member of the team.*Declare a TeamMember/,
  );
});

it("is refused for a member whom the project has, and adopts one on request", async () => {
  await w.curl("POST", "/v1/projects/web/members", { email, role: "PROJECT_VIEWER" });
  await expect(w.stack(projectMember).up(declared)).rejects.toThrow(/exists.*adopt/);
  expect(await roles()).toEqual([[email, "PROJECT_VIEWER"]]);
  const member = w.stack(projectMember, "adopting");
  await member.up({ ...declared, adopt: true });
  expect([member.id, await roles()]).toEqual([`${web}/${ada}`, [[email, "PROJECT_DEVELOPER"]]]);
});

it("passes on when a list loses its first item, and nobody is removed and added again", async () => {
  await w.curl("POST", "/v2/teams/acme/members", { email: "b@example.org", role: "CONTRIBUTOR" });
  const second = { project: "web", email: "b@example.org", role: "ADMIN" };
  const [first, last] = [w.stack(projectMember, "members-0"), w.stack(projectMember, "members-1")];
  await first.up(declared);
  await last.up(second);
  const [b] = await members();
  const later = w.another();
  recordStack([
    { type: "ProjectMember", name: "members-0", outputs: first.state },
    { type: "ProjectMember", name: "members-1", outputs: last.state },
  ]);
  for (const stack of [first, last]) stack.use(later);
  expect(await first.up(second)).toBe("replace");
  await last.destroy();
  expect(await members()).toEqual([b]);
});

it("is gone with its project, and when the user leaves the team, which is no failure", async () => {
  const member = w.stack(projectMember);
  await member.up(declared);
  await w.curl("DELETE", `/v1/teams/acme/members/${ada}`);
  await member.destroy();
  expect(await roles()).toEqual([]);
});

it.each([
  ["address", () => `web/${email}`],
  ["id", () => `${web}/${ada}`],
])("is imported by the %s of the user", async (_, idOf) => {
  await w.curl("POST", "/v1/projects/web/members", { uid: ada, role: "ADMIN" });
  expect(await projectMember.read(w.runOf(w.another()), idOf(), undefined)).toMatchObject({
    id: `${web}/${ada}`,
    inputs: { project: web, email, role: "ADMIN" },
  });
});

it("is not found under an unknown user, and refuses another form of id", async () => {
  const read = (id: string) => projectMember.read(w.runOf(w.another()), id, undefined);
  await expect(read("web/nobody")).rejects.toThrow(/404 not_found: .*has no member nobody/);
  await expect(read("web")).rejects.toThrow(/"project\/user"/);
});
