import { useTestServer } from "../../support/world";

const world = useTestServer();
const path = "/v1/projects/web/rolling-release";
let base: string;
let next: string;
let other: string;

beforeEach(async () => {
  await world.seed({ projects: [{ team: "acme", id: "prj_web", name: "web" }] });
  const deployment = { team: "acme", project: "web", readyState: "READY", target: "production" } as const;
  const staged = { ...deployment, readySubstate: "STAGED" } as const;
  [base = "", next = "", other = ""] = await world.control.deploy(
    { ...deployment, createdAt: 1 },
    { ...staged, createdAt: 2 },
    { ...staged, createdAt: 3 },
  );
});

const automatic = {
  enabled: true,
  advancementType: "automatic",
  stages: [
    { targetPercentage: 10, duration: 5 },
    { targetPercentage: 50, duration: 10 },
    { targetPercentage: 100 },
  ],
};
const manual = {
  enabled: true,
  advancementType: "manual-approval",
  stages: [{ targetPercentage: 10 }, { targetPercentage: 100 }],
};
const configure = (body: object) => world.call("PATCH", `${path}/config`, { body });
const config = async () => (await world.call("GET", `${path}/config`)).body.rollingRelease;
const release = async () => (await world.call("GET", path)).body.rollingRelease;
const project = async () => (await world.call("GET", "/v9/projects/web?rollbackInfo=true")).body;
const serving = async () => (await project()).targets.production.id;
const promote = (id = next) => world.call("POST", `/v10/projects/web/promote/${id}`);
const rollBack = (id = base) => world.call("POST", `/v9/projects/web/rollback/${id}`);
const post = (what: string, body: object) => world.call("POST", `${path}/${what}`, { body });
const approve = (nextStageIndex: number, canaryDeploymentId = next) =>
  post("approve-stage", { nextStageIndex, canaryDeploymentId });
const minutes = (count: number) => world.advance(count * 60_000);
const events = async () =>
  (await world.control.events())
    .filter(({ type }) => /rolling-release/.test(String(type)))
    .map(({ type }) => String(type).replace("project.rolling-release.", ""))
    .reverse();

