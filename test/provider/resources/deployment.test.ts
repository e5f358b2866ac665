/** @own-code The time is fake, for the server too. */

import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ApiError } from "../../../provider/client/errors";
import type { Step } from "../../../provider/core/step";
import { type Plain, unknown } from "../../../provider/core/values";
import { deployment } from "../../../provider/resources/deployment";
import { promotion } from "../../../provider/resources/promotion";
import { openRecordingProxy } from "../../support/recording-proxy";
import { type Harness, quietStep, recordStack, type Stack, startHarness } from "../stack";

let w: Harness;
let web: string;
beforeEach(async () => {
  w = await startHarness();
  await w.server.control.seed({
    gitProviders: [{ team: "acme", type: "github", repos: ["acme/web"] }],
  });
  const project = (await w.curl("POST", "/v10/projects", {
    name: "web",
    gitRepository: { type: "github", repo: "acme/web" },
  })) as Plain;
  web = project.id as string;
  await w.server.control.deploy(
    {
      id: "dpl_1",
      team: "acme",
      project: "web",
      target: "production",
      readyState: "READY",
      gitBranch: "main",
      createdAt: 1,
    },
    { id: "dpl_other", team: "acme", project: "other", readyState: "READY", createdAt: 2 },
  );
});
afterEach(() => w.close());

const redeployed = { redeploy: "dpl_1", target: "production" };

/** A host in which time flies while a build is waited for. @param seen called with each line of progress */
const host = (seen: (message: string) => void = () => {}): Partial<Step> => ({
  inform(message) {
    seen(message);
    if (message.includes("is BUILDING")) void w.server.control.advanceClock(1_000);
  },
});
const up = (stack: Stack, news: Plain, urn?: string): Promise<string> => stack.up(news, { ...host(), urn });

/** The deployments that were made since, the newest first. */
const made = async (): Promise<Plain[]> => {
  const { deployments } = (await w.curl("GET", "/v6/deployments")) as unknown as { deployments: Plain[] };
  return deployments.filter(({ uid }) => !/^dpl_(1|other)$/.test(`${uid}`));
};
const newest = async (): Promise<string> => `${(await made())[0]?.uid}`;
const serving = async (): Promise<unknown> => {
  const { targets } = (await w.curl("GET", `/v9/projects/${web}`)) as Plain as {
    targets: { production?: Plain };
  };
  return targets.production?.id;
};
/** The state of the next build. */
const ends = (id: string, readyState: "ERROR" | "CANCELED" | "READY") =>
  w.server.control.deploy({ id, team: "acme", project: "web", readyState });

it("deploys a branch of the linked repository, and waits until it is built", async () => {
  const stack = w.stack(deployment);
  await up(stack, { project: "web", ref: "main" });
  expect(await made()).toMatchObject([
    { uid: stack.id, readyState: "READY", meta: { githubCommitRef: "main" } },
  ]);
  expect(stack.state).toMatchObject({
    deploymentId: stack.id,
    projectId: web,
    url: expect.stringMatching(/^web-/),
    readyState: "READY",
    createdAt: expect.any(Number),
    sourceDigest: null,
  });
});

it("deploys a commit", async () => {
  const sha = "0123456789abcdef0123456789abcdef01234567";
  await up(w.stack(deployment), { project: "web", ref: sha });
  expect(await made()).toMatchObject([{ meta: { githubCommitSha: sha } }]);
});

it("refuses a ref when the project has no repository", async () => {
  await w.curl("POST", "/v10/projects", { name: "bare" });
  await expect(w.stack(deployment).up({ project: "bare", ref: "main" })).rejects.toThrow(
    /bare is not linked to a repository.*gitRepository/,
  );
});

it("builds the source of another deployment again", async () => {
  const stack = w.stack(deployment);
  await up(stack, { project: "web", ...redeployed });
  expect(await made()).toMatchObject([{ uid: stack.id, target: "production" }]);
  expect(await stack.up({ project: web, ...redeployed })).toBe("same");
});

