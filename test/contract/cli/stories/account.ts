import { json, type Story } from "./story";

export const account: Story = {
  title: "an account and its teams",
  folder: "nothing",
  withoutScope: true,
  runs: [
    { line: "whoami", says: /^dev$/m },
    {
      line: "whoami --json",
      check: (_, said) => expect(json(said)).toMatchObject({ username: "dev", email: "dev@example.com" }),
    },
    { line: "teams ls", says: /acme\s+Acme/ },
    {
      line: "teams ls --json",
      check: (_, said) => expect(json(said)).toMatchObject({ teams: [{ slug: "acme", name: "Acme" }] }),
    },
    {
      line: "teams switch acme",
      says: "Acme",
      check: async (work) => {
        const { id } = await work.get("/v2/teams/acme");
        expect(JSON.parse(work.read(".config/config.json"))).toMatchObject({ currentTeam: id });
      },
    },
    { line: "switch acme", cannot: "asks for a login instead of a token" },
    { line: "teams members --scope acme", says: /dev\s+OWNER/ },
    {
      line: "teams members --json --scope acme",
      check: (_, said) => expect(json(said)).toMatchObject({ members: [{ username: "dev", role: "OWNER" }] }),
    },
    {
      line: "teams invite new@example.com other@example.com --scope acme",
      check: async (work) =>
        expect((await work.get("/v3/teams/acme/members")).members).toEqual(
          expect.arrayContaining([
            expect.objectContaining({ email: "new@example.com", confirmed: false }),
            expect.objectContaining({ email: "other@example.com", confirmed: false }),
          ]),
        ),
    },
    {
      line: "teams create",
      input: "studio\nThe Studio\n",
      check: async (work) => expect(await work.get("/v2/teams/studio")).toMatchObject({ slug: "studio" }),
    },
    { line: "teams switch nobody", code: 1, says: "nobody" },
    { line: "telemetry disable", says: "Disabled" },
    { line: "logout", says: "Logged out" },
  ],
};