describe("the configuration", () => {
  it("is absent until it is set, shown with the project, and removed", async () => {
    expect(await config()).toBeNull();
    expect(await project()).not.toHaveProperty("rollingRelease");
    const stages = automatic.stages;
    expect(await configure(automatic)).toMatchObject({
      status: 200,
      body: { rollingRelease: { target: "production", stages } },
    });
    expect(await config()).toEqual({ target: "production", stages });
    expect(await project()).toMatchObject({
      rollingRelease: { target: "production", stages },
      skewProtectionMaxAge: 43_200,
    });
    expect((await world.call("DELETE", `${path}/config`)).body).toEqual({ rollingRelease: null });
    expect(await config()).toBeNull();
    expect(await project()).not.toHaveProperty("rollingRelease");
  });

  it("has stages with approval, except the last", async () => {
    await configure({
      ...manual,
      stages: [
        { targetPercentage: 20, requireApproval: true },
        { targetPercentage: 100, requireApproval: true },
      ],
    });
    expect((await config()).stages).toEqual([
      { targetPercentage: 20, requireApproval: true },
      { targetPercentage: 100 },
    ]);
    await configure(manual);
    expect((await config()).stages).toEqual([
      { targetPercentage: 10, requireApproval: true },
      { targetPercentage: 100 },
    ]);
    await configure({ enabled: false });
    expect(await config()).toBeNull();
  });

  it("keeps the time of the project, and skew protection that is set, when nothing changes", async () => {
    await world.call("PATCH", "/v9/projects/web", { body: { skewProtectionMaxAge: 600 } });
    await configure(manual);
    const { updatedAt } = await project();
    world.clock.advance(10);
    await configure(manual);
    expect(await project()).toMatchObject({ updatedAt, skewProtectionMaxAge: 600 });
  });

  it.each([
    [{}],
    [{ enabled: true }],
    [{ ...automatic, advancementType: undefined }],
    [{ ...automatic, advancementType: "sometimes" }],
    [{ ...automatic, stages: undefined }],
    [{ ...automatic, stages: [{ targetPercentage: 100 }] }],
    [{ ...automatic, stages: Array(11).fill({ targetPercentage: 100, duration: 1 }) }],
    [{ ...manual, stages: [{ targetPercentage: 10 }, { targetPercentage: 90 }] }],
    [{ ...manual, stages: [{ targetPercentage: 100 }, { targetPercentage: 100 }] }],
    [{ ...manual, stages: [50, 10, 100].map((targetPercentage) => ({ targetPercentage })) }],
    [{ ...automatic, stages: [{ targetPercentage: 10 }, { targetPercentage: 100 }] }],
    [{ ...automatic, stages: [{ targetPercentage: 10, duration: 0 }, { targetPercentage: 100 }] }],
    [{ ...automatic, stages: [{ targetPercentage: -1, duration: 1 }, { targetPercentage: 100 }] }],
    [{ ...automatic, unknown: true }],
  ])("refuses %j", async (body) => {
    expect(await configure(body)).toMatchObject({ status: 400, body: { error: { code: "bad_request" } } });
    expect(await config()).toBeNull();
  });

  it("refuses an unknown project, and one that is being transferred", async () => {
    expect((await world.call("GET", "/v1/projects/nope/rolling-release/config")).status).toBe(404);
    await world.seed({ teams: [{ slug: "beta", members: [{ user: "dev", role: "OWNER" }] }] });
    await world.control.startTransfer("prj_web", { toTeam: "beta" });
    expect(await configure(manual)).toMatchObject({ status: 409, body: { error: { code: "conflict" } } });
  });

  it("is that of a copy's seed, without members of the hosted service that this server does not know", async () => {
    const rollingRelease = { target: "production", stages: automatic.stages };
    await world.seed({
      projects: [
        {
          team: "acme",
          id: "prj_copy",
          name: "copy",
          createdAt: 1,
          settings: { rollingRelease: { ...rollingRelease, canaryResponseHeader: true } },
        },
      ],
    });
    expect((await world.call("GET", "/v9/projects/copy")).body.rollingRelease).toEqual(rollingRelease);
  });
});

it("tells whether the plan has rolling releases", async () => {
  expect((await world.call("GET", `${path}/billing`)).body).toMatchObject({
    availableSlots: "unlimited",
    reason: "unlimited_slots",
  });
  await world.control.changeTeam("acme", { plan: "hobby" });
  expect((await world.call("GET", `${path}/billing`)).body).toMatchObject({
    availableSlots: 0,
    reason: "plan_not_supported",
  });
});