it("makes a preview of a production deployment unless production is declared", async () => {
  await up(w.stack(deployment), { project: "web", redeploy: "dpl_1" });
  const [preview] = await made();
  expect(preview?.target).toBeNull();
});

it("refuses a deployment of another project before anything is created", async () => {
  const refusals = await deployment.declare(w.run, {}, { project: "web", redeploy: "dpl_other" });
  expect(refusals).toEqual([
    { property: "redeploy", reason: expect.stringMatching(/dpl_other belongs to other, not to .* web/) },
  ]);
  await expect(w.stack(deployment).up({ project: "web", redeploy: "dpl_other" })).rejects.toThrow(
    /belongs to other/,
  );
  await expect(w.stack(deployment).up({ project: "web", redeploy: "dpl_none" })).rejects.toThrow(
    /The deployment in redeploy does not exist/,
  );
  expect(await made()).toEqual([]);
});

it.each([[{}], [{ ref: "main", redeploy: "dpl_1" }]])("refuses other than one source: %j", (sources) => {
  const failures = deployment.check({}, { project: "web", ...sources });
  expect(failures.map(({ reason }) => reason)).toEqual([
    expect.stringMatching(/^Give exactly one source: ref/),
  ]);
});

it("accepts a source that is not known yet", () => {
  expect(deployment.check({}, { project: "web", redeploy: unknown })).toEqual([]);
});

it.each([
  ["a trigger", { triggers: [2] }],
  ["the order of the triggers", { triggers: ["b", "a"] }],
  ["the target", { target: "preview" }],
  ["the source", { ref: "next", redeploy: undefined }],
])("creates a deployment and leaves the old one when %s changes", async (_what, change) => {
  const declared = { project: "web", ...redeployed, triggers: ["a", "b"], onDestroy: "delete" };
  const stack = w.stack(deployment);
  await up(stack, declared);
  const before = stack.id;
  const diff = await deployment.diff(w.run, stack.id, stack.state, { ...declared, ...change });
  expect(diff).toMatchObject({ deleteBeforeReplace: false, replaces: expect.any(Array) });
  expect(await up(stack, { ...declared, ...change })).toBe("replace");
  expect((await made()).map(({ uid }) => uid)).toEqual([stack.id, before]);
});

it("makes no deployment for a list of triggers without any", async () => {
  const stack = w.stack(deployment);
  const declared = { project: "web", ...redeployed };
  await up(stack, declared);
  expect(await up(stack, { ...declared, triggers: [] })).toBe("same");
  expect(await up(stack, declared)).toBe("same");
  expect(await up(stack, { ...declared, triggers: ["one"] })).toBe("replace");
  expect(await up(stack, { ...declared, triggers: [] })).toBe("replace");
});

it("makes no deployment when only what the next one gets changes, and says so", async () => {
  const stack = w.stack(deployment);
  await up(stack, { project: "web", ...redeployed, environment: { KEY: "one" } });
  expect(await up(stack, { project: "web", ...redeployed, environment: { KEY: "two" } })).toBe("update");
  expect(await made()).toHaveLength(1);
  expect(w.warnings).toEqual([
    expect.stringMatching(/changes of environment take effect with the next deployment/),
  ]);
});

it.each([
  ["ERROR", /The build of the deployment dpl_\w+ failed\. Its log is at http/],
  ["CANCELED", /The build of the deployment dpl_\w+ was cancelled\. Its log is at http/],
] as const)(
  "keeps a deployment that ends as %s, and makes a new one in the next run",
  async (state, says) => {
    const stack = w.stack(deployment);
    const declared = { project: "web", ...redeployed };
    await expect(stack.up(declared, endingAs(state))).rejects.toThrow(says);
    expect(stack.id).toBe(await newest());
    expect(stack.state).toMatchObject({ deploymentId: stack.id });
    const { id } = stack;
    stack.use(w.another());
    expect(await up(stack, declared)).toBe("replace");
    expect(stack.state).toMatchObject({ readyState: "READY" });
    expect((await made()).map(({ uid }) => uid)).toEqual([stack.id, id]);
  },
);

