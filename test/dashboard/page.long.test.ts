import type { Page, Request } from "playwright-core";
import { overflowOf, violationsOn } from "../support/accessibility";
import { foreignName } from "../support/browser";
import { populate, useScene } from "../support/dashboard";
import { isLong } from "../support/slices";

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
  "runs/0a1b2c3d",
  "events",
  "mail",
  "requests",
  "simulation",
  "states",
];

describe("signing in", () => {
  const { scene, visit, look } = useScene();

  it("works once with each link", async () => {
    const { link } = scene;
    const page = await visit(link);
    await page.getByRole("heading", { level: 1, name: "Projects" }).waitFor();
    expect(page.url()).not.toContain("code");
    const [cookie] = await page.context().cookies();
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Strict" });
    const second = await visit(link);
    await second.getByText("This link was used already, or is too old.").waitFor();
  });

  it("is explained to a browser without a session", async () => {
    const page = await visit(scene.url);
    await page.getByText("Open it with a one-time link.").waitFor();
    expect(await page.content()).not.toContain("acme");
  });

  it("ends the session on signing out", async () => {
    const page = await look("projects");
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByText("Open it with a one-time link.").waitFor();
    expect(await page.context().cookies()).toEqual([]);
  });

  it("refuses a foreign host name that resolves to the server", async () => {
    const page = await visit(scene.link.replace("127.0.0.1", foreignName));
    await page.getByText(`The host name \\"${foreignName}\\" is not allowed here`).waitFor();
  });
});

describe("an idle session", () => {
  const { look } = useScene({ dashboardIdleMs: 700 });

  it("ends and leads to the sign-in page", async () => {
    const page = await look("mail");
    await page.getByText("Open it with a one-time link.").waitFor();
  });
});

describe("the connection", () => {
  const { scene, look } = useScene();
  const reconnecting = "Reconnecting…";

  it("leads to the sign-in page after the server has restarted", async () => {
    const page = await look("projects");
    const port = Number(new URL(scene.url).port);
    await scene.close();
    await page.getByText(reconnecting).waitFor();
    await scene.open({ port });
    await page.getByText("Open it with a one-time link.").waitFor();
  });

  it("opens a stream again that was answered with an error", async () => {
    const page = await look("projects");
    await page.route("**/_dashboard/stream", (route) => route.fulfill({ status: 503 }), { times: 1 });
    await page.reload();
    await page.getByText(reconnecting).waitFor();
    await page.getByText("Live", { exact: true }).waitFor();
    await scene.call("POST", "/v10/projects", { name: "fresh" });
    await page.getByRole("link", { name: "fresh", exact: true }).waitFor();
  });

  it("asks for the state until the server answers", async () => {
    const page = await look("projects");
    await page.route("**/_dashboard/stream", (route) => route.fulfill({ status: 503 }), { times: 1 });
    await page.reload();
    await page.getByText(reconnecting).waitFor();
    await page.route("**/_dashboard/view/state*", (route) => route.abort(), { times: 1 });
    await page.getByText("Live", { exact: true }).waitFor();
  });

  it("keeps what it shows when a request for it is not answered", async () => {
    const page = await look("projects");
    await scene.call("POST", "/v10/projects", { name: "kept" });
    await page.getByRole("link", { name: "kept", exact: true }).waitFor();
    const lost = page.waitForEvent("requestfailed", (request) => request.url().includes("/view/state"));
    await page.route("**/_dashboard/view/*", (route) => route.abort());
    await scene.call("POST", "/v10/projects", { name: "later" });
    await lost;
    await page.getByText("The server does not answer. Check that it runs.").waitFor();
    await page.getByRole("link", { name: "kept", exact: true }).waitFor();
    await page.unrouteAll();
    await scene.call("POST", "/v10/projects", { name: "latest" });
    await page.getByRole("link", { name: "latest", exact: true }).waitFor();
    expect(await page.getByText("The server does not answer. Check that it runs.").count()).toBe(0);
  });

  it("stops the server's clock while it is lost", async () => {
    const page = await look("projects");
    await page.clock.install();
    await page.route("**/_dashboard/stream", (route) => route.fulfill({ status: 503 }));
    await page.reload();
    await page.getByText(reconnecting).waitFor();
    const clock = page.getByRole("link", { name: "The server’s clock" });
    const before = await clock.textContent();
    await page.clock.runFor(5_000);
    expect(await clock.textContent()).toBe(before);
  });
});

