import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { isPlain, type Plain } from "../../provider/core/values";
import { built } from "../support/dist";
import { takenApexes } from "../support/domains";
import { FakeCli, urnOf } from "../support/fake-cli";
import { byProfile } from "../support/profile";
import { inFull, oneOf } from "../support/slices";
import { until } from "../support/until";
import { type Plugin, revealed, secret, startPlugin, struct, valuesOf } from "./plugin-host";
import { type Harness, startHarness } from "./stack";

// A run on an outdated build is refused at once.
built("plugin");

const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const { DIFF_SOME, DIFF_NONE } = messages.DiffResponse.DiffChanges;
const { Kind } = messages.PropertyDiff;
const { Mode } = messages.CheckRequest.AutonamingOptions;

/** The name of the project in a test. The process waits for what it has made under a name, so each test has its own. */
let web: string;
let count = 0;
let w: Harness;
let plugin: Plugin;
const providerUrn = (name: string): string => urnOf("pulumi:providers:slipway", name);
const settings = (over: Plain = {}): Plain => ({
  apiUrl: w.server.url,
  token: secret(w.server.token),
  team: "acme",
  ...over,
});

async function configured(
  environment: Record<string, string> = {},
  given: Plain = settings(),
  urn = providerUrn("default"),
): Promise<Plugin> {
  const started = await startPlugin(environment);
  await started.call("configure", new messages.ConfigureRequest().setUrn(urn).setArgs(struct(given)));
  return started;
}

beforeAll(async () => {
  w = await startHarness();
  plugin = await configured();
});
beforeEach(async () => {
  count += 1;
  web = `web-${count}`;
  await w.server.control.reset();
});
afterAll(async () => {
  await plugin.close();
  await w.close();
});

const check = async (type: string, news: Plain, olds: Plain = {}, name = "it") => {
  const request = new messages.CheckRequest()
    .setUrn(urnOf(type, name))
    .setOlds(struct(olds))
    .setNews(struct(news));
  const reply = await plugin.call("check", request);
  return {
    inputs: valuesOf(reply.getInputs()),
    failures: reply.getFailuresList().map((one) => one.toObject()),
  };
};
const create = async (type: string, inputs: Plain, preview = false) => {
  const request = new messages.CreateRequest()
    .setUrn(urnOf(type))
    .setProperties(struct(inputs))
    .setPreview(preview);
  const reply = await plugin.call("create", request);
  return { id: reply.getId(), state: valuesOf(reply.getProperties()) };
};
const update = async (type: string, id: string, olds: Plain, news: Plain, preview = false) => {
  const request = new messages.UpdateRequest()
    .setUrn(urnOf(type))
    .setId(id)
    .setOlds(struct(olds))
    .setNews(struct(news));
  return valuesOf((await plugin.call("update", request.setPreview(preview))).getProperties());
};
const diff = async (type: string, id: string, olds: Plain, news: Plain) => {
  const request = new messages.DiffRequest()
    .setUrn(urnOf(type))
    .setId(id)
    .setOlds(struct(olds))
    .setNews(struct(news));
  const reply = await plugin.call("diff", request);
  const details = reply.getDetaileddiffMap().toArray() as unknown as [string, { getKind(): number }][];
  return {
    changes: reply.getChanges(),
    replaces: reply.getReplacesList(),
    stables: reply.getStablesList(),
    deletesFirst: reply.getDeletebeforereplace(),
    details: Object.fromEntries(
      [...reply.getDetaileddiffMap().entries()].map(([path, one]) => [path, one.getKind()]),
    ),
    count: details.length,
  };
};
const read = async (type: string, id: string, state: Plain = {}, inputs: Plain = {}) => {
  const request = new messages.ReadRequest()
    .setUrn(urnOf(type))
    .setId(id)
    .setProperties(struct(state))
    .setInputs(struct(inputs));
  const reply = await plugin.call("read", request);
  return { id: reply.getId(), state: valuesOf(reply.getProperties()), inputs: valuesOf(reply.getInputs()) };
};
const remove = (type: string, id: string, state: Plain) =>
  plugin.call(
    "delete",
    new messages.DeleteRequest().setUrn(urnOf(type)).setId(id).setProperties(struct(state)),
  );

