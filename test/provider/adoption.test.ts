import type { Client } from "../../provider/client/client";
import type { Resource } from "../../provider/core/resource";
import type { Plain } from "../../provider/core/values";
import { accessGroupMember } from "../../provider/resources/access-group-member";
import { accessGroupProject } from "../../provider/resources/access-group-project";
import { alias } from "../../provider/resources/alias";
import { blobStore } from "../../provider/resources/blob-store";
import { blobStoreConnection } from "../../provider/resources/blob-store-connection";
import { bulkRedirects } from "../../provider/resources/bulk-redirects";
import { deploymentProtectionException } from "../../provider/resources/deployment-protection-exception";
import { domain } from "../../provider/resources/domain";
import { edgeConfig } from "../../provider/resources/edge-config";
import { edgeConfigItem } from "../../provider/resources/edge-config-item";
import { envVar } from "../../provider/resources/env-var";
import { reasonNotToAdopt } from "../../provider/resources/env-var/adoptable";
import { envVars } from "../../provider/resources/env-vars";
import { featureFlag } from "../../provider/resources/feature-flag";
import { featureFlagSegment } from "../../provider/resources/feature-flag-segment";
import { firewallBypass } from "../../provider/resources/firewall-bypass";
import { firewallConfig } from "../../provider/resources/firewall-config";
import { microfrontendGroupMembership } from "../../provider/resources/microfrontend-group-membership";
import { project } from "../../provider/resources/project";
import { projectDomain } from "../../provider/resources/project-domain";
import { projectMember } from "../../provider/resources/project-member";
import { projectRoute } from "../../provider/resources/project-route";
import { teamMember } from "../../provider/resources/team-member";
import { urnOf } from "../support/fake-cli";
import { openRecordingProxy } from "../support/recording-proxy";
import { given, operations } from "./operations";
import { type Harness, quietStep, recordStack, type Stack, startHarness } from "./stack";

let w: Harness;
beforeAll(async () => {
  w = await startHarness();
});
beforeEach(async () => {
  await w.server.control.reset();
  await w.server.control.seed(given);
});
afterAll(() => w.close());

const adopting = operations.filter(({ name }) => name.endsWith(": adopt"));

/** Begins a run: a process of its own, which knows what the program tells of the state of the stack. */
function run(stacks: readonly Stack[], others: readonly Stack[] = []): void {
  const client = w.another();
  for (const stack of stacks) stack.use(client);
  recordStack(others.map(({ type, state }, i) => ({ type, name: `other-${i}`, outputs: state })));
}

const variable = { project: "web", key: "K", value: "canary-value", type: "plain" };
const both = ["production", "preview"];

/** The variables of the project as the service has them. */
async function variables(): Promise<{ key: string; target: string[]; value: string }[]> {
  const { envs } = (await w.curl("GET", "/v9/projects/web/env")) as unknown as {
    envs: { key: string; target: string[]; value: string }[];
  };
  return envs.map(({ key, target, value }) => ({ key, target: [...target].sort(), value }));
}

/** A resource that has the object, and what declares it for another one that adopts it. */
async function owned(
  operation: (typeof operations)[number],
): Promise<{ owner: Stack; heir: Stack; declared: Plain }> {
  const prepared = (await operation.prepare?.(w)) ?? {};
  const declared = operation.inputs?.(prepared) ?? {};
  const owner = w.stack(operation.resource);
  run([owner]);
  await owner.up(declared);
  return { owner, heir: w.stack(operation.resource), declared };
}

/** Without their objects, these are empty, and not gone. */
const staying: readonly Resource[] = [envVars, firewallConfig, bulkRedirects];

