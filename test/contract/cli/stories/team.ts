import { json, type Story } from "./story";

export const team: Story = {
  title: "what a team has besides",
  folder: "shop",
  prepare: (work) => work.server.control.seed({ projects: [{ team: "acme", name: "shop" }] }),
  runs: [
    { line: "link --yes --project shop", says: "acme/shop" },
    {
      line: "webhooks create https://example.com/hook --event deployment.created --event deployment.ready",
      check: async (work) => {
        const [hook] = await work.get("/v1/webhooks");
        expect(hook).toMatchObject({ events: ["deployment.created", "deployment.ready"] });
        work.notes.hook = hook.id;
      },
    },
    { line: "webhooks ls", says: "https://example.com/hook" },
    { line: "webhooks ls --json", says: "https://example.com/hook" },
    { line: "webhooks inspect {hook}", says: "deployment.ready" },
    {
      line: "webhooks rm {hook} --yes",
      check: async (work) => expect(await work.get("/v1/webhooks")).toEqual([]),
    },
    {
      line: "git connect https://github.com/acme/shop.git --yes",
      check: async (work) =>
        expect(await work.get("/v9/projects/shop")).toMatchObject({
          link: { type: "github", repo: "shop", org: "acme" },
        }),
    },
    {
      line: "deploy-hooks create content --ref main",
      check: async (work) => {
        work.notes.deployHook = (await work.get("/v9/projects/shop")).link.deployHooks[0].id;
      },
    },
    { line: "deploy-hooks ls", says: "content" },
    {
      line: "deploy-hooks rm {deployHook}",
      input: "y\n",
      check: async (work) => expect((await work.get("/v9/projects/shop")).link.deployHooks).toEqual([]),
    },
    {
      line: "git disconnect --yes",
      input: "y\n",
      check: async (work) => expect((await work.get("/v9/projects/shop")).link).toBeUndefined(),
    },
    { line: "global-config create flags", says: "flags" },
    { line: "global-config ls", says: "flags" },
    {
      line: `global-config update flags --patch '{"items":[{"operation":"upsert","key":"dark","value":true}]}'`,
      says: "Global Config updated",
    },
    { line: "global-config items flags", says: "dark" },
    { line: "global-config items flags --key dark", says: "true" },
    { line: "global-config inspect flags", says: "flags" },
    { line: "edge-config tokens flags --add reader", says: "Token created" },
    { line: "edge-config tokens flags", says: "reader" },
    { line: "global-config rm flags --yes", says: "removed" },
    { line: "integration installations", says: "No marketplace installations" },
    { line: "integration ls", cannot: "the server does not serve this part of the API" },
    { line: "api ls", cannot: "downloads a document from the Internet" },
    { line: "api /v9/projects/shop", check: (_, said) => expect(json(said)).toMatchObject({ name: "shop" }) },
    {
      line: "api /v10/projects -X POST -F name=second",
      check: async (work) => expect(await work.get("/v9/projects/second")).toMatchObject({ name: "second" }),
    },
    {
      line: "api /v9/projects/second -X PATCH -F framework=vite",
      check: (_, said) => expect(json(said)).toMatchObject({ framework: "vite" }),
    },
    {
      line: "api /v9/projects/second -X DELETE --dangerously-skip-permissions",
      check: async (work) => expect(await work.get("/v9/projects/second")).toMatchObject({ error: {} }),
    },
    { line: "api /v9/projects --paginate", says: "shop" },
    { line: "api /v2/user --include", says: "200" },
    { line: "firewall attack-mode enable --yes", cannot: "asks in a terminal" },
    { line: "tokens ls", says: "development" },
    { line: "tokens add deploy", says: "vcp_" },
  ],
};
