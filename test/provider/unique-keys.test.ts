import { Client } from "../../provider/client/client";
import { ApiError } from "../../provider/client/errors";
import { takeKeys } from "../../provider/core/key-step";
import { waitsOfRun } from "../../provider/core/phases";
import type { UniqueKeys } from "../../provider/core/unique-keys";
import { accessGroup } from "../../provider/resources/access-group";
import { accessGroupMember } from "../../provider/resources/access-group-member";
import { accessGroupProject } from "../../provider/resources/access-group-project";
import { alias } from "../../provider/resources/alias";
import { attackChallengeMode } from "../../provider/resources/attack-challenge-mode";
import { customEnvironment } from "../../provider/resources/custom-environment";
import { deploymentProtectionException } from "../../provider/resources/deployment-protection-exception";
import { dnsRecord } from "../../provider/resources/dns-record";
import { domain } from "../../provider/resources/domain";
import { domainVerification } from "../../provider/resources/domain-verification";
import { edgeConfig } from "../../provider/resources/edge-config";
import { edgeConfigItem } from "../../provider/resources/edge-config-item";
import { envVar } from "../../provider/resources/env-var";
import { envVars } from "../../provider/resources/env-vars";
import { featureFlag } from "../../provider/resources/feature-flag";
import { featureFlagSegment } from "../../provider/resources/feature-flag-segment";
import { firewallBypass } from "../../provider/resources/firewall-bypass";
import { microfrontendGroupMembership } from "../../provider/resources/microfrontend-group-membership";
import { project } from "../../provider/resources/project";
import { projectDomain } from "../../provider/resources/project-domain";
import { projectRoute } from "../../provider/resources/project-route";
import { promotion } from "../../provider/resources/promotion";
import { rollingRelease } from "../../provider/resources/rolling-release";
import { sharedEnvVar } from "../../provider/resources/shared-env-var";
import { teamConfig } from "../../provider/resources/team-config";
import { urnOf } from "../support/fake-cli";
import { type Harness, quietStep, recordStack, type Stack, startHarness } from "./stack";

let w: Harness;
let stacks = 0;
// The runs of these tests have no engine, so they know when a program is checked.
beforeAll(() => void jest.replaceProperty(waitsOfRun, "quietMs", 0));
beforeEach(async () => {
  w = await startHarness();
  await w.curl("POST", "/v10/projects", { name: "web" });
  await w.curl("POST", "/v10/projects", { name: "other" });
  await w.curl("POST", "/v10/projects/other/domains", { name: "example.org" });
  await w.server.control.changeTeam("acme", { plan: "enterprise" });
  await w.server.control.seed({
    edgeConfigs: [{ id: "ecfg_1", team: "acme", slug: "settings" }],
    deployments: [{ id: "dpl_1", team: "acme", project: "web", readyState: "READY" }],
    aliases: letters.map((name) => ({
      ...{ team: "acme", alias: `${name}-exception.vercel.app`, deployment: "dpl_1" },
    })),
    users: letters.map((username) => ({ username, email: `${username}@example.org` })),
    teams: [{ slug: "acme", members: letters.map((user) => ({ user, role: "MEMBER" as const })) }],
    projects: ["app", ...letters.map((name) => `mfe${name.charCodeAt(0)}`)].map((name) => ({
      ...{ team: "acme", id: `prj_${name}`, name },
    })),
    microfrontendGroups: [
      { id: "mfe_1", team: "acme", name: "shop", projects: [{ project: "app", isDefaultApp: true }] },
    ],
    accessGroups: letters.map((name) => ({ team: "acme", id: `ag_${name}`, name: `Group ${name}` })),
  });
});
const letters = ["a", "b", "c", "d"];
afterEach(() => w.close());

const variable = (key: string, target = "production", more: object = {}) => ({
  ...{ project: "web", key, value: `of ${key}`, type: "plain", target: [target], ...more },
});
const stackOf = (resource: Parameters<Harness["stack"]>[0]): Stack => w.stack(resource, `r${stacks++}`);

/** Resources that a first run has created. */
async function declared(...first: (readonly [resource: Parameters<Harness["stack"]>[0], inputs: object])[]) {
  const made = first.map(([resource]) => stackOf(resource));
  for (const [i, stack] of made.entries()) await stack.up(first[i]?.[1] as never);
  return made;
}

/** Begins a run, as a new process that can read the state of the stack. */
function begin(all: readonly Stack[]): void {
  const client = w.another();
  for (const stack of all) stack.use(client);
  recordStack(
    all.filter(({ id }) => id !== "").map(({ type, name, state }) => ({ type, name, outputs: state })),
  );
}