describe("as a plugin", () => {
  it("says what it takes, which version it is, and what is in it", async () => {
    const shaken = await plugin.call("handshake", new messages.ProviderHandshakeRequest());
    expect(shaken.toObject()).toMatchObject({
      acceptSecrets: true,
      acceptResources: false,
      acceptOutputs: false,
      supportsAutonamingConfiguration: true,
    });
    const { version } = require("../../package.json");
    expect((await plugin.call("getPluginInfo", new Empty())).getVersion()).toBe(version);
    const schema = JSON.parse((await plugin.call("getSchema", new messages.GetSchemaRequest())).getSchema());
    expect(schema).toMatchObject({ name: "slipway", version });
    expect((await plugin.call("getMapping", new messages.GetMappingRequest())).getProvider()).toBe("");
    expect((await plugin.call("getMappings", new messages.GetMappingsRequest())).getProvidersList()).toEqual(
      [],
    );
  });

  it("names a type and a function that it does not have", async () => {
    await expect(check("Nothing", {})).rejects.toThrow(
      "slipway has no resource of type slipway:index:Nothing.",
    );
    const request = new messages.InvokeRequest().setTok("slipway:index:getNothing");
    await expect(plugin.call("invoke", request)).rejects.toThrow(
      "slipway has no function slipway:index:getNothing.",
    );
  });
});

it("prints nothing of its own while a resource is created, read and deleted, and a type is refused", async () => {
  const own = await configured();
  const request = new messages.CreateRequest().setUrn(urnOf("Project")).setProperties(struct({ name: web }));
  const reply = await own.call("create", request);
  const [id, state] = [reply.getId(), reply.getProperties()];
  await own.call("read", new messages.ReadRequest().setUrn(urnOf("Project")).setId(id).setProperties(state));
  await own.call(
    "delete",
    new messages.DeleteRequest().setUrn(urnOf("Project")).setId(id).setProperties(state),
  );
  await expect(
    own.call("check", new messages.CheckRequest().setUrn(urnOf("Nothing")).setNews(struct({}))),
  ).rejects.toThrow("slipway has no resource");
  await own.close();
  expect(own.printed()).toBe("");
});

