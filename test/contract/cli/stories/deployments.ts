import { json, type Story, type Work } from "./story";

const production = async (work: Work) => (await work.get("/v9/projects/shop")).targets.production.id;

export const deployments: Story = {
  title: "deployments and their aliases",
  folder: "shop",
  prepare: async (work) => {
    await work.server.control.seed({
      projects: [
        { team: "acme", name: "shop" },
        { team: "acme", name: "other" },
      ],
    });
    await work.send("POST", "/v9/projects/shop/custom-environments", { slug: "qa" });
    work.notes.first = await work.deploy({ name: "shop", target: "production", meta: { release: "1" } });
    work.notes.second = await work.deploy({ name: "shop", target: "production", meta: { release: "2" } });
    work.notes.preview = await work.deploy({ name: "shop" });
    work.notes.url = (await work.get(`/v13/deployments/${work.notes.second}`)).url;
    await work.deploy({ name: "other", target: "production" });
  },
  runs: [
    { line: "link --yes --project shop", says: "acme/shop" },
    { line: "ls", says: /(Ready[\s\S]*){3}/ },
    { line: "ls other", says: "other-" },
    { line: "ls --all", says: /other-[\s\S]*shop-/ },
    { line: "ls --environment production", says: /(Ready[\s\S]*){2}/ },
    {
      line: "ls --environment preview --json",
      check: (_, said) => expect(json(said).deployments).toHaveLength(1),
    },
    { line: "ls --prod", says: "Production" },
    { line: "ls --meta release=1", says: /Ready/ },
    { line: "ls --status READY,ERROR", says: /(Ready[\s\S]*){3}/ },
    { line: "ls --json --limit 2", check: (_, said) => expect(json(said).deployments).toHaveLength(2) },
    { line: "inspect {second}", says: "{second}" },
    { line: "inspect {url}", says: "shop" },
    { line: "inspect shop.vercel.app", says: "shop" },
    { line: "inspect {second} --wait --timeout 10s", says: "Ready" },
    { line: "inspect {second} --logs", says: "Build" },
    {
      line: "inspect {second} --json",
      check: (work, said) => expect(json(said)).toMatchObject({ id: work.notes.second }),
    },
    { line: "inspect nothing.vercel.app", code: 1, says: "nothing" },
    {
      line: "promote {first} --yes",
      check: async (work) => expect(await production(work)).toBe(work.notes.first),
    },
    { line: "promote status", says: "shop" },
    { line: "promote status other", says: "other" },
    {
      line: "rollback {second} --yes",
      check: async (work) => expect(await production(work)).toBe(work.notes.second),
    },
    { line: "rollback status", says: "shop" },
    {
      line: "promote {preview} --yes",
      check: async (work) => expect(await work.last("shop")).toMatchObject({ target: "production" }),
    },
    { line: "redeploy {first}", says: "https://" },
    { line: "redeploy {url} --no-wait", says: "https://" },
    {
      line: "redeploy {second} --target preview",
      check: async (work) => expect(await work.last("shop")).toMatchObject({ target: null }),
    },
    {
      line: "redeploy {second} --target qa",
      check: async (work) =>
        expect(await work.last("shop")).toMatchObject({ customEnvironment: { slug: "qa" } }),
    },
    { line: "alias set {second} shop-docs.vercel.app", says: "shop-docs.vercel.app" },
    { line: "alias {url} shop-help.vercel.app", says: "shop-help.vercel.app" },
    {
      line: "alias set {second} docs.example.com",
      before: (work) =>
        work.server.control.seed({
          domains: [{ team: "acme", project: "shop", name: "example.com", verified: true }],
        }),
      check: async (work) =>
        expect(await work.get("/v4/aliases/docs.example.com")).toMatchObject({
          deploymentId: work.notes.second,
        }),
    },
    { line: "alias ls", says: "docs.example.com" },
    { line: "alias ls --json", says: "docs.example.com" },
    {
      line: "alias rm shop-docs.vercel.app --yes",
      check: async (work) =>
        expect(await work.get("/v4/aliases/shop-docs.vercel.app")).toMatchObject({ error: {} }),
    },
    { line: "alias rm docs.example.com --yes", says: "removed" },
    { line: "logs --deployment {second}", cannot: "reads logs of visitors, which nobody sends" },
    { line: "logs --project shop --json", cannot: "reads logs of visitors, which nobody sends" },
    { line: "open", cannot: "opens a browser" },
    { line: "curl /", cannot: "asks the deployment, which nobody serves" },
    { line: "cache purge --yes", says: "purged the CDN cache and Data cache" },
    {
      line: "remove {preview} --yes",
      check: async (work) =>
        expect(await work.get(`/v13/deployments/${work.notes.preview}`)).toMatchObject({ error: {} }),
    },
    {
      line: "rm {first} {second} --yes",
      check: async (work) =>
        expect(await work.get(`/v13/deployments/${work.notes.second}`)).toMatchObject({ error: {} }),
    },
    { line: "remove shop --safe --yes", says: /Removed \d+ deployment/ },
    { line: "rm other --yes", says: "Removed" },
  ],
};