/** One run over all resources: a preview, then the updates one after the other. */
async function run(all: readonly Stack[], next: readonly object[]): Promise<string[]> {
  begin(all);
  for (const [i, stack] of all.entries()) await stack.preview(next[i] as never);
  begin(all);
  const steps: string[] = [];
  for (const [i, stack] of all.entries()) steps.push(await stack.up(next[i] as never));
  return steps;
}

async function keys(): Promise<string[]> {
  const { envs } = (await w.curl("GET", "/v9/projects/web/env")) as unknown as {
    envs: { key: string; target: string[] }[];
  };
  return envs.map(({ key, target }) => `${key} ${target.join()}`).sort();
}

const kinds: [string, Parameters<Harness["stack"]>[0], (name: string) => object][] = [
  ["EnvVar", envVar, (name) => variable(name.toUpperCase())],
  [
    "EnvVars",
    envVars,
    (name) => ({ project: "web", variables: { [name]: { value: name, target: ["preview"] } } }),
  ],
  ["Project", project, (name) => ({ name })],
  ["ProjectDomain", projectDomain, (name) => ({ project: "web", name: `${name}.example.com` })],
  ["Domain", domain, (name) => ({ name: `${name}.example` })],
  ["CustomEnvironment", customEnvironment, (slug) => ({ project: "web", slug })],
  [
    "FirewallBypass",
    firewallBypass,
    (name) => ({ project: "web", domain: "*", sourceIp: `192.0.2.${name.charCodeAt(0)}` }),
  ],
  ["DnsRecord by its value", dnsRecord, (value) => ({ domain: "example.org", name: "", type: "TXT", value })],
  ["Alias", alias, (name) => ({ alias: `${name}-web.vercel.app`, deploymentId: "dpl_1" })],
  [
    "DeploymentProtectionException",
    deploymentProtectionException,
    (name) => ({ project: "web", alias: `${name}-exception.vercel.app` }),
  ],
  ["AccessGroup", accessGroup, (name) => ({ name })],
  [
    "AccessGroupMember",
    accessGroupMember,
    (name) => ({ accessGroupId: "ag_a", email: `${name}@example.org` }),
  ],
  [
    "AccessGroupProject",
    accessGroupProject,
    (name) => ({ accessGroupId: `ag_${name}`, project: "web", role: "PROJECT_VIEWER" }),
  ],
  [
    "MicrofrontendGroupMembership",
    microfrontendGroupMembership,
    (name) => ({ microfrontendGroupId: "mfe_1", project: `prj_mfe${name.charCodeAt(0)}` }),
  ],
  ["EdgeConfig", edgeConfig, (slug) => ({ slug })],
  [
    "FeatureFlag",
    featureFlag,
    (slug) => ({ project: "web", slug, kind: "string", variants: [{ id: "on", value: slug }] }),
  ],
  ["FeatureFlagSegment", featureFlagSegment, (slug) => ({ project: "web", slug, label: slug })],
  [
    "ProjectRoute",
    projectRoute,
    (name) => ({ project: "web", name, route: { src: `/${name}`, dest: "/to" } }),
  ],
  ["EdgeConfigItem", edgeConfigItem, (key) => ({ edgeConfigId: "ecfg_1", key, value: key })],
  ["SharedEnvVar", sharedEnvVar, (key) => ({ key, value: key, target: ["preview"], type: "encrypted" })],
  [
    "DnsRecord by its name",
    dnsRecord,
    (name) => ({ domain: "example.org", name, type: "CNAME", value: "a.test" }),
  ],
];

describe.each(kinds)("%s", (_, resource, of) => {
  it("shifts, rotates and swaps keys one after the other", async () => {
    const all = await declared(...["a", "b", "c"].map((name) => [resource, of(name)] as const));
    for (const names of [
      ["b", "c", "d"],
      ["c", "d", "b"],
      ["d", "c", "b"],
    ]) {
      await run(all, names.map(of));
      begin(all);
      for (const [i, stack] of all.entries()) {
        await stack.refresh();
        expect(await stack.preview(of(names[i] ?? "") as never)).toBe("same");
      }
    }
  });

  it("takes the key of a resource that leaves the program, which is deleted at the end", async () => {
    const [first, second] = (await declared([resource, of("a")], [resource, of("b")])) as [Stack, Stack];
    begin([first, second]);
    await first.up(of("b") as never);
    await second.destroy();
    begin([first]);
    expect(await first.refresh()).toBe(true);
    expect(await first.preview(of("b") as never)).toBe("same");
    expect(w.warnings).toEqual([]);
  });

  it("refuses at preview what two resources declare, in any order", async () => {
    const [first, second] = (await declared([resource, of("a")], [resource, of("b")])) as [Stack, Stack];
    for (const order of [
      [first, second],
      [second, first],
    ] as const) {
      begin([first, second]);
      await order[0].preview(of("b") as never);
      await expect(order[1].preview(of("b") as never)).rejects.toThrow(/ both declare the /);
    }
  });
});