describe("what it is configured with", () => {
  const checkConfig = async (on: Plugin, news: Plain, name = "mine") => {
    const request = new messages.CheckRequest().setUrn(providerUrn(name)).setNews(struct(news));
    const reply = await on.call("checkConfig", request);
    return {
      inputs: valuesOf(reply.getInputs()),
      reasons: reply.getFailuresList().map((one) => one.getReason()),
    };
  };

  it("keeps the token a secret, and says what cannot be right", async () => {
    expect(await checkConfig(plugin, { token: "canary", apiUrl: w.server.url })).toEqual({
      inputs: { token: secret("canary"), apiUrl: w.server.url },
      reasons: [],
    });
    const { reasons } = await checkConfig(plugin, { token: "canary 1", apiUrl: w.server.url });
    expect(reasons).toEqual([expect.stringMatching(/^The access token .* contains a space/)]);
    expect((await checkConfig(plugin, {})).reasons).toEqual([
      expect.stringMatching(/^No access token is configured/),
    ]);
    expect((await checkConfig(plugin, { token: unknown })).reasons).toEqual([]);
  });

  it("comes from an explicit provider, then the environment, then the stack", async () => {
    const project = (on: Plugin, name: string) =>
      on.call(
        "create",
        new messages.CreateRequest().setUrn(urnOf("Project")).setProperties(struct({ name })),
      );
    const stack = JSON.stringify({ "slipway:apiUrl": w.server.url, "slipway:token": w.server.token });
    for (const name of ["mine", "default-mine"]) {
      const explicit = await configured(
        { SLIPWAY_TOKEN: "wrong", SLIPWAY_TEAM: "nobody", PULUMI_CONFIG: stack },
        { token: secret(w.server.token), team: "acme" },
        providerUrn(name),
      );
      expect((await project(explicit, name)).getId()).toMatch(/^prj_/);
      await explicit.close();
    }
    const usual = await configured({ SLIPWAY_TOKEN: w.server.token }, settings({ token: "wrong" }));
    expect((await project(usual, "b")).getId()).toMatch(/^prj_/);
    const wrong = await configured({ SLIPWAY_TOKEN: "wrong" });
    await expect(project(wrong, "c")).rejects.toThrow(byProfile(/401 forbidden/, /403 forbidden/));
    await Promise.all([usual.close(), wrong.close()]);
  });

  it("asks the engine to refresh promotions and sensitive variables before updates, if it is told to", async () => {
    await w.server.control.seed({ projects: [{ team: "acme", name: "refreshed" }] });
    const given = { project: "refreshed", value: "canary", target: ["preview"] };
    const types = ["sensitive", "encrypted"];
    const asked = async (on: Plugin, key: string): Promise<boolean[]> =>
      Promise.all(
        types.map(async (type) => {
          const properties = struct({ ...given, key: `${key}_${type}`, type });
          const request = new messages.CreateRequest().setUrn(urnOf("EnvVar")).setProperties(properties);
          return (await on.call("create", request)).getRefreshBeforeUpdate();
        }),
      );
    const cases: [Record<string, string>, Plain, string | undefined, boolean][] = [
      [{}, settings(), undefined, false],
      [{}, settings({ refreshBeforeUpdate: "true" }), undefined, true],
      [{ SLIPWAY_REFRESH_BEFORE_UPDATE: "true" }, settings(), undefined, true],
      [
        { SLIPWAY_REFRESH_BEFORE_UPDATE: "true" },
        settings({ refreshBeforeUpdate: false }),
        providerUrn("mine"),
        false,
      ],
      [{}, settings({ refreshBeforeUpdate: true }), providerUrn("mine"), true],
    ];
    for (const [at, [environment, inputs, urn, isAsked]] of cases.entries()) {
      const own = await configured(environment, inputs, urn);
      expect([at, await asked(own, `K${at}`)]).toEqual([at, [isAsked, false]]);
      await own.close();
    }
    const { reasons } = await checkConfig(plugin, { ...settings(), refreshBeforeUpdate: "yes" });
    expect(reasons).toEqual([expect.stringMatching(/must be one of true, false/)]);
  });

  it("rotates a token without replacing anything, and is another provider for another account only", async () => {
    await w.server.control.seed({
      teams: [{ slug: "beta", members: [{ user: "dev", role: "OWNER" }] }],
      tokens: [{ token: "any-team", user: "dev" }],
    });
    const { id: acme } = (await w.curl("GET", "/v2/teams/acme")) as unknown as { id: string };
    const asked = async (olds: Plain, news: Plain, name = "mine") => {
      const request = new messages.DiffRequest().setUrn(providerUrn(name)).setId("p");
      const reply = await plugin.call(
        "diffConfig",
        request.setOldInputs(struct(olds)).setOlds(struct(olds)).setNews(struct(news)),
      );
      return [reply.getChanges(), reply.getReplacesList()];
    };
    const any = settings({ token: secret("any-team") });
    expect(await asked(any, any)).toEqual([DIFF_NONE, []]);
    expect(await asked(settings(), any)).toEqual([DIFF_SOME, []]);
    expect(await asked(any, { ...any, team: acme })).toEqual([DIFF_SOME, []]);
    expect(await asked(any, { ...any, team: "beta" })).toEqual([DIFF_SOME, ["team"]]);
    expect(await asked(any, { ...any, team: unknown })).toEqual([DIFF_SOME, []]);
    expect(await asked(any, { ...any, team: "beta" }, "default_0_1_0")).toEqual([DIFF_SOME, []]);
    expect(await asked(any, { ...any, team: "beta" }, "default")).toEqual([DIFF_SOME, []]);
    // One of a program's own, whatever it is called.
    expect((await asked(any, { ...any, team: "beta" }, "default-beta"))[1]).toEqual(["team"]);
    // Where one of the accounts cannot be told, nothing is replaced.
    const barred = settings({ token: secret("wrong"), team: "beta" });
    expect(await asked(any, barred)).toEqual([DIFF_SOME, []]);
    expect(await asked(barred, any)).toEqual([DIFF_SOME, []]);
    const dynamic = { "slipway:provider.team": "acme", "slipway:provider.token": secret("any-team") };
    expect(await asked({ ...dynamic, "slipway:provider.apiUrl": w.server.url }, any)).toEqual([
      DIFF_NONE,
      [],
    ]);
  });
});