describe("late answers", () => {
  const { scene, look } = useScene();

  /** Holds the answer to the first request whose address matches, until it is released. */
  async function holdFirst(page: Page, address: RegExp) {
    const held = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    await page.route(
      address,
      async (route) => {
        const response = await route.fetch();
        held.resolve();
        await released.promise;
        await route.fulfill({ response });
      },
      { times: 1 },
    );
    return {
      held: held.promise,
      async release() {
        const late = page.waitForResponse(address);
        released.resolve();
        await (await late).finished();
        await page.evaluate("new Promise(requestAnimationFrame)");
      },
    };
  }

  it("do not replace the result of a newer search", async () => {
    await populate(scene);
    const page = await look("projects");
    const first = await holdFirst(page, /view\/projects\?.*search=we/);
    const search = page.getByRole("searchbox", { name: "Search projects" });
    await search.fill("we");
    await first.held;
    await search.fill("shop");
    await page.getByRole("heading", { name: "Projects 1", exact: true }).waitFor();
    await first.release();
    expect(await page.getByRole("rowheader").allTextContents()).toEqual([expect.stringContaining("shop")]);
  });

  it("do not replace a newer answer to the same request", async () => {
    const page = await look("projects");
    await page.getByText("No projects yet.").waitFor();
    const first = await holdFirst(page, /view\/projects\?/);
    await scene.call("POST", "/v10/projects", { name: "first" });
    await first.held;
    await scene.call("POST", "/v10/projects", { name: "second" });
    await page.getByRole("link", { name: "second" }).waitFor();
    await first.release();
    expect(await page.getByRole("link", { name: "second" }).count()).toBe(1);
  });
});