/** Ends the first build that somebody waits for. */
function endingAs(state: "ERROR" | "CANCELED") {
  let isFirst = true;
  return {
    inform(message: string) {
      const [, id] = /deployment (dpl_\w+) is BUILDING/.exec(message) ?? [];
      if (id && isFirst) void ends(id, state);
      isFirst = false;
    },
  };
}

it("waits on for a deployment whose build took longer than the time limit", async () => {
  const stack = w.stack(deployment);
  const declared = { project: "web", ...redeployed };
  await expect(stack.up({ ...declared, timeoutMs: 0 })).rejects.toThrow(
    /dpl_\w+ is still BUILDING after 0 s\. The build continues: run again/,
  );
  expect(stack.state).toMatchObject({ deploymentId: stack.id });
  await up(stack, declared);
  expect(stack.state).toMatchObject({ readyState: "READY" });
  expect(await made()).toHaveLength(1);
  expect(await stack.up(declared)).toBe("same");
});

it("does not wait if it is not to", async () => {
  const stack = w.stack(deployment);
  await up(stack, { project: "web", ...redeployed, waitUntilReady: false });
  expect(stack.state).toMatchObject({ readyState: "BUILDING" });
  expect(await up(stack, { project: "web", ...redeployed, waitUntilReady: false })).toBe("same");
});

it("shows each state of the build once", async () => {
  const told: string[] = [];
  const stack = w.stack(deployment);
  await stack.up(
    { project: "web", ...redeployed },
    host((message) => told.push(message)),
  );
  expect(told).toEqual([
    expect.stringMatching(/^The deployment dpl_\w+ is BUILDING\.$/),
    expect.stringMatching(/^The deployment dpl_\w+ is READY\.$/),
  ]);
});

it.each(["drop-after", "drop-before"] as const)("creates one when the answer is lost: %s", async (kind) => {
  await w.server.control.addFaults({ method: "POST", path: "/v13/deployments", times: 1, kind });
  const stack = w.stack(deployment);
  await up(stack, { project: "web", ...redeployed });
  expect((await made()).map(({ uid }) => uid)).toEqual([stack.id]);
});

