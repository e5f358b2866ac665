import type { Plain } from "../../../provider/core/values";
import { integrationProjectAccess } from "../../../provider/resources/integration-project-access";
import { installations } from "../fields/common";
import { type Harness, startHarness } from "../stack";

let w: Harness;
let web: string;
let monitoring: string;
beforeEach(async () => {
  w = await startHarness();
  web = String(((await w.curl("POST", "/v10/projects", { name: "web" })) as Plain).id);
  ({ monitoring } = await installations(w));
});
afterEach(() => w.close());

const pathOf = (project: string) => `/v1/integrations/configuration/${monitoring}/project/${project}`;
const isAllowed = async (project = web) => ((await w.curl("GET", pathOf(project))) as Plain).allowed;
const declared = (more: object = {}): Plain => ({ project: "web", installationId: monitoring, ...more });

/** Makes the installation cover all projects, as its user can in the dashboard. */
async function coverAll(): Promise<void> {
  await w.server.control.seed({
    installations: [{ id: "icfg_all", integration: "monitoring", team: "acme" }],
  });
  monitoring = "icfg_all";
}

it("grants and withdraws the access, and leaves that of other projects", async () => {
  const { id: other } = (await w.curl("POST", "/v10/projects", { name: "other" })) as Plain;
  await w.curl("POST", pathOf(`${other}`), { allowed: true });
  const access = w.stack(integrationProjectAccess, "access");
  await access.up(declared());
  expect(access).toMatchObject({ id: `${web}/${monitoring}`, state: { projectId: web } });
  expect(await isAllowed()).toBe(true);
  expect(await access.up(declared({ project: web }))).toBe("same");
  await access.destroy();
  expect([await isAllowed(), await isAllowed(`${other}`)]).toEqual([false, true]);
});

it("takes existing access over, and grants access again that others have withdrawn", async () => {
  await w.curl("POST", pathOf(web), { allowed: true });
  const access = w.stack(integrationProjectAccess, "access");
  expect(await access.up(declared())).toBe("create");
  await w.curl("POST", pathOf(web), { allowed: false });
  expect(await access.refresh(w.another())).toBe(false);
  expect(await access.up(declared())).toBe("create");
  expect(await isAllowed()).toBe(true);
});

it("refuses an installation that covers all projects, at preview and in a step", async () => {
  await coverAll();
  const refusal = /icfg_all of monitoring covers all projects.*Limit it to selected projects/;
  await expect(w.stack(integrationProjectAccess, "access").preview(declared())).rejects.toThrow(refusal);
  await expect(w.stack(integrationProjectAccess).up(declared())).rejects.toThrow(refusal);
  expect((await w.server.control.snapshot()).installationProjects).toEqual([]);
});

it("withdraws nothing from an installation that covers all projects by now", async () => {
  const access = w.stack(integrationProjectAccess, "access");
  await access.up(declared());
  await coverAll();
  access.id = `${web}/${monitoring}`;
  await access.destroy();
  expect(w.warnings).toEqual([expect.stringMatching(/^The installation icfg_all keeps its access to prj_/)]);
  expect(await isAllowed()).toBe(true);
  expect((await w.server.control.snapshot()).installations).toContainEqual(
    expect.objectContaining({ id: "icfg_all", selected: false }),
  );
});

it("is imported by the name or the id of the project", async () => {
  await w.curl("POST", pathOf(web), { allowed: true });
  for (const id of [`web/${monitoring}`, `${web}/${monitoring}`])
    expect(await integrationProjectAccess.read(w.runOf(w.another()), id)).toMatchObject({
      id: `${web}/${monitoring}`,
      inputs: { project: web, installationId: monitoring },
    });
  await expect(integrationProjectAccess.read(w.runOf(w.another()), "web")).rejects.toThrow(
    /"project\/id of the installation"/,
  );
});

it("is gone with its project or its installation, which is no failure", async () => {
  const access = w.stack(integrationProjectAccess, "access");
  await access.up(declared());
  await w.curl("DELETE", `/v1/integrations/configuration/${monitoring}`);
  expect(await access.refresh(w.another())).toBe(false);
  await access.destroy();
});