describe("the page", () => {
  const { scene, look, visit } = useScene();

  it("has the theme that was chosen, also after a reload, and follows the system again", async () => {
    const page = await look("projects", { colorScheme: "light" });
    const ground = () => page.evaluate("getComputedStyle(document.body).backgroundColor");
    const theme = page.getByLabel("Theme");
    await theme.selectOption("Dark");
    expect(await ground()).toBe("rgb(15, 17, 21)");
    await page.reload();
    await theme.waitFor();
    expect([await theme.inputValue(), await ground()]).toEqual(["dark", "rgb(15, 17, 21)"]);
    await theme.selectOption("System");
    expect(await ground()).toBe("rgb(246, 247, 249)");
  });

  for (const colorScheme of ["light", "dark"] as const) {
    const widths = isLong ? [1280, 390] : [colorScheme === "light" ? 1280 : 390];
    it(`has no accessibility violations in ${colorScheme} colours, at ${widths.join(" and ")} pixels`, async () => {
      await populate(scene);
      await scene.control.addFaults({ path: "/v9/projects", kind: "delay", delayMs: 1 });
      await scene.control.saveState("before-test");
      const by = { "x-slipway-run": "0a1b2c3d", "x-slipway-resource": "Promotion%20release" };
      for (const deployment of ["dpl_web_6", "dpl_web_4"])
        await scene.call("POST", `/v10/projects/web/promote/${deployment}`, undefined, by);
      const page = await look("projects", { colorScheme, reducedMotion: "reduce" });
      const ground = await page.evaluate("getComputedStyle(document.body).backgroundColor");
      expect(ground).toBe(colorScheme === "dark" ? "rgb(15, 17, 21)" : "rgb(246, 247, 249)");
      for (const width of widths) {
        await page.setViewportSize({ width, height: 800 });
        for (const view of views) {
          await page.evaluate(`location.hash = "#/${view}"`);
          await page
            .locator("main table, main .card, main .record, main .waterfall, main svg")
            .first()
            .waitFor();
          expect([view, width, await overflowOf(page)]).toEqual([view, width, 0]);
          expect([view, width, await violationsOn(page)]).toEqual([view, width, []]);
        }
      }
    });

    it(`has no accessibility violations in ${colorScheme} colours while it is empty`, async () => {
      const page = await look("projects", { colorScheme, reducedMotion: "reduce" });
      for (const view of views.filter((one) => !one.includes("/"))) {
        await page.evaluate(`location.hash = "#/${view}"`);
        await page.locator("main .empty, main section, main table").first().waitFor();
        expect([view, await violationsOn(page)]).toEqual([view, []]);
      }
    });

    it(`has no accessibility violations in ${colorScheme} colours on the sign-in page`, async () => {
      const page = await visit(scene.url, { colorScheme, viewport: { width: 390, height: 800 } });
      await page.getByText("Open it with a one-time link.").waitFor();
      expect([await overflowOf(page), await violationsOn(page)]).toEqual([0, []]);
    });
  }

  it("breaks long branches and keys in place of scrolling sideways", async () => {
    const long = "x".repeat(150);
    await scene.control.seed({
      projects: [{ team: "acme", name: "web", id: "prj_web" }],
      deployments: [
        { team: "acme", project: "web", target: "production", readyState: "READY", gitBranch: long },
      ],
    });
    const variable = { key: long, value: "v", type: "plain", target: ["production"] };
    await scene.call("POST", "/v10/projects/web/env", variable);
    const page = await look("projects");
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 800 });
      for (const view of ["projects/prj_web", "events"]) {
        await page.evaluate(`location.hash = "#/${view}"`);
        await page.getByText(long).first().waitFor();
        expect([view, width, await overflowOf(page)]).toEqual([view, width, 0]);
      }
    }
  });

  it("can be used by keyboard alone", async () => {
    await populate(scene);
    const page = await look("projects");
    await page.getByRole("link", { name: "shop", exact: true }).waitFor();
    const { keyboard } = page;
    await keyboard.press("/");
    await keyboard.type("shop");
    await page.getByRole("heading", { name: "Projects 1", exact: true }).waitFor();
    await keyboard.press("Tab");
    await keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "shop" }).waitFor();
    // The crumb, then the button.
    await keyboard.press("Tab");
    await keyboard.press("Tab");
    await keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    await keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await keyboard.press("Enter");
    await keyboard.press("Tab");
    await keyboard.press("Enter");
    await page.getByText("shop is paused.").waitFor();
    const { body } = await scene.call("GET", "/v9/projects/shop");
    expect(body.paused).toBe(true);
  });

  it("loads at most 150 KiB, from its own server only", async () => {
    const page = await look("projects");
    const requests: Request[] = [];
    page.on("requestfinished", (request) => requests.push(request));
    await page.reload();
    await page.getByText("Live", { exact: true }).waitFor();
    for (const view of views) {
      await page.evaluate(`location.hash = "#/${view}"`);
      await page.getByRole("heading", { level: 1 }).waitFor();
    }
    const sizeOf = async (request: Request): Promise<[url: string, size: number]> => {
      const { responseBodySize, responseHeadersSize } = await request.sizes();
      return [request.url(), responseBodySize + responseHeadersSize];
    };
    const loaded = new Map(await Promise.all(requests.map(sizeOf)));
    expect([...loaded.keys()].filter((url) => !url.startsWith(scene.url))).toEqual([]);
    const files = [...loaded].filter(([url]) => !url.includes("/_dashboard/view/"));
    expect(files.length).toBeGreaterThanOrEqual(4);
    expect(files.reduce((sum, [, size]) => sum + size, 0)).toBeLessThan(150 * 1024);
  });
});
