import { withoutDefault } from "../support/domains";
import { killTree } from "../support/process-tree";
import { type Stack, Workspace } from "../support/pulumi";
import { openRecordingProxy, type RecordingProxy } from "../support/recording-proxy";

let world: Workspace;
let stack: Stack;
let proxy: RecordingProxy;

beforeAll(async () => {
  world = await Workspace.start();
  proxy = await openRecordingProxy(world.server.url);
  stack = await world.stack("killed-domain");
});
afterAll(async () => {
  await proxy.close();
  await world.stop();
});

const env = () => ({ SLIPWAY_API_URL: proxy.url });
const program = (name: string) => `
  const web = new Project("web");
  new ProjectDomain("www", { project: web.id, name: "${name}", adopt: true });
`;
const domains = async (): Promise<string[]> =>
  withoutDefault((await world.server.request("GET", "/v9/projects/web/domains")).body.domains).map(
    ({ name }: { name: string }) => name,
  );

it("the next run adopts the new domain of a run that was killed before recording it, and removes the old one", async () => {
  stack.program(program("old.example.com"));
  expect((await stack.up({ env: env() })).errors).toEqual([]);
  stack.program(program("new.example.com"));
  let pid = 0;
  proxy.after = ({ method, path }) => {
    if (method === "POST" && /\/domains\b/.test(path)) killTree(pid);
  };
  await stack.cli(["up", "--yes", "--skip-preview"], env(), true, (child) => {
    pid = child.pid ?? 0;
  });
  proxy.after = () => {};
  await proxy.idle();
  expect((await domains()).sort()).toEqual(["new.example.com", "old.example.com"]);

  await stack.cli(["cancel", "--yes"]);
  const run = await stack.up({ env: env(), preview: true });
  expect([run.code, run.errors]).toEqual([0, []]);
  expect(await domains()).toEqual(["new.example.com"]);
  const later = await stack.preview({ env: env(), args: ["--refresh", "--expect-no-changes"] });
  expect([later.code, later.output]).toEqual([0, expect.anything()]);
}, 300_000);