describe.each(adopting)("$name", (operation) => {
  it("refuses an object of another resource of the stack, and names that resource and a hint", async () => {
    const { owner, heir, declared } = await owned(operation);
    run([heir], [owner]);
    await expect(heir.up(declared)).rejects.toThrow(
      /belongs to \w+ "other-0" of this stack.*aliases.*pulumi state delete/,
    );
    expect(await owner.refresh(w.another())).toBe(true);
    expect(await owner.preview(declared)).toBe("same");
  });

  it("does not take what another resource of the run has, whichever comes first", async () => {
    const { owner, heir, declared } = await owned(operation);
    run([owner, heir]);
    await owner.preview(declared);
    await expect(heir.up(declared)).rejects.toThrow(
      /belongs to (another resource|\w+ "other-0") of this (program|stack)/,
    );
    expect(await owner.refresh(w.another())).toBe(true);
  });

  it("takes what nobody has any more", async () => {
    const { heir, declared } = await owned(operation);
    run([heir]);
    await heir.up(declared);
    run([heir]);
    expect(await heir.refresh()).toBe(true);
    expect(await heir.up(declared)).toBe("same");
  });

  it("leaves an object that two have to the one that stays", async () => {
    const { owner, heir, declared } = await owned(operation);
    // As a host leaves it that does not tell what the stack holds.
    run([heir]);
    await heir.up(declared);
    run([owner, heir]);
    expect(await heir.preview(declared)).toBe("same");
    await owner.destroy();
    expect(w.warnings.at(-1)).toMatch(/is kept, because another resource of this program has it/);
    run([heir]);
    expect(await heir.refresh()).toBe(true);
    expect(await heir.up(declared)).toBe("same");
    // Alone, it is removed as ever.
    await heir.destroy();
    run([heir]);
    expect(await heir.refresh().catch(() => false)).toBe(staying.includes(operation.resource));
  });

  it("is done by one of two at once", async () => {
    const { declared } = await owned(operation);
    const stacks = [w.stack(operation.resource), w.stack(operation.resource)];
    run(stacks);
    const ups = await Promise.allSettled(stacks.map((stack) => stack.up(declared)));
    expect(ups.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });

  it("does not take what another resource of the run makes without adopting", async () => {
    const { owner, declared } = await owned(operation);
    await owner.destroy();
    for (const adopts of [
      [true, false],
      [false, true],
    ]) {
      const stacks = adopts.map(() => w.stack(operation.resource));
      run(stacks);
      const ups = await Promise.allSettled(
        stacks.map((stack, i) => stack.up({ ...declared, adopt: adopts[i] })),
      );
      expect(ups.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
      await stacks[ups.findIndex(({ status }) => status === "fulfilled")]?.destroy();
    }
  });

  it("does not take what another resource of the run makes just now", async () => {
    const { owner, declared } = await owned(operation);
    await owner.destroy();
    const stacks = [w.stack(operation.resource), w.stack(operation.resource)];
    run(stacks);
    const ups = await Promise.allSettled(stacks.map((stack) => stack.up(declared)));
    expect(ups.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });
});

/** The service lets several Edge Configs have the same slug, and several routes the same name. */
const hasNoConflict: readonly Resource[] = [edgeConfig, blobStore, projectRoute];
const contested = adopting.filter(({ resource }) => !hasNoConflict.includes(resource));
describe.each(contested)("$name", (operation) => {
  it("takes what somebody makes between its look-up and its create", async () => {
    const { owner, declared } = await owned(operation);
    await owner.destroy();
    const [heir, other] = [w.stack(operation.resource), w.stack(operation.resource)];
    const proxy = await openRecordingProxy(w.server.url);
    try {
      let isMade = false;
      proxy.before = async ({ method }) => {
        if (method === "GET" || isMade) return undefined;
        isMade = true;
        run([other]);
        await other.up(declared);
        return undefined;
      };
      const times = { attemptMs: 30_000, deadlineMs: 60_000 };
      heir.use(w.another({ apiUrl: proxy.url, times }));
      await heir.up(declared);
      expect([isMade, heir.id]).toEqual([true, other.id]);
    } finally {
      await proxy.close();
    }
    run([heir]);
    expect(await heir.refresh()).toBe(true);
    expect(await heir.up(declared)).toBe("same");
  });
});

/** These have two resources for a while, when one takes the object over from another. */
const shared: readonly Resource[] = [
  projectDomain,
  firewallBypass,
  firewallConfig,
  bulkRedirects,
  teamMember,
  projectMember,
  edgeConfigItem,
  featureFlag,
  featureFlagSegment,
  alias,
  deploymentProtectionException,
  accessGroupMember,
  accessGroupProject,
  microfrontendGroupMembership,
  blobStoreConnection,
  domain,
];
describe.each(adopting.filter(({ resource }) => shared.includes(resource)))("$name", (operation) => {
  it("takes back its object, which a replacement that failed has left to be deleted", async () => {
    const { owner, declared } = await owned(operation);
    const again = w.stack(operation.resource, owner.name);
    again.use(w.another());
    recordStack([{ type: owner.type, name: owner.name, outputs: owner.state, isReplaced: true }]);
    await again.up({ ...declared, adopt: true });
    expect(again.id).toBe(owner.id);
  });
});

describe.each(adopting.filter(({ resource }) => !shared.includes(resource)))("$name", (operation) => {
  it("tells of an object that two have, and changes nothing", async () => {
    const { owner, heir, declared } = await owned(operation);
    run([heir]);
    await heir.up(declared);
    run([owner, heir]);
    await owner.preview(declared);
    await expect(heir.preview(declared)).rejects.toThrow(/in the state of two resources of this stack/);
    run([owner, heir]);
    await heir.refresh();
    await expect(owner.refresh()).rejects.toThrow(/in the state of two resources of this stack/);
  });
});

describe("what retainOnDelete kept of a replacement", () => {
  const declared = { ...variable, target: ["production"] };
  /** A variable that is to be replaced in this run, and that nothing removes. */
  async function retained(name: string): Promise<Stack> {
    const owner = w.stack(envVar, name);
    run([owner]);
    await owner.up({ ...declared, type: "sensitive" });
    return owner;
  }

  it("keeps its value under a temporary key when its successor does not adopt it", async () => {
    const owner = await retained("kept");
    owner.use(w.another());
    recordStack([{ type: owner.type, name: owner.name, outputs: owner.state }]);
    expect(await owner.preview(declared)).toBe("replace");
    await envVar.create(w.runOf(owner.client), quietStep, declared);
    const { envs } = (await w.curl("GET", "/v9/projects/web/env")) as unknown as { envs: Plain[] };
    expect(envs).toHaveLength(2);
    expect(envs).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ key: "K", type: "plain" }),
        expect.objectContaining({ id: owner.id.split("/")[1], key: expect.stringMatching(/^K__MOVING_/) }),
      ]),
    );
  });

  it("is adopted once the state says that it was let go, and not before", async () => {
    const owner = await retained("kept");
    const ownerId = String(owner.state.at).slice(18);
    owner.use(w.another());
    const adopting = { ...declared, adopt: true };
    recordStack([{ type: owner.type, name: owner.name, outputs: owner.state }]);
    expect(await owner.preview(adopting)).toBe("replace");
    const create = () => envVar.create(w.runOf(owner.client), quietStep, adopting);
    await expect(create()).rejects.toThrow(/is the object that is being replaced/);
    recordStack([], [ownerId]);
    expect((await create()).id).toBe(owner.id);
  });

  it("is adopted by its successor alone, although the last read of the state is older than its removal", async () => {
    const owner = await retained("kept");
    owner.use(w.another());
    const adopting = { ...declared, adopt: true };
    recordStack([{ type: owner.type, name: owner.name, outputs: owner.state, keptBy: "retainOnDelete" }]);
    expect(await owner.preview(adopting)).toBe("replace");
    const createAs = (name: string) =>
      envVar.create(w.runOf(owner.client), { ...quietStep, urn: urnOf(owner.type, name) }, adopting);
    await expect(createAs("thief")).rejects.toThrow(/ENV_CONFLICT/);
    expect((await createAs("kept")).id).toBe(owner.id);
    await expect(createAs("thief")).rejects.toThrow(/ENV_CONFLICT/);
  });
});