describe("a promotion", () => {
  it("starts a release, whose stages end after their durations", async () => {
    expect(await release()).toBeNull();
    await configure(automatic);
    expect((await promote()).status).toBe(201);
    const startedAt = world.clock.now();
    expect(await serving()).toBe(base);
    expect(await release()).toMatchObject({
      state: "ACTIVE",
      substate: null,
      advancementType: "automatic",
      currentDeployment: { id: base },
      canaryDeployment: { id: next, readyState: "READY", target: "production" },
      queuedDeploymentId: null,
      currentCanaryPercentage: 10,
      activeStage: { index: 0, targetPercentage: 10, duration: 300, requireApproval: false },
      nextStage: { index: 1, targetPercentage: 50, duration: 600, isFinalStage: false },
      stages: [{}, {}, { index: 2, targetPercentage: 100, duration: null, isFinalStage: true }],
      startedAt,
      updatedAt: startedAt,
    });
    const substate = async () => (await world.call("GET", `/v13/deployments/${next}`)).body.readySubstate;
    expect(await substate()).toBe("ROLLING");
    await minutes(5);
    expect(await release()).toMatchObject({ state: "ACTIVE", activeStage: { index: 1 } });
    expect(await serving()).toBe(base);
    await minutes(10);
    expect(await release()).toMatchObject({
      state: "COMPLETE",
      currentDeployment: { id: base },
      canaryDeployment: { id: next },
      currentCanaryPercentage: 100,
      activeStage: { index: 2 },
      nextStage: null,
      startedAt,
    });
    expect(await serving()).toBe(next);
    expect(await substate()).toBe("PROMOTED");
    expect((await project()).lastAliasRequest).toMatchObject({
      fromDeploymentId: base,
      toDeploymentId: next,
      jobStatus: "succeeded",
      type: "promote",
    });
    expect(await events()).toEqual(["started", "completed"]);
  });

  it("begins all stages that are due after a long pause", async () => {
    await configure(automatic);
    await promote();
    await minutes(14);
    expect(await release()).toMatchObject({ state: "ACTIVE", activeStage: { index: 1 } });
    await minutes(1);
    expect(await release()).toMatchObject({ state: "COMPLETE" });
  });

  it("keeps the stages of its start when the configuration changes", async () => {
    await configure(manual);
    await promote();
    await configure(automatic);
    expect((await release()).stages).toHaveLength(2);
  });

  it("waits for approval", async () => {
    await configure(manual);
    await promote();
    await minutes(100_000);
    expect(await release()).toMatchObject({ state: "ACTIVE", activeStage: { index: 0, duration: null } });
    expect(await approve(2)).toMatchObject({ status: 409, body: { error: { code: "conflict" } } });
    expect((await approve(1, other)).status).toBe(404);
    expect(await approve(1)).toMatchObject({
      status: 200,
      body: { rollingRelease: { state: "COMPLETE" } },
    });
    expect(await serving()).toBe(next);
    expect((await approve(2)).status).toBe(404);
  });

  it("tells of each approval", async () => {
    await configure({ ...manual, stages: [10, 40, 100].map((targetPercentage) => ({ targetPercentage })) });
    await promote();
    await world.call("POST", `${path}/approve-stage`, {
      body: { activeStageIndex: 0, nextStageIndex: 1, canaryDeploymentId: next },
    });
    expect(await events()).toEqual(["started", "approved"]);
    const [{ payload }] = (await world.control.events()) as [{ payload: object }];
    expect(payload).toMatchObject({
      project: { id: "prj_web" },
      projectName: "web",
      rollingRelease: {
        deploymentIds: [base, next],
        activeStageIndex: 1,
        default: { baseDeploymentId: base, targetDeploymentId: next, targetPercentage: 40 },
      },
      prevRollingRelease: { activeStageIndex: 0 },
    });
  });

  it("is refused while another release runs", async () => {
    await configure(manual);
    await promote();
    for (const id of [other, next, base])
      expect(await promote(id)).toMatchObject({ status: 409, body: { error: { code: "conflict" } } });
    expect((await world.call("DELETE", `/v13/deployments/${next}`)).status).toBe(409);
  });

  it("takes effect at once without a configuration, and where nothing serves production", async () => {
    await promote();
    expect(await serving()).toBe(next);
    expect(await release()).toBeNull();
    await world.seed({ projects: [{ team: "acme", id: "prj_new", name: "new" }] });
    await world.call("PATCH", "/v1/projects/new/rolling-release/config", { body: manual });
    const [only = ""] = await world.control.deploy({ team: "acme", project: "new", target: "production" });
    const { body } = await world.call("GET", "/v9/projects/new");
    expect(body.targets.production.id).toBe(only);
  });
});

