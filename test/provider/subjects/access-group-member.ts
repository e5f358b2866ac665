import type { Plain } from "../../../provider/core/values";
import { accessGroupMember } from "../../../provider/resources/access-group-member";
import { accessGroups, developers, ofAccessGroup, own } from "../fields/common";
import type { Harness } from "../stack";
import { life, type Subject } from "../subject";

const email = "ada@example.org";

/** Two members of the team who have accepted. */
const team = ({ server: { control } }: Harness) =>
  control.seed({
    users: ["ada", "grace"].map((username) => ({ username, email: `${username}@example.org` })),
    teams: [{ slug: "acme", members: ["ada", "grace"].map((user) => ({ user, role: "MEMBER" as const })) }],
  });

/** The id of the user with the address. */
async function idOf(w: Harness, address = email): Promise<unknown> {
  const { members } = await w.curl("GET", "/v3/teams/acme/members");
  return (members as unknown as Plain[]).find((one) => one.email === address)?.uid;
}

const membersOf = async (w: Harness, group: string): Promise<Plain[]> => {
  const { members } = await w.curl("GET", `/v1/access-groups/${group}/members`);
  return members as unknown as Plain[];
};

const prepare = async (w: Harness) => {
  await team(w);
  return accessGroups(w);
};

export const subject: Subject = {
  resource: accessGroupMember,
  handler: "groupmember",
  async prepare(w) {
    const known = await prepare(w);
    return { given: { accessGroupId: known.group, email }, known };
  },
  async look(w, id) {
    const [group = "", user] = id.split("/");
    const found = (await membersOf(w, group)).find(({ uid }) => uid === user);
    return found ? { ...found, accessGroupId: group } : {};
  },
  async all(w) {
    const { accessGroups: all } = await w.curl("GET", "/v1/access-groups");
    const groups = all as unknown as Plain[];
    const members = await Promise.all(groups.map(({ accessGroupId }) => membersOf(w, `${accessGroupId}`)));
    return groups.map(({ name }, at) => [name, members[at]?.map(({ email }) => email)]);
  },
  listed: {
    query: { accessGroup: "Developers" },
    names: ["dev@example.com"],
    async prepare(w) {
      const membersToAdd = [await idOf(w, "dev@example.com")];
      await w.curl("POST", `/v1/access-groups/${await developers(w)}`, { membersToAdd });
    },
  },
  rows: [
    ofAccessGroup,
    {
      path: "email",
      first: email,
      second: "grace@example.org",
      changed: "replace",
      cleared: /^email is missing/,
      shown: (value) => ({ email: value }),
      drift: "only users change their addresses, which is no change of the member",
    },
    own("adopt", true, false),
  ],
  operations: [
    ...life(
      accessGroupMember,
      ({ group }) => ({ accessGroupId: group, email }),
      ({ group }) => ({ accessGroupId: group, email, adopt: true }),
      prepare,
    ),
    {
      name: "AccessGroupMember: adopt",
      resource: accessGroupMember,
      async prepare(w) {
        const groups = await prepare(w);
        await w.curl("POST", `/v1/access-groups/${groups.group}`, { membersToAdd: [await idOf(w)] });
        return groups;
      },
      step: "up",
      inputs: ({ group }) => ({ accessGroupId: group, email, adopt: true }),
    },
  ],
};