it("EnvVars adopts with an update too, as after a lost run that has created a variable", async () => {
  const many = w.stack(envVars, "many");
  run([many]);
  const declared = { project: "web", variables: { A: "a" }, target: ["preview"] };
  await many.up(declared);
  await w.curl("POST", "/v10/projects/web/env", { key: "G", value: "g", type: "plain", target: ["preview"] });
  const more = { ...declared, variables: { A: "a", G: "canary-g" } };
  const again = (): void => {
    many.use(w.another());
    recordStack([{ type: many.type, name: many.name, outputs: many.state }]);
  };
  again();
  await expect(many.preview(more)).rejects.toThrow(/G\/preview already exists .*\{ adopt: true \}/);
  again();
  expect(await many.up({ ...more, adopt: true })).toBe("update");
  expect((await variables()).map(({ key }) => key).sort()).toEqual(["A", "G"]);
  again();
  expect(await many.preview({ ...more, adopt: true })).toBe("same");
});

it("never takes a variable of an integration", async () => {
  await w.server.control.seed({
    env: [
      {
        team: "acme",
        project: "web",
        id: "env_store",
        type: "plain",
        key: "K",
        target: ["production"],
        value: "live",
        configurationId: "icfg_1",
      },
    ],
  });
  const declared = { ...variable, target: ["production"], adopt: true };
  const reason = expect.stringMatching(/^The variable K \(\w+\) belongs to an integration/);
  const check = (resource: Resource, news: Plain) =>
    resource.declare(w.runOf(w.another()), {}, news).then((all) => all.map((one) => one.reason));
  expect(await check(envVar, declared)).toEqual([reason]);
  const many = { project: "web", variables: { K: "v" }, target: ["production"], adopt: true };
  expect(await check(envVars, many)).toEqual([reason]);
  await expect(w.stack(envVar).up(declared)).rejects.toThrow(/belongs to an integration/);
  await expect(w.stack(envVars).up(many)).rejects.toThrow(/belongs to an integration/);
  expect(await variables()).toMatchObject([{ key: "K", value: "live" }]);
});

