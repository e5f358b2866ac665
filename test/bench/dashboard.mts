import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Browser, chromium } from "playwright-core";
import { median, progress, table } from "./report.mts";
import { slipway } from "./servers.mts";

const projects = 10_000;
const rounds = 10;
const executablePath = process.env.SLIPWAY_CHROMIUM ?? "/usr/bin/chromium";
const args = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
];

/** The cost of a look at the dashboard: bytes over the wire, and the time to a painted list and to a found project. */
export async function benchDashboard(): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), "slipway-bench-"));
  const server = await slipway(folder, "dashboard", projects, { controlToken: "bench-control" });
  const browser = await chromium.launch({ executablePath, args });
  try {
    const looks: Look[] = [];
    for (let round = 0; round < rounds; round++) {
      progress(`dashboard: look ${round + 1} of ${rounds}`);
      looks.push(await look(browser, server.url.origin));
    }
    const row = (name: string, of: (one: Look) => number, unit: string): string[] => [
      name,
      `${Math.round(median(looks.map(of)) * 10) / 10} ${unit}`,
      `${Math.round(Math.max(...looks.map(of)) * 10) / 10} ${unit}`,
    ];
    return table([
      [`${projects.toLocaleString("en")} projects, a browser without cache`, "median", "maximum"],
      row("bytes transferred until the list is complete", ({ bytes }) => bytes / 1024, "KiB"),
      row("from opening the address to the painted list", ({ listMs }) => listMs, "ms"),
      row("from a search to the found project", ({ searchMs }) => searchMs, "ms"),
    ]);
  } finally {
    await browser.close();
    await server.stop();
    rmSync(folder, { recursive: true });
  }
}

interface Look {
  bytes: number;
  listMs: number;
  searchMs: number;
}

async function look(browser: Browser, url: string): Promise<Look> {
  const response = await fetch(`${url}/_control/dashboard`, {
    method: "POST",
    headers: { authorization: "Bearer bench-control" },
  });
  const { path: link } = (await response.json()) as { path: string };
  const first = await browser.newContext();
  const opening = await first.newPage();
  await opening.goto(url + link);
  await opening.getByRole("row").nth(50).waitFor();
  // The session alone: what the browser has loaded stays behind.
  const context = await browser.newContext({ storageState: await first.storageState() });
  await first.close();
  const page = await context.newPage();
  const sizes: Promise<number>[] = [];
  page.on("requestfinished", (request) => {
    const size = request.sizes().then((of) => of.responseBodySize + of.responseHeadersSize);
    sizes.push(size);
  });
  const begun = performance.now();
  await page.goto(`${url}/`);
  await page.getByRole("row").nth(50).waitFor();
  await page.evaluate("new Promise((painted) => requestAnimationFrame(() => setTimeout(painted)))");
  const listMs = performance.now() - begun;
  const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  const asked = performance.now();
  await page.getByRole("searchbox").fill(`project-${projects - 1}`);
  await page.getByRole("row").nth(2).waitFor({ state: "detached" });
  const searchMs = performance.now() - asked;
  await context.close();
  return { bytes, listMs, searchMs };
}