describe("a resource", () => {
  it("lives: checked, created, compared, read, updated and deleted", async () => {
    const declared = { name: web, buildCommand: "make", framework: null };
    const { inputs, failures } = await check("Project", declared);
    expect({ inputs, failures }).toEqual({ inputs: declared, failures: [] });
    const { id, state } = await create("Project", inputs);
    expect(state).toMatchObject(declared);
    expect(await diff("Project", id, state, inputs)).toMatchObject({ changes: DIFF_NONE, details: {} });
    expect(await read("Project", id, state, inputs)).toEqual({ id, state, inputs: declared });
    const next = { ...inputs, buildCommand: "make all" };
    const updated = await update("Project", id, state, next);
    expect(updated).toEqual({ ...state, ...next });
    await remove("Project", id, updated);
    expect(await read("Project", id, updated)).toMatchObject({ id: "" });
  });

  it("is named by its program, by its stack's policy, or after itself, and then keeps its name", async () => {
    const named = async (name: string, mode?: 0 | 1 | 2, proposed = "", olds: Plain = {}) => {
      const request = new messages.CheckRequest()
        .setUrn(urnOf("Project", name))
        .setOlds(struct(olds))
        .setNews(struct({}));
      if (mode !== undefined) {
        request.setAutonaming(
          new messages.CheckRequest.AutonamingOptions().setMode(mode).setProposedName(proposed),
        );
      }
      const reply = await plugin.call("check", request);
      const [failure] = reply.getFailuresList();
      return failure?.getReason() ?? valuesOf(reply.getInputs()).name;
    };
    expect(await named("My Site")).toBe("my-site");
    expect(await named("My Site", Mode.PROPOSE, "My Site-4f2a")).toBe("my-site-4f2a");
    expect(await named("web", Mode.ENFORCE, "web.exact")).toBe("web.exact");
    expect(await named("web", Mode.ENFORCE, "Not Valid")).toMatch(/^name must consist of lower case letters/);
    expect(await named("web", Mode.DISABLE)).toBe("name is missing.");
    expect(await named("renamed", Mode.PROPOSE, "other-4f2a", { name: "kept" })).toBe("kept");
    expect((await check("Project", { name: "given" }, { name: "web" })).inputs).toEqual({ name: "given" });
  });

  it("shows each property that differs, and how", async () => {
    const declared = {
      name: web,
      buildCommand: "make",
      protectionBypass: { "a.b": { rotation: "1" } },
      dataCache: { disabled: true },
    };
    const { id, state } = await create("Project", declared);
    const { buildCommand: _, ...rest } = declared;
    expect(
      await diff("Project", id, state, {
        ...rest,
        framework: "astro",
        dataCache: { disabled: false },
        protectionBypass: { "a.b": { rotation: unknown } },
      }),
    ).toMatchObject({
      changes: DIFF_SOME,
      replaces: [],
      stables: ["accountId"],
      deletesFirst: false,
      details: {
        buildCommand: Kind.DELETE,
        framework: Kind.ADD,
        "dataCache.disabled": Kind.UPDATE,
        'protectionBypass["a.b"].rotation': Kind.UPDATE,
      },
    });
    const variable = { project: id, key: "K", value: "v", target: ["preview"] };
    const made = await create("EnvVar", variable);
    expect(await diff("EnvVar", made.id, made.state, { ...variable, project: unknown })).toMatchObject({
      replaces: ["project"],
      stables: [],
      deletesFirst: true,
      details: { project: Kind.UPDATE_REPLACE },
    });
  });

  it("is previewed with all that is known, at any depth", async () => {
    const planned = await create("Project", { name: web, dataCache: { disabled: unknown } }, true);
    // Values that the service fills are not known yet.
    expect(planned).toMatchObject({
      id: "",
      state: {
        name: web,
        dataCache: { disabled: unknown },
        nodeVersion: unknown,
        accountId: unknown,
        bypassSecrets: secret(unknown),
      },
    });
    expect(planned.state).not.toHaveProperty("passwordProtection");
    const { id, state } = await create("Project", { name: web });
    const { computed: _, at: __, ...visible } = state;
    expect(await update("Project", id, state, { name: web, framework: "astro" }, true)).toEqual({
      ...visible,
      framework: "astro",
      bypassSecrets: secret(unknown),
      deployHookUrls: secret(unknown),
    });
    // A state of an earlier version lacks what the service has.
    const earlier = { name: web, accountId: state.accountId, at: state.at };
    expect(await update("Project", id, earlier, { name: web }, true)).toMatchObject({
      nodeVersion: unknown,
    });
    for (const key of ["project", "key", "value", "target", "comment", "type"]) {
      const news = { project: id, key: "K", value: "v", type: "plain", target: ["preview"], [key]: unknown };
      const { inputs, failures } = await check("EnvVar", news);
      expect([key, failures]).toEqual([key, []]);
      expect(revealed(inputs)).toEqual(news);
    }
    expect((await w.server.control.snapshot()).projects).toHaveLength(1);
    expect(await w.server.control.requests()).not.toContainEqual(
      expect.objectContaining({ method: "PATCH" }),
    );
  });

  it("keeps what is a secret exactly that, and nothing else", async () => {
    const protection = { deploymentType: "all", password: secret("canary-password") };
    const declared = { name: secret(web), passwordProtection: protection, trustedIps: undefined };
    const { trustedIps: _, ...given } = declared;
    const { inputs } = await check("Project", given);
    expect(inputs.name).toEqual(secret(web));
    expect(Object.keys(inputs.passwordProtection as Plain)).toContain("value");
    const { id, state } = await create("Project", inputs);
    const isMarked = (values: Plain) =>
      Object.keys(values)
        .filter((key) => isPlain(values[key]) && "4dabf18193072939515e22adb298388d" in (values[key] as Plain))
        .sort();
    expect(isMarked(state)).toEqual(["bypassSecrets", "deployHookUrls", "name", "passwordProtection"]);
    const found = await read("Project", id, state, inputs);
    expect(isMarked(found.state)).toEqual(isMarked(state));
    expect(isMarked(found.inputs)).toEqual(["name", "passwordProtection"]);
    const updated = await update("Project", id, state, { ...inputs, buildCommand: secret("make") });
    expect(isMarked(updated)).toEqual(["buildCommand", ...isMarked(state)].sort());
    const declaredNow = { ...inputs, buildCommand: secret("make") };
    expect(await diff("Project", id, updated, declaredNow)).toMatchObject({ changes: DIFF_NONE });

    const variable = await create("EnvVar", {
      project: id,
      key: "K",
      value: "canary-value",
      target: [secret("preview"), "production"],
    });
    expect(variable.state.value).toEqual(secret("canary-value"));
    expect(variable.state.target).toEqual([secret("preview"), "production"]);
    // Found in another order, any of them may be the secret.
    await w.curl("PATCH", `/v9/projects/${variable.id.replace("/", "/env/")}`, {
      target: ["development", "preview"],
    });
    const other = await configured();
    const request = new messages.ReadRequest().setUrn(urnOf("EnvVar")).setId(variable.id);
    const again = await other.call("read", request.setProperties(struct(variable.state)));
    expect(valuesOf(again.getProperties()).target).toEqual(secret(expect.arrayContaining(["development"])));
    await other.close();
  });

  it("names no property of a failure, since the engine would print its value", async () => {
    const { failures } = await check("Project", {
      name: web,
      framework: 5,
      passwordProtection: { deploymentType: "canary", password: 5 },
    });
    expect(failures.length).toBeGreaterThan(1);
    expect(failures.map(({ property }) => property).filter((property) => property !== "")).toEqual([]);
    expect(JSON.stringify(failures)).not.toContain("canary");
  });

  it("that fails half-way keeps what there is of it, secrets as secrets", async () => {
    await w.server.control.changeTeam("acme", { plan: "hobby", addons: [] });
    const declared = {
      name: web,
      framework: secret("astro"),
      passwordProtection: { deploymentType: "all", password: "canary-password" },
    };
    const error = await create("Project", declared).catch((error) => error);
    expect(error.message).toMatch(/^PATCH \/v9\/projects\/prj_\w+: 428 /);
    expect(error.kept).toMatchObject({ properties: { name: web, framework: secret("astro") } });
    expect(error.kept.inputs).toEqual({
      ...declared,
      passwordProtection: secret(declared.passwordProtection),
    });
    expect(error.kept.properties.passwordProtection).toBeUndefined();
    await remove("Project", error.kept.id, error.kept.properties);
  });

  inFull("has the time that its program gives it, and keeps what is done by then", async () => {
    await w.server.control.seed({ projects: [{ team: "acme", name: web }] });
    await w.server.control.addFaults({ kind: "delay", delayMs: 20_000, path: "/v10/projects", times: 1 });
    const request = new messages.CreateRequest()
      .setUrn(urnOf("Project"))
      .setProperties(struct({ name: "slow" }));
    await expect(plugin.call("create", request.setTimeout(1))).rejects.toThrow(
      "The step was not finished within 1 s. Run again to continue, or allow more time with customTimeouts.",
    );
    await w.server.control.clearFaults();

    await w.server.control.seed(takenApexes("example.com"));
    const project = await create("Project", { name: "mine" });
    const domain = await create("ProjectDomain", { project: project.id, name: "example.com" });
    const proof = new messages.CreateRequest()
      .setUrn(urnOf("DomainVerification"))
      .setProperties(struct({ project: project.id, name: "example.com" }));
    const error = await plugin.call("create", proof.setTimeout(1)).catch((error) => error);
    expect(error.message).toMatch(/^The step was not finished within 1 s\./);
    expect(error.kept).toMatchObject({ id: domain.id, properties: { verified: false } });
  });

  it.each([
    ["Project", "/v10/projects", { name: "slow" }],
    ["Webhook", "/v1/webhooks", { url: "https://example.com/hook", events: ["project.created"] }],
    ["LogDrain", "/v1/drains", { name: "audit", endpoint: "https://example.com/logs" }],
    ["TraceDrain", "/v1/drains", { name: "traces", endpoint: "https://example.com/v1/traces" }],
  ])("keeps a %s that is being made when its time is up", async (type, path, inputs) => {
    await w.server.control.addFaults({ kind: "delay", delayMs: 1_500, method: "POST", path });
    const request = new messages.CreateRequest().setUrn(urnOf(type)).setProperties(struct(inputs));
    const made = await plugin.call("create", request.setTimeout(1));
    expect(made.getId()).not.toBe("");
    await remove(type, made.getId(), valuesOf(made.getProperties()));
  });

  it("ends what it waits for when the run is cancelled, and takes nothing up again", async () => {
    const other = await configured();
    await w.server.control.seed(takenApexes("example.com"));
    const project = await create("Project", { name: web });
    await create("ProjectDomain", { project: project.id, name: "example.com" });
    const proof = new messages.CreateRequest()
      .setUrn(urnOf("DomainVerification"))
      .setProperties(struct({ project: project.id, name: "example.com" }));
    const waiting = other.call("create", proof).catch((error) => error);
    const isWaiting = async () =>
      (await w.server.control.requests()).some(({ path }) => String(path).endsWith("/verify"));
    await until("the plugin waits for the verification", isWaiting);
    await other.call("cancel", new Empty());
    const error = await waiting;
    expect(error.message).toBe("The run was cancelled.");
    expect(error.kept).toMatchObject({ properties: { verified: false } });
    await other.close();
  });

  it("is imported by its id or name, with inputs of which nothing changes", async () => {
    await w.server.control.seed({
      projects: [{ team: "acme", name: web, framework: "nextjs" }],
      domains: [{ team: "acme", project: web, name: "example.com", verified: true }],
      env: ["K", "L"].map((key) => ({
        team: "acme",
        project: web,
        key,
        value: "canary",
        type: "plain",
        target: ["preview"],
      })),
      deployments: [
        {
          id: "dpl_1",
          team: "acme",
          project: web,
          target: "production",
          readyState: "READY",
          createdAt: 1,
        },
      ],
    });
    for (const [type, id] of [
      ["Project", web],
      ["ProjectDomain", `${web}/example.com`],
      ["DomainVerification", `${web}/example.com`],
      ["EnvVar", `${web}/K/preview`],
      ["EnvVars", `${web}/L`],
      ["Promotion", web],
    ] as const) {
      const found = await read(type, id);
      expect([type, found.id]).toEqual([type, expect.stringMatching(/^prj_/)]);
      const { inputs, failures } = await check(type, found.inputs, found.inputs);
      expect([type, failures]).toEqual([type, []]);
      expect([type, await diff(type, found.id, found.state, inputs)]).toMatchObject([type, { details: {} }]);
      expect(JSON.stringify(revealed(found.inputs))).toContain(type.startsWith("EnvVar") ? "canary" : "");
      if (type.startsWith("EnvVar"))
        expect(JSON.stringify(found)).toContain(JSON.stringify(secret("canary")).slice(0, 40));
    }
    await expect(read("Project", "nope")).rejects.toThrow(/404 .*Check the id, `<project>`, and the account/);
  });

  it("that was imported twice is kept when one of the two leaves the program", async () => {
    const fresh = await configured();
    const made = await create("Project", { name: web });
    const variables = `/v10/projects/${made.id}/env`;
    await w.curl("POST", variables, { key: "K", value: "v", type: "plain", target: ["preview"] });
    const as = (name: string): string => urnOf("EnvVar", name);
    const imported = (name: string, known: Plain = {}): Promise<messages.ReadResponse> => {
      const asked = new messages.ReadRequest().setUrn(as(name)).setId(`${web}/K/preview`);
      return fresh.call("read", asked.setProperties(struct(known)));
    };
    const compare = (name: string, found: messages.ReadResponse) => {
      const asked = new messages.DiffRequest().setUrn(as(name)).setId(found.getId());
      return fresh.call("diff", asked.setOlds(found.getProperties()).setNews(found.getInputs()));
    };
    const drop = (name: string, found: messages.ReadResponse) => {
      const asked = new messages.DeleteRequest().setUrn(as(name)).setId(found.getId());
      return fresh.call("delete", asked.setProperties(found.getProperties()));
    };
    const left = async () => (await w.curl("GET", `/v9/projects/${made.id}/env`)).envs;
    const first = await imported("first");
    // A refresh does not change whose it is.
    const second = await imported("second", valuesOf((await imported("second")).getProperties()));
    await compare("first", first);
    await expect(compare("second", second)).rejects.toThrow(/in the state of two resources/);
    await drop("second", second);
    expect(await left()).toHaveLength(1);
    await compare("renamed", await imported("renamed", valuesOf(first.getProperties())));
    await drop("renamed", first);
    expect(await left()).toEqual([]);
    await fresh.close();
  });

  it("that the dynamic provider made stays what it is, and can go back", async () => {
    const made = await create("Project", { name: web });
    const text = "module.exports=require('slipway/dynamic').project";
    const state = { ...made.state, __provider: text };
    expect(await diff("Project", made.id, state, { name: web })).toMatchObject({ changes: DIFF_NONE });
    const updated = await update("Project", made.id, state, { name: web, framework: "astro" });
    expect(updated.__provider).toBe(text);
    const found = await read("Project", made.id, updated, { name: web, __provider: text });
    expect(found.state.__provider).toBe(text);
    expect(found.inputs).toEqual({ name: web, framework: "astro" });
  });
});

