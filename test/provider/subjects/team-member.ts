import type { Plain } from "../../../provider/core/values";
import { teamMember } from "../../../provider/resources/team-member";
import { own } from "../fields/common";
import { existing, life, type Subject } from "../subject";

const email = "ada@example.org";
const path = (id: string): string => `/v1/teams/${id.replace("/", "/members/")}`;

export const subject: Subject = {
  resource: teamMember,
  handler: "member",
  prepare: async () => ({ given: { email, role: "VIEWER" } }),
  async look(w, id) {
    const { members } = await w.curl("GET", "/v3/teams/acme/members");
    return (members as unknown as Plain[]).find(({ uid }) => id.endsWith(`/${uid}`)) ?? {};
  },
  async all(w) {
    const { members } = (await w.curl("GET", "/v3/teams/acme/members")) as unknown as { members: Plain[] };
    return members.map(({ email, role, confirmed }) => ({ email, role, confirmed }));
  },
  listed: {
    query: {},
    names: ["dev@example.com"],
  },
  rows: [
    {
      path: "email",
      first: email,
      second: "grace@example.org",
      changed: "replace",
      cleared: /^email is missing/,
      shown: (value) => ({ email: value }),
      drift: "only users change their addresses, which is no change of the member",
    },
    {
      path: "role",
      first: "VIEWER",
      second: "DEVELOPER",
      changed: "update",
      cleared: /^role is missing/,
      shown: (role) => ({ role }),
      drift: (w, id) => w.curl("PATCH", path(id), { role: "BILLING" }),
    },
    own("adopt", true, false),
  ],
  operations: [
    ...life(
      teamMember,
      () => ({ email, role: "VIEWER" }),
      () => ({ email, role: "DEVELOPER" }),
    ),
    {
      name: "TeamMember: adopt",
      resource: teamMember,
      prepare: existing("/v2/teams/acme/members", { email, role: "VIEWER" }),
      step: "up",
      inputs: () => ({ email, role: "MEMBER", adopt: true }),
    },
    {
      name: "TeamMember: take the role of an owner",
      resource: teamMember,
      before: () => ({ email, role: "OWNER" }),
      step: "up",
      inputs: () => ({ email, role: "MEMBER" }),
    },
  ],
};
