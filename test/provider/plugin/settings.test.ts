import * as messages from "@pulumi/pulumi/proto/provider_pb";
import type { Resource } from "../../../provider/core/resource";
import type { Plain } from "../../../provider/core/values";
import { envVar } from "../../../provider/resources/env-var";
import { envVars } from "../../../provider/resources/env-vars";
import { projectDomain } from "../../../provider/resources/project-domain";
import { promotion } from "../../../provider/resources/promotion";
import { urnOf } from "../../support/fake-cli";
import { type Call, callerOf, newService } from "../in-process-plugin-host";
import { secret, struct, valuesOf } from "../plugin-host";
import { type Harness, startHarness } from "../stack";

let w: Harness;
/** The ids of teams, by slug. */
const teams = new Map<string, string>();
const environment = process.env;
beforeAll(async () => {
  w = await startHarness();
  await w.server.control.seed({
    teams: [{ slug: "beta", members: [{ user: "dev", role: "OWNER" }] }],
    tokens: [{ token: "any-team", user: "dev" }],
  });
  for (const slug of ["acme", "beta"]) {
    const answer = await fetch(`${w.server.url}/v2/teams/${slug}`, {
      headers: { authorization: "Bearer any-team" },
    });
    teams.set(slug, ((await answer.json()) as { id: string }).id);
  }
});
beforeEach(() => {
  process.env = {
    ...environment,
    SLIPWAY_API_URL: w.server.url,
    SLIPWAY_TOKEN: "any-team",
    SLIPWAY_TEAM: "beta",
  };
});
afterEach(() => {
  process.env = environment;
});
afterAll(() => w.close());

const providerUrn = (name: string): string => urnOf("pulumi:providers:slipway", name);

async function configured(name: string, args: Plain): Promise<Call> {
  const call = callerOf(newService());
  await call("configure", new messages.ConfigureRequest().setUrn(providerUrn(name)).setArgs(struct(args)));
  return call;
}

/** The slug of the team in which a provider makes a project. */
async function teamOf(call: Call, project: string): Promise<string | undefined> {
  const request = new messages.CreateRequest().setUrn(urnOf("Project"));
  const reply = await call("create", request.setProperties(struct({ name: project })));
  const { accountId } = valuesOf(reply.getProperties());
  return ["acme", "beta"].find((slug) => teams.get(slug) === accountId);
}

const checkConfig = async (news: Plain, name = "mine") => {
  const request = new messages.CheckRequest().setUrn(providerUrn(name)).setNews(struct(news));
  const reply = await callerOf(newService())("checkConfig", request);
  return {
    inputs: valuesOf(reply.getInputs()),
    reasons: reply.getFailuresList().map((failure) => failure.getReason()),
  };
};

describe("an explicit provider", () => {
  it.each(["mine", "default", "default_7", "default_0_1_0", "default_0_1_0_https_/example.com"])(
    "named %s uses its own team, whatever the environment says",
    async (name) => {
      const args = { kind: "explicit", team: "acme" };
      expect(
        await teamOf(await configured(name, args), `of-${name.replace(/\W+/g, "-").replaceAll("_", "-")}`),
      ).toBe("acme");
    },
  );

  it("takes what its program does not set from the configuration of the stack", async () => {
    process.env.PULUMI_CONFIG = JSON.stringify({ "slipway:team": "acme" });
    const call = await configured("mine", { kind: "explicit" });
    delete process.env.PULUMI_CONFIG;
    delete process.env.SLIPWAY_TEAM;
    expect(await teamOf(call, "of-the-stack")).toBe("acme");
  });

  it("of an SDK that does not mark it is told apart by a name that the engine never gives", async () => {
    expect(await teamOf(await configured("agency", { team: "acme" }), "unmarked")).toBe("acme");
  });

  it.each([
    [{ team: 5 }, /^team must be a string/],
    [{ token: { a: "canary" } }, /^token must be a string/],
    [{ tokn: "canary" }, /^unknown input tokn\. Did you mean token\?/],
    [{ kind: "other" }, /^kind must be one of explicit/],
  ])("is refused with %j", async (over, reason) => {
    const { reasons } = await checkConfig({ kind: "explicit", ...over });
    expect(reasons).toEqual([expect.stringMatching(reason)]);
    expect(reasons.join()).not.toContain("canary");
  });

  it("is accepted with the plugin that its SDK names", async () => {
    const named = { version: "1.2.3", pluginDownloadURL: "https://example.com" };
    expect((await checkConfig({ kind: "explicit", ...named })).reasons).toEqual([]);
  });

  it("is accepted while a setting is unknown", async () => {
    const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
    expect((await checkConfig({ kind: "explicit", team: unknown })).reasons).toEqual([]);
  });
});

describe("a default provider", () => {
  it.each(["default", "default_0_1_0", "default_0_1_0_https_/example.com"])(
    "named %s uses the team of the environment before that of the stack",
    async (name) => {
      expect(
        await teamOf(
          await configured(name, { team: "acme" }),
          `by-${name.replace(/\W+/g, "-").replaceAll("_", "-")}`,
        ),
      ).toBe("beta");
    },
  );

  it("ignores configuration of the program, and suggests a name that is misspelt", async () => {
    const printed = jest.spyOn(console, "error").mockReturnValue();
    const { inputs, reasons } = await checkConfig(
      { token: secret("canary"), tokne: "canary", deployment: "dpl_1" },
      "default_0_1_0",
    );
    expect(reasons).toEqual([]);
    expect(inputs).toMatchObject({ deployment: "dpl_1" });
    expect(printed.mock.calls).toEqual([
      ["slipway: warning: the configuration slipway:tokne has no effect. Did you mean slipway:token?"],
    ]);
    printed.mockRestore();
  });
});

describe("a refresh before updates", () => {
  it("is asked for after every step of a sensitive variable", async () => {
    const call = await configured("mine", { kind: "explicit", team: "acme", refreshBeforeUpdate: true });
    await teamOf(call, "refreshed");
    const inputs = {
      project: "refreshed",
      key: "K",
      value: "canary",
      type: "sensitive",
      target: ["preview"],
    };
    const urn = urnOf("EnvVar");
    const made = await call("create", new messages.CreateRequest().setUrn(urn).setProperties(struct(inputs)));
    const [id, news] = [made.getId(), struct({ ...inputs, comment: "why" })];
    const updated = await call(
      "update",
      new messages.UpdateRequest().setUrn(urn).setId(id).setOlds(made.getProperties()).setNews(news),
    );
    const read = await call(
      "read",
      new messages.ReadRequest().setUrn(urn).setId(id).setProperties(updated.getProperties()),
    );
    const asked = [made, updated, read].map((reply) => reply.getRefreshBeforeUpdate());
    expect(asked).toEqual([true, true, true]);
  });

  it.each<[Resource, Plain, boolean]>([
    [promotion, {}, true],
    [envVar, { type: "encrypted" }, false],
    [envVars, { variables: { A: "a" }, target: ["preview"], type: "sensitive" }, true],
    [envVars, { variables: { A: "a", B: { value: "b", type: "sensitive" } } }, true],
    [envVars, { variables: { A: { value: "a", type: "plain" } }, type: "sensitive" }, false],
    [envVars, { variables: { A: "a" } }, false],
    [projectDomain, {}, false],
  ])("concerns promotions and sensitive variables (%#)", (resource, state, isNeeded) => {
    expect(resource.needsRefresh(state)).toBe(isNeeded);
  });
});
