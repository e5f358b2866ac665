import type { Plain } from "../../../provider/core/values";
import { accessGroupMember } from "../../../provider/resources/access-group-member";
import { type Harness, startHarness } from "../stack";

let w: Harness;
let group: string;
beforeEach(async () => {
  w = await startHarness();
  const { control } = w.server;
  await control.changeTeam("acme", { plan: "enterprise" });
  await control.seed({
    users: ["ada", "grace", "invited"].map((username) => ({
      username,
      id: `user_${username}`,
      email: `${username}@example.org`,
    })),
    teams: [
      {
        slug: "acme",
        members: [
          { user: "ada", role: "CONTRIBUTOR" },
          { user: "grace", role: "MEMBER" },
          { user: "invited", role: "MEMBER", confirmed: false },
        ],
      },
    ],
  });
  group = String(
    ((await w.curl("POST", "/v1/access-groups", { name: "Developers" })) as Plain).accessGroupId,
  );
});
afterEach(() => w.close());

const change = (body: object) => w.curl("POST", `/v1/access-groups/${group}`, body);
const members = async (): Promise<unknown[]> =>
  ((await w.curl("GET", `/v1/access-groups/${group}/members`)).members as unknown as Plain[])
    .map(({ email }) => email)
    .sort();
const declared = (email = "ada@example.org", more: object = {}): Plain => ({
  ...{ accessGroupId: group, email },
  ...more,
});

it("is added and removed, and leaves other members alone", async () => {
  await change({ membersToAdd: ["user_grace"] });
  const ada = w.stack(accessGroupMember, "ada");
  await ada.up(declared());
  expect(ada).toMatchObject({ id: `${group}/user_ada`, state: { userId: "user_ada", username: "ada" } });
  expect(await members()).toEqual(["ada@example.org", "grace@example.org"]);
  expect(await ada.up(declared("Ada@example.org"))).toBe("same");
  await ada.destroy();
  expect(await members()).toEqual(["grace@example.org"]);
});

it("refuses a member that the group has, and adopts it", async () => {
  await change({ membersToAdd: ["user_ada"] });
  const ada = w.stack(accessGroupMember, "ada");
  await expect(ada.preview(declared())).rejects.toThrow(/already exists.*Adopt it with \{ adopt: true \}/);
  await expect(w.stack(accessGroupMember).up(declared())).rejects.toThrow(/already exists/);
  await ada.up(declared("ada@example.org", { adopt: true }));
  await ada.destroy();
  expect(await members()).toEqual([]);
});

it("needs a member of the team who has accepted", async () => {
  for (const email of ["invited@example.org", "nobody@example.org"])
    await expect(w.stack(accessGroupMember).up(declared(email))).rejects.toThrow(
      /is not a member of the team, or has not accepted the invitation.*Declare a TeamMember/,
    );
});

it("is found missing when somebody removes it, and added again", async () => {
  const ada = w.stack(accessGroupMember, "ada");
  await ada.up(declared());
  await change({ membersToRemove: ["user_ada"] });
  expect(await ada.refresh(w.another())).toBe(false);
  expect(await ada.up(declared())).toBe("create");
  expect(await members()).toEqual(["ada@example.org"]);
});

it("is imported by email address or user id, with the name or id of the group", async () => {
  await change({ membersToAdd: ["user_ada"] });
  for (const id of ["Developers/ada@example.org", `${group}/user_ada`])
    expect(await accessGroupMember.read(w.runOf(w.another()), id)).toMatchObject({
      id: `${group}/user_ada`,
      inputs: { accessGroupId: group, email: "ada@example.org" },
    });
  await expect(accessGroupMember.read(w.runOf(w.another()), `${group}/nobody`)).rejects.toThrow(
    /has no member nobody/,
  );
});

it("is gone with its group, which is no failure", async () => {
  const ada = w.stack(accessGroupMember, "ada");
  await ada.up(declared());
  await w.curl("DELETE", `/v1/access-groups/${group}`);
  expect(await ada.refresh(w.another())).toBe(false);
  await ada.destroy();
});