describe("after a killed run", () => {
  const declared = { project: "web", ...redeployed };
  const urn = "urn:pulumi:dev::site::slipway:index:Deployment::web";
  /** A run whose create is in no state. */
  const killed = (news: Plain): Promise<unknown> => up(w.stack(deployment), news, urn);

  it("continues with the deployment that it created", async () => {
    await killed({ ...declared, waitUntilReady: false });
    const id = await newest();
    const stack = w.stack(deployment);
    stack.use(w.another());
    await up(stack, declared, urn);
    expect(stack.id).toBe(id);
    expect(await made()).toHaveLength(1);
  });

  it("continues with one for production that is staged, because the project assigns no domains itself", async () => {
    await w.curl("PATCH", "/v9/projects/web", { autoAssignCustomDomains: false });
    await killed(declared);
    const id = await newest();
    expect(await serving()).not.toBe(id);
    const stack = w.stack(deployment);
    stack.use(w.another());
    await up(stack, declared, urn);
    expect(stack.id).toBe(id);
    expect(await made()).toHaveLength(1);
  });

  it.each([
    ["another resource", `${urn}-2`, declared],
    ["other inputs", urn, { ...declared, triggers: [2] }],
  ])("creates a deployment of its own for %s", async (_what, other, news) => {
    await killed(declared);
    const stack = w.stack(deployment);
    stack.use(w.another());
    await up(stack, news, other);
    expect(await made()).toHaveLength(2);
  });

  it("creates another deployment when the one that it created failed", async () => {
    await killed({ ...declared, waitUntilReady: false });
    await ends(await newest(), "ERROR");
    const stack = w.stack(deployment);
    stack.use(w.another());
    await up(stack, declared, urn);
    expect(stack.state).toMatchObject({ readyState: "READY" });
    expect(await made()).toHaveLength(2);
  });

  it("builds again what was destroyed and is declared again after more than an hour", async () => {
    const stack = w.stack(deployment);
    await up(stack, declared, urn);
    await stack.destroy();
    const now = Date.now.bind(Date);
    jest.spyOn(Date, "now").mockImplementation(() => now() + 3_700_000);
    const again = w.stack(deployment);
    again.use(w.another());
    await up(again, declared, urn);
    expect(again.id).not.toBe(stack.id);
  });

  it("continues with a replacement", async () => {
    const stack = w.stack(deployment);
    await up(stack, declared, urn);
    const before = { id: stack.id, state: stack.state, inputs: stack.inputs };
    await up(stack, { ...declared, triggers: [2] }, urn);
    const replacement = stack.id;
    Object.assign(stack, before);
    stack.use(w.another());
    await up(stack, { ...declared, triggers: [2] }, urn);
    expect(stack.id).toBe(replacement);
    expect(await made()).toHaveLength(2);
  });

  it("continues with a replacement whose predecessor is gone from the state", async () => {
    const stack = w.stack(deployment);
    await up(stack, declared, urn);
    await up(stack, { ...declared, triggers: [2] }, urn);
    // With deleteBeforeReplace, the next run begins with a create.
    const next = w.stack(deployment);
    next.use(w.another());
    await up(next, { ...declared, triggers: [2] }, urn);
    expect(next.id).toBe(stack.id);
    expect(await made()).toHaveLength(2);
  });

  it("builds again for a replacement that only the engine decides", async () => {
    const first = w.stack(deployment);
    await up(first, declared, urn);
    const run = w.runOf(w.another());
    recordStack([{ type: "Deployment", name: "it", outputs: first.state }]);
    const { id } = await deployment.create(run, { ...quietStep, urn }, declared);
    expect(id).not.toBe(first.id);
  });

  it.each([
    ["environment", { E: "1" }, { E: "2" }],
    ["projectSettings", { buildCommand: "make" }, { buildCommand: "make site" }],
    ["meta", { reason: "first" }, { reason: "second" }],
    ["target", "preview", "production"],
  ])("builds again with another %s", async (input, before, after) => {
    await killed({ ...declared, [input]: before });
    const stack = w.stack(deployment);
    stack.use(w.another());
    await up(stack, { ...declared, [input]: after }, urn);
    expect(await made()).toHaveLength(2);
  });

  it("builds again what production has gone past", async () => {
    const production = { ...declared, target: "production" };
    await killed(production);
    await w.server.control.deploy({ team: "acme", project: "web", target: "production" });
    const stack = w.stack(deployment);
    stack.use(w.another());
    await up(stack, production, urn);
    expect((await w.curl("GET", "/v9/projects/web")).targets).toMatchObject({ production: { id: stack.id } });
  });

  it("builds again what was built before, if something else came between", async () => {
    const stack = w.stack(deployment);
    for (const triggers of [["a"], ["b"], ["a"]]) {
      // As a run of its own, whose diff comes before the create.
      stack.use(w.another());
      await up(stack, { ...declared, triggers }, urn);
    }
    expect(await made()).toHaveLength(3);
  });

  it("gives no clue to a trigger in the metadata", async () => {
    await w.server.control.seed({ tokens: [{ token: "another-token", user: "dev", team: "acme" }] });
    await killed({ ...declared, triggers: ["canary"] });
    const stack = w.stack(deployment);
    stack.use(w.another({ token: "another-token" }));
    await up(stack, { ...declared, triggers: ["canary"] }, urn);
    const keys = (await made()).map(({ meta }) => (meta as Plain).slipwayInputs);
    expect(new Set(keys).size).toBe(2);
    expect(JSON.stringify(await made())).not.toContain("canary");
  });
});