it("never takes a variable that a store of an integration sets", () => {
  const found = { id: "env_1", key: "K", type: "encrypted", target: ["production"] };
  const hinted = { ...found, contentHint: { type: "integration-store-secret" } };
  expect(reasonNotToAdopt({ key: "K", target: ["production"] }, [hinted])).toMatch(
    /belongs to an integration/,
  );
  expect(reasonNotToAdopt({ key: "K", target: ["production"] }, [found])).toBeUndefined();
});

it("never takes the default domain of a project", async () => {
  await w.server.control.seed({ domains: [{ team: "acme", project: "web", name: "web.vercel.app" }] });
  const declared = { project: "web", name: "web.vercel.app", adopt: true };
  const run = w.runOf(w.another());
  const [refusal] = await projectDomain.declare(run, {}, declared);
  expect(refusal).toMatchObject({
    property: "name",
    reason: expect.stringContaining("is the default domain"),
  });
  await expect(w.stack(projectDomain).up(declared)).rejects.toThrow(
    /is the default domain of the project web/,
  );
  // Another name in the zone is free for any project.
  expect(await projectDomain.declare(run, {}, { ...declared, name: "brand.vercel.app" })).toEqual([]);
});

it("refuses at preview to adopt a variable that nobody can read as one that can be read", async () => {
  const secret = { key: "K", value: "canary-live", type: "sensitive", target: ["production"] };
  await w.curl("POST", "/v10/projects/web/env", secret);
  const readable = { ...variable, value: "", type: "encrypted", target: ["production"], adopt: true };
  const stack = w.stack(envVar);
  run([stack]);
  const refusals = await envVar.declare(w.runOf(w.another()), {}, readable);
  expect(refusals).toMatchObject([{ reason: expect.stringContaining("Its value would be lost") }]);
  await expect(stack.up(readable)).rejects.toThrow(/Its value would be lost/);
});

it("never takes a variable away from an environment", async () => {
  await w.curl("POST", "/v10/projects/web/env", { key: "K", value: "live", type: "plain", target: both });
  const narrow = { ...variable, target: ["preview"], adopt: true };
  await expect(w.stack(envVar).up(narrow)).rejects.toThrow(
    /exists for production, preview\. Adopting it as declared would remove it from production/,
  );
  const many = { project: "web", variables: { K: "v" }, target: ["preview"], adopt: true };
  await expect(w.stack(envVars).up(many)).rejects.toThrow(/remove it from production/);
  expect(await variables()).toEqual([{ key: "K", target: both.sort(), value: "live" }]);
  // Additional environments lose nothing.
  await w.stack(envVar).up({ ...variable, target: [...both, "development"], adopt: true });
  expect(await variables()).toEqual([expect.objectContaining({ value: variable.value })]);
});

