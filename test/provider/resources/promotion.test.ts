import timers from "node:timers/promises";
import { type Plain, unknown } from "../../../provider/core/values";
import { deployment } from "../../../provider/resources/deployment";
import { project } from "../../../provider/resources/project";
import { promotion } from "../../../provider/resources/promotion";
import { reasonAgainst } from "../../../provider/resources/promotion/deployment";
import { takenApexes } from "../../support/domains";
import { urnOf } from "../../support/fake-cli";
import { type Harness, recordStack, startHarness } from "../stack";

let w: Harness;
let web: string;
beforeEach(async () => {
  w = await startHarness();
  web = ((await w.curl("POST", "/v10/projects", { name: "web" })) as Plain).id as string;
  const built = { team: "acme", project: "web", target: "production", readyState: "READY" } as const;
  const staged = { ...built, readySubstate: "STAGED" } as const;
  await w.curl("POST", "/v10/projects", { name: "other" });
  await w.server.control.deploy(
    { ...built, id: "dpl_1", createdAt: 1 },
    { ...staged, id: "dpl_2", createdAt: 2 },
    { ...staged, id: "dpl_3", createdAt: 3 },
    { ...built, id: "dpl_failed", readyState: "ERROR", createdAt: 4 },
    { ...staged, id: "dpl_other", project: "other", createdAt: 5 },
    { ...built, id: "dpl_building", readyState: "BUILDING", createdAt: 6 },
    { ...built, id: "dpl_preview", target: "preview", createdAt: 7 },
  );
});
afterEach(() => w.close());

const serving = async (): Promise<unknown> => {
  const { targets } = (await w.curl("GET", `/v9/projects/${web}`)) as Plain as {
    targets: { production?: Plain };
  };
  return targets.production?.id;
};
const request = (id: string): Promise<unknown> => w.curl("POST", `/v10/projects/${web}/promote/${id}`);
/** Promotes behind the provider's back. On the profile `hosted`, a promotion takes two seconds. */
async function behind(id: string): Promise<void> {
  await request(id);
  await w.server.control.advanceClock(2_000);
}

it("promotes, promotes another deployment, and detects drift", async () => {
  const stack = w.stack(promotion);
  await stack.up({ project: web, deployment: "dpl_2" });
  expect(stack.id).toBe(web);
  expect(stack.state).toMatchObject({ previousDeployment: "dpl_1" });
  expect(await serving()).toBe("dpl_2");
  expect(await stack.up({ project: "web", deployment: "dpl_2" })).toBe("same");
  expect(await stack.up({ project: web, deployment: "dpl_3" })).toBe("update");
  expect(await serving()).toBe("dpl_3");
  await behind("dpl_1");
  await stack.refresh(w.another());
  expect(await stack.up({ project: web, deployment: "dpl_3" })).toBe("update");
  expect(await serving()).toBe("dpl_3");
  expect(stack.state).toMatchObject({ previousDeployment: "dpl_1" });
});

it("records no previous deployment when the deployment served already", async () => {
  const stack = w.stack(promotion);
  await stack.up({ project: web, deployment: "dpl_1", onDelete: "rollback" });
  expect(stack.state).toMatchObject({ previousDeployment: null });
  await stack.destroy();
  expect(await serving()).toBe("dpl_1");
});

it("leaves production to its replacement or its renamed resource", async () => {
  const declared = { project: web, deployment: "dpl_2", onDelete: "rollback" };
  const [old, successor] = [w.stack(promotion), w.stack(promotion)];
  await old.up(declared);
  expect(old.state).toMatchObject({ previousDeployment: "dpl_1" });
  await successor.up(declared);
  await old.destroy();
  expect(await serving()).toBe("dpl_2");
  await behind("dpl_1");
  await successor.up({ ...declared, deployment: "dpl_3" });
  await successor.destroy(w.another());
  expect(await serving()).toBe("dpl_3");
});

