import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { built } from "../support/dist";
import { root, type ServerProcess, serve } from "../support/server";

/** The server's files are removed as soon as it listens, as a rebuild or an update does for a moment. */
let server: ServerProcess;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "slipway-rebuilt-"));
  const installed = join(folder, "installed");
  cpSync(built("server"), join(installed, "dist/server"), { recursive: true });
  cpSync(join(root, "package.json"), join(installed, "package.json"));
  symlinkSync(join(root, "node_modules"), join(installed, "node_modules"), "dir");
  server = await serve({
    folder,
    token: "token",
    controlToken: "control",
    team: "acme",
    seed: {
      users: [{ username: "dev" }],
      teams: [{ slug: "acme", members: [{ user: "dev", role: "OWNER" }] }],
      tokens: [{ token: "token", user: "dev" }],
      projects: [{ team: "acme", name: "web" }],
    },
    main: join(installed, "dist/server/main.js"),
  });
  rmSync(installed, { recursive: true });
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

it("a server whose files were removed answers every documented operation without a 5xx", async () => {
  const { body: api } = await server.request("GET", "/openapi.json");
  const { body: control } = await server.request("GET", "/openapi-control.json");
  const operations = [api, control].flatMap(({ paths }, isControl) =>
    Object.entries<object>(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => ({ path, method, isControl: isControl === 1 })),
    ),
  );
  expect(operations.length).toBeGreaterThan(80);
  const failed: unknown[] = [];
  for (const { path, method, isControl } of operations) {
    const filled = path.replace(/\{(\w+)\}/g, (_, name) => (/project|idOrName/i.test(name) ? "web" : "none"));
    const verb = method.toUpperCase();
    const hasBody = verb !== "GET" && verb !== "DELETE";
    const { status, body } = isControl
      ? await server.control(verb, filled.replace(/^\/_control/, ""), hasBody ? {} : undefined)
      : await server.request(verb, filled, hasBody ? {} : undefined);
    if (status >= 500 && status !== 501) failed.push({ verb, filled, status, body });
  }
  expect(failed).toEqual([]);
  expect(server.log()).not.toMatch(/ENOENT|Cannot find module/);
});

it("a server whose files were removed creates, changes and lists objects", async () => {
  expect((await server.request("POST", "/v10/projects", { name: "after" })).status).toBe(200);
  const variable = { key: "A", value: "v", type: "encrypted", target: ["production"] };
  expect((await server.request("POST", "/v10/projects/after/env", variable)).status).toBe(201);
  const deployed = await server.request("POST", "/v13/deployments", { name: "after", project: "after" });
  expect(deployed.status).toBe(200);
  expect((await server.request("PATCH", "/v9/projects/after", { framework: "nextjs" })).body).toMatchObject({
    framework: "nextjs",
  });
});

it("a server whose files were removed serves its pages with their assets", async () => {
  for (const page of ["/", "/docs"]) {
    const answer = await fetch(server.url + page, { headers: { accept: "text/html" } });
    expect([page, answer.status]).toEqual([page, 200]);
    const html = await answer.text();
    const files = [...html.matchAll(/(?:src|href)="([^"#]+)"/g)].map(([, file = ""]) => file);
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) {
      const { status } = await fetch(new URL(file, server.url + page));
      expect([page, file, status]).toEqual([page, file, 200]);
    }
  }
});