it.each([
  ["the replaced one last", [0, 1]],
  ["the replaced one first", [1, 0]],
])("exchanges the keys of two containers, of which one is replaced, with %s", async (_, order) => {
  const shared = (key: string, type: string) => ({ key, value: key, target: ["preview"], type });
  const made = await declared(
    [sharedEnvVar, shared("A", "sensitive")],
    [sharedEnvVar, shared("B", "sensitive")],
  );
  const next = [shared("B", "sensitive"), shared("A", "encrypted")];
  const inOrder = <T>(items: readonly T[]): T[] => order.map((at) => items[at] as T);
  const steps = await run(inOrder(made), inOrder(next));
  expect(steps).toEqual(inOrder(["update", "replace"]));
  begin(made);
  for (const [i, stack] of made.entries()) {
    await stack.refresh();
    expect(await stack.preview(next[i] as never)).toBe("same");
  }
});

describe("DnsRecord", () => {
  const text = (value: string) => ({ domain: "example.org", name: "", type: "TXT", value });
  const recordsOf = async () => {
    const { records } = await w.curl("GET", "/v5/domains/example.org/records");
    return (records as unknown as Record<string, unknown>[]).filter(({ creator }) => creator !== "system");
  };
  const values = async () => (await recordsOf()).map(({ value }) => value).sort();
  const both = async () => (await declared([dnsRecord, text("a")], [dnsRecord, text("b")])) as [Stack, Stack];

  it("exchanges contents without a write, so that the domain never misses one", async () => {
    const all = await both();
    begin(all);
    for (const [i, stack] of all.entries()) await stack.preview(text(i === 0 ? "b" : "a"));
    const send = jest.spyOn(Client.prototype, "send");
    await Promise.all(all.map((stack, i) => stack.up(text(i === 0 ? "b" : "a"))));
    expect(
      send.mock.calls.map(([{ method }]) => method).filter((method) => !/GET|PATCH/.test(method)),
    ).toEqual([]);
    expect(await values()).toEqual(["a", "b"]);
    const ids = new Map((await recordsOf()).map(({ value, id }) => [value, id]));
    expect(all.map(({ state }) => state.recordId)).toEqual([ids.get("b"), ids.get("a")]);
  });

  it.each(["the exchange", "the former program"])(
    "goes on with %s after an interruption between its steps",
    async (next) => {
      const all = await both();
      begin(all);
      for (const [i, stack] of all.entries()) await stack.preview(text(i === 0 ? "b" : "a"));
      await all[0].up(text("b"));
      const wanted = next === "the exchange" ? ["b", "a"] : ["a", "b"];
      await run(all, wanted.map(text));
      expect(await values()).toEqual(["a", "b"]);
      begin(all);
      for (const [i, stack] of all.entries()) {
        await stack.refresh();
        expect(await stack.preview(text(wanted[i] ?? ""))).toBe("same");
      }
      for (const stack of all) await stack.destroy();
      expect(await values()).toEqual([]);
    },
  );

  it("never takes an unmanaged record that has the contents", async () => {
    const [first] = await both();
    await w.curl("POST", "/v2/domains/example.org/records", { name: "", type: "TXT", value: "c" });
    begin([first]);
    await expect(first.preview(text("c"))).rejects.toThrow(/already exists .* and is not in this stack/);
    begin([first]);
    await expect(first.up(text("c"))).rejects.toThrow(/already exists .* and is not in this stack/);
    expect(await values()).toEqual(["a", "b", "c"]);
  });
});