it("waits for another running promotion, then for its own", async () => {
  await w.server.control.planPromotions({ delayMs: 300 });
  await request("dpl_3");
  const stack = w.stack(promotion);
  const pending = stack.up({ project: web, deployment: "dpl_2" });
  const later = setInterval(() => void w.server.control.advanceClock(400), 150);
  await pending.finally(() => clearInterval(later));
  expect(await serving()).toBe("dpl_2");
});

it("goes back to the deployment before, while a promotion of a killed run is in progress", async () => {
  const stack = w.stack(promotion);
  const declared = { project: web, deployment: "dpl_2", onDelete: "rollback" };
  await stack.up(declared);
  await w.server.control.planPromotions({ delayMs: 300 });
  await request("dpl_3");
  await stack.refresh(w.another());
  expect(stack.state).toMatchObject({ deployment: "dpl_3", promoted: "dpl_2" });
  const passTime = (pending: Promise<unknown>): Promise<unknown> => {
    const later = setInterval(() => void w.server.control.advanceClock(400), 150);
    return pending.finally(() => clearInterval(later));
  };
  expect(await passTime(stack.up(declared))).toBe("update");
  expect(await serving()).toBe("dpl_2");
  await request("dpl_3");
  await passTime(stack.destroy(w.another()));
  expect(await serving()).toBe("dpl_3");
});

it("does not wait for ever for the promotion of another deployment", async () => {
  await w.server.control.planPromotions({ delayMs: 3_600_000 });
  await request("dpl_3");
  await expect(
    w.stack(promotion).up({ project: web, deployment: "dpl_2", timeoutMs: 1_000 }),
  ).rejects.toThrow("web: the promotion of dpl_3 is still running after 1 s. Run again to wait for it.");
});

it("retries a bounded number of times when the conflicting promotion has ended", async () => {
  const stack = w.stack(promotion);
  const path = `/v10/projects/${web}/promote/dpl_2`;
  const refusal = { method: "POST", path, kind: "status", status: 409 } as const;
  await w.server.control.addFaults({ ...refusal, times: 2 });
  expect(await stack.up({ project: web, deployment: "dpl_2" })).toBe("create");
  expect(await serving()).toBe("dpl_2");
  await w.server.control.addFaults({ ...refusal, path: `/v10/projects/${web}/promote/dpl_3`, times: 100 });
  await expect(stack.up({ project: web, deployment: "dpl_3" })).rejects.toThrow(/409/);
});

it("polls a running promotion with growing pauses up to a limit", async () => {
  await w.server.control.planPromotions({ delayMs: 3_600_000 });
  await request("dpl_3");
  const waits: (number | undefined)[] = [];
  const wait = jest.spyOn(timers, "setTimeout").mockImplementation(async (ms) => {
    if (waits.push(ms) < 8) return undefined as never;
    await w.server.control.planPromotions({});
    await w.server.control.advanceClock(3_600_000);
    return undefined as never;
  });
  await w.stack(promotion).up({ project: web, deployment: "dpl_2" });
  wait.mockRestore();
  expect(await serving()).toBe("dpl_2");
  expect(waits).toEqual([100, 200, 400, 800, 1600, 3000, 3000, 3000]);
});

it("continues after a partial failure with the previous deployment", async () => {
  await w.server.control.planPromotions({ failAliases: ["web.vercel.app"] });
  const stack = w.stack(promotion);
  const declared = { project: "web", deployment: "dpl_2", onDelete: "rollback" };
  await expect(stack.up(declared)).rejects.toThrow(/could not move/);
  expect(stack.state).toMatchObject({ ...declared, deployment: "dpl_1", previousDeployment: "dpl_1" });
});

