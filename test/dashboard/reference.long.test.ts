import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { controlRoutes } from "../../server/control";
import { routes } from "../../server/routes";
import { overflowOf, violationsOn } from "../support/accessibility";
import { useScene } from "../support/dashboard";
import { isLong } from "../support/slices";

const { scene, visit } = useScene();

const documents = [
  ["/docs", "Slipway reference API", routes.length, 0],
  ["/docs?of=control", "Slipway control plane", controlRoutes.length, 1],
] as const;

const operation = (page: Page, id: string) => page.locator(`article#${id}`);

async function openReference(path: string, context: Parameters<typeof visit>[1] = {}): Promise<Page> {
  const page = await visit(scene.url + path, { reducedMotion: "reduce", ...context });
  await page.getByRole("heading", { level: 2 }).first().waitFor();
  return page;
}

it("has the theme that was chosen on the dashboard", async () => {
  const page = await openReference("/docs", { colorScheme: "light" });
  const ground = () => page.evaluate("getComputedStyle(document.body).backgroundColor");
  expect(await ground()).toBe("rgb(246, 247, 249)");
  await page.evaluate('localStorage.setItem("slipway-theme", "dark")');
  await page.reload();
  await page.getByRole("heading", { level: 2 }).first().waitFor();
  expect(await ground()).toBe("rgb(15, 17, 21)");
});

const appearances = [
  ["light", 1280],
  ["dark", 390],
  ["light", 390],
  ["dark", 1280],
] as const;

describe.each(documents)("%s", (path, title, count, shortly) => {
  it("lists every operation of its document", async () => {
    const page = await openReference(path);
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe(title);
    expect(await page.getByRole("article").count()).toBe(count);
  });

  it.each(isLong ? appearances : appearances.slice(shortly, shortly + 1))(
    "has no accessibility violations in %s colours at %i pixels",
    async (colorScheme, width) => {
      const page = await openReference(path, { colorScheme, viewport: { width, height: 800 } });
      expect([await overflowOf(page), await violationsOn(page)]).toEqual([0, []]);
      // A form for each kind of body, and all kinds of parameters.
      for (const button of (await page.locator("article h3 button").all()).slice(0, 16)) await button.click();
      await page.getByRole("button", { name: "Send request" }).first().click();
      await page.locator("form .badge").first().waitFor();
      expect([await overflowOf(page), await violationsOn(page)]).toEqual([0, []]);
    },
  );
});

describe("the API reference", () => {
  it("sends a request with the development token and team filled in", async () => {
    await scene.call("POST", "/v10/projects", { name: "seen-in-the-reference" });
    const page = await openReference("/docs#getProjects");
    await operation(page, "getProjects").getByRole("button", { name: "Send request" }).click();
    await operation(page, "getProjects").getByText("seen-in-the-reference").waitFor();
  });

  it("sends the parameters and the body of its fields", async () => {
    const page = await openReference("/docs#createProject");
    const create = operation(page, "createProject");
    await create.getByLabel("Body (JSON)").fill('{ "name": "from-the-form" }');
    await create.getByRole("button", { name: "Send request" }).click();
    await create.getByText("200", { exact: true }).first().waitFor();
    await page.getByRole("button", { name: /^GET \/v9\/projects\/\{idOrName\} / }).click();
    const read = operation(page, "getProject");
    await read.getByLabel("idOrName").fill("from-the-form");
    await read.getByRole("button", { name: "Send request" }).click();
    await read
      .getByLabel(/^Answer to /)
      .getByText('"name": "from-the-form"')
      .waitFor();
  });

  it("shows a refusal with its request id", async () => {
    const page = await openReference("/docs#getProject");
    const read = operation(page, "getProject");
    await read.getByLabel("idOrName").fill("none");
    await read.getByRole("button", { name: "Send request" }).click();
    await read
      .getByLabel(/^Answer to /)
      .getByText("not_found")
      .waitFor();
    await read.getByText(/^request [0-9a-f-]{36}$/).waitFor();
  });

  it("copies a request as curl that gives the same answer", async () => {
    const page = await openReference("/docs#createProject", {
      permissions: ["clipboard-read", "clipboard-write"],
    });
    const create = operation(page, "createProject");
    await create.getByLabel("Body (JSON)").fill(`{ "name": "web", "buildCommand": "echo 'built'" }`);
    await create.getByRole("button", { name: "Copy as curl" }).click();
    await create.getByText("Copied.").waitFor();
    const command = await page.evaluate<string>("navigator.clipboard.readText()");
    const { stdout } = await promisify(execFile)("sh", ["-c", command]);
    expect(JSON.parse(stdout)).toMatchObject({ name: "web", buildCommand: "echo 'built'" });
  });

  it("finds operations by their words", async () => {
    const page = await openReference("/docs");
    await page.keyboard.press("/");
    await page.keyboard.type("delete webhook");
    await page.getByRole("article").nth(1).waitFor({ state: "detached" });
    expect(await page.getByRole("article").getAttribute("id")).toBe("deleteWebhook");
  });

  it("leads back to the dashboard", async () => {
    const page = await openReference("/docs");
    await page.getByRole("link", { name: "Back to the dashboard" }).click();
    await page.getByRole("heading", { name: "Slipway’s dashboard" }).waitFor();
  });

  it("loads nothing from other origins", async () => {
    const page = await openReference("/docs");
    const loaded = await page.evaluate<string[]>(
      "performance.getEntriesByType('resource').map(({ name }) => name)",
    );
    expect(loaded.length).toBeGreaterThan(2);
    expect(loaded.filter((url) => !url.startsWith(scene.url))).toEqual([]);
  });
});