describe("a name with a CNAME record", () => {
  const address = (name: string) => ({ domain: "example.org", name, type: "A", value: "192.0.2.1" });
  const both = async () =>
    (await declared([dnsRecord, cname("a")], [dnsRecord, address("b")])) as [Stack, Stack];

  it.each([
    ["the CNAME record first", [0, 1]],
    ["the CNAME record last", [1, 0]],
  ])("is refused at preview to a record of another type that exchanges it, with %s", async (_, order) => {
    const all = await both();
    const next = [cname("b"), address("a")];
    begin(all);
    const first = order[0] ?? 0;
    await expect(all[first]?.preview(next[first] as never)).rejects.toThrow(
      /cannot exist beside the object of .* of this stack/,
    );
  });

  it("is refused at preview beside a record that no stack has", async () => {
    const [first] = await both();
    await w.curl("POST", "/v2/domains/example.org/records", { name: "c", type: "TXT", value: "c" });
    begin([first]);
    await expect(first.preview(cname("c") as never)).rejects.toThrow(
      /cannot exist beside .* not in this stack/,
    );
    await w.curl("POST", "/v2/domains/example.org/records", { name: "e", type: "TXT", value: "p=a/b" });
    begin([first]);
    await expect(first.preview(cname("e") as never)).rejects.toThrow(
      /cannot exist beside .* not in this stack/,
    );
    expect(await first.preview(cname("d") as never)).toBe("update");
  });

  it("is refused at preview when the program declares a record of another type too, in any order", async () => {
    const [first, second] = await both();
    for (const order of [
      [first, cname("c"), second, address("c")],
      [second, address("c"), first, cname("c")],
    ] as const) {
      begin([first, second]);
      expect(await order[0].preview(order[1] as never)).toBe("update");
      await expect(order[2].preview(order[3] as never)).rejects.toThrow(
        /cannot exist beside the one that .* declares/,
      );
    }
  });

  it("passes to a record of another type after its record was renamed in a run of its own", async () => {
    const all = await both();
    await run([all[0]], [cname("c")]);
    begin(all);
    await all[0].preview(cname("c") as never);
    expect(await all[1].up(address("a") as never)).toBe("update");
  });

  it("stays with a record that changes its type", async () => {
    const [first] = await both();
    begin([first]);
    expect(await first.up(address("a") as never)).toBe("replace");
  });
});

/** The last character that a temporary name keeps is a dot. */
const labels = (letter: string): string => Array(5).fill(letter.repeat(45)).join(".");
const cname = (name: string) => ({ domain: "example.org", name, type: "CNAME", value: "a.test" });
const longest: [string, Parameters<Harness["stack"]>[0], object, object][] = [
  ["EnvVar", envVar, variable("A".repeat(256)), variable("B".repeat(256))],
  ["Project", project, { name: "a".repeat(100) }, { name: "b".repeat(100) }],
  [
    "CustomEnvironment",
    customEnvironment,
    { project: "web", slug: "a".repeat(32) },
    { project: "web", slug: "b".repeat(32) },
  ],
  ["DnsRecord", dnsRecord, cname(labels("a")), cname(labels("b"))],
  ["DnsRecord with a wildcard", dnsRecord, cname("*"), cname("*.b")],
];

it.each(longest)(
  "%s: gives an object with a name at the limits a temporary one",
  async (_, resource, ...of) => {
    const all = await declared(...of.map((inputs) => [resource, inputs] as const));
    expect(await run(all, of.toReversed())).toEqual(["update", "update"]);
    begin(all);
    for (const [i, stack] of all.entries()) {
      await stack.refresh();
      expect(await stack.preview(of.toReversed()[i] as never)).toBe("same");
    }
  },
);

it("puts the owner back when the key cannot be taken", async () => {
  const [a, b] = (await declared([envVar, variable("A")], [envVar, variable("B")])) as [Stack, Stack];
  begin([a, b]);
  const branch = { gitBranch: "main" };
  await expect(a.up(variable("B", "production", branch) as never)).rejects.toThrow(/400|gitBranch/);
  const path = `/v9/projects/${a.id.replace("/", "/env/")}`;
  // The first attempt meets the owner, which is then moved out of the way.
  await w.server.control.addFaults({ method: "PATCH", path, skip: 1, times: 1, kind: "status", status: 403 });
  await expect(a.up(variable("B") as never)).rejects.toThrow(/injected/);
  expect(await keys()).toEqual(["A production", "B production"]);
});

it("puts a rule of the firewall back with its note when its address cannot be taken", async () => {
  const rule = { project: "web", domain: "*", sourceIp: "192.0.2.1", note: "of the office" };
  const [owner] = (await declared([firewallBypass, rule])) as [Stack];
  const next = stackOf(firewallBypass);
  begin([owner, next]);
  await owner.preview({ ...rule, sourceIp: "192.0.2.2" } as never);
  const path = "/v1/security/firewall/bypass";
  await w.server.control.addFaults({ method: "POST", path, times: 1, kind: "status", status: 403 });
  await expect(next.up({ ...rule, note: "of the new office" } as never)).rejects.toThrow(/injected/);
  const { result } = await w.curl("GET", `${path}?projectId=${owner.state.projectId}`);
  expect(result).toMatchObject([{ Ip: "192.0.2.1", Note: "of the office" }]);
});

it.each([
  ["a redirect", { redirect: "example.org", redirectStatusCode: 308 }],
  ["a branch", { gitBranch: "next" }],
])("puts a domain back with %s when it cannot be moved to another project", async (_what, settings) => {
  const domain = { name: "www.example.org", ...settings };
  const [old] = (await declared([projectDomain, { project: "other", ...domain }])) as [Stack];
  const next = stackOf(projectDomain);
  begin([old, next]);
  const path = "/v10/projects/:id/domains";
  // The first attempt meets the owner, which is then moved out of the way.
  await w.server.control.addFaults({ method: "POST", path, skip: 1, times: 1, kind: "status", status: 403 });
  await expect(next.up({ project: "web", name: domain.name } as never)).rejects.toThrow(/injected/);
  expect(await w.curl("GET", `/v9/projects/other/domains/${domain.name}`)).toMatchObject(domain);
});

