import { json, type Story } from "./story";

const flags = "/v1/projects/shop/feature-flags/flags";
const firewall = async (work: { get(path: string): Promise<{ id: string }> }): Promise<string> =>
  `/v1/security/firewall/config/active?projectId=${(await work.get("/v9/projects/shop")).id}`;

/** Flags, redirects, routes, the firewall, stores and groups of microfrontends. */
export const features: Story = {
  title: "what a project has beside its deployments",
  folder: "shop",
  async prepare(work) {
    for (const name of ["shop", "docs", "blog"]) await work.send("POST", "/v10/projects", { name });
    work.write("index.html", "hello");
  },
  runs: [
    { line: "link --yes --project shop", says: "Linked" },
    { line: "flags create checkout --kind boolean", says: "production" },
    { line: "flags create color --kind string --variant red --variant blue", says: "color" },
    { line: "flags ls", says: "checkout" },
    { line: "flags enable checkout -e production", says: "enabled in production" },
    { line: "flags set checkout -e preview --variant true", says: "enabled in preview" },
    { line: "flags disable checkout -e production", says: "disabled in production" },
    { line: "flags use-targeting checkout -e production", says: "uses targeting" },
    {
      line: "flags entities create user --attribute id:string --attribute plan:string",
      check: async (work) =>
        expect(await work.get("/v1/projects/shop/feature-flags/settings")).toMatchObject({
          entities: [{ kind: "user" }],
        }),
    },
    { line: "flags entities ls", says: "user" },
    { line: "flags segments create beta --label Beta --add include:user.plan=pro", says: "pro" },
    { line: "flags segments update beta --label Testers", says: "Testers" },
    { line: "flags segments ls", says: "Testers" },
    {
      line: "flags rules add checkout -e production --condition user.plan:eq:pro --variant true",
      check: async (work) =>
        expect((await work.get(`${flags}/checkout`)).environments.production.rules).toHaveLength(1),
    },
    { line: "flags rules ls checkout -e production", says: "user.plan is pro" },
    { line: "flags targets add checkout -e production user.id=ada --variant true", says: "ada" },
    { line: "flags targets ls checkout -e production", says: "ada" },
    { line: "flags split checkout -e preview --by user.id --weight false=95 --weight true=5", says: "5" },
    {
      line: "flags rollout checkout -e preview --by user.id --stage 5,6h --stage 25,12h",
      check: async (work) =>
        expect((await work.get(`${flags}/checkout`)).environments.preview.fallthrough.type).toBe("rollout"),
    },
    {
      line: "flags update color --variant red --label Crimson",
      check: async (work) =>
        expect((await work.get(`${flags}/color`)).variants).toContainEqual(
          expect.objectContaining({ value: "red", label: "Crimson" }),
        ),
    },
    {
      line: "flags update color --add-variant green",
      check: async (work) => expect((await work.get(`${flags}/color`)).variants).toHaveLength(3),
    },
    { line: "flags versions color", says: "Flag created" },
    { line: "flags sdk-keys add --type server --environment production", says: "flags:sdkKey=" },
    { line: "flags sdk-keys ls", says: "server" },
    { line: "flags archive checkout --yes", says: "archived" },
    {
      line: "flags rm checkout --yes",
      check: async (work) => expect(await work.get(`${flags}/checkout`)).toMatchObject({ error: {} }),
    },
    { line: "flags segments rm beta --yes", says: "deleted" },
    { line: "flags entities rm user --yes", says: "deleted" },
    { line: "redirects add /old /new --status 308 --yes", says: "New staging version" },
    { line: "redirects add /other /new --status 301 --yes", says: "other staged changes" },
    { line: "redirects ls --staging", says: "/other" },
    { line: "redirects remove /other --yes", says: "removed" },
    {
      line: "redirects list-versions",
      says: "Staging",
      async check(work) {
        const { id } = await work.get("/v9/projects/shop");
        const { versions } = await work.get(`/v1/bulk-redirects/versions?projectId=${id}`);
        work.notes.version = versions[0].id;
      },
    },
    { line: "redirects promote {version} --yes", says: "promoted" },
    { line: "redirects ls", says: "/old" },
    { line: "redirects upload redirects.csv --yes", cannot: "the server takes redirects as JSON" },
    {
      line: "redirects upload redirects.json --yes",
      before: (work) => work.write("redirects.json", [{ source: "/c", destination: "/d", statusCode: 307 }]),
      says: "1",
    },
    {
      line: "routes add guide --src /guide --src-syntax equals --action rewrite --dest /docs --yes",
      says: "staged",
    },
    {
      line: "routes add cors --src ^/api/.*$ --set-response-header Access-Control-Allow-Origin=* --yes",
      says: "staged",
    },
    { line: "routes ls --diff", says: "cors" },
    { line: "routes inspect guide", says: "/docs" },
    { line: "routes edit guide --dest /handbook --yes", says: "Updated route" },
    { line: "routes disable cors", says: "Disabled route" },
    { line: "routes enable cors", says: "Enabled route" },
    { line: "routes reorder cors --position start --yes", says: "from position 2 to 1" },
    { line: "routes publish --yes", says: "published" },
    {
      line: "routes export",
      says: "handbook",
      check: async (work) =>
        expect((await work.get("/v1/projects/shop/routes")).routes).toMatchObject([
          { name: "cors" },
          { name: "guide" },
        ]),
    },
    { line: "routes delete guide --yes", says: "Deleted 1 route" },
    { line: "routes discard-staging --yes", says: "discarded" },
    {
      line: `firewall rules add bots --condition '{"type":"user_agent","op":"sub","value":"crawler"}' --action deny --yes`,
      says: "staged",
    },
    { line: "firewall diff", says: "bots" },
    {
      line: "firewall publish --yes",
      check: async (work) =>
        expect(await work.get(await firewall(work))).toMatchObject({ rules: [{ name: "bots" }] }),
    },
    { line: "firewall rules inspect bots", says: "crawler" },
    { line: "firewall rules edit bots --action challenge --yes", says: "updated and staged" },
    { line: "firewall rules disable bots --yes", says: "Disabled rule" },
    { line: "firewall discard --yes", says: "discarded" },
    { line: "firewall ip-blocks block 192.0.2.1 --yes", says: "staged" },
    { line: "firewall ip-blocks ls", says: "192.0.2.1" },
    { line: "firewall ip-blocks unblock 192.0.2.1 --yes", says: "staged" },
    { line: "firewall rules remove bots --yes", says: "Removed rule" },
    { line: "firewall system-bypass ls", says: "No system bypass rules" },
    { line: "firewall overview", cannot: "asks for metrics of visitors, of whom there are none" },
    { line: "blob create-store pictures --access private --region fra1 --yes", says: "linked to shop" },
    { line: "blob list-stores", says: "pictures" },
    {
      line: "microfrontends create-group --name web --project shop --project docs --default-app shop --project-default-route docs=/docs --yes",
      says: "web",
    },
    { line: "microfrontends inspect-group --group web --format json", says: "docs" },
    {
      line: "microfrontends delete-group --group web --yes",
      check: async (work) => expect((await work.get("/v1/microfrontends/groups")).groups).toEqual([]),
    },
    { line: "deploy --prod --yes", says: "vercel.app" },
    {
      line: "rolling-release configure --enable --advancement-type=manual-approval --stage=10 --stage=50",
      says: "Successfully configured",
    },
    {
      line: "deploy --yes",
      async check(work) {
        const { deployments } = await work.get("/v6/deployments");
        const preview = deployments.find(({ target }: { target: string | null }) => target !== "production");
        work.notes.preview = preview.uid;
      },
    },
    { line: "rolling-release start --dpl={preview} --yes", says: "Created production deployment" },
    {
      line: "rolling-release inspect",
      before: (work) => work.server.control.advanceClock(2000),
      says: "activeStage",
      async check(work) {
        const { rollingRelease } = await work.get("/v1/projects/shop/rolling-release");
        work.notes.canary = rollingRelease.canaryDeployment.id;
      },
    },
    { line: "rolling-release approve --currentStageIndex=0 --dpl={canary}", says: "from stage 0 to 1" },
    { line: "rolling-release complete --dpl={canary}", says: "Requested" },
    { line: "rolling-release configure --disable", says: "Successfully disabled" },
    { line: "webhooks create https://example.com/hook --event deployment.created", says: "Save this secret" },
    { line: "webhooks ls", says: "example.com/hook" },
    {
      line: "project access-groups shop --json",
      check: (_, said) => expect(json(said)).toMatchObject({ accessGroups: [] }),
    },
  ],
};