it("reports a failed promotion although the deployment serves production", async () => {
  await w.server.control.planPromotions({ delayMs: 0 });
  const project = w.client.project.bind(w.client);
  jest.spyOn(w.client, "project").mockImplementation(async (...given) => {
    const there = await project(...given);
    const last = there.lastAliasRequest;
    return last?.toDeploymentId === "dpl_2"
      ? { ...there, lastAliasRequest: { ...last, jobStatus: "failed" } }
      : there;
  });
  await expect(w.stack(promotion).up({ project: web, deployment: "dpl_2" })).rejects.toThrow(
    "The promotion of dpl_2 ended as failed, and production is served by dpl_2. Run again to promote again.",
  );
});

it.each([
  ["promotes", promotion, { deployment: "dpl_second" }],
  ["builds again", deployment, { redeploy: "dpl_second" }],
])("%s a deployment of the project that gets the name in the same run", async (_, resource, inputs) => {
  const projects = [w.stack(project, "first"), w.stack(project, "second")] as const;
  for (const one of projects) await one.up({ name: one.name });
  const built = { team: "acme", project: "second", target: "production", readyState: "READY" } as const;
  await w.server.control.deploy({ ...built, id: "dpl_second", createdAt: 7 });
  const run = w.another();
  for (const one of projects) one.use(run);
  recordStack(projects.map(({ type, name, state }) => ({ type, name, outputs: state })));
  await projects[0].preview({ name: "second" });
  await projects[1].preview({ name: "first" });
  const next = w.stack(resource, "next");
  next.use(run);
  expect(await next.preview({ project: "first", ...inputs })).toBe("create");
  await expect(next.preview({ project: "web", ...inputs })).rejects.toThrow(
    /belongs to second, not to the project web/,
  );
});

it.each([
  ["of this project, under the name that it had", { projectId: "prj_1", name: "old" }, undefined],
  ["of another project", { projectId: "prj_2", name: "web" }, /belongs to web, not to the project web/],
  [
    "of another project, which has no name",
    { projectId: "prj_2" },
    /belongs to prj_2, not to the project web/,
  ],
  ["without a project", { name: "old" }, undefined],
  [
    "that is blocked",
    { readyState: "BLOCKED", readyStateReason: "No seat." },
    /is BLOCKED \(No seat\)\. Only/,
  ],
  ["for a preview", { target: null }, /was built for preview/],
])("checks a deployment %s", async (_, members, reason) => {
  const there = { id: "prj_1", name: "web", accountId: "team_1", latestDeployments: [] };
  jest.spyOn(w.client, "get").mockResolvedValue({ id: "dpl_2", ...members } as never);
  const found = await reasonAgainst(w.client, there, "dpl_2");
  if (reason) expect(found).toMatch(reason);
  else expect(found).toBeUndefined();
});

it("promotes a deployment that was built before its project was renamed", async () => {
  await w.curl("PATCH", `/v9/projects/${web}`, { name: "renamed" });
  await w.stack(promotion).up({ project: "renamed", deployment: "dpl_2" });
  expect(await serving()).toBe("dpl_2");
});

it.each(["web", "project-that-the-run-creates"])(
  "refuses a deployment of %s that does not exist at preview",
  async (project) => {
    const found = await promotion.declare(w.run, {}, { project, deployment: "dpl_nope" });
    expect(found).toEqual([
      { property: "deployment", reason: expect.stringMatching(/dpl_nope does not exist/) },
    ]);
  },
);

it("refuses at preview the promotion of a deployment that the program builds for preview", async () => {
  const built = { project: web, redeploy: "dpl_1" };
  const reasons = (run: typeof w.run) =>
    promotion
      .declare(run, {}, { project: web, deployment: unknown })
      .then((all) => all.map(({ reason }) => reason));
  const previews = w.run;
  await deployment.declare(previews, {}, built);
  expect(await reasons(previews)).toEqual([
    expect.stringMatching(/Set `target: "production"` on the Deployment/),
  ]);
  await deployment.declare(previews, {}, { ...built, target: "production" });
  expect(await reasons(previews)).toEqual([]);
});