it("never takes a variable away from a custom environment", async () => {
  const { id } = await w.curl("POST", "/v9/projects/web/custom-environments", { slug: "staging" });
  const first = w.stack(envVar);
  await first.up({ ...variable, target: both, customEnvironmentIds: [id] });
  const next = w.stack(envVar);
  run([next]);
  const declared = { ...variable, target: both, adopt: true };
  await expect(next.up({ ...declared, customEnvironmentIds: [] })).rejects.toThrow(/remove it from/);
  // Undeclared settings stay as they are.
  await next.up(declared);
  run([first]);
  await first.refresh();
  expect(first.inputs.customEnvironmentIds).toEqual([id]);
});

it.each([
  ["EnvVar", envVar, { ...variable, target: both }],
  ["EnvVars", envVars, { project: "web", variables: { K: "v" }, target: both }],
  ["Project", project, { name: "website" }],
] as const)(
  "%s: does not advise to adopt what another resource of the run has",
  async (_, resource, declared) => {
    const [owner, other] = [w.stack(resource), w.stack(resource)];
    run([owner, other]);
    await owner.up(declared);
    const refusal = await other.up(declared).then(String, String);
    expect(refusal).toMatch(/both declare/);
    expect(refusal).not.toMatch(/adopt/i);
    run([other]);
    // Nobody is known to have it: a new name may be the reason.
    await expect(other.up(declared)).rejects.toThrow(/Adopt it .* if no other program manages it/);
  },
);

it("knows what a state of an earlier version holds", async () => {
  const owners = [
    [project, { name: "website" }],
    [envVar, { ...variable, target: both }],
    [envVars, { project: "web", variables: { A: "a" }, target: both }],
  ] as const;
  for (const [resource, declared] of owners) {
    const owner = w.stack(resource);
    run([owner]);
    await owner.up(declared);
    // It told the API and the account alone.
    owner.state = { ...owner.state, at: String(owner.state.at).slice(0, 12) };
    const heir = w.stack(resource);
    run([heir], [owner]);
    await expect(heir.up({ ...declared, adopt: true })).rejects.toThrow(/belongs to/);
    run([owner]);
    expect(await owner.up(declared)).toBe("same");
    await owner.refresh();
    expect(owner.state.at).toHaveLength(24);
    await owner.destroy();
  }
});

it.each(["-abcde", "abcde-"])(
  "keeps what it has for its own, whose ownerId happens to be %s",
  async (ownerId) => {
    const declared = { name: "website" };
    const owner = w.stack(project);
    await owner.up(declared);
    owner.state = { ...owner.state, at: `${String(owner.state.at).slice(0, 18)}${ownerId}` };
    const before = structuredClone(owner.state);
    run([owner]);
    await owner.refresh();
    expect(owner.state).toEqual(before);
    const heir = w.stack(project);
    run([heir], [owner]);
    await expect(heir.up({ ...declared, adopt: true })).rejects.toThrow(/belongs to/);
  },
);

it("takes what the stack only reads", async () => {
  await w.curl("POST", "/v10/projects", { name: "website" });
  const reader = await project.read(w.run, "website", undefined);
  const heir = w.stack(project);
  run([heir]);
  recordStack([{ type: "Project", name: "reader", outputs: reader?.state ?? {} }]);
  expect(await heir.up({ name: "website", adopt: true })).toBe("create");
});

it("is not owned by those that only read it, however often they are read again", async () => {
  const owner = w.stack(project);
  await owner.up({ name: "website" });
  const read = async (client: Client, state?: Plain): Promise<Plain> =>
    (await project.read(w.runOf(client), owner.id, state))?.state ?? {};
  let readers = [await read(w.client), await read(w.client)];
  for (let runs = 0; runs < 2; runs++) {
    const client = w.another();
    owner.use(client);
    readers = await Promise.all(readers.map((state) => read(client, state)));
    expect(await owner.refresh()).toBe(true);
    expect(await owner.up({ name: "website" })).toBe("same");
  }
  expect(readers.flatMap((state) => project.recordedObjects(state))).toEqual([]);
  await owner.destroy();
  expect(await project.read(w.runOf(w.another()), owner.id, readers[0])).toBeUndefined();
});