describe("with onDestroy: delete", () => {
  const declared = { project: "web", ...redeployed, onDestroy: "delete" };

  /** @param name see `Harness.stack` */
  async function begin(name?: string): Promise<{ stack: Stack; id: string; state: Plain }> {
    const stack = w.stack(deployment, name);
    await up(stack, declared);
    const { id, state } = stack;
    return { stack, id, state };
  }

  it("is deleted with its resource if that is declared, and what it has replaced is kept", async () => {
    const { stack, id } = await begin();
    await up(stack, { ...declared, triggers: [2] });
    expect((await made()).map(({ uid }) => uid)).toEqual([stack.id, id]);
    await stack.destroy();
    expect((await made()).map(({ uid }) => uid)).toEqual([id]);
  });

  it("is deleted after a promotion of it that is in progress", async () => {
    const { stack, id } = await begin();
    await w.server.control.planPromotions({ delayMs: 0 });
    await w.curl("POST", `/v10/projects/${web}/promote/dpl_1`);
    await w.server.control.planPromotions({ delayMs: 300 });
    await w.curl("POST", `/v10/projects/${web}/promote/${id}`);
    const later = setInterval(() => void w.server.control.advanceClock(400), 150);
    await stack.destroy().finally(() => clearInterval(later));
    expect(await made()).toEqual([]);
  });

  it("is kept where it goes before its replacement is made", async () => {
    const { id, state } = await begin("it");
    const run = w.runOf(w.client);
    await deployment.declare(run, declared, { ...declared, triggers: [unknown] });
    await deployment.diff(run, id, state, { ...declared, triggers: [unknown] });
    await deployment.remove(run, quietStep, id, state);
    expect((await made()).map(({ uid }) => uid)).toEqual([id]);
  });

  it("is kept with a warning where a run without a check may be replacing it", async () => {
    const { id, state } = await begin();
    const run = w.runOf(w.another());
    const warnings: string[] = [];
    // As when a trigger of another provider is deleted first. A destroy with `--target` begins in the same way.
    await deployment.diff(run, id, state, { ...declared, triggers: [unknown] });
    await deployment.remove(run, { ...quietStep, warn: (text) => warnings.push(text) }, id, state);
    expect((await made()).map(({ uid }) => uid)).toEqual([id]);
    expect(warnings).toEqual([
      `The deployment ${id} is kept, because this run may be replacing it. To delete it, run \`vercel remove ${id}\`.`,
    ]);
  });

  it("is kept where the program says to replace it, and its diff does not", async () => {
    const { id, state } = await begin();
    // As with `replaceOnChanges`: the engine has recorded the new resource, then deletes the old one.
    const run = w.runOf(w.another());
    await deployment.declare(run, declared, { ...declared, meta: { by: "hand" } });
    recordStack([{ type: "Deployment", name: "it", outputs: state, isReplaced: true }]);
    await deployment.remove(run, quietStep, id, state);
    expect((await made()).map(({ uid }) => uid)).toEqual([id]);
  });

  it("is kept where a run that was cut off has replaced it", async () => {
    const { stack, id, state } = await begin();
    await up(stack, { ...declared, triggers: [2] });
    const next = w.runOf(w.another());
    recordStack([
      { type: "Deployment", name: "it", outputs: stack.state },
      { type: "Deployment", name: "it", outputs: state, isReplaced: true },
    ]);
    await deployment.remove(next, quietStep, id, state);
    expect((await made()).map(({ uid }) => uid)).toEqual([stack.id, id]);
    await deployment.remove(next, quietStep, stack.id, stack.state);
    expect((await made()).map(({ uid }) => uid)).toEqual([id]);
  });
});