it("does not take a deployment for production that changes in place for one of those built for preview", async () => {
  const built = { project: web, redeploy: "dpl_1", target: "production" };
  const state = { ...built, projectId: web, onDestroy: "keep", at: "" };
  await deployment.declare(w.run, built, { ...built, onDestroy: "delete" });
  await deployment.diff(w.run, "dpl_3", state, { ...built, onDestroy: "delete" });
  await deployment.declare(w.run, {}, { project: web, redeploy: unknown });
  expect(await promotion.declare(w.run, {}, { project: web, deployment: unknown })).toEqual([]);
});

/** Lets reads of the project show an earlier state, as a service whose reads are some seconds old. */
function delayReads(reads: number): void {
  const project = w.client.project.bind(w.client);
  const history: Awaited<ReturnType<typeof project>>[] = [];
  jest.spyOn(w.client, "project").mockImplementation(async (...given) => {
    history.push(await project(...given));
    return history[Math.max(0, history.length - 1 - reads)] as (typeof history)[number];
  });
}

it("waits for a promotion that takes effect after its answer, also with reads that are older", async () => {
  delayReads(3);
  await w.server.control.planPromotions({ delayMs: 1_000 });
  const later = setInterval(() => void w.server.control.advanceClock(400), 150);
  const stack = w.stack(promotion);
  await stack.up({ project: web, deployment: "dpl_2" }).finally(() => clearInterval(later));
  expect(await serving()).toBe("dpl_2");
  expect(stack.state).toMatchObject({ previousDeployment: "dpl_1", aliases: ["web.vercel.app"] });
});

it("promotes again after a failure, also with reads that still show the failure", async () => {
  await w.server.control.planPromotions({ failAliases: ["web.vercel.app"] });
  const stack = w.stack(promotion);
  await expect(stack.up({ project: web, deployment: "dpl_2" })).rejects.toThrow(/could not move/);
  await w.server.control.planPromotions({});
  await w.server.control.advanceClock(1_000);
  delayReads(2);
  expect(await stack.up({ project: web, deployment: "dpl_2" })).toBe("update");
  expect(await serving()).toBe("dpl_2");
});

it("is done when the deployment serves already, although a read says otherwise", async () => {
  await behind("dpl_2");
  const project = w.client.project.bind(w.client);
  jest.spyOn(w.client, "project").mockImplementationOnce(async (...given) => ({
    ...(await project(...given)),
    targets: { production: { id: "dpl_1" } },
    lastAliasRequest: null,
  }));
  const stack = w.stack(promotion);
  await stack.up({ project: web, deployment: "dpl_2" });
  expect(stack.state).toMatchObject({ promoted: "dpl_2", aliases: ["web.vercel.app"] });
});

it("plans an update with its stable outputs", async () => {
  const stack = w.stack(promotion);
  await stack.up({ project: web, deployment: "dpl_2" });
  expect(promotion.planned({ project: web, deployment: "dpl_3" }, stack.state)).toEqual({
    ...{ project: web, deployment: "dpl_3", projectId: web, previousDeployment: "dpl_1" },
    ...{ promoted: unknown, aliases: unknown, trafficPercentage: unknown },
  });
});

it("names the aliases that failed and promotes again", async () => {
  await w.server.control.seed(takenApexes("example.com"));
  await w.curl("POST", `/v10/projects/${web}/domains`, { name: "www.example.com" });
  const { verification } = (await w.curl("GET", `/v9/projects/${web}/domains/www.example.com`)) as Plain;
  const [challenge] = verification as unknown as { domain: string; value: string }[];
  await w.server.control.setTxt(challenge?.domain ?? "", challenge?.value ?? "");
  await w.curl("POST", `/v9/projects/${web}/domains/www.example.com/verify`);
  await w.server.control.planPromotions({ failAliases: ["www.example.com"] });
  const stack = w.stack(promotion);
  await expect(stack.up({ project: web, deployment: "dpl_2" })).rejects.toThrow(
    /could not move www.example.com/,
  );
  await w.server.control.planPromotions({});
  expect(await stack.up({ project: web, deployment: "dpl_2" })).toBe("update");
  expect(await serving()).toBe("dpl_2");
  expect(stack.state.aliases).toContain("www.example.com");
});

