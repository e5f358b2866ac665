import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import axe from "axe-core";
import type { Browser, Page } from "playwright-core";
import { openBrowser } from "../support/browser";
import { root } from "../support/server";

const { brokenLinksOf }: { brokenLinksOf(site: string, base: string): string[] } =
  require("../../scripts/site/links.mjs");

it("a link of a built page that leads nowhere is found, to a page, a place in it or a picture", () => {
  const site = mkdtempSync(join(tmpdir(), "slipway-links-"));
  mkdirSync(join(site, "docs"));
  writeFileSync(
    join(site, "index.html"),
    `<h1 id="here"></h1><a href="/docs/"></a><a href="./docs/index.html#there"></a><a href="https://example.com"></a>`,
  );
  writeFileSync(
    join(site, "docs/index.html"),
    `<h1 id="there"></h1><a href="../#here"></a><a href="../#gone"></a><img src="gone.png"><a href="/gone.html"></a>`,
  );
  expect(brokenLinksOf(site, "/").sort()).toEqual([
    "docs/index.html: ../#gone",
    "docs/index.html: /gone.html",
    "docs/index.html: gone.png",
  ]);
  rmSync(site, { recursive: true });
});

const types: Record<string, string> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".json": "application/json",
};

/** The site is built in half a minute. */
const inFull = process.env.SLIPWAY_TEST_LONG !== undefined ? describe : describe.skip;

inFull("the site", () => {
  const site = join(root, "site");
  let server: Server;
  let browser: Browser;
  let address: string;
  const foreign: string[] = [];
  const complaints: string[] = [];

  beforeAll(async () => {
    execFileSync(process.execPath, [join(root, "scripts/site.mjs")], { stdio: "pipe" });
    server = createServer(({ url = "" }, response) => {
      const path = decodeURI(url.split("?")[0] ?? "").replace(/\/$/, "/index.html");
      const file = join(site, path);
      if (!existsSync(file)) return void response.writeHead(404).end();
      response.writeHead(200, { "content-type": types[extname(file)] ?? "application/octet-stream" });
      response.end(readFileSync(file));
    }).listen(0, "127.0.0.1");
    browser = await openBrowser();
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    await browser?.close();
    server?.close();
  });

  async function visit(path: string, viewport = { width: 1280, height: 800 }): Promise<Page> {
    const page = await browser.newPage({ viewport });
    page.on("request", (request) => {
      if (!request.url().startsWith(address) && !request.url().startsWith("data:"))
        foreign.push(request.url());
    });
    page.on("pageerror", ({ message }) => complaints.push(message));
    page.on("response", (response) => {
      if (response.status() >= 400) complaints.push(`${response.status()} ${response.url()}`);
    });
    await page.goto(address + path);
    await page.getByRole("heading", { level: 1 }).waitFor();
    return page;
  }

  it.each(["/", "/docs/resources/project.html", "/docs/operations.html", "/examples/ci/"])(
    "%s fits 1280 and 390 pixels, asks no other host, and is for everybody",
    async (path) => {
      for (const [width, height] of [
        [1280, 800],
        [390, 844],
      ] as const) {
        const page = await visit(path, { width, height });
        await page.waitForLoadState("networkidle");
        const overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
        expect(await page.evaluate(overflow)).toBe(0);
        await page.evaluate(axe.source);
        // The text of the pages: what is around it is the generator's.
        const found = await page.evaluate("axe.run('.vp-doc', { resultTypes: ['violations'] })");
        expect((found as axe.AxeResults).violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([]);
        await page.close();
      }
      expect([foreign, complaints]).toEqual([[], []]);
    },
  );

  it("shows whole tables at 1280 pixels", async () => {
    const page = await visit("/docs/resources/project.html");
    const cut =
      "[...document.querySelectorAll('.vp-doc table')].map((one) => one.scrollWidth - one.clientWidth)";
    const overflows = (await page.evaluate(cut)) as number[];
    expect(overflows.length).toBeGreaterThan(1);
    expect(overflows.filter((pixels) => pixels > 0)).toEqual([]);
    const width = await page.evaluate(
      "Math.max(...[...document.querySelectorAll('.vp-doc table')].map((one) => one.getBoundingClientRect().right)) - document.querySelector('.vp-doc').getBoundingClientRect().right",
    );
    expect(width).toBeLessThanOrEqual(0);
  });

  it.each([
    ["rollback", "Promotion and rollback", /\/docs\/guides\/promotion-and-rollback/],
    ["private registry", "Publish Slipway to a private registry", /\/docs\/guides\/private-registry/],
    ["stack reference", "Read the output of another stack", /\/docs\/guides\/stages/],
  ])("finds the page on %s first", async (query, title, address) => {
    const page = await visit("/");
    await page.keyboard.press("Control+k");
    await page.getByRole("searchbox").fill(query);
    const first = page.locator("#localsearch-list li").first();
    await first.getByText(title).first().click();
    await page.waitForURL(address);
    expect(complaints).toEqual([]);
  });

  it("shows each resource with its fields, each example with its program, and each operation", async () => {
    const page = await visit("/docs/resources/webhook.html");
    await page.getByRole("cell", { name: "events", exact: true }).first().waitFor();
    const example = await visit("/examples/quickstart/");
    await example.getByRole("heading", { name: "txt-record.ts" }).waitFor();
    const operations = await visit("/docs/operations.html");
    await operations.getByText("POST /v10/projects/{idOrName}/domains", { exact: true }).waitFor();
  });
});