describe("a release", () => {
  beforeEach(() => configure(manual));

  it("is started, again without effect, and completed", async () => {
    const start = (canaryDeploymentId = next) => post("start", { canaryDeploymentId });
    expect(await start()).toMatchObject({ status: 200, body: { rollingRelease: { state: "ACTIVE" } } });
    const started = await release();
    world.clock.advance(10);
    expect((await start()).body.rollingRelease).toEqual(started);
    expect((await start(other)).status).toBe(409);
    expect((await start("dpl_nope")).status).toBe(404);
    expect((await post("complete", { canaryDeploymentId: other })).status).toBe(404);
    expect(await post("complete", { canaryDeploymentId: next })).toMatchObject({
      status: 200,
      body: { rollingRelease: { state: "COMPLETE" } },
    });
    expect(await serving()).toBe(next);
    expect(await events()).toEqual(["started", "completed"]);
    const { body } = await world.call("GET", path, { query: { state: "ACTIVE" } });
    expect(body).toEqual({ rollingRelease: null });
  });

  it("cannot start without a configuration, or of a deployment that is not ready", async () => {
    const [building = ""] = await world.control.deploy({
      team: "acme",
      project: "web",
      target: "production",
      readyState: "BUILDING",
    });
    expect((await post("start", { canaryDeploymentId: building })).status).toBe(409);
    await configure({ enabled: false });
    expect(await post("start", { canaryDeploymentId: next })).toMatchObject({
      status: 422,
      body: { error: { code: "unprocessable" } },
    });
  });

  it("is aborted by a rollback, also to the deployment that serves", async () => {
    await promote();
    expect((await rollBack()).status).toBe(201);
    expect(await release()).toMatchObject({
      state: "ABORTED",
      activeStage: null,
      nextStage: null,
      canaryDeployment: { id: next },
    });
    expect(await serving()).toBe(base);
    expect((await project()).lastRollbackTarget).toMatchObject({ deploymentId: base });
    expect(await events()).toEqual(["started", "aborted"]);
    expect((await rollBack()).status).toBe(422);
    expect((await promote()).status).toBe(201);
    expect(await release()).toMatchObject({ state: "ACTIVE" });
  });

  it.each([
    [{ enabled: false }, "ABORTED"],
    [{ enabled: false, disableRolloutAction: "abort" }, "ABORTED"],
    [{ enabled: false, disableRolloutAction: "complete" }, "COMPLETE"],
  ])("ends when rolling releases are disabled: %j", async (body, state) => {
    await promote();
    await configure(body);
    expect(await release()).toMatchObject({ state });
    expect(await serving()).toBe(state === "COMPLETE" ? next : base);
  });

  it("follows a build for production; builds meanwhile wait for its end", async () => {
    const build = async () => {
      const [id = ""] = await world.control.deploy({ team: "acme", project: "web", target: "production" });
      return id;
    };
    const first = await build();
    expect(await release()).toMatchObject({ state: "ACTIVE", canaryDeployment: { id: first } });
    await build();
    const last = await build();
    expect(await release()).toMatchObject({ canaryDeployment: { id: first }, queuedDeploymentId: last });
    await post("complete", { canaryDeploymentId: first });
    expect(await serving()).toBe(first);
    expect(await release()).toMatchObject({
      state: "ACTIVE",
      currentDeployment: { id: first },
      canaryDeployment: { id: last },
      queuedDeploymentId: null,
    });
  });

  it("completes after another promotion in progress", async () => {
    await configure(automatic);
    await promote();
    await world.control.planPromotions({ delayMs: 60_000 });
    await rollBack();
    expect(await promote()).toMatchObject({ status: 409 });
    await minutes(1);
    await promote();
    await minutes(15);
    expect(await release()).toMatchObject({ state: "COMPLETE" });
    expect(await serving()).toBe(base);
    await minutes(1);
    expect(await serving()).toBe(next);
  });

  it("goes with its project", async () => {
    await promote();
    await world.call("DELETE", "/v9/projects/web");
    expect((await world.control.snapshot()).rollingReleases).toEqual([]);
  });
});
