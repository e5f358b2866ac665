import { spawnSync } from "node:child_process";
import type { Page } from "playwright-core";
import { overflowOf, violationsOn } from "../support/accessibility";
import { populate, useScene } from "../support/dashboard";
import { Receiver } from "../support/receiver";
import { inFull } from "../support/slices";

const { scene, look } = useScene();

const row = (page: Page, name: string) =>
  page.getByRole("row").filter({ has: page.getByRole("rowheader", { name }) });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

describe("the list of projects", () => {
  it("shows the production deployment and the state of each project", async () => {
    await populate(scene);
    const page = await look("projects");
    await row(page, "web").getByText("dpl_web_5").waitFor();
    await row(page, "web").getByText("live", { exact: true }).waitFor();
    await row(page, "campaign-2025").getByText("paused").waitFor();
    await row(page, "shop").getByText("1 unverified").waitFor();
    await row(page, "status").getByText("not deployed").waitFor();
  });

  it("shows a new project without a reload", async () => {
    const page = await look("projects");
    await page.getByText("No projects yet.").waitFor();
    await page.evaluate("window.sameDocument = true");
    await scene.call("POST", "/v10/projects", { name: "fresh" });
    await page.getByRole("link", { name: "fresh", exact: true }).waitFor();
    expect(await page.evaluate("window.sameDocument")).toBe(true);
  });

  inFull("searches and pages through ten thousand projects", async () => {
    const name = (index: number): string => `service-${String(index).padStart(5, "0")}`;
    await scene.control.seed({
      projects: Array.from({ length: 10_000 }, (_, index) => ({ team: "acme", name: name(index) })),
    });
    const page = await look("projects");
    await page.getByRole("heading", { name: "Projects 10,000" }).waitFor();
    expect(await page.getByRole("row").count()).toBe(51);
    const newest = (await page.getByRole("rowheader").first().textContent()) ?? "";
    await button(page, "Next page").click();
    await page.getByRole("rowheader", { name: newest }).waitFor({ state: "detached" });
    await button(page, "Next page").click();
    await page.getByRole("rowheader", { name: name(9_899) }).waitFor();
    await button(page, "Previous page").click();
    await page.getByRole("rowheader", { name: name(9_949) }).waitFor();
    await page.reload();
    await page.getByRole("rowheader", { name: name(9_949) }).waitFor();
    await button(page, "First page").click();
    await page.getByRole("rowheader", { name: newest }).waitFor();
    await button(page, "Next page").click();
    await page.getByRole("rowheader", { name: newest }).waitFor({ state: "detached" });
    // A search begins at its own first page: the newest project is on none of the pages that follow.
    await page.getByRole("searchbox", { name: "Search projects" }).fill(newest);
    await page.getByRole("link", { name: newest }).waitFor();
    await page.getByRole("searchbox", { name: "Search projects" }).fill("ICE-04711");
    await page.getByRole("heading", { name: "Projects 1", exact: true }).waitFor();
    await page.getByRole("link", { name: name(4711) }).click();
    await page.getByRole("heading", { level: 1, name: name(4711) }).waitFor();
  });
});

describe("a project", () => {
  it("rolls back from its list of deployments, and shows that in its history", async () => {
    await populate(scene);
    const page = await look("projects/prj_web");
    await row(page, "dpl_web_5").getByText("serves production").waitFor();
    await button(page, "Roll back to dpl_web_4").click();
    await page.getByRole("dialog").getByRole("button", { name: "Roll back" }).click();
    await row(page, "dpl_web_4").getByText("serves production").waitFor();
    const steps = page.getByRole("region", { name: "History" }).getByRole("listitem");
    await steps.filter({ hasText: "Rolled back to dpl_web_4 from dpl_web_5 succeeded" }).waitFor();
    const { body } = await scene.call("GET", "/v9/projects/web");
    expect(body.targets.production.id).toBe("dpl_web_4");
    expect(body.lastRollbackTarget).not.toBeNull();
    await button(page, "Promote to dpl_web_5").waitFor();
  });

  it("pauses and unpauses", async () => {
    await populate(scene);
    const page = await look("projects/prj_web");
    await button(page, "Pause").click();
    await page.getByRole("dialog").getByRole("button", { name: "Pause" }).click();
    await button(page, "Unpause").click();
    await button(page, "Pause").waitFor();
    const { body } = await scene.call("GET", "/v9/projects/web");
    expect(body.paused).toBe(false);
  });
});

