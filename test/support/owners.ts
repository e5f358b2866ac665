import type { Seed } from "../../server/seed/document";
import { beginning } from "./world";

const owner = { role: "OWNER" } as const;

/** Owners of the team acme: of those who have accepted, zoe joined first. */
export const ownersOfAcme = {
  users: [
    { username: "ada", id: "user_0" },
    { username: "zoe", id: "user_z" },
    { username: "guest", id: "user_1" },
  ],
  teams: [
    {
      slug: "acme",
      members: [
        { ...owner, user: "ada", createdAt: beginning + 5 },
        { ...owner, user: "zoe", createdAt: beginning - 2 },
        { ...owner, user: "guest", createdAt: beginning - 3, confirmed: false },
      ],
    },
  ],
} satisfies Seed;