it("says in each request which resource of the program sends it", async () => {
  await create("slipway:index:Project", { name: web });
  const requests = await w.server.control.requests();
  expect(requests.find(({ method }) => method === "POST")?.resource).toBe("Project it");
});

describe("when something is to be adopted, of which the CLI is asked", () => {
  let cli: FakeCli;
  let asking: Plugin;
  beforeEach(async () => {
    cli = new FakeCli();
    asking = await configured({ PATH: cli.path });
    await w.curl("POST", "/v10/projects", { name: "taken", framework: "vue" });
  });
  afterEach(async () => {
    await asking.close();
    cli.close();
  });

  const declared = { name: "taken", framework: "nextjs" };
  const adopt = (): Promise<messages.CreateResponse> => {
    const inputs = struct({ ...declared, adopt: true });
    const request = new messages.CreateRequest().setUrn(urnOf("Project")).setProperties(inputs);
    return asking.call("create", request);
  };
  const framework = async () => (await w.curl("GET", "/v9/projects/taken")).framework;

  it("is taken over when nobody of the stack has it", async () => {
    const { id } = await w.curl("GET", "/v9/projects/taken");
    cli.record([{ type: "EnvVar", name: "else", outputs: { at: "a".repeat(24) } }], [urnOf("Project")]);
    expect((await adopt()).getId()).toBe(id);
    expect(await framework()).toBe("nextjs");
  });

  it.each(["slipway:index:Project", "pulumi-nodejs:dynamic/slipway:Project"])(
    "is left to the %s of the stack that has it",
    async (type) => {
      cli.record([], [urnOf("Project")]);
      const outputs = valuesOf((await adopt()).getProperties());
      // Another process knows of the stack what the CLI tells.
      cli.record([{ type, name: "owner", outputs }], [urnOf("Project")]);
      await asking.close();
      asking = await configured({ PATH: cli.path });
      await expect(adopt()).rejects.toThrow(/belongs to Project "owner" of this stack/);
    },
  );

  it("is left to what was imported, and taken from what only reads it", async () => {
    const { id } = await w.curl("GET", "/v9/projects/taken");
    const asked = new messages.ReadRequest().setUrn(urnOf("Project")).setId(`${id}`);
    const reply: messages.ReadResponse = await asking.call("read", asked);
    const read = {
      type: "slipway:index:Project",
      name: "owner",
      id: `${id}`,
      outputs: valuesOf(reply.getProperties()),
    };
    cli.record([read], [urnOf("Project")]);
    await expect(adopt()).rejects.toThrow(/belongs to Project "owner" of this stack/);
    await asking.close();
    asking = await configured({ PATH: cli.path });
    cli.record([{ ...read, external: true }], [urnOf("Project")]);
    expect((await adopt()).getId()).toBe(id);
  });

  it.each<[string, (cli: FakeCli) => void, RegExp]>([
    ["no state is to be had", () => {}, /`pulumi stack export --stack test` failed: error: no stack/],
    ["the state is of another run", (one) => one.record([], []), /is not the state of this run/],
    [
      "the state of some resource is secret",
      (one) =>
        one.record([{ type: "Project", name: "dark", outputs: { at: secret("x") } }], [urnOf("Project")]),
      /the state has the outputs of Project "dark" as secrets/,
    ],
  ])("is left alone when %s, and another way is named", async (_what, prepare, reason) => {
    prepare(cli);
    const refusal = await adopt().then(String, String);
    expect(refusal).toMatch(reason);
    expect(refusal).toMatch(/"taken" exists, and is not adopted.*`pulumi import`/);
    expect(await framework()).toBe("vue");
    // It is asked again.
    cli.record([], [urnOf("Project")]);
    await adopt();
  });

  it.each(oneOf(2, ["accountId", "projectId", "name", "records"]))(
    "is left alone when the %s of some resource in the state is secret",
    async (key) => {
      cli.record([{ type: "EnvVars", name: "dark", outputs: { [key]: secret("x") } }], [urnOf("Project")]);
      await expect(adopt()).rejects.toThrow(/the state has the outputs of EnvVars "dark" as secrets/);
    },
  );

  it("is not asked for what is not there, and is named where the owner of a name cannot be found", async () => {
    expect((await create("Project", { name: "fresh", adopt: true })).state).toMatchObject({ adopt: true });
    await expect(create("Project", declared)).rejects.toThrow(
      /409 conflict.*The project taken already exists.*`pulumi stack export .*choose another name/,
    );
    expect(await framework()).toBe("vue");
  });
});