describe("all objects", () => {
  it("are listed by kind, for the account and for one project", async () => {
    await populate(scene);
    await scene.control.seed({
      webhooks: [{ team: "acme", url: "https://example.com/canary", events: ["project.created"] }],
    });
    const page = await look("objects");
    await page.getByRole("heading", { level: 1, name: "All objects" }).waitFor();
    const kind = page.getByRole("combobox", { name: "Kind" });
    await kind.selectOption("webhooks");
    await page.locator("summary", { hasText: "account_hook_" }).click();
    await page.getByText("project.created").waitFor();
    expect(await page.content()).not.toContain("canary");
    await kind.selectOption("env");
    await page.getByRole("searchbox", { name: "Search names" }).fill("database");
    await page.getByRole("heading", { level: 1, name: "All objects 3" }).waitFor();
    expect(await page.locator("summary b").allTextContents()).toEqual(Array(3).fill("DATABASE_URL"));
    await page.evaluate("location.hash = '#/projects/prj_web'");
    await page.getByRole("link", { name: "All its objects" }).click();
    await page.getByText("Only of prj_web").waitFor();
    await kind.selectOption("domains");
    await page.getByRole("rowheader").first().waitFor();
    const links = await page.getByRole("cell").getByRole("link").allTextContents();
    expect(new Set(links)).toEqual(new Set(["prj_web"]));
  });
});

describe("variables", () => {
  it("are grouped by target, and a shown value is logged", async () => {
    await populate(scene);
    const page = await look("projects/prj_web");
    const production = page.getByRole("table", { name: "Variables of production" });
    await production.getByRole("rowheader", { name: "DATABASE_URL" }).waitFor();
    await page.getByRole("table", { name: "Variables of development" }).getByText("PUBLIC_SITE").waitFor();
    expect(await page.content()).not.toContain("internal/web");
    expect(await page.content()).not.toContain("https://example.com");
    await production.getByRole("button", { name: "Show the value of DATABASE_URL" }).click();
    await production.getByText("postgres://production.internal/web").waitFor();
    await production.getByText("sensitive: never shown").waitFor();
    const [request] = await scene.control.requests();
    expect(request).toMatchObject({ method: "GET", status: 200, dashboard: true });
    expect(request?.path).toMatch(/^\/v1\/projects\/prj_web\/env\/\w+$/);
  });

  it("hide a value that is shown when they change", async () => {
    await scene.control.seed({ projects: [{ team: "acme", name: "web", id: "prj_web" }] });
    const variable = {
      key: "API_URL",
      value: "https://a.example",
      type: "encrypted",
      target: ["production"],
    };
    const { body } = await scene.call("POST", "/v10/projects/web/env", variable);
    const page = await look("projects/prj_web");
    await button(page, "Show the value of API_URL").click();
    await page.getByText("https://a.example").waitFor();
    await scene.control.advanceClock(1_000);
    await scene.call("PATCH", `/v9/projects/web/env/${body.created.id}`, { value: "https://b.example" });
    await button(page, "Show the value of API_URL").click();
    await page.getByText("https://b.example").waitFor();
  });

  it("are found by key in all projects", async () => {
    await populate(scene);
    const page = await look("variables");
    await page.getByRole("searchbox").fill("database");
    await page.getByRole("heading", { name: "Variables 3" }).waitFor();
    await page.getByRole("cell", { name: "shop" }).waitFor();
  });
});

describe("domains", () => {
  it("show the record to set, publish it, and verify", async () => {
    await populate(scene);
    const page = await look("domains");
    const shop = row(page, "shop.example.net");
    await shop.getByText("TXT record to set").click();
    await shop.getByText("vc-domain-verify=shop.example.net,00112233445566778899").waitFor();
    await button(page, "Verify shop.example.net").click();
    await page.getByRole("status").or(page.locator(".notice.bad")).filter({ hasText: "_vercel" }).waitFor();
    await shop.getByRole("button", { name: "Publish in the embedded zone" }).click();
    await shop.getByText("published", { exact: true }).waitFor();
    await button(page, "Verify shop.example.net").click();
    await shop.getByText("verified", { exact: true }).waitFor();
    const { body } = await scene.call("GET", "/v9/projects/shop/domains/shop.example.net");
    expect(body.verified).toBe(true);
  });
});