it("takes a key in a few attempts at most, where another object has it again after each", async () => {
  const conflict = new ApiError({
    asked: { method: "POST", path: "/" },
    ...{ status: 409, code: "conflict", said: "It exists." },
  });
  let attempts = 0;
  let moves = 0;
  const unique: UniqueKeys = {
    ...{ noun: "the thing", choices: "another name", scope: "account", adoptsByMoving: true },
    of: ({ name }) => [`acme/${name}`],
    owners: async () => [`thing_${moves}`],
    freeKeys: async () => {
      moves += 1;
      return async () => {};
    },
  };
  const attempt = async (): Promise<never> => {
    attempts += 1;
    if (attempts > 20) throw new Error("It never ends.");
    throw conflict;
  };
  await expect(takeKeys(w.run, unique, { declared: { name: "a", adopt: true }, attempt })).rejects.toBe(
    conflict,
  );
  expect([attempts, moves]).toEqual([6, 5]);
});

describe("a key that its owner deletes while another resource looks", () => {
  /** Has B deleted after a list of the variables, while the state has forgotten it. @param at counts the lists */
  async function deleteAfterList(next: Stack, at: number): Promise<void> {
    const [owner] = (await declared([envVar, variable("B")])) as [Stack];
    const client = w.another();
    next.use(client);
    recordStack([]);
    const list = client.list.bind(client);
    let lists = 0;
    client.list = async (path, shape, items, query, stale) => {
      const found = await list(path, shape, items, query, stale);
      lists += 1;
      if (lists === at) await envVar.remove(w.runOf(client), quietStep, owner.id, owner.state);
      return found;
    };
  }

  it("is free at the check", async () => {
    const next = stackOf(envVar);
    await deleteAfterList(next, 1);
    expect(await next.preview(variable("B"))).toBe("create");
    expect(await keys()).toEqual([]);
  });

  it("is free at the step", async () => {
    // Without a check.
    const next = w.stack(envVar);
    await deleteAfterList(next, 2);
    expect(await next.up(variable("B"))).toBe("create");
    expect(await keys()).toEqual(["B production"]);
  });
});

it("finds what it has created when the answer is lost after the owner has given the key up", async () => {
  const next = w.stack(project);
  const client = w.another();
  await w.curl("POST", "/v10/projects", { name: "a" });
  next.use(client);
  recordStack([]);
  const create = client.create.bind(client);
  let attempts = 0;
  client.create = async (call) => {
    attempts += 1;
    if (attempts > 1) return create(call);
    try {
      return await create(call);
    } finally {
      await w.curl("PATCH", "/v9/projects/a", { name: "b" });
      await w.server.control.addFaults({
        method: "POST",
        path: "/v10/projects",
        times: 1,
        kind: "drop-after",
      });
    }
  };
  expect(await next.up({ name: "a" })).toBe("create");
  expect(attempts).toBe(2);
  const { projects } = (await w.curl("GET", "/v9/projects")) as unknown as { projects: { name: string }[] };
  const others = projects.map(({ name }) => name).filter((name) => !/^(app|mfe\d+)$/.test(name));
  expect(others.sort()).toEqual(["a", "b", "other", "web"]);
});

it("leaves an owner that has moved on alone", async () => {
  const [a, b] = (await declared([envVar, variable("A")], [envVar, variable("B")])) as [Stack, Stack];
  begin([a, b]);
  await Promise.all([a.up(variable("B") as never), b.up(variable("C") as never)]);
  expect(await keys()).toEqual(["B production", "C production"]);
  begin([a, b]);
  for (const [stack, key] of [
    [a, "B"],
    [b, "C"],
  ] as const) {
    await stack.refresh();
    expect(await stack.preview(variable(key) as never)).toBe("same");
  }
});

it("takes a key whose owner is deleted while it is moved out of the way", async () => {
  const [a] = (await declared([envVar, variable("A")])) as [Stack];
  const next = stackOf(envVar);
  begin([a]);
  const client = w.another();
  for (const stack of [a, next]) stack.use(client);
  await a.preview(variable("B") as never);
  await next.preview(variable("A") as never);
  const path = `/v9/projects/${a.id.replace("/", "/env/")}`;
  const send = client.send.bind(client);
  client.send = async (request) => {
    if (request.method === "PATCH") await w.curl("DELETE", path);
    return send(request);
  };
  expect(await next.up(variable("A") as never)).toBe("create");
  expect(await keys()).toEqual(["A production"]);
});