it("says that the build was skipped, or why it failed, and where its log is", async () => {
  await w.server.control.planBuilds({ buildMs: 1_000, error: { message: "no space for canary-1 left" } });
  const environment = { KEY: "canary-1" };
  const failing = w.stack(deployment);
  await expect(up(failing, { project: "web", ...redeployed, environment })).rejects.toThrow(
    /dpl_\w+ failed: no space for \[secret\] left\. Its log is at http/,
  );
  expect(failing.state).toMatchObject({ readyState: "ERROR" });
  await w.server.control.planBuilds({ skipIgnored: true });
  await w.curl("PATCH", `/v9/projects/${web}`, { commandForIgnoringBuildStep: "exit 0" });
  const skipped = w.stack(deployment);
  await expect(up(skipped, { project: "web", ...redeployed })).rejects.toThrow(
    /dpl_\w+ was skipped by commandForIgnoringBuildStep\. Its log/,
  );
  expect(skipped.state).toMatchObject({ readyState: "CANCELED" });
});

it("says at once why the service blocks a deployment, and creates another one in the next run", async () => {
  const block = { code: "TEAM_ACCESS_REQUIRED", reason: "No seat.", link: "https://pages.test/seats" };
  await w.server.control.planBuilds({ block });
  const stack = w.stack(deployment);
  await expect(up(stack, { project: "web", ...redeployed })).rejects.toThrow(
    /dpl_\w+ was blocked: No seat\. See https:\/\/pages\.test\/seats\. Correct the cause and run again/,
  );
  const { id } = stack;
  await w.server.control.planBuilds({});
  expect(await up(stack, { project: "web", ...redeployed })).toBe("replace");
  expect(stack.state).toMatchObject({ readyState: "READY" });
  expect(stack.id).not.toBe(id);
});

it("is told when somebody cancels the build", async () => {
  const stack = w.stack(deployment);
  const cancelling = stack.up(
    { project: "web", ...redeployed },
    host((message) => {
      const [, id] = /(dpl_\w+) is BUILDING/.exec(message) ?? [];
      if (id) void w.curl("PATCH", `/v12/deployments/${id}/cancel`);
    }),
  );
  await expect(cancelling).rejects.toThrow(/dpl_\w+ was cancelled/);
});

it("shows every state of a build, and waits through all of them", async () => {
  await w.server.control.planBuilds({ buildMs: 400 });
  const told: string[] = [];
  const inform = (message: string) => void told.push(message.replace(/.* is /, ""));
  const stack = w.stack(deployment);
  await stack.up({ project: "web", ...redeployed }, { inform });
  expect(told.at(0)).toBe("QUEUED.");
  expect(told.at(-1)).toBe("READY.");
});

it("sends its environment for build and functions, its settings and its metadata", async () => {
  const send = jest.spyOn(w.client, "send");
  const environment = { KEY: "canary" };
  const projectSettings = { framework: null, buildCommand: "make" };
  await up(w.stack(deployment), {
    ...{ project: "web", ...redeployed, environment, projectSettings },
    ...{ meta: { by: "hand" }, waitUntilReady: false },
  });
  const requests = send.mock.calls.map(([request]) => request);
  const request = requests.find(({ method, path }) => method === "POST" && path === "/v13/deployments");
  expect(request).toMatchObject({
    query: { forceNew: "1", skipAutoDetectionConfirmation: "1", prebuilt: undefined },
    body: {
      ...{ name: "web", project: web, deploymentId: "dpl_1", target: "production", projectSettings },
      ...{ env: environment, build: { env: environment }, meta: { by: "hand" } },
    },
    secrets: ["canary"],
  });
});

it("deploys to a custom environment", async () => {
  const { id } = (await w.curl("POST", `/v9/projects/${web}/custom-environments`, {
    slug: "staging",
  })) as Plain;
  const stack = w.stack(deployment);
  await up(stack, { project: "web", redeploy: "dpl_1", customEnvironmentId: id });
  expect(await w.curl("GET", `/v13/deployments/${stack.id}`)).toMatchObject({ customEnvironment: { id } });
  const read = await deployment.read(w.run, stack.id, undefined);
  expect(read?.inputs).toMatchObject({ customEnvironmentId: id });
  const both = { project: "web", redeploy: "dpl_1", customEnvironmentId: id, target: "preview" };
  expect(deployment.check({}, both)).toMatchObject([{ reason: expect.stringMatching(/one environment/) }]);
});