it("keeps production or rolls it back on delete, as declared", async () => {
  const stack = w.stack(promotion);
  await stack.up({ project: web, deployment: "dpl_2" });
  await stack.destroy();
  expect(await serving()).toBe("dpl_2");
  const next = w.stack(promotion);
  await next.up({ project: web, deployment: "dpl_3", onDelete: "rollback" });
  await next.destroy();
  expect(await serving()).toBe("dpl_2");
});

it("does not roll back what someone else promoted", async () => {
  const stack = w.stack(promotion);
  await stack.up({ project: web, deployment: "dpl_2", onDelete: "rollback" });
  await behind("dpl_3");
  await stack.destroy();
  expect(await serving()).toBe("dpl_3");
  expect(w.warnings).toEqual([expect.stringMatching(/no longer serves dpl_2/)]);
});

it.each([
  ["the state tells of it", true],
  ["a state of an earlier version does", false],
])("does not roll back what someone else promoted after a refresh: %s", async (_, current) => {
  const stack = w.stack(promotion);
  await stack.up({ project: web, deployment: "dpl_2", onDelete: "rollback" });
  if (!current) delete stack.state.promoted;
  await behind("dpl_3");
  await stack.refresh(w.another());
  expect(stack.state.deployment).toBe("dpl_3");
  await stack.destroy();
  expect(await serving()).toBe("dpl_3");
});

it.each([
  ["dpl_failed", /dpl_failed is ERROR/],
  ["dpl_building", /dpl_building is BUILDING\. Only a READY deployment can serve/],
  ["dpl_other", /belongs to other, not to the project web/],
  ["dpl_nope", /dpl_nope does not exist\. Give a deployment of this project.*`pulumi up --refresh`/],
  [
    "dpl_preview",
    /dpl_preview was built for preview, .*Deploy with `target: "production"`, .*`redeploy: "dpl_preview"`/,
  ],
])("refuses %s before it changes anything", async (deployment, reason) => {
  await expect(w.stack(promotion).up({ project: web, deployment })).rejects.toThrow(reason);
  expect(await serving()).toBe("dpl_1");
});

it("asks for another deployment when the declared one was deleted", async () => {
  const stack = w.stack(promotion);
  await stack.up({ project: web, deployment: "dpl_2" });
  const change = stack.up({ project: web, deployment: "dpl_nope" });
  await expect(change).rejects.toThrow(/dpl_nope does not exist\. Give a deployment of this project/);
  expect(await serving()).toBe("dpl_2");
});

it("promotes again when the answer is lost", async () => {
  await w.server.control.addFaults({
    method: "POST",
    path: `/v10/projects/${web}/promote/dpl_2`,
    times: 1,
    kind: "drop-after",
  });
  await w.stack(promotion).up({ project: web, deployment: "dpl_2" });
  expect(await serving()).toBe("dpl_2");
});

it("records what it may have promoted when every answer is lost, so that the next run promotes again", async () => {
  await w.server.control.addFaults({
    method: "POST",
    path: `/v10/projects/${web}/promote/dpl_2`,
    times: 100,
    kind: "drop-after",
  });
  const stack = w.stack(promotion);
  await expect(stack.up({ project: web, deployment: "dpl_2" })).rejects.toThrow(
    /out of reach|unclear|unknown/,
  );
  expect(stack.state).toMatchObject({ deployment: "dpl_1", promoted: "dpl_2", previousDeployment: "dpl_1" });
});