it.each([
  ["EnvVar", envVar, variable("A", "production", { adopt: true })],
  [
    "EnvVars",
    envVars,
    { project: "web", target: ["production"], type: "plain", variables: { A: "new" }, adopt: true },
  ],
] as const)("%s creates a variable that is deleted while it is adopted", async (_type, resource, inputs) => {
  const { project: _, ...existing } = variable("A", "production", { value: "old" });
  const { created } = await w.curl("POST", "/v10/projects/web/env", existing);
  const { id } = created as unknown as { id: string };
  const stack = w.stack(resource);
  const client = w.another();
  stack.use(client);
  const send = client.send.bind(client);
  client.send = async (request) => {
    if (request.method === "PATCH") await w.curl("DELETE", `/v9/projects/web/env/${id}`);
    return send(request);
  };
  expect(await stack.up(inputs as never)).toBe("create");
  expect(await keys()).toEqual(["A production"]);
});

it("SharedEnvVar creates a variable that is deleted while it is adopted", async () => {
  const inputs = { key: "SHARED_OLD", value: "new", target: ["preview"], type: "encrypted", adopt: true };
  const variables = async () =>
    (await w.curl("GET", "/v1/env")).data as unknown as { id: string; key: string }[];
  const { key, target, type } = inputs;
  await w.curl("POST", "/v1/env", { evs: [{ key, value: "old" }], target, type });
  const [existing] = await variables();
  const stack = w.stack(sharedEnvVar);
  const client = w.another();
  stack.use(client);
  const send = client.send.bind(client);
  client.send = async (request) => {
    if (request.method === "PATCH") await w.curl("DELETE", "/v1/env", { ids: [existing?.id] });
    return send(request);
  };
  expect(await stack.up(inputs as never)).toBe("create");
  expect(await variables()).toEqual([expect.objectContaining({ key })]);
});

it("shows no drift of a sensitive value that was moved out of the way", async () => {
  const secret = (key: string, value: string) => variable(key, "production", { type: "sensitive", value });
  const all = await declared([envVar, secret("A", "1")], [envVar, secret("B", "2")]);
  const next = [secret("B", "1"), secret("A", "2")];
  expect(await run(all, next)).toEqual(["update", "update"]);
  begin(all);
  for (const [i, stack] of all.entries()) {
    await stack.refresh();
    expect(await stack.preview(next[i] as never)).toBe("same");
  }
});

it("restores the name of an object that an interrupted run has left temporaryKeys", async () => {
  const [a] = (await declared([envVar, variable("A")])) as [Stack];
  const temporaryKeys = () =>
    w.curl("PATCH", `/v9/projects/${a.id.replace("/", "/env/")}`, { key: "A__MOVING_0a1b2c3d" });
  await temporaryKeys();
  begin([a]);
  expect(await a.up(variable("A", "preview") as never)).toBe("update");
  expect(await keys()).toEqual(["A preview"]);
  await temporaryKeys();
  begin([a]);
  await a.refresh();
  expect(await a.up(variable("A", "preview") as never)).toBe("update");
  expect(await keys()).toEqual(["A preview"]);
});

it("refuses the key of an unmanaged object, and adopts it with a new resource alone", async () => {
  const theirs = { key: "B", value: "theirs", type: "plain", target: ["production"] };
  await w.curl("POST", "/v10/projects/web/env", theirs);
  const [a] = (await declared([envVar, variable("A")])) as [Stack];
  begin([a]);
  await expect(a.preview(variable("B") as never)).rejects.toThrow(
    /is not in this stack, and an update cannot adopt it/,
  );
  const heir = stackOf(envVar);
  begin([a, heir]);
  await expect(heir.preview(variable("B") as never)).rejects.toThrow(/Adopt it with \{ adopt: true \}/);
  expect(await heir.up(variable("B", "production", { adopt: true }) as never)).toBe("create");
});

it("does not give the name of a project to a new resource, whichever is checked first", async () => {
  const [owner] = (await declared([project, { name: "site" }])) as [Stack];
  const heir = stackOf(project);
  const refusal = /The project site belongs to Project "r\d+" of this stack.*aliases/;
  begin([owner, heir]);
  await expect(heir.preview({ name: "site" })).rejects.toThrow(refusal);
  begin([owner, heir]);
  expect(await owner.preview({ name: "old-site" })).toBe("update");
  await expect(heir.preview({ name: "site" })).rejects.toThrow(refusal);
  expect((await w.client.project("site")).id).toBe(owner.id);
});

