import * as messages from "@pulumi/pulumi/proto/provider_pb";
import type { Plain } from "../../../provider/core/values";
import { lookups } from "../../../provider/lookups";
import { urnOf } from "../../support/fake-cli";
import { type Call, callerOf, newService } from "../in-process-plugin-host";
import { secret, struct, valuesOf } from "../plugin-host";
import { type Harness, startHarness } from "../stack";

let w: Harness;
let call: Call;
beforeAll(async () => {
  w = await startHarness();
  await w.server.control.seed({
    projects: [{ team: "acme", name: "web", framework: "nextjs" }],
    domains: [{ team: "acme", project: "web", name: "example.com" }],
    env: (["plain", "encrypted", "sensitive"] as const).map((type) => ({
      team: "acme",
      project: "web",
      key: type.toUpperCase(),
      value: `canary-${type}`,
      type,
      target: ["preview"],
    })),
    deployments: [
      { id: "dpl_1", team: "acme", project: "web", target: "production", readyState: "READY", createdAt: 1 },
    ],
  });
  await w.server.control.seed({
    blobStores: [{ id: "store_1", team: "acme", name: "images", count: 2, size: 9, token: "canary" }],
    accessGroups: [
      { id: "ag_1", team: "acme", name: "Developers", projects: [{ project: "web", role: "ADMIN" }] },
    ],
  });
  await w.server.control.seed({
    microfrontendGroups: [
      { id: "mfe_1", team: "acme", name: "shop", projects: [{ project: "web", isDefaultApp: true }] },
    ],
  });
  await w.curl("POST", "/v9/projects/web/custom-environments", { slug: "staging" });
  await w.curl("POST", "/v1/edge-config", { slug: "flags", items: { banner: "canary" } });
  call = callerOf(newService());
  const args = struct({ apiUrl: w.server.url, token: secret(w.server.token), team: "acme" });
  const urn = urnOf("pulumi:providers:slipway", "default");
  await call("configure", new messages.ConfigureRequest().setUrn(urn).setArgs(args));
});
afterAll(() => w.close());

async function invoke(name: string, args: Plain): Promise<Plain> {
  const request = new messages.InvokeRequest().setTok(`slipway:index:${name}`).setArgs(struct(args));
  return valuesOf((await call("invoke", request)).getReturn());
}

const answers: Record<keyof typeof lookups, [args: Plain, answer: Plain]> = {
  getProject: [{ project: "web" }, { name: "web", framework: "nextjs", production: "dpl_1" }],
  getProjects: [{ search: "we" }, { projects: [{ name: "web" }] }],
  getProjectDomains: [
    { project: secret("web") },
    { domains: [{ name: "example.com" }, { name: "web.vercel.app" }] },
  ],
  getDomainConfig: [
    { domain: "example.com", project: "web" },
    { misconfigured: true, recommendedCname: "cname.slipway.app", recommendedIpv4s: ["192.0.2.1"] },
  ],
  getEnvVars: [
    { project: "web" },
    { variables: expect.arrayContaining([expect.objectContaining({ key: "PLAIN", type: "plain" })]) },
  ],
  getPromoteAliases: [{ project: "web" }, { aliases: [] }],
  getCustomEnvironment: [{ project: "web", environment: "staging" }, { slug: "staging" }],
  getEdgeConfig: [{ edgeConfig: "flags" }, { slug: "flags", itemCount: 1 }],
  getBlobStore: [
    { blobStore: "images" },
    { id: "store_1", name: "images", access: "public", region: "iad1", fileCount: 2, sizeInBytes: 9 },
  ],
  getTeam: [{}, { slug: "acme", name: expect.any(String) }],
  getAccessGroup: [{ accessGroup: "Developers" }, { id: "ag_1", membersCount: 0, projectsCount: 1 }],
  getMicrofrontendGroup: [
    { microfrontendGroup: "shop" },
    { id: "mfe_1", defaultAppProjectId: expect.stringMatching(/^prj_/), projectIds: [] },
  ],
  getDeployment: [
    { project: "web", id: "dpl_1" },
    { id: "dpl_1", readyState: "READY" },
  ],
  getDeployments: [
    { project: "web", readyState: "READY", target: "production" },
    { deployments: [{ id: "dpl_1", createdAt: 1 }] },
  ],
};
const names = Object.keys(answers) as (keyof typeof lookups)[];

it("covers every look-up", () => {
  expect(names.sort()).toEqual(Object.keys(lookups).sort());
});

it.each(names)("%s returns what the service has", async (name) => {
  const [args, answer] = answers[name];
  expect(await invoke(name, args)).toMatchObject(answer);
});

// Plain forms of SDKs unwrap secrets, so a mark would not protect a value.
it.each(names)("%s returns no secret, neither in clear nor marked", async (name) => {
  const answer = JSON.stringify(await invoke(name, answers[name][0]));
  expect(answer).not.toContain("canary");
  expect(answer).not.toContain("4dabf18193072939515e22adb298388d");
});

it("refuses a state that no deployment has", async () => {
  await expect(invoke("getDeployments", { project: "web", readyState: "NOPE" })).rejects.toThrow(
    /readyState must be one of QUEUED, .*CANCELED/,
  );
  const some = await invoke("getDeployments", { project: "web", readyState: "READY,ERROR" });
  expect(some.deployments).toHaveLength(1);
});

it("returns all projects without a search", async () => {
  expect(await invoke("getProjects", {})).toMatchObject({ projects: [{ name: "web" }] });
});

it.each<[string, Plain, string]>([
  ["getProject", {}, "getProject: project is missing."],
  ["getProject", { project: null }, "getProject: project is missing."],
  ["getEnvVars", { project: 5 }, "getEnvVars: project must be a string."],
  ["getProject", { projct: "web" }, "unknown input projct. Did you mean project?"],
  ["getCustomEnvironment", { project: "web" }, "getCustomEnvironment: environment is missing."],
  ["getEdgeConfig", {}, "getEdgeConfig: edgeConfig is missing."],
  ["getBlobStore", {}, "getBlobStore: blobStore is missing."],
  ["getAccessGroup", {}, "getAccessGroup: accessGroup is missing."],
  [
    "getDeployment",
    { project: "web", id: "dpl_1", branch: "main" },
    "getDeployment: id names one deployment. Leave out gitSha, branch and after, or leave out id.",
  ],
])("%s refuses %j", async (name, args, reason) => {
  const before = (await w.server.control.requests()).length;
  await expect(invoke(name, args)).rejects.toThrow(reason);
  expect(await w.server.control.requests()).toHaveLength(before);
});

it("refuses a project that does not exist", async () => {
  await expect(invoke("getProject", { project: "nope" })).rejects.toThrow(/404/);
});

it.each(["slipway:index:getNothing", "slipway:index:constructor", "other:index:getProject"])(
  "refuses the function %s",
  async (token) => {
    const request = new messages.InvokeRequest().setTok(token);
    await expect(call("invoke", request)).rejects.toThrow(`slipway has no function ${token}.`);
  },
);
