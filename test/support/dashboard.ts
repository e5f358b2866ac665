import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import type { ControlClient } from "../../server/control/client";
import { controlOf } from "../../server/control/in-process";
import type { ServerOptions } from "../../server/options";
import { standingClock } from "../../server/platform/clock";
import { developmentToken } from "../../server/seed/development-account";
import { openServer, type Server } from "../../server/server";
import { openBrowser } from "./browser";

const controlToken = "control-token";
/** When a scene begins: what is a picture for documents shows the same each time. */
const beginning = Date.UTC(2026, 4, 12, 9, 30);
const minute = 60_000;

/** A server that listens, and browsers that look at its dashboard. */
export class Scene {
  private opened: { server: Server; url: string; control: ControlClient } | undefined;

  async open(options: Partial<ServerOptions> = {}): Promise<void> {
    const server = await openServer({
      port: 0,
      data: "memory",
      clock: standingClock(beginning),
      controlToken,
      logLevel: "silent",
      alwaysDevelopmentAccount: true,
      ...options,
    });
    const url = await server.listen();
    this.opened = { server, url, control: controlOf(server.app, controlToken) };
  }

  async close(): Promise<void> {
    await this.opened?.server.close();
    this.opened = undefined;
  }

  get url(): string {
    return this.now.url;
  }

  get control(): ControlClient {
    return this.now.control;
  }

  /** A new link, which opens one session. */
  get link(): string {
    return this.url + (this.now.server.dashboardLink() ?? "");
  }

  private get now(): NonNullable<Scene["opened"]> {
    if (!this.opened) throw new Error("the scene is not open: use it inside a test");
    return this.opened;
  }

  /** A request to the API by the development account. */
  async call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const separator = path.includes("?") ? "&" : "?";
    const response = await fetch(`${this.url}${path}${separator}slug=acme`, {
      method,
      headers: {
        authorization: `Bearer ${developmentToken}`,
        "content-type": "application/json",
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === "" ? undefined : JSON.parse(text) };
  }
}

/** Gives each test of a file a server of its own, and the file a browser. */
export function useScene(options: Partial<ServerOptions> = {}) {
  const scene = new Scene();
  let browser: Browser;
  /** Errors of a page: a violated policy, or an error that nobody caught. */
  const complaints: string[] = [];
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser?.close());
  beforeEach(() => scene.open(options));
  afterEach(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()));
    await scene.close();
    expect(complaints.splice(0)).toEqual([]);
  });
  /** A fresh browser. */
  const visit = async (address: string, context: BrowserContextOptions = {}): Promise<Page> => {
    const fresh = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...context });
    // For what hangs; a busy machine is no reason to fail.
    fresh.setDefaultTimeout(120_000);
    const page = await fresh.newPage();
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("console", (message) => {
      // That an answer was a refusal is said there too, and is what many tests are about.
      if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
        complaints.push(message.text());
    });
    await page.goto(address);
    return page;
  };
  /** A fresh browser that opened a link, at a view. */
  const look = async (view: string, context: BrowserContextOptions = {}): Promise<Page> => {
    const page = await visit(scene.link, context);
    await page.getByText("Live", { exact: true }).waitFor();
    // A text, since what runs in the page knows other globals than the tests.
    await page.evaluate(`location.hash = ${JSON.stringify(`#/${view}`)}`);
    return page;
  };
  return { scene, visit, look };
}

/** The objects of a team of some size: it has everything that the views show. */
export async function populate({ control }: Scene): Promise<void> {
  const team = "acme";
  const at = (minutes: number): number => beginning - minutes * minute;
  const deployment = (id: string, project: string, minutes: number, more: object = {}) => ({
    id: `dpl_${id}`,
    team,
    project,
    target: "production" as const,
    readyState: "READY" as const,
    gitBranch: "main",
    gitSha: Buffer.from(id.padEnd(20, "x")).toString("hex"),
    createdAt: at(minutes),
    ...more,
  });
  await control.seed({
    users: [{ username: "maker", email: "maker@example.com" }],
    projects: [
      { team, name: "status", createdAt: at(9_000) },
      { team, name: "docs", framework: "astro", createdAt: at(8_000) },
      { team, name: "campaign-2025", framework: "vite", paused: true, createdAt: at(7_000) },
      { team, name: "api", createdAt: at(6_000) },
      { team, name: "shop", framework: "nextjs", createdAt: at(5_000) },
      { team, name: "web", id: "prj_web", framework: "nextjs", createdAt: at(4_000) },
    ],
    deployments: [
      deployment("web_3", "web", 60 * 30),
      deployment("web_4", "web", 60 * 6),
      deployment("web_5", "web", 42),
      deployment("web_6", "web", 9, { readyState: "ERROR", gitSha: undefined }),
      deployment("web_preview", "web", 4, { target: "preview", gitBranch: "checkout-redesign" }),
      deployment("shop_9", "shop", 300),
      deployment("api_2", "api", 900),
      deployment("docs_7", "docs", 2_000),
      deployment("campaign_1", "campaign-2025", 6_000),
    ],
    domains: [
      { team, project: "web", name: "example.com", verified: true },
      { team, project: "web", name: "www.example.com", redirect: "example.com", redirectStatusCode: 308 },
      { team, project: "web", name: "example.org", redirect: "example.com", verified: true },
      { team, project: "web", name: "staging.example.com", gitBranch: "staging" },
      { team, project: "shop", name: "shop.example.net", verified: false, challenge: "00112233445566778899" },
      { team, project: "docs", name: "docs.example.com" },
    ],
    env: [
      {
        team,
        project: "web",
        key: "PUBLIC_SITE",
        value: "https://example.com",
        type: "plain",
        target: ["production", "preview", "development"],
      },
      {
        team,
        project: "web",
        key: "DATABASE_URL",
        value: "postgres://production.internal/web",
        type: "encrypted",
        target: ["production"],
        comment: "rotated each quarter",
      },
      {
        team,
        project: "web",
        key: "DATABASE_URL",
        value: "postgres://preview.internal/web",
        type: "encrypted",
        target: ["preview"],
      },
      {
        team,
        project: "web",
        key: "PAYMENT_KEY",
        value: "sk_live_secret",
        type: "sensitive",
        target: ["production"],
      },
      {
        team,
        project: "shop",
        key: "DATABASE_URL",
        value: "postgres://production.internal/shop",
        type: "encrypted",
        target: ["production"],
      },
    ],
    dns: [{ name: "_vercel.example.com", type: "TXT", value: "vc-domain-verify=example.com,0123456789" }],
    integrations: [
      {
        clientId: "oac_cron",
        clientSecret: "cron-secret",
        slug: "cron",
        name: "Nightly jobs",
        owner: "maker",
        redirectUrl: "https://cron.example.com/callback",
        scopes: ["read-write:project"],
      },
    ],
    installations: [
      {
        id: "icfg_cron",
        integration: "cron",
        team,
        installedBy: "dev",
        scopes: ["read-write:project"],
        token: "cron-token",
      },
    ],
  });
  await control.requestScopes("cron", "read-write:project", "read-write:domain", "read:team");
}