it("is missing when its project was deleted", async () => {
  const stack = w.stack(promotion);
  await stack.up({ project: web, deployment: "dpl_2", onDelete: "rollback" });
  await w.curl("DELETE", `/v9/projects/${web}`);
  await stack.destroy();
  expect(await stack.refresh(w.another())).toBe(false);
});

it("refuses two promotions of one project, by id or name", async () => {
  const reasons = async (project: string) =>
    (
      await promotion.declare(
        w.run,
        {},
        { project, deployment: "dpl_2" },
        { urn: urnOf("Promotion", project) },
      )
    ).map(({ reason }) => reason);
  expect(await reasons(web)).toEqual([]);
  expect(await reasons(web)).toEqual([]);
  expect(await reasons("web")).toEqual([
    `Promotion "${web}" and Promotion "web" both declare the deployment for production. ` +
      "Remove one of them, or give one of them another project.",
  ]);
});

it("passes from a resource that moves on to another one, which takes its step first", async () => {
  const [first, second] = [w.stack(promotion, "first"), w.stack(promotion, "second")];
  const ofWeb = { project: "web", deployment: "dpl_2", onDelete: "rollback" };
  const ofOther = { ...ofWeb, project: "other", deployment: "dpl_other" };
  await first.up(ofWeb);
  await second.up(ofOther);
  const run = w.another();
  for (const one of [first, second]) one.use(run);
  expect(await second.up(ofWeb)).toBe("replace");
  expect(await first.up(ofOther)).toBe("replace");
  expect(await serving()).toBe("dpl_2");
});

it("says how a project that is gone comes back", async () => {
  const gone = { project: "prj_gone", deployment: "dpl_2" };
  await expect(w.stack(promotion).up(gone)).rejects.toThrow(/404 .*`pulumi up --refresh` creates it again/);
});

it("sends no promotion when the deployment serves already", async () => {
  const sent = jest.spyOn(w.client, "send");
  await w.stack(promotion).up({ project: web, deployment: "dpl_1" });
  expect(sent.mock.calls.filter(([{ method }]) => method === "POST")).toEqual([]);
});

it("promotes again when one of several aliases was not moved", async () => {
  const stack = w.stack(promotion);
  await stack.up({ project: web, deployment: "dpl_2" });
  const list = w.client.list.bind(w.client);
  const aliases = ["completed", "failed"].map((status) => ({ alias: `${status}.example.com`, status }));
  const listed = jest
    .spyOn(w.client, "list")
    .mockImplementation((path, ...rest) =>
      path.endsWith("/promote/aliases") ? Promise.resolve(aliases as never) : list(path, ...rest),
    );
  const sent = jest.spyOn(w.client, "send");
  const declared = { project: web, deployment: "dpl_2", onDelete: "rollback" };
  await expect(stack.up(declared)).rejects.toThrow(/could not move failed\.example\.com\. Check/);
  expect(sent.mock.calls.filter(([{ method }]) => method === "POST")).toHaveLength(1);
  listed.mockRestore();
});

it("reports that another promotion followed and which deployment serves now", async () => {
  await w.server.control.planPromotions({ delayMs: 0 });
  const send = w.client.send.bind(w.client);
  jest.spyOn(w.client, "send").mockImplementation(async (ask) => {
    const answer = await send(ask);
    if (ask.path.includes("/promote/")) await behind("dpl_3");
    return answer;
  });
  jest.spyOn(timers, "setTimeout").mockImplementation(async () => undefined as never);
  await expect(w.stack(promotion).up({ project: web, deployment: "dpl_2" })).rejects.toThrow(
    "The promotion of dpl_2 was followed by another one, and production is served by dpl_3. " +
      "Run again to promote again.",
  );
});

it("refuses to read the promotion of a project that serves nothing, as for an import", async () => {
  await w.curl("POST", "/v10/projects", { name: "empty" });
  await expect(promotion.read(w.run, "empty", undefined)).rejects.toThrow(
    /No deployment serves the production of the project empty.*Declare a Promotion/,
  );
  const found = await promotion.read(w.run, "web", undefined);
  expect(found?.inputs).toMatchObject({ deployment: "dpl_1" });
});

