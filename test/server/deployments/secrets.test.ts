import { createHash } from "node:crypto";
import { useTestServer } from "../../support/world";

const world = useTestServer();
const sha = (text: string): string => createHash("sha1").update(text).digest("hex");
const page = "<h1>hi</h1>";
const files = [{ file: "index.html", sha: sha(page), size: page.length }];

/** Every row of every table. */
const stored = (): Promise<string> =>
  world.services.store.read(async (tx) => {
    const rows: unknown[] = [];
    for (const { name } of await tx.introspection.getTables())
      rows.push(
        await tx
          .selectFrom(name as "deployments")
          .selectAll()
          .execute(),
      );
    return JSON.stringify(rows);
  });

it.each<[string, object, Record<string, string>]>([
  ["a git ref", { gitSource: { type: "github", org: "acme", repo: "web", ref: "main" } }, {}],
  ["another deployment", { deploymentId: "dpl_1" }, {}],
  ["files", { files }, {}],
  ["build output", { files }, { prebuilt: "1" }],
])("a build of %s leaves no value of a variable anywhere", async (_, source, query) => {
  await world.seed({
    projects: [{ team: "acme", name: "web" }],
    deployments: [{ id: "dpl_1", team: "acme", project: "web", readyState: "READY" }],
  });
  for (const type of ["plain", "encrypted", "sensitive"]) {
    const body = { key: type, value: `canary-${type}`, type, target: ["production"] };
    expect((await world.call("POST", "/v10/projects/web/env", { body })).status).toBe(201);
  }
  const headers = { "x-vercel-digest": sha(page) };
  await world.call("POST", "/v2/files", { body: page, headers });
  const env = { KEY: "canary-environment" };
  const { status, body } = await world.call("POST", "/v13/deployments", {
    body: { name: "web", target: "production", env, build: { env }, ...source },
    query,
  });
  expect(status).toBe(200);
  await world.advance(1000);
  const seen = [
    await stored(),
    JSON.stringify(body),
    JSON.stringify((await world.call("GET", `/v13/deployments/${body.id}`)).body),
    JSON.stringify((await world.call("GET", "/v6/deployments")).body),
    JSON.stringify((await world.call("GET", `/v3/deployments/${body.id}/events`)).body),
    JSON.stringify(await world.control.events()),
    JSON.stringify(await world.control.requests()),
    JSON.stringify(await world.control.snapshot()),
  ];
  expect(seen.filter((text) => text.includes("canary"))).toEqual([]);
  expect(seen[0]).toContain(body.id);
});
