import type { Plain } from "../../../provider/core/values";
import { rollingRelease } from "../../../provider/resources/rolling-release";
import { type Harness, startHarness } from "../stack";

let w: Harness;
let web: string;
beforeEach(async () => {
  w = await startHarness();
  web = String(((await w.curl("POST", "/v10/projects", { name: "web" })) as Plain).id);
});
afterEach(() => w.close());

const path = "/v1/projects/web/rolling-release";
const automatic = {
  project: "web",
  advancementType: "automatic",
  stages: [{ targetPercentage: 10, duration: 5 }, { targetPercentage: 100 }],
};
const manual = {
  project: "web",
  advancementType: "manual-approval",
  stages: [{ targetPercentage: 20 }, { targetPercentage: 50 }, { targetPercentage: 100 }],
};
const config = async () => ((await w.curl("GET", `${path}/config`)) as Plain).rollingRelease;
const set = (body: object) => w.curl("PATCH", `${path}/config`, body);

it("is created, kept, changed and deleted, which disables rolling releases", async () => {
  const release = w.stack(rollingRelease);
  await release.up(automatic);
  expect(release.id).toBe(web);
  expect(release.state).toMatchObject({ projectId: web, advancementType: "automatic" });
  expect(await config()).toEqual({ target: "production", stages: automatic.stages });
  await release.refresh(w.another());
  expect(await release.up(automatic)).toBe("same");
  expect(await release.up({ ...automatic, project: web })).toBe("same");
  expect(await release.up(manual)).toBe("update");
  expect(await config()).toMatchObject({
    stages: [{ requireApproval: true }, { requireApproval: true }, {}],
  });
  await release.refresh(w.another());
  expect(await release.up(manual)).toBe("same");
  await release.destroy();
  expect(await config()).toBeNull();
});

it("takes over stages that are set already", async () => {
  await set({ ...manual, project: undefined, enabled: true });
  await w.stack(rollingRelease).up(automatic);
  expect(await config()).toMatchObject({ stages: automatic.stages });
});

it("restores what the program declares when somebody changes or disables it", async () => {
  const release = w.stack(rollingRelease);
  await release.up(automatic);
  for (const body of [{ ...manual, project: undefined, enabled: true }, { enabled: false }]) {
    await set(body);
    await release.refresh(w.another());
    expect(await release.up(automatic)).toBe("update");
    expect(await config()).toMatchObject({ stages: automatic.stages });
  }
});

it("keeps a shift that is declared as off", async () => {
  const declared = {
    ...automatic,
    stages: [{ targetPercentage: 10, duration: 5, linearShift: false }, { targetPercentage: 100 }],
  };
  const release = w.stack(rollingRelease);
  await release.up(declared);
  await set({ ...automatic, project: undefined, enabled: true });
  await release.refresh(w.another());
  expect(await release.up(declared)).toBe("same");
});

it("keeps a duration that approvals replace", async () => {
  const declared = { ...automatic, advancementType: "manual-approval" };
  const release = w.stack(rollingRelease);
  await release.up(declared);
  expect(await config()).toMatchObject({ stages: [{ targetPercentage: 10, requireApproval: true }, {}] });
  await release.refresh(w.another());
  expect(await release.up(declared)).toBe("same");
  expect(await release.up(automatic)).toBe("update");
  expect(await config()).toMatchObject({ stages: automatic.stages });
});

it("is imported, unless the project has no rolling releases", async () => {
  const read = async (id: string) => (await rollingRelease.read(w.runOf(w.another()), id, undefined))?.inputs;
  await expect(read("web")).rejects.toThrow(/web has no rolling releases/);
  await set({ ...manual, project: undefined, enabled: true });
  expect(await read("web")).toEqual({ ...manual, project: web });
});

it("warns when its deletion ends a release that runs", async () => {
  const built = { team: "acme", project: "web", target: "production" } as const;
  await w.server.control.deploy(built);
  const release = w.stack(rollingRelease);
  await release.up(manual);
  const [canary] = await w.server.control.deploy(built);
  expect(await w.curl("GET", path)).toMatchObject({ rollingRelease: { state: "ACTIVE" } });
  await release.destroy();
  expect(w.warnings.join()).toMatch(new RegExp(`a rolling release of ${canary} was running`));
  expect(await w.curl("GET", path)).toMatchObject({ rollingRelease: { state: "ABORTED" } });
});

it("is not disabled by the deletion of one whose project another resource has", async () => {
  const before = w.stack(rollingRelease, "before");
  await before.up(automatic);
  const run = w.another();
  before.use(run);
  const after = w.stack(rollingRelease, "after");
  after.use(run);
  await after.up(automatic);
  await before.destroy();
  expect(await config()).not.toBeNull();
});

it("is gone with its project, which is no failure", async () => {
  const release = w.stack(rollingRelease);
  await release.up(automatic);
  await w.curl("DELETE", "/v9/projects/web");
  await release.destroy();
});

it.each([
  [
    { stages: [{ targetPercentage: 10, duration: 1 }, { targetPercentage: 90 }] },
    /must have the targetPercentage 100/,
  ],
  [{ stages: [{ targetPercentage: 100, duration: 1 }, { targetPercentage: 100 }] }, /the others less/],
  [
    {
      stages: [
        { targetPercentage: 50, duration: 1 },
        { targetPercentage: 10, duration: 1 },
        { targetPercentage: 100 },
      ],
    },
    /larger targetPercentage/,
  ],
  [{ stages: manual.stages }, /needs a duration when advancementType is automatic/],
  [
    {
      stages: [
        { targetPercentage: 10, duration: 1 },
        { targetPercentage: 100, duration: 1 },
      ],
    },
    /it has no duration/,
  ],
  [{ stages: [{ targetPercentage: 100 }] }, /stages/],
  [{ project: "nope" }, /404|does not exist|no project/],
])("refuses %j", async (change, message) => {
  await expect(w.stack(rollingRelease).up({ ...automatic, ...change })).rejects.toThrow(message);
  expect(await config()).toBeNull();
});