describe("with rolling releases", () => {
  const path = () => `/v1/projects/${web}/rolling-release`;
  const stages = [{ targetPercentage: 10 }, { targetPercentage: 40 }, { targetPercentage: 100 }];
  const configure = (advancementType: string) =>
    w.curl("PATCH", `${path()}/config`, {
      enabled: true,
      advancementType,
      stages: stages.map((stage) => ({ ...stage, ...(advancementType === "automatic" && { duration: 5 }) })),
    });
  const complete = (canaryDeploymentId: string) =>
    w.curl("POST", `${path()}/complete`, { canaryDeploymentId });
  const approve = (canaryDeploymentId: string, nextStageIndex: number) =>
    w.curl("POST", `${path()}/approve-stage`, { canaryDeploymentId, nextStageIndex });
  const state = async () =>
    ((await w.curl("GET", path())) as Plain as { rollingRelease: Plain }).rollingRelease.state;
  const declared = { project: "web", deployment: "dpl_2" };

  beforeEach(() => configure("manual-approval"));

  it("starts a release, and tells which stage waits for approval", async () => {
    const stack = w.stack(promotion);
    expect(await stack.up(declared)).toBe("create");
    expect(stack.state).toMatchObject({
      ...{ deployment: "dpl_2", promoted: "dpl_2", previousDeployment: "dpl_1" },
      ...{ aliases: [], trafficPercentage: 10 },
    });
    expect(w.warnings).toEqual([
      "web: the rolling release of dpl_2 has started. It is at stage 1 of 3, with 10 % of the visitors, and waits for " +
        "the approval of the next stage.",
    ]);
    expect(await serving()).toBe("dpl_1");
    await stack.refresh(w.another());
    expect(await stack.up(declared)).toBe("same");
    await approve("dpl_2", 1);
    await stack.refresh(w.another());
    expect(stack.state).toMatchObject({ deployment: "dpl_2", trafficPercentage: 40 });
    await approve("dpl_2", 2);
    await stack.refresh(w.another());
    expect(stack.state).toMatchObject({ deployment: "dpl_2", trafficPercentage: 100 });
    expect(await stack.up(declared)).toBe("same");
    expect(await serving()).toBe("dpl_2");
  });

  it("starts another release after one was aborted", async () => {
    const stack = w.stack(promotion);
    await stack.up(declared);
    await w.curl("POST", `/v9/projects/${web}/rollback/dpl_1`);
    await w.server.control.advanceClock(2_000);
    await stack.refresh(w.another());
    expect(stack.state).toMatchObject({ deployment: "dpl_1", trafficPercentage: 100 });
    expect(await stack.up(declared)).toBe("update");
    expect(await state()).toBe("ACTIVE");
  });

  it("adopts the release that a push or another client has started", async () => {
    await request("dpl_2");
    const stack = w.stack(promotion);
    await stack.up(declared);
    expect(stack.state).toMatchObject({ deployment: "dpl_2", trafficPercentage: 10 });
  });

  it("refuses another deployment while a release runs, at preview and in the step", async () => {
    const message =
      /rolling release of dpl_2 is running: it is at stage 1 of 3, with 10 %.*Complete or abort it/;
    const stack = w.stack(promotion, "live");
    await stack.up(declared);
    const other = { ...declared, deployment: "dpl_3" };
    await expect(stack.preview(other)).rejects.toThrow(message);
    await expect(w.stack(promotion).up(other)).rejects.toThrow(message);
    await complete("dpl_2");
    await w.server.control.advanceClock(2_000);
    stack.use(w.another());
    expect(await stack.up(other)).toBe("update");
    expect(stack.state).toMatchObject({ deployment: "dpl_3", trafficPercentage: 10 });
  });

  it("refuses at preview a deployment whose production another release replaces", async () => {
    const stack = w.stack(promotion, "live");
    await stack.up({ ...declared, deployment: "dpl_1" });
    await request("dpl_3");
    await stack.refresh(w.another());
    expect(stack.state).toMatchObject({ deployment: "dpl_3" });
    await expect(stack.preview({ ...declared, deployment: "dpl_1" })).rejects.toThrow(
      /release of dpl_3 is running/,
    );
  });

  it("waits for completion, and continues after its time has expired at a stage", async () => {
    const waiting = { ...declared, waitForCompletion: true, timeoutMs: 1 };
    const stack = w.stack(promotion);
    await expect(stack.up(waiting)).rejects.toThrow(
      /^After 0.001 s, the rolling release of dpl_2 is still at stage 1 of 3, with 10 % .*waits for the approval/,
    );
    expect(stack.state).toMatchObject({ deployment: "dpl_1", promoted: "dpl_2" });
    await stack.refresh(w.another());
    expect(stack.state).toMatchObject({ deployment: "dpl_1", trafficPercentage: 90 });
    const pending = stack.up({ ...waiting, timeoutMs: 60_000 });
    await complete("dpl_2");
    const later = setInterval(() => void w.server.control.advanceClock(2_000), 150);
    expect(await pending.finally(() => clearInterval(later))).toBe("update");
    expect(stack.state).toMatchObject({ deployment: "dpl_2", trafficPercentage: 100 });
  });

  it("waits while automatic stages end", async () => {
    await configure("automatic");
    const stack = w.stack(promotion);
    const pending = stack.up({ ...declared, waitForCompletion: true });
    const later = setInterval(() => void w.server.control.advanceClock(300_000), 150);
    expect(await pending.finally(() => clearInterval(later))).toBe("create");
    expect(await serving()).toBe("dpl_2");
    expect(stack.state).toMatchObject({ trafficPercentage: 100 });
  });

  it("fails when the release is aborted while it waits", async () => {
    const stack = w.stack(promotion);
    await stack.up(declared);
    const pauses = jest.spyOn(timers, "setTimeout").mockImplementationOnce(async () => {
      await w.curl("POST", `/v9/projects/${web}/rollback/dpl_1`);
      return undefined as never;
    });
    const pending = stack.up({ ...declared, waitForCompletion: true });
    await expect(pending).rejects.toThrow(/rolling release of dpl_2 was aborted.*served by dpl_1/);
    pauses.mockRestore();
  });

  it("aborts its release when it is deleted with onDelete: rollback", async () => {
    const stack = w.stack(promotion);
    await stack.up({ ...declared, onDelete: "rollback" });
    const later = setInterval(() => void w.server.control.advanceClock(2_000), 150);
    await stack.destroy().finally(() => clearInterval(later));
    expect([await state(), await serving()]).toEqual(["ABORTED", "dpl_1"]);
  });

  it("leaves a release of another deployment alone when it is deleted", async () => {
    const stack = w.stack(promotion);
    await stack.up({ ...declared, onDelete: "rollback" });
    await complete("dpl_2");
    await w.server.control.advanceClock(2_000);
    await request("dpl_3");
    await stack.destroy();
    expect([await state(), await serving()]).toEqual(["ACTIVE", "dpl_2"]);
    expect(w.warnings.at(-1)).toMatch(/production no longer serves dpl_2/);
  });

  it("finds its release after a lost answer", async () => {
    const lost = {
      method: "POST",
      path: `/v10/projects/${web}/promote/dpl_2`,
      kind: "drop-after",
    } as const;
    await w.server.control.addFaults({ ...lost, times: 1 });
    const stack = w.stack(promotion);
    expect(await stack.up(declared)).toBe("create");
    expect(stack.state).toMatchObject({ deployment: "dpl_2", trafficPercentage: 10 });
  });
});
