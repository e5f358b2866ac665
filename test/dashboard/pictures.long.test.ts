import { mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { developmentToken } from "../../server/seed/development-account";
import { populate, type Scene, useScene } from "../support/dashboard";
import { Workspace } from "../support/pulumi";
import { root } from "../support/server";

const { scene, look } = useScene();

/** Where pictures go. `SLIPWAY_PICTURES=1` renews those of the documents. */
const renewed = process.env.SLIPWAY_PICTURES === "1";
const folder = renewed ? join(root, "docs/pictures") : mkdtempSync(join(tmpdir(), "slipway-pictures-"));
/** The largest size of a picture in the documentation, in bytes. */
const heaviest = 150 * 1024;

/** A session's traffic: a program that is refused twice, and one that goes through. */
async function traffic({ call }: Pick<Scene, "call">): Promise<void> {
  const by = (resource: string) => ({
    "x-slipway-run": "0a1b2c3d",
    "x-slipway-resource": encodeURIComponent(resource),
  });
  await call("GET", "/v9/projects/web", undefined, by("Project web"));
  await call("GET", "/v9/projects/web/domains", undefined, by("ProjectDomain apex"));
  await call("POST", "/v10/projects/web/domains", { name: "example.com" }, by("ProjectDomain apex"));
  await call("POST", "/v10/projects/web/promote/dpl_web_6", undefined, by("Promotion release"));
  await call("PATCH", "/v9/projects/shop", { buildCommand: "npm run build" }, by("Project shop"));
  await call("POST", "/v10/projects/web/promote/dpl_web_4", undefined, by("Promotion release"));
}

/** The run that the documentation shows: a program that adopts two projects, and is refused a domain after a failed build. */
async function program({ url }: Scene): Promise<void> {
  const world = await Workspace.start();
  try {
    const stack = await world.stack(
      "website",
      `const web = new Project("web", { name: "web", framework: "nextjs", buildCommand: "npm run build", adopt: true });
      new EnvVar("site", { project: web.id, key: "SITE_NAME", value: "Example", target: ["production"] });
      const shop = new Project("shop", { name: "shop", framework: "nextjs", adopt: true });
      const release = new Promotion("release", { project: web.id, deployment: "dpl_web_4" });
      new ProjectDomain("beta", { project: web.id, name: "beta.example.com" }, { dependsOn: [shop, release] });`,
    );
    const env = { SLIPWAY_API_URL: url, SLIPWAY_TOKEN: developmentToken, SLIPWAY_TEAM: "acme" };
    const run = await stack.up({ env });
    expect(run.errors.join()).toContain("production deployment was not successful");
  } finally {
    await world.stop();
  }
}

const views = [
  "projects",
  "projects/prj_web",
  "deployments/dpl_web_5",
  "domains",
  "variables",
  "map",
  "integrations",
  "objects",
  "runs",
  ...(renewed ? [] : ["runs/0a1b2c3d"]),
  "events",
  "mail",
  "requests",
  "simulation",
  "states",
];

/** Those that the documents show. */
const inDocuments: readonly string[] = ["projects", "projects/prj_web", "requests", "map"];

beforeAll(() => mkdirSync(folder, { recursive: true }));
afterAll(() => {
  if (!renewed) rmSync(folder, { recursive: true });
});

/** Two pages of each view are seconds: only at full length are all of them looked at. */
const looked = process.env.SLIPWAY_TEST_LONG || renewed ? views : views.slice(0, 3);

it.each(looked)("the view %s fits 1280 and 390 pixels, and is light as a picture", async (view) => {
  await populate(scene);
  if (renewed) await program(scene);
  else await traffic({ call: scene.call.bind(scene) });
  await scene.control.addFaults({ method: "POST", path: "/v10/projects", kind: "status", times: 2 });
  const name = view.replace(/s\/.*/, "");
  for (const [width, height] of [
    [1280, 800],
    [390, 844],
  ] as const) {
    const page = await look(view, { viewport: { width, height } });
    await page.getByRole("main").getByRole("heading", { level: 1 }).waitFor();
    await page.waitForLoadState("networkidle").catch(() => undefined);
    const overflow = await page.evaluate(
      "document.documentElement.scrollWidth - document.documentElement.clientWidth",
    );
    expect(overflow).toBe(0);
    if (renewed && !(inDocuments.includes(view) && width === 1280)) continue;
    const path = join(folder, `${name}-${width}.png`);
    await page.screenshot({ path, animations: "disabled" });
    expect(statSync(path).size).toBeLessThan(heaviest);
    await page.context().close();
  }
});