it("knows an imported state for its own in whatever order its keys come", async () => {
  await w.curl("POST", "/v10/projects", { name: "website" });
  const { id = "", state = {} } = (await project.read(w.run, "website", undefined)) ?? {};
  const client = w.another();
  await project.diff(w.runOf(client), id, state, { name: "website" });
  const turned = Object.fromEntries(Object.entries(state).reverse());
  expect(await project.diff(w.runOf(client), id, turned, { name: "website" })).toMatchObject({
    replaces: [],
  });
});

/** Something that is waited for. */
function moment(): { come: Promise<void>; now(): void } {
  let now = (): void => {};
  const come = new Promise<void>((resolve) => {
    now = resolve;
  });
  return { come, now };
}

it.each([
  ["EnvVar", envVar, { ...variable, target: both }, "env"],
  ["EnvVars", envVars, { project: "web", variables: { K: "v" }, target: both }, "env"],
  ["ProjectDomain", projectDomain, { project: "web", name: "x.example.com" }, "domains"],
  ["Project", project, { name: "website" }, "projects"],
] as const)(
  "%s: takes nothing for its own that another one of the run makes at this moment, although an answer was lost",
  async (_, resource, declared, noun) => {
    const proxy = await openRecordingProxy(w.server.url);
    try {
      const isPost = ({ method, path }: { method: string; path: string }): boolean =>
        method === "POST" && new RegExp(`/${noun}(\\?|$)`).test(path);
      const isMade = moment();
      const isToAnswer = moment();
      let first: number | undefined;
      // The first is made, and its answer comes late; another one is lost on its way.
      proxy.before = async (passing) => {
        if (!isPost(passing)) return undefined;
        first ??= passing.number;
        if (passing.number === first) return undefined;
        await isMade.come;
        return { status: 502, body: "{}" };
      };
      proxy.after = async ({ number }) => {
        if (number !== first) return;
        isMade.now();
        await isToAnswer.come;
      };
      const client = w.another({ apiUrl: proxy.url });
      const stacks = [w.stack(resource, "a"), w.stack(resource, "b")];
      for (const stack of stacks) stack.use(client);
      const ups = stacks.map((stack) => stack.up(declared));
      await Promise.race(ups.map((up) => up.catch(() => {})));
      isToAnswer.now();
      const ends = await Promise.allSettled(ups);
      expect(ends.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
      expect(ends.map((end) => (end.status === "rejected" ? String(end.reason) : "")).join("")).toMatch(
        /both declare/,
      );
    } finally {
      await proxy.close();
    }
  },
);

it("recreates an object that was found to be gone, in the same run", async () => {
  const domain = w.stack(projectDomain);
  const declared = { project: "web", name: "x.example.com" };
  await domain.up(declared);
  run([domain]);
  await w.curl("DELETE", "/v9/projects/web/domains/x.example.com");
  expect(await domain.refresh()).toBe(false);
  expect(await domain.up(declared)).toBe("create");
  // Gone before it was to be removed.
  await w.curl("DELETE", "/v9/projects/web/domains/x.example.com");
  await domain.destroy();
  expect(await domain.up(declared)).toBe("create");
});

describe("an object that no resource manages", () => {
  /** They always exist, or are no objects: a second declaration is no conflict with the service. */
  const shared = [
    "AttackChallengeMode",
    "DomainVerification",
    "IntegrationProjectAccess",
    "Promotion",
    "RollingRelease",
    "SharedEnvVarLink",
    "TeamConfig",
  ];

  it.each(
    operations.filter(
      ({ name, nameless, resource }) =>
        name.endsWith(": create") && !nameless && !shared.includes(resource.type),
    ),
  )("is refused at preview to a resource with the same key. $name", async (operation) => {
    const declared = operation.inputs?.((await operation.prepare?.(w)) ?? {}) ?? {};
    const first = w.stack(operation.resource, "first");
    run([first]);
    await first.up(declared);
    const second = w.stack(operation.resource, "second");
    run([second]);
    await expect(second.preview(declared)).rejects.toThrow(/exists already|already exists|belongs to/);
  });
});