it("keeps the deployment by default when it is destroyed", async () => {
  const stack = w.stack(deployment);
  await up(stack, { project: "web", ...redeployed });
  await stack.destroy();
  expect(await made()).toHaveLength(1);
});

it("is promoted once, and not again when the project has assigned its domains itself", async () => {
  const [built, live] = [w.stack(deployment), w.stack(promotion)];
  for (const triggers of [[1], [2]]) {
    await up(built, { project: "web", ...redeployed, triggers });
    expect(await serving()).toBe(built.id);
    await live.up({ project: "web", deployment: built.id });
    expect(await serving()).toBe(built.id);
    await live.refresh();
    expect(await live.up({ project: "web", deployment: built.id })).toBe("same");
  }
  const requests = await w.server.control.requests();
  expect(requests.filter(({ method, path }) => method === "POST" && /promote/.test(`${path}`))).toEqual([]);
});

it("is read by its id, as a program can declare it", async () => {
  const read = await deployment.read(w.run, "dpl_1", undefined);
  expect(read?.inputs).toEqual({ project: web, ref: "main", target: "production" });
  await w.server.control.deploy({ id: "dpl_cli", team: "acme", project: "web", readyState: "READY" });
  const other = await deployment.read(w.run, "dpl_cli", undefined);
  expect(other?.inputs).toEqual({ project: web, redeploy: "dpl_cli" });
});

it("is gone when the service has deleted it", async () => {
  const stack = w.stack(deployment);
  await up(stack, { project: "web", ...redeployed });
  await w.curl("DELETE", `/v9/projects/${web}`);
  expect(await stack.refresh(w.another())).toBe(false);
});