describe("integrations", () => {
  it("get their pending scopes on confirmation", async () => {
    await populate(scene);
    const page = await look("integrations");
    const pending = page.getByRole("list", { name: "Pending scopes" });
    await pending.getByText("read-write:domain").waitFor();
    await button(page, "Confirm these 2 scopes").click();
    await pending.waitFor({ state: "detached" });
    await page.getByRole("list", { name: "Confirmed scopes" }).getByText("read-write:domain").waitFor();
    const { installations } = await scene.control.snapshot();
    expect(installations[0]).toMatchObject({ pendingScopes: [] });
  });
});

describe("events", () => {
  let receiver: Receiver;

  beforeEach(async () => {
    receiver = await new Receiver().start();
  });
  afterEach(() => receiver.stop());

  it("are delivered again on request", async () => {
    receiver.react = () => 500;
    const body = { url: receiver.url, events: ["project.created"] };
    expect((await scene.call("POST", "/v1/webhooks", body)).status).toBe(200);
    await scene.call("POST", "/v10/projects", { name: "web" });
    const page = await look("events");
    const created = page.getByRole("row").filter({ hasText: "project.created web" });
    await created.getByText("waiting").waitFor();
    await created.getByText("500").waitFor();
    receiver.react = () => 200;
    await created.getByRole("button", { name: /^Retry now project\.created to/ }).click();
    await created.getByText("delivered", { exact: true }).waitFor();
    await created.getByRole("button", { name: /^Redeliver/ }).click();
    await page.getByText("project.created is sent again.").waitFor();
    await created.getByText("delivered", { exact: true }).waitFor();
    while (receiver.accepted.length < 2) await new Promise((next) => setTimeout(next, 10));
    const [first, second] = receiver.accepted;
    expect(first?.body.id).toBe(second?.body.id);
  });
});

it("mail shows its recipient and its text", async () => {
  await populate(scene);
  const page = await look("mail");
  await page.getByRole("heading", { name: "Nightly jobs requests more permissions" }).waitFor();
  await page.getByText("to dev@example.com").waitFor();
});

describe("the simulation", () => {
  it("advances the clock", async () => {
    const page = await look("simulation");
    await page.getByText("2026-05-12 09:30:00", { exact: true }).waitFor();
    await button(page, "+ 1 hour").click();
    await page.getByText("2026-05-12 10:30:00", { exact: true }).waitFor();
  });

  it("adds and removes records of the zone", async () => {
    const page = await look("simulation");
    await page.getByLabel("Name", { exact: true }).fill("_vercel.example.com");
    await page.getByLabel("Value", { exact: true }).fill("proof");
    await button(page, "Add record").click();
    await page.getByRole("cell", { name: "proof" }).waitFor();
    await page.getByLabel("Name", { exact: true }).fill("www.example.com");
    await page.getByRole("combobox", { name: "Type", exact: true }).selectOption("A");
    await page.getByLabel("Value", { exact: true }).fill("192.0.2.1");
    await button(page, "Add record").click();
    await button(page, "Remove www.example.com A").click();
    await button(page, "Remove _vercel.example.com TXT").click();
    await page.getByText("The zone is empty").waitFor();
  });

  it("makes the next builds fail, and succeed again", async () => {
    const page = await look("simulation");
    await page.getByText("take 1 s and succeed.").waitFor();
    await page.getByLabel("Outcome").selectOption("fail");
    await page.getByLabel("Error message").fill("no space left");
    await page.getByLabel("Seconds").fill("0");
    await button(page, "Set").click();
    await page.getByText("take 0 s and fail with no space left.").waitFor();
    const deployment = { name: "web", files: [], projectSettings: {}, target: "production" };
    const made = (await scene.call("POST", "/v13/deployments", deployment)).body as { id: string };
    const built = (await scene.call("GET", `/v13/deployments/${made.id}`)).body;
    expect(built).toMatchObject({ readyState: "ERROR", errorMessage: "no space left" });
    await page.getByLabel("Outcome").selectOption("succeed");
    await button(page, "Set").click();
    await page.getByText("take 0 s and succeed.").waitFor();
  });

  it("adds and clears faults", async () => {
    const page = await look("simulation");
    await page.getByLabel("Path").fill("/v9/projects");
    await page.getByLabel("Status", { exact: true }).fill("502");
    await button(page, "Add fault").click();
    await page.getByText("used 0 of 1").waitFor();
    expect((await scene.call("GET", "/v9/projects")).status).toBe(502);
    const none = page.getByText("No faults.");
    await none.waitFor();
    await page.getByLabel("Path").fill("/v9/projects");
    await button(page, "Add fault").click();
    await page.getByText("used 0 of 1").waitFor();
    await button(page, "Clear all faults").click();
    await none.waitFor();
    expect((await scene.call("GET", "/v9/projects")).status).toBe(200);
  });

  it("removes one fault of several", async () => {
    for (const path of ["/v9/projects", "/v9/projects/web"])
      await scene.control.addFaults({ path, kind: "status" });
    const page = await look("simulation");
    await button(page, "Remove the fault of any /v9/projects").click();
    await page.getByText("The fault is removed.").waitFor();
    await button(page, "Remove the fault of any /v9/projects").waitFor({ state: "detached" });
    await button(page, "Remove the fault of any /v9/projects/web").waitFor();
  });
});

