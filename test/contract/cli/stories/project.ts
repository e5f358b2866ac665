import { json, type Story } from "./story";

export const project: Story = {
  title: "a project",
  folder: "shop",
  prepare: (work) => work.server.control.seed({ users: [{ username: "ada", email: "ada@example.com" }] }),
  runs: [
    {
      line: "project add shop",
      says: "Project shop added",
      check: async (work) => expect(await work.get("/v9/projects/shop")).toMatchObject({ name: "shop" }),
    },
    { line: "projects add second", says: "Project second added" },
    { line: "project ls", says: /shop[\s\S]*second|second[\s\S]*shop/ },
    {
      line: "project ls --json",
      check: (_, said) =>
        expect(
          json(said)
            .projects.map(({ name }: { name: string }) => name)
            .sort(),
        ).toEqual(["second", "shop"]),
    },
    {
      line: "project ls --json --filter sec",
      check: (_, said) => expect(json(said).projects).toMatchObject([{ name: "second" }]),
    },
    { line: "project ls --update-required", says: "No projects found" },
    { line: "project inspect shop", says: "22.x" },
    {
      line: "project inspect shop --json",
      check: (_, said) => expect(json(said)).toMatchObject({ name: "shop" }),
    },
    { line: "project inspect nothing", code: 1, says: "nothing" },
    {
      line: "project rename second third",
      check: async (work) => expect(await work.get("/v9/projects/third")).toMatchObject({ name: "third" }),
    },
    {
      line: "project update shop --framework vite --yes",
      check: async (work) => expect(await work.get("/v9/projects/shop")).toMatchObject({ framework: "vite" }),
    },
    {
      line: "project update shop --build-command 'pnpm build' --output-directory dist --install-command 'pnpm i' --yes",
      check: async (work) =>
        expect(await work.get("/v9/projects/shop")).toMatchObject({
          buildCommand: "pnpm build",
          outputDirectory: "dist",
          installCommand: "pnpm i",
        }),
    },
    {
      line: "project update shop --auto-detect build-command --auto-detect output-directory --yes",
      check: async (work) =>
        expect(await work.get("/v9/projects/shop")).toMatchObject({
          buildCommand: null,
          outputDirectory: null,
        }),
    },
    {
      line: "project update shop --node-version 20.x --root-directory web --json --yes",
      check: async (work) =>
        expect(await work.get("/v9/projects/shop")).toMatchObject({
          nodeVersion: "20.x",
          rootDirectory: "web",
        }),
    },
    {
      line: "project update shop --fluid-compute on --yes",
      check: async (work) =>
        expect(await work.get("/v9/projects/shop")).toMatchObject({
          resourceConfig: { fluid: true },
        }),
    },
    { line: "project token shop", says: /\w+\.\w+\.\w+/ },
    { line: "project token shop --json", check: (_, said) => expect(json(said).token).toMatch(/\w+\.\w+/) },
    { line: "project members shop", says: "Team Role" },
    { line: "project members shop --json", check: (_, said) => expect(json(said).members).toEqual([]) },
    { line: "project members add shop ada@example.com --role PROJECT_VIEWER", cannot: "asks in a terminal" },
    { line: "project members remove shop ada@example.com", cannot: "asks in a terminal" },
    { line: "project pause shop", cannot: "asks in a terminal" },
    { line: "project resume shop", cannot: "asks in a terminal" },
    { line: "project protection shop", says: "gitForkProtection: true" },
    {
      line: "project protection enable shop --sso",
      check: async (work) =>
        expect(await work.get("/v9/projects/shop")).toMatchObject({
          ssoProtection: { deploymentType: expect.any(String) },
        }),
    },
    {
      line: "project protection disable shop --sso",
      check: async (work) =>
        expect(await work.get("/v9/projects/shop")).toMatchObject({ ssoProtection: null }),
    },
    {
      line: "project protection enable shop --password --protection-password secret",
      cannot: "asks in a terminal",
    },
    {
      line: "project protection enable shop --protection-bypass",
      check: async (work) =>
        expect(Object.values((await work.get("/v9/projects/shop")).protectionBypass)).toHaveLength(1),
    },
    {
      line: "project protection enable shop --skew --skew-max-age 604800",
      check: async (work) =>
        expect(await work.get("/v9/projects/shop")).toMatchObject({ skewProtectionMaxAge: 604800 }),
    },
    {
      line: "project protection disable shop --git-fork-protection",
      check: async (work) =>
        expect(await work.get("/v9/projects/shop")).toMatchObject({ gitForkProtection: false }),
    },
    {
      line: "project access-groups shop --json",
      before: async (work) => {
        const { id: projectId } = await work.get("/v9/projects/shop");
        const projects = [{ projectId, role: "PROJECT_VIEWER" }];
        await work.send("POST", "/v1/access-groups", { name: "designers", projects });
        await work.send("POST", "/v1/access-groups", { name: "others" });
      },
      check: (_, said) => expect(json(said).accessGroups).toMatchObject([{ name: "designers" }]),
    },
    { line: "project checks shop", says: "No checks configured" },
    { line: "project web-analytics shop", cannot: "asks in a terminal" },
    { line: "target ls --project shop", says: /production/i },
    {
      line: "target ls --project shop --json",
      check: (_, said) => expect(json(said).targets.length).toBeGreaterThan(2),
    },
    { line: "activity --project shop", says: "project-created" },
    { line: "link --yes --project shop", says: "acme/shop" },
    {
      line: "project rm third",
      input: "y\n",
      check: async (work) =>
        expect(await work.get("/v9/projects/third")).toMatchObject({ error: { code: "not_found" } }),
    },
    { line: "project rm nothing", input: "y\n", code: 1, says: "nothing" },
  ],
};
