import type { Plain } from "../../../provider/core/values";
import { alias } from "../../../provider/resources/alias";
import { deploymentProtectionException } from "../../../provider/resources/deployment-protection-exception";
import { type Harness, startHarness } from "../stack";

let w: Harness;
let web: string;
const name = "docs-web.vercel.app";
const url = "web-1.vercel.app";
const declared = { project: "web", alias: name };
beforeEach(async () => {
  w = await startHarness();
  web = String(((await w.curl("POST", "/v10/projects", { name: "web" })) as Plain).id);
  await w.curl("POST", "/v10/projects", { name: "api" });
  await w.server.control.seed({
    deployments: [
      { id: "dpl_1", team: "acme", project: "web", target: "production", url },
      { id: "dpl_2", team: "acme", project: "api" },
    ],
    aliases: [{ team: "acme", alias: name, deployment: "dpl_1" }],
  });
});
afterEach(() => w.close());

const path = `/v3/aliases/${name}/protection-bypass`;
const override = (action = "create") =>
  w.curl("PATCH", path, { override: { scope: "alias-protection-override", action } });
const exceptions = async () =>
  (await w.server.control.snapshot()).protectionExceptions.map(({ alias, scope }) => [alias, scope]);

it.each([name, url])("for %s is created, read without a change, imported and deleted", async (at) => {
  const exception = w.stack(deploymentProtectionException);
  await exception.up({ ...declared, alias: at });
  expect(exception.id).toBe(`${web}/${at}`);
  expect(exception.state).toMatchObject({ createdAt: expect.any(Number), createdBy: expect.any(String) });
  expect(await exceptions()).toEqual([[at, "alias-protection-override"]]);
  await exception.refresh(w.another());
  expect(await exception.up({ ...declared, alias: at })).toBe("same");
  const imported = await deploymentProtectionException.read(w.run, `web/${at}`, undefined);
  expect(imported).toMatchObject({ id: exception.id, inputs: { project: web, alias: at } });
  await exception.destroy();
  expect(await exceptions()).toEqual([]);
  expect(await exception.refresh(w.another())).toBe(false);
});

it("is created once when the answer gets lost", async () => {
  for (const kind of ["drop-after", "drop-before"] as const) {
    await w.server.control.addFaults({ method: "PATCH", path, times: 1, kind });
    const exception = w.stack(deploymentProtectionException, kind);
    exception.use(w.another());
    await exception.up(declared);
    expect(await exceptions()).toHaveLength(1);
    await exception.destroy();
  }
});

it("refuses an exception that is there already, and takes it over with adopt", async () => {
  await override();
  await expect(w.stack(deploymentProtectionException, "it").preview(declared)).rejects.toThrow(
    /The exception from deployment protection .*docs-web\.vercel\.app already exists.*adopt/,
  );
  const exception = w.stack(deploymentProtectionException);
  expect(await exception.up({ ...declared, adopt: true })).toBe("create");
  await exception.refresh(w.another());
  expect(await exception.up({ ...declared, adopt: true })).toBe("same");
  await exception.destroy();
  expect(await exceptions()).toEqual([]);
});

it("keeps links and users of the alias", async () => {
  await w.curl("PATCH", path, {});
  await w.curl("PATCH", path, { scope: { email: "grace@example.org", access: "granted" } });
  const exception = w.stack(deploymentProtectionException);
  await exception.up(declared);
  expect(await exceptions()).toHaveLength(3);
  await exception.destroy();
  expect((await exceptions()).map(([, scope]) => scope).sort()).toEqual(["email_invite", "shareable-link"]);
});

it("refuses an alias of another project at preview", async () => {
  await expect(
    w.stack(deploymentProtectionException, "it").preview({ ...declared, project: "api" }),
  ).rejects.toThrow(/docs-web\.vercel\.app points to a deployment of the project prj_\w+, and not of prj_/);
});

it("waits for an alias that the program creates, and says that another one does not exist", async () => {
  const [next, exception] = [w.stack(alias), w.stack(deploymentProtectionException)];
  await exception.preview({ ...declared, alias: "next-web.vercel.app" });
  await expect(exception.up({ ...declared, alias: "next-web.vercel.app" })).rejects.toThrow(/404 not_found/);
  await next.up({ alias: "next-web.vercel.app", deploymentId: "dpl_1" });
  await exception.up({ ...declared, alias: "next-web.vercel.app" });
  expect(await exceptions()).toHaveLength(1);
});

it("says that a domain of the project has no exceptions, and that the plan has none", async () => {
  const exception = w.stack(deploymentProtectionException);
  await expect(exception.up({ ...declared, alias: "web.vercel.app" })).rejects.toThrow(
    /400 bad_request: web\.vercel\.app is a domain of a project/,
  );
  await w.server.control.changeTeam("acme", { plan: "hobby" });
  await expect(w.stack(deploymentProtectionException, "other").up(declared)).rejects.toThrow(
    /428 plan_not_supported/,
  );
});

it("is created again when it was revoked, and leaves an alias that has moved alone", async () => {
  const exception = w.stack(deploymentProtectionException);
  await exception.up(declared);
  await override("revoke");
  expect(await exception.refresh(w.another())).toBe(false);
  const again = w.stack(deploymentProtectionException, "again");
  await again.up(declared);
  await w.curl("POST", "/v2/deployments/dpl_2/aliases", { alias: name });
  await override();
  expect(await again.refresh(w.another())).toBe(false);
  await again.destroy();
  expect(await exceptions()).toHaveLength(1);
});

it.each([
  [{ alias: "*.vercel.app" }, /^alias must be a name without a wildcard/],
  [{ alias: "https://docs.vercel.app" }, /^alias must be a domain name/],
  [{ alias: undefined }, /^alias is missing/],
])("refuses %j before anything is asked", async (inputs, reason) => {
  await expect(w.stack(deploymentProtectionException).up({ ...declared, ...inputs })).rejects.toThrow(reason);
});

it("is not found by an id of another form", async () => {
  await expect(deploymentProtectionException.read(w.run, "web", undefined)).rejects.toThrow(
    'The id of an exception is "project/alias"',
  );
});