describe("a folder of files", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "slipway-directory-"));
    writeFileSync(join(folder, "index.html"), "<h1>one</h1>");
    writeFileSync(join(folder, "copy.html"), "<h1>one</h1>");
    writeFileSync(join(folder, "style.css"), "h1 { color: red }");
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const uploads = async (): Promise<number> =>
    (await w.server.control.requests()).filter(({ path }) => path === "/v2/files").length;

  it("is deployed, and later runs upload only new contents", async () => {
    const stack = w.stack(deployment);
    const declared = { project: "web", directory: folder };
    await up(stack, declared);
    expect(stack.state).toMatchObject({
      readyState: "READY",
      sourceDigest: expect.stringMatching(/^\w{64}$/),
    });
    expect(await uploads()).toBe(2);
    stack.use(w.another());
    expect(await up(stack, declared)).toBe("same");
    expect(await stack.refresh()).toBe(true);
    expect(await up(stack, declared)).toBe("same");
    expect([await uploads(), (await made()).length]).toEqual([2, 1]);

    writeFileSync(join(folder, "style.css"), "h1 { color: blue }");
    expect(await up(stack, declared)).toBe("replace");
    expect([await uploads(), (await made()).length]).toEqual([3, 2]);
  });

  it("makes no new deployment under another path", async () => {
    const stack = w.stack(deployment);
    await up(stack, { project: "web", directory: folder });
    expect(await up(stack, { project: "web", directory: `${folder}/.` })).toBe("update");
    expect(await made()).toHaveLength(1);
  });

  it("is planned to be replaced while it is not known", async () => {
    const stack = w.stack(deployment);
    await up(stack, { project: "web", directory: folder });
    const news = { project: "web", directory: unknown };
    expect(await deployment.diff(w.run, stack.id, stack.state, news)).toMatchObject({
      replaces: ["directory"],
    });
  });

  it("is replaced by another source", async () => {
    const stack = w.stack(deployment);
    await up(stack, { project: "web", directory: folder });
    expect(await up(stack, { project: "web", ref: "main" })).toBe("replace");
    expect(stack.state).toMatchObject({ sourceDigest: null });
    expect(await up(stack, { project: "web", directory: folder })).toBe("replace");
  });

  it("of build output is deployed without a build", async () => {
    writeFileSync(join(folder, "config.json"), '{"version":3}');
    const send = jest.spyOn(w.client, "send");
    await up(w.stack(deployment), { project: "web", prebuilt: folder });
    const [created] = send.mock.calls.map(([request]) => request).filter(({ body }) => body !== undefined);
    expect(created).toMatchObject({ query: { prebuilt: "1" } });
    expect(created?.body).toMatchObject({
      files: expect.arrayContaining([expect.objectContaining({ file: ".vercel/output/config.json" })]),
    });
  });

  it("that is missing is refused before anything is created, but not in a refresh", async () => {
    const stack = w.stack(deployment);
    const declared = { project: "web", directory: folder };
    await up(stack, declared);
    const { state, id } = stack;
    const missing = { project: "web", directory: join(folder, "none") };
    expect(await deployment.declare(w.run, {}, missing)).toEqual([
      { property: "directory", reason: expect.stringMatching(/none is not a folder/) },
    ]);
    expect(await deployment.diff(w.run, id, { ...state, ...missing }, missing)).toMatchObject({
      changes: [],
    });
  });

  it("is uploaded although answers are lost", async () => {
    await w.server.control.addFaults({ method: "POST", path: "/v2/files", times: 2, kind: "drop-after" });
    await w.server.control.addFaults({
      method: "POST",
      path: "/v13/deployments",
      skip: 1,
      times: 1,
      kind: "drop-after",
    });
    const stack = w.stack(deployment);
    await up(stack, { project: "web", directory: folder });
    expect((await made()).map(({ uid }) => uid)).toEqual([stack.id]);
  });

  it("is uploaded three times at most when the service still lacks it", async () => {
    const missing = [createHash("sha1").update("<h1>one</h1>").digest("hex")];
    const asked = { method: "POST", path: "/v13/deployments" };
    const refusal = { asked, status: 400, code: "missing_files", said: "Missing files", missing };
    jest.spyOn(w.client, "create").mockRejectedValue(new ApiError(refusal));
    await expect(up(w.stack(deployment), { project: "web", directory: folder })).rejects.toThrow(
      /400 missing_files/,
    );
    expect(await uploads()).toBe(3);
  });

  it("that changes during the upload, and keeps its size, is an error that names the file", async () => {
    const proxy = await openRecordingProxy(w.server.url);
    try {
      const refusal = JSON.stringify({ error: { code: "bad_request", message: "The digest differs." } });
      // The service refuses what was written after the digest was computed.
      proxy.before = ({ path }) => {
        if (!path.startsWith("/v2/files")) return undefined;
        for (const name of ["index.html", "copy.html", "style.css"])
          writeFileSync(join(folder, name), "x".repeat(statSync(join(folder, name)).size));
        return { status: 400, body: refusal };
      };
      const stack = w.stack(deployment);
      stack.use(w.another({ apiUrl: proxy.url }));
      await expect(stack.up({ project: "web", directory: folder })).rejects.toThrow(
        /\.(html|css) has changed since the run began\. Run again/,
      );
    } finally {
      await proxy.close();
    }
  });

  it("that changes during the upload is an error that names the file", async () => {
    await w.server.control.addFaults({
      method: "POST",
      path: "/v2/files",
      times: 1,
      kind: "status",
      status: 503,
      retryAfter: 1,
    });
    const stack = w.stack(deployment);
    const pending = stack.up(
      { project: "web", directory: folder },
      host((message) => {
        if (message.startsWith("Uploading"))
          for (const name of ["index.html", "copy.html", "style.css"])
            writeFileSync(join(folder, name), "longer than before, by far");
      }),
    );
    await expect(pending).rejects.toThrow(
      /(copy\.html|style\.css|index\.html) has changed since the run began/,
    );
    expect(await made()).toEqual([]);
  });
});