describe("states and seed", () => {
  it("saves a state and goes back to it, applies a seed, and resets", async () => {
    await populate(scene);
    const page = await look("states");
    await page.getByText("No state is saved.").waitFor();
    await page.getByLabel("Name").fill("before");
    await button(page, "Save the data").click();
    await button(page, "Go back to before").waitFor();
    await page.getByLabel("YAML or JSON").fill("projects:\n  - { team: acme, name: seeded }");
    await button(page, "Apply").click();
    await page.getByText("The seed is applied.").waitFor();
    expect((await scene.call("GET", "/v9/projects/seeded")).status).toBe(200);
    await button(page, "Go back to before").click();
    await page.getByRole("dialog").getByRole("button", { name: "Go back", exact: true }).click();
    await page.getByText("The data are those of before.").waitFor();
    expect((await scene.call("GET", "/v9/projects/seeded")).status).toBe(404);
    await button(page, "Delete before").click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByText("No state is saved.").waitFor();
    await page.getByLabel("YAML or JSON").fill("projects: 7");
    await button(page, "Apply").click();
    await page
      .getByText(/projects/)
      .last()
      .waitFor();
    await button(page, "Reset").click();
    await page.getByRole("dialog").getByRole("button", { name: "Reset", exact: true }).click();
    await page.getByText("The data are those of the start.").waitFor();
  });
});

it("requests appear live, with their resource and an explanation of refusals", async () => {
  await populate(scene);
  const page = await look("requests");
  await page.getByText("No requests yet.").waitFor();
  const by = { "x-slipway-resource": "ProjectDomain%20apex" };
  await scene.call("POST", "/v10/projects/api/domains", { name: "example.com" }, by);
  const refused = page.getByRole("row").filter({ hasText: "/v10/projects/api/domains" });
  await refused.getByText("409", { exact: true }).waitFor();
  await refused.getByText("domain_already_in_use").waitFor();
  await refused.getByText("Another project has the domain.").waitFor();
  await scene.call("GET", "/v9/projects/api");
  await page.getByLabel("Refused only").check();
  await page.getByRole("heading", { name: "Requests 1", exact: true }).waitFor();
  await refused.getByRole("link", { name: "ProjectDomain apex" }).click();
  await page.getByRole("heading", { level: 1, name: "api" }).waitFor();
});

it("a run shows its requests by resource, and its refusals by code, and leads to each request", async () => {
  await populate(scene);
  const page = await look("runs");
  await page.getByText("No runs yet.").waitFor();
  const by = (resource: string) => ({
    "x-slipway-run": "0a1b2c3d",
    "x-slipway-resource": encodeURIComponent(resource),
  });
  await scene.call("GET", "/v9/projects/api", undefined, by("Project api"));
  for (const name of ["apex", "www"])
    await scene.call(
      "POST",
      "/v10/projects/api/domains",
      { name: "example.com" },
      by(`ProjectDomain ${name}`),
    );
  await page.getByRole("link", { name: "0a1b2c3d" }).click();
  await page.getByRole("heading", { level: 1, name: "Run 0a1b2c3d" }).waitFor();
  const refusals = page.getByRole("region", { name: "Refusals" }).getByRole("listitem");
  await refusals.filter({ hasText: "2 × addProjectDomain domain_already_in_use" }).waitFor();
  const requests = page.getByRole("list", { name: "Requests" }).getByRole("listitem");
  await requests.nth(2).filter({ hasText: "ProjectDomain www" }).waitFor();
  const bars = await page.locator(".waterfall .bar").evaluateAll((all) => all.map(({ style }) => style.left));
  expect(bars).toHaveLength(3);
  expect(bars[0]).toBe("0%");
  await requests.nth(1).getByRole("link").click();
  await page.getByRole("dialog").getByRole("link", { name: "addProjectDomain" }).waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Send again" }).click();
  await page.getByRole("dialog").getByText("Sent again: example.com is on the project").waitFor();
  await page.getByRole("dialog").getByRole("link", { name: "0a1b2c3d" }).click();
  await page.getByRole("heading", { level: 1, name: "Run 0a1b2c3d" }).waitFor();
});