describe.each([[false], [true]])("a new resource (adopt: %s)", (adopt) => {
  const both = { target: ["production", "preview"] };

  it("takes the key of a resource that leaves the program", async () => {
    const [owner] = (await declared([envVar, variable("A")])) as [Stack];
    const heir = stackOf(envVar);
    begin([owner, heir]);
    expect(await heir.up(variable("A", "production", { adopt }) as never)).toBe("create");
    await owner.destroy();
    expect(await keys()).toEqual(["A production"]);
  });

  it("takes the slug of a feature flag of another kind, which no request changes", async () => {
    const flag = { project: "web", slug: "a" };
    const number = { ...flag, kind: "number", variants: [{ id: "one", value: 1 }] };
    const [owner] = (await declared([featureFlag, number])) as [Stack];
    const heir = stackOf(featureFlag);
    const text = { ...flag, kind: "string", variants: [{ id: "one", value: "a" }], adopt };
    begin([owner, heir]);
    expect(await heir.preview(text as never)).toBe("create");
    expect(await heir.up(text as never)).toBe("create");
    await owner.destroy();
    begin([heir]);
    expect(await heir.refresh()).toBe(true);
    expect(await heir.up(text as never)).toBe("same");
  });

  const orders = ["owner first", "heir first"] as const;
  const heirs = [
    ["EnvVar", envVar, variable("A", "preview")],
    ["EnvVars", envVars, { project: "web", variables: { A: { value: "a", target: ["preview"] } } }],
  ] as const;
  it.each(heirs.flatMap((heir) => orders.map((order) => [heir[0], order, heir] as const)))(
    "takes an environment that its owner releases: %s, %s",
    async (_, order, [, resource, inputs]) => {
      const [owner] = (await declared([envVar, variable("A", "", both)])) as [Stack];
      const heir = stackOf(resource);
      const steps = [
        [owner, variable("A", "production")],
        [heir, { ...inputs, adopt }],
      ] as [Stack, object][];
      if (order === "heir first") steps.reverse();
      begin([owner, heir]);
      for (const [stack, news] of steps) await stack.up(news as never);
      expect(await keys()).toEqual(["A preview", "A production"]);
    },
  );

  it.each(orders)("adopts an unmanaged variable beside one that its owner releases: %s", async (order) => {
    const [owner] = (await declared([envVar, variable("A")])) as [Stack];
    const theirs = { key: "A", value: "theirs", type: "plain", target: ["preview"] };
    await w.curl("POST", "/v10/projects/web/env", theirs);
    const heir = stackOf(envVar);
    begin([owner, heir]);
    const take = () => heir.up(variable("A", "", { ...both, adopt: true }) as never);
    if (order === "heir first") await take();
    await owner.up(variable("B") as never);
    if (order === "owner first") await take();
    expect(await keys()).toEqual(["A production,preview", "B production"]);
  });

  it("does not get the name of a project that was renamed before the check", async () => {
    const [owner] = (await declared([project, { name: "site" }])) as [Stack];
    const heir = stackOf(project);
    begin([owner, heir]);
    expect(await owner.up({ name: "old-site" })).toBe("update");
    await expect(heir.preview({ name: "site", adopt })).rejects.toThrow(/belongs to Project "r\d+"/);
  });
});

it("does not take a key with adopt where the program ignores the value, which would be lost", async () => {
  const [owner] = (await declared([envVar, variable("A")])) as [Stack];
  const heir = stackOf(envVar);
  begin([owner, heir]);
  const news = variable("A", "production", { adopt: true });
  const step = { urn: urnOf("EnvVar", heir.name), ignored: ["value"] };
  const [refusal] = await envVar.declare(w.runOf(heir.client), {}, news as never, step);
  expect(refusal?.reason).toMatch(/belongs to EnvVar "r\d+" of this stack.*would be lost.*`aliases`/);
  await expect(heir.up(news as never, { ignored: async () => ["value"] })).rejects.toThrow(/would be lost/);
  expect(await keys()).toEqual(["A production"]);
});

it("does not exchange keys with a resource of another provider", async () => {
  const [a, b] = (await declared([envVar, variable("A")], [envVar, variable("B")])) as [Stack, Stack];
  begin([a, b]);
  const recorded = [a, b].map(({ type, name, state }) => ({ type, name, outputs: state }));
  recordStack(
    recorded.map((one, i) => ({ ...one, provider: `provider ${i}` })),
    [],
    "provider 0",
  );
  await expect(a.preview(variable("B") as never)).rejects.toThrow(
    /belongs to EnvVar "r\d+", which has another provider/,
  );
});

