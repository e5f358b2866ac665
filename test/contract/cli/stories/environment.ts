import { json, type Story, type Work } from "./story";

interface Variable {
  id: string;
  key: string;
  type: string;
  target?: string[];
  gitBranch?: string;
  customEnvironmentIds?: string[];
}

const variables = async (work: Work, key: string): Promise<Variable[]> => {
  const { envs } = await work.get("/v9/projects/shop/env");
  return envs.filter((one: Variable) => one.key === key);
};

export const environment: Story = {
  title: "a linked folder and the variables of its project",
  folder: "shop",
  prepare: async (work) => {
    await work.server.control.seed({
      projects: [
        { team: "acme", name: "shop" },
        { team: "acme", name: "other" },
      ],
    });
    await work.send("POST", "/v9/projects/shop/link", { type: "github", repo: "acme/shop" });
    await work.send("POST", "/v9/projects/shop/custom-environments", { slug: "staging" });
  },
  runs: [
    {
      line: "link --yes",
      says: "acme/shop",
      check: async (work) =>
        expect(JSON.parse(work.read(".vercel/project.json")).projectId).toBe(
          (await work.get("/v9/projects/shop")).id,
        ),
    },
    { line: "link --yes --project other", says: "acme/other" },
    { line: "link --yes --team acme --project shop", says: "acme/shop" },
    {
      line: "env add GREETING development",
      input: "hello",
      check: async (work) =>
        expect(await variables(work, "GREETING")).toMatchObject([{ target: ["development"] }]),
    },
    {
      line: "env add LEVEL production --value debug --no-sensitive --yes",
      check: async (work) =>
        expect(await variables(work, "LEVEL")).toMatchObject([{ target: ["production"] }]),
    },
    {
      line: "env add SECRET production --sensitive --value hidden --yes",
      check: async (work) => expect(await variables(work, "SECRET")).toMatchObject([{ type: "sensitive" }]),
    },
    {
      line: "env add URL production,preview,development --value https://example.com --no-sensitive --yes",
      check: async (work) =>
        expect((await variables(work, "URL")).flatMap(({ target }) => target).sort()).toEqual([
          "development",
          "preview",
          "production",
        ]),
    },
    {
      line: "env add FEATURE preview --git-branch feature --value on --no-sensitive --yes",
      check: async (work) =>
        expect(await variables(work, "FEATURE")).toMatchObject([
          { target: ["preview"], gitBranch: "feature" },
        ]),
    },
    {
      line: "env add STAGE staging --value blue --no-sensitive --yes",
      check: async (work) =>
        expect((await variables(work, "STAGE"))[0]?.customEnvironmentIds).toHaveLength(1),
    },
    { line: "env add LEVEL production --value info --no-sensitive --yes", code: 1, says: "exists" },
    { line: "env add LEVEL production --value info --no-sensitive --yes --force", says: "LEVEL" },
    { line: "env ls", says: /GREETING[\s\S]*/ },
    { line: "env ls production", says: "SECRET" },
    { line: "env ls preview feature", says: "FEATURE" },
    { line: "env ls --json", check: (_, said) => expect(json(said).envs.length).toBeGreaterThan(5) },
    {
      line: "env pull --yes",
      check: (work) => expect(work.read(".env.local")).toMatch(/^GREETING="?hello"?$/m),
    },
    {
      line: "env pull --yes .env.production.local --environment=production",
      check: (work) => expect(work.read(".env.production.local")).toMatch(/^LEVEL="?info"?$/m),
    },
    {
      line: "env pull --yes .env.feature --environment=preview --git-branch feature",
      check: (work) => expect(work.read(".env.feature")).toMatch(/^FEATURE="?on"?$/m),
    },
    {
      line: "env pull --yes .env.staging --environment=staging",
      check: (work) => expect(work.read(".env.staging")).toMatch(/^STAGE="?blue"?$/m),
    },
    {
      line: "pull --yes",
      check: (work) => {
        expect(work.read(".vercel/.env.development.local")).toContain("GREETING");
        expect(JSON.parse(work.read(".vercel/project.json"))).toHaveProperty("settings");
      },
    },
    {
      line: "pull --yes --environment=production",
      check: (work) => expect(work.read(".vercel/.env.production.local")).toMatch(/^LEVEL="?info"?$/m),
    },
    {
      line: "pull --yes --environment=preview",
      check: (work) => expect(work.read(".vercel/.env.preview.local")).not.toContain("FEATURE"),
    },
    {
      line: "pull --yes --environment=preview --git-branch feature",
      check: (work) => expect(work.read(".vercel/.env.preview.local")).toContain("FEATURE"),
    },
    {
      line: "pull --yes --environment=staging",
      check: (work) => expect(work.read(".vercel/.env.staging.local")).toContain("STAGE"),
    },
    { line: "env run -- printenv GREETING", says: "hello" },
    { line: "env run -e production -- printenv LEVEL", says: "info" },
    { line: "env run -e preview --git-branch feature -- printenv FEATURE", says: "on" },
    {
      line: "env update GREETING development --value 'good morning' --yes",
      check: async (work) => {
        const [{ id } = { id: "" }] = await variables(work, "GREETING");
        expect(await work.get(`/v1/projects/shop/env/${id}`)).toMatchObject({ value: "good morning" });
      },
    },
    {
      line: "env update LEVEL production --sensitive --value warn --yes",
      check: async (work) => expect(await variables(work, "LEVEL")).toMatchObject([{ type: "sensitive" }]),
    },
    {
      line: "env rm GREETING --yes",
      check: async (work) => expect(await variables(work, "GREETING")).toEqual([]),
    },
    {
      line: "env rm FEATURE preview feature --yes",
      check: async (work) => expect(await variables(work, "FEATURE")).toEqual([]),
    },
    { line: "env rm NOTHING production --yes", code: 1, says: "not found" },
    { line: "env ls --project other", says: "No Environment Variables" },
  ],
};