it("a project lists the variables that changed after its production was built", async () => {
  await scene.control.seed({ projects: [{ team: "acme", name: "web", id: "prj_web" }] });
  await scene.control.deploy({ team: "acme", project: "web", target: "production" });
  const page = await look("projects/prj_web");
  await page.getByRole("heading", { name: "Production", exact: true }).waitFor();
  const body = { key: "API_URL", value: "https://a.example", type: "plain", target: ["production"] };
  await scene.call("POST", "/v10/projects/web/env", body);
  const changed = page.getByRole("list", { name: "Variables that changed after the build of production" });
  await changed.getByText("API_URL added since").waitFor();
});

describe("a deployment", () => {
  it("shows its commit and its domains, and is promoted from its page", async () => {
    await populate(scene);
    const page = await look("projects/prj_web");
    await page.getByRole("link", { name: "dpl_web_preview" }).click();
    await page.getByRole("heading", { level: 1, name: "dpl_web_preview" }).waitFor();
    await page.getByText("checkout-redesign", { exact: true }).waitFor();
    await page.getByText("No domain leads to this deployment.").waitFor();
    await button(page, "Promote to dpl_web_preview").click();
    await page.getByRole("dialog").getByRole("button", { name: "Promote" }).click();
    await page.getByText("serves production", { exact: true }).waitFor();
    await page.getByRole("region", { name: "Domains" }).getByText("example.com", { exact: true }).waitFor();
    await page.getByRole("region", { name: "History" }).getByText("from").waitFor();
    await page
      .getByRole("navigation", { name: "Breadcrumb" })
      .getByRole("link", { name: "web", exact: true })
      .click();
    await page.getByRole("heading", { level: 1, name: "web" }).waitFor();
  });

  it("opens at the address in answers of the API, in its account, with its log", async () => {
    await populate(scene);
    const made = await scene.call("POST", "/v13/deployments", { name: "web" });
    const { id: key, inspectorUrl } = made.body;
    const page = await look("projects");
    await page.getByRole("combobox", { name: "Account" }).selectOption({ index: 1 });
    await page.goto(inspectorUrl);
    await page.getByRole("heading", { level: 1, name: key }).waitFor();
    await page.getByRole("region", { name: "Build log" }).getByText("This build is simulated").waitFor();
  });

  it("that is an older preview is promoted", async () => {
    await populate(scene);
    await scene.control.deploy({
      team: "acme",
      project: "web",
      id: "dpl_web_2",
      target: "preview",
      createdAt: -100 * 3_600_000,
    });
    const page = await look("projects/prj_web");
    await button(page, "Roll back to dpl_web_4").waitFor();
    await button(page, "Promote to dpl_web_2").waitFor();
  });
});

it("a project shows its settings", async () => {
  await populate(scene);
  await scene.call("PATCH", "/v9/projects/web", { buildCommand: "npm run build" });
  const page = await look("projects/prj_web");
  const settings = page.getByRole("region", { name: "Settings" });
  await settings.getByText("npm run build").waitFor();
  await settings.getByText("Vercel Authentication").waitFor();
});