it.each([
  ["AttackChallengeMode", attackChallengeMode, { project: "web", enabled: true }],
  [
    "RollingRelease",
    rollingRelease,
    {
      ...{ project: "web", advancementType: "manual-approval" },
      stages: [{ targetPercentage: 10 }, { targetPercentage: 100 }],
    },
  ],
  ["Promotion", promotion, { project: "web", deployment: "dpl_web" }],
  ["TeamConfig", teamConfig, { name: "Acme" }],
])(
  "refuses at preview the %s that a resource of another provider declares",
  async (type, resource, inputs) => {
    await w.server.control.seed({
      deployments: [
        { id: "dpl_web", team: "acme", project: "web", target: "production", readyState: "READY" },
      ],
    });
    const [owner] = (await declared([resource, inputs])) as [Stack];
    const heir = stackOf(resource);
    const record = (provider: string) => {
      begin([owner, heir]);
      const { name, state } = owner;
      recordStack([{ type, name, outputs: state, provider }], [], "provider 0");
    };
    record("provider 1");
    await expect(heir.preview(inputs)).rejects.toThrow(/belongs to \w+ "r\d+", which has another provider/);
    record("provider 0");
    expect(await heir.preview(inputs)).toBe("create");
  },
);

it("names the owner of a project or domain, not a resource with the same id", async () => {
  const apex = { team: "acme", project: "other", name: "example.com", verified: true };
  await w.server.control.seed({ domains: [apex] });
  const domain = { project: "site", name: "x.example.com" };
  const all = await declared(
    [project, { name: "site" }],
    [attackChallengeMode, { project: "site", enabled: true }],
    [projectDomain, domain],
    [domainVerification, domain],
  );
  const [site, , x] = all.map(({ name }) => name);
  const heirs = [stackOf(project), w.stack(projectDomain)];
  begin([...all, ...(heirs as Stack[])]);
  await expect(heirs[0]?.preview({ name: "site" })).rejects.toThrow(`belongs to Project "${site}"`);
  await expect(heirs[1]?.up({ ...domain, adopt: true })).rejects.toThrow(`belongs to ProjectDomain "${x}"`);
});

it("refuses at preview the domain of another project's resource that has another provider", async () => {
  const of = (project: string, name: string) => ({ project, name });
  const all = await declared(
    [projectDomain, of("web", "x.example.com")],
    [projectDomain, of("other", "y.example.com")],
  );
  const [a] = all as [Stack, Stack];
  const record = (providers: string[]) => {
    begin(all);
    const recorded = all.map(({ type, name, state }, i) => ({
      type,
      name,
      outputs: state,
      provider: providers[i],
    }));
    recordStack(recorded as Parameters<typeof recordStack>[0], [], "provider 0");
  };
  record(["provider 0", "provider 1"]);
  await expect(a.preview(of("web", "y.example.com"))).rejects.toThrow(
    /The domain y\.example\.com belongs to ProjectDomain "r\d+", which has another provider/,
  );
  record(["provider 0", "provider 0"]);
  expect(await a.preview(of("web", "y.example.com"))).toBe("replace");
});

it("keeps a domain that an interrupted run has given to another resource, and deletes it with the last", async () => {
  const of = (name: string) => ({ project: "web", name });
  const [first] = (await declared([projectDomain, of("x.example.com")])) as [Stack];
  const heir = stackOf(projectDomain);
  begin([first, heir]);
  expect(await heir.up(of("x.example.com"))).toBe("create");
  begin([first, heir]);
  await first.destroy();
  expect(await heir.refresh()).toBe(true);
  await heir.destroy();
  expect(await heir.refresh()).toBe(false);
});

it("moves a domain back that an interrupted run has moved to another project, with adopt", async () => {
  await w.curl("POST", "/v10/projects/other/domains", { name: "x.example.com" });
  const other = w.stack(envVar, "other-variable");
  await other.up({ ...variable("K"), project: "other" } as never);
  const inputs = { project: "web", name: "x.example.com" };
  const domain = stackOf(projectDomain);
  begin([other, domain]);
  await expect(domain.up(inputs)).rejects.toThrow(
    /409 .*The domain x\.example\.com already exists .*Adopt it/,
  );
  expect(await domain.up({ ...inputs, adopt: true })).toBe("create");
  expect(await w.curl("GET", "/v9/projects/web/domains/x.example.com")).toMatchObject({
    name: "x.example.com",
  });
});

it("adopts with the new half of a replacement what an interrupted run has created", async () => {
  const of = (name: string) => ({ project: "web", name, adopt: true });
  const [domain] = (await declared([projectDomain, of("old.example.com")])) as [Stack];
  await w.curl("POST", "/v10/projects/web/domains", { name: "new.example.com" });
  begin([domain]);
  expect(await domain.up(of("new.example.com"))).toBe("replace");
});

it("lets objects of different kinds have the same name", async () => {
  const all = [stackOf(project), stackOf(edgeConfig)];
  expect(await run(all, [{ name: "same" }, { slug: "same" }])).toEqual(["create", "create"]);
});