describe("a request", () => {
  it("opens in a drawer with its body, its answer and a curl command", async () => {
    await scene.call("POST", "/v10/projects", { name: "web", framework: "nextjs" });
    const page = await look("requests", { permissions: ["clipboard-read", "clipboard-write"] });
    await page.getByRole("link", { name: "POST /v10/projects" }).click();
    const drawer = page.getByRole("dialog", { name: "Request" });
    await drawer.getByRole("region", { name: "Body" }).getByText('"framework": "nextjs"').waitFor();
    await drawer.getByRole("region", { name: "Answer" }).getByText('"id": "prj_').waitFor();
    await drawer.getByRole("button", { name: "Copy as curl" }).click();
    const command = await page.evaluate<string>("navigator.clipboard.readText()");
    expect(command).toContain(`curl -X POST '${scene.url}/v10/projects?slug=acme'`);
    expect(command).toContain('"framework": "nextjs"');
    expect(await violationsOn(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await drawer.waitFor({ state: "hidden" });
    // The address follows.
    await page.waitForURL(/#\/requests$/);
  });

  it("gives a curl command that takes a masked secret from a variable", async () => {
    await scene.call("POST", "/v10/projects", { name: "web" });
    const variable = { key: "PASSWORD", value: "hidden", type: "encrypted", target: ["production"] };
    await scene.call("POST", "/v10/projects/web/env", variable);
    const page = await look("requests", { permissions: ["clipboard-read", "clipboard-write"] });
    await page.getByRole("link", { name: "POST /v10/projects/web/env" }).click();
    await page.getByRole("button", { name: "Copy as curl" }).click();
    const command = await page.evaluate<string>("navigator.clipboard.readText()");
    const sent = (environment: object) =>
      spawnSync("sh", ["-c", command.replace(/^curl/, "echo")], {
        env: { ...environment },
        encoding: "utf8",
      });
    expect(sent({}).status).not.toBe(0);
    expect(sent({ SECRET_1: "given" }).stdout).toContain('"value": "given"');
  });

  it("opens on a click anywhere in its row", async () => {
    await scene.call("GET", "/v9/projects/none");
    const page = await look("requests");
    await page.getByRole("row", { name: "/v9/projects/none" }).locator("td[data-label=Took]").click();
    await page.getByRole("dialog", { name: "Request" }).waitFor();
  });

  it("is open again after a reload of its address", async () => {
    await scene.call("GET", "/v9/projects/none");
    const page = await look("requests?refused=1");
    await page.getByRole("link", { name: "GET /v9/projects/none" }).click();
    await page.getByRole("dialog", { name: "Request" }).waitFor();
    await page.reload();
    await page.getByRole("dialog", { name: "Request" }).getByText("not_found").first().waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
    expect(await page.getByLabel("Refused only").isChecked()).toBe(true);
  });
});

it("a search is in the address, and the back button leaves it", async () => {
  await populate(scene);
  const page = await look("projects?search=shop");
  await page.getByRole("heading", { name: "Projects 1", exact: true }).waitFor();
  const search = page.getByRole("searchbox", { name: "Search projects" });
  expect(await search.inputValue()).toBe("shop");
  await search.fill("docs");
  await page.getByRole("link", { name: "docs", exact: true }).waitFor();
  expect(new URL(page.url()).hash).toBe("#/projects?search=docs");
  await page.getByRole("link", { name: "docs", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "docs" }).waitFor();
  await page.goBack();
  await page.getByRole("heading", { name: "Projects 1", exact: true }).waitFor();
});

it("the order of projects is in the address", async () => {
  await populate(scene);
  const page = await look("projects");
  await row(page, "web").waitFor();
  await page.getByRole("combobox", { name: "Sort projects" }).selectOption("By name");
  await page.getByRole("rowheader").first().getByText("api").waitFor();
  expect(new URL(page.url()).hash).toBe("#/projects?sort=name");
  await page.reload();
  await page.getByRole("rowheader").first().getByText("api").waitFor();
});

it("Ctrl-K goes to a view or a project by name", async () => {
  await populate(scene);
  const page = await look("requests");
  await page.keyboard.press("Control+k");
  const dialog = page.getByRole("dialog", { name: "Go to" });
  await dialog.getByRole("link", { name: "Mail" }).waitFor();
  expect(await violationsOn(page)).toEqual([]);
  await page.keyboard.type("shop");
  await dialog.getByRole("listitem").nth(1).waitFor({ state: "detached" });
  await dialog.getByRole("link", { name: "shop" }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "shop" }).waitFor();
  await dialog.waitFor({ state: "detached" });
});

it("a shown value does not move the columns of its table", async () => {
  await populate(scene);
  const page = await look("projects/prj_web");
  const table = page.getByRole("table", { name: "Variables of production" });
  const places = async () => {
    const boxes = await Promise.all(
      (await table.getByRole("columnheader").all()).map((header) => header.boundingBox()),
    );
    return boxes.map((box) => box?.x);
  };
  const show = table.getByRole("button", { name: "Show the value of DATABASE_URL" });
  await show.waitFor();
  const before = await places();
  await show.click();
  await table.getByText("postgres://production.internal/web").waitFor();
  expect(await places()).toEqual(before);
});

it("a project takes at most 130 pixels on a phone", async () => {
  await populate(scene);
  const page = await look("projects", { viewport: { width: 390, height: 844 } });
  await row(page, "web").waitFor();
  for (const one of await page.locator("tbody tr").all())
    expect((await one.boundingBox())?.height).toBeLessThanOrEqual(130);
});

it("the map leaves out projects without domains, and its search is in the address", async () => {
  await populate(scene);
  const page = await look("map");
  await page.getByText("Projects without a domain are not drawn: 3.").waitFor();
  await page.getByRole("searchbox", { name: "Search projects" }).fill("shop");
  await page.getByRole("heading", { name: "Map 1", exact: true }).waitFor();
  expect(new URL(page.url()).hash).toBe("#/map?search=shop");
  await page.reload();
  await page.getByRole("heading", { name: "Map 1", exact: true }).waitFor();
});

it("the map links redirects to their targets, and domains to their projects", async () => {
  await populate(scene);
  const page = await look("map");
  await page.getByRole("link", { name: "www.example.com redirects" }).waitFor();
  const edges = page.locator("path.edge title");
  const described = await edges.allTextContents();
  expect(described).toContain("www.example.com redirects to example.com");
  expect(described).toContain("example.com belongs to web");
  await page.getByRole("link", { name: "shop live" }).click();
  await page.getByRole("heading", { level: 1, name: "shop" }).waitFor();
});

it("an unknown address says so, and links to Projects", async () => {
  const page = await look("nonsense");
  await page.getByRole("heading", { name: "Page not found" }).waitFor();
  await page.getByRole("main").getByRole("link", { name: "Projects" }).click();
  await page.getByRole("heading", { name: "Projects 0" }).waitFor();
});

it("the longest names and messages leave every list readable, however wide the page is", async () => {
  const project = "x".repeat(100);
  await scene.control.seed({
    projects: [{ team: "acme", name: project }],
    deployments: [{ team: "acme", project, id: `dpl_${"A".repeat(28)}`, target: "production" }],
  });
  await scene.call("PATCH", `/v9/projects/${project}`, { framework: "next".repeat(60) });
  const page = await look("projects");
  for (const width of [1280, 1140, 1000, 960, 700, 360]) {
    await page.setViewportSize({ width, height: 800 });
    for (const view of ["projects", "requests"]) {
      await page.evaluate(`location.hash = "#/${view}"`);
      await page.getByRole("heading", { name: view === "projects" ? "Projects" : "Requests" }).waitFor();
      await page.locator("tbody tr").first().waitFor();
      expect([view, width, await overflowOf(page)]).toEqual([view, width, 0]);
      // No row is taller than a few lines: a name in a column of three letters would be.
      const heights = await page
        .locator("tbody tr")
        .evaluateAll((rows) => rows.map((row) => row.clientHeight));
      expect([view, width, Math.max(...heights) < 260]).toEqual([view, width, true]);
    }
  }
});

it("long branches and keys do not make a page scroll sideways", async () => {
  const long = `feature/${"x".repeat(150)}`;
  await populate(scene);
  await scene.control.seed({
    deployments: [{ project: "web", team: "acme", id: "dpl_long", target: "production", gitBranch: long }],
  });
  await scene.call("POST", "/v10/projects/web/env", {
    key: "K".repeat(150),
    value: "1",
    type: "plain",
    target: ["preview"],
    gitBranch: long,
  });
  const page = await look("projects/prj_web");
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 800 });
    for (const view of ["projects/prj_web", "events"]) {
      await page.evaluate(`location.hash = "#/${view}"`);
      await page
        .getByText(view === "events" ? "K".repeat(150) : long)
        .first()
        .waitFor();
      expect([view, width, await overflowOf(page)]).toEqual([view, width, 0]);
    }
  }
});
