import * as pulumi from "@pulumi/pulumi";
import { MockMonitor } from "@pulumi/pulumi/runtime/mocks";
import { Site, type SiteArgs } from "../../sdk";
import type { Subject } from "../provider/subject";
import { subject as verificationFields } from "../provider/subjects/domain-verification";
import { subject as variablesFields } from "../provider/subjects/env-vars";
import { subject as projectFields } from "../provider/subjects/project";
import { subject as domainFields } from "../provider/subjects/project-domain";
import { subject as promotionFields } from "../provider/subjects/promotion";
import { until } from "../support/until";

let registered: pulumi.runtime.MockResourceArgs[] = [];
const record = { type: "TXT", domain: "_vercel.example.com", value: "proof" };
/** Whether the service has verified the domains. */
let verified = false;

beforeEach(async () => {
  // A registration that the test before left under way goes into the list of that test.
  const ofTest: typeof registered = [];
  registered = ofTest;
  verified = false;
  await pulumi.runtime.setMocks({
    newResource(args) {
      ofTest.push(args);
      const isDomain = args.type.endsWith(":ProjectDomain");
      const state = isDomain ? { ...args.inputs, verified, verification: [record] } : args.inputs;
      return { id: `${args.name}-id`, state };
    },
    call: () => ({}),
  });
});

// The outputs of a component are registered after its children are made.
afterEach(() => pulumi.runtime.disconnect());

const resolved = <T>(output: pulumi.Output<T>): Promise<T> =>
  new Promise((resolve) => void output.apply(resolve));
const site = async (args: SiteArgs): Promise<Site> => {
  const made = new Site("web", args);
  for (const child of [made.project, ...Object.values(made.domains), made.variables, made.promotion]) {
    if (child) await resolved(child.urn);
  }
  return made;
};
const inputsOf = (type: string, name: string): Record<string, unknown> | undefined =>
  registered.find((one) => one.type === `pulumi-nodejs:dynamic/slipway:${type}` && one.name === name)?.inputs;

it("makes a project with its domains, variables and production", async () => {
  const web = await site({
    project: { framework: "nextjs" },
    domains: [{ name: "www.example.com", redirect: "example.com" }, "example.com", "*.example.com"],
    variables: { K: "canary" },
    production: { deployment: "dpl_1" },
  });
  expect(inputsOf("Project", "web")).toMatchObject({ name: "web", framework: "nextjs" });
  expect(inputsOf("ProjectDomain", "web-www.example.com")).toMatchObject({
    project: "web-id",
    redirect: "example.com",
  });
  expect(inputsOf("Promotion", "web")).toMatchObject({ project: "web-id", deployment: "dpl_1" });
  expect(inputsOf("EnvVars", "web")).toMatchObject({ project: "web-id" });
  expect(await resolved(web.projectId)).toBe("web-id");
  expect(await resolved(web.urls)).toEqual(["https://www.example.com", "https://example.com"]);
  expect(await resolved(web.challenges)).toEqual([record]);
  expect(await resolved(web.production)).toBe("dpl_1");
  expect(web.variables && (await pulumi.isSecret(web.variables.variables))).toBe(true);
});

it("has no challenge of a domain that is verified", async () => {
  verified = true;
  const web = await site({ domains: ["example.com"] });
  expect(await resolved(web.challenges)).toEqual([]);
});

it("parents its children, and makes no more than is declared", async () => {
  const web = await site({});
  expect(registered.map(({ type }) => type)).toEqual([
    "slipway:index:Site",
    "pulumi-nodejs:dynamic/slipway:Project",
  ]);
  expect(await resolved(web.project.urn)).toContain(
    "slipway:index:Site$pulumi-nodejs:dynamic/slipway:Project",
  );
  expect(await resolved(web.production)).toBeUndefined();
  expect(await resolved(web.urls)).toEqual([]);
});

it("hands on every input that its children have", async () => {
  const first = ({ rows }: Subject) =>
    Object.fromEntries(rows.filter(({ path }) => !path.includes(".")).map((row) => [row.path, row.first]));
  const { adopt: _, ...settings } = first(projectFields);
  const { gitBranch, redirectStatusCode } = first(domainFields);
  const { project: __, ...promotion } = first(promotionFields);
  const declared = {
    adopt: true,
    project: settings,
    domains: [
      { name: "one.com", gitBranch },
      {
        name: "two.com",
        redirect: "one.com",
        redirectStatusCode,
        verify: { timeoutMs: 5, waitForDns: true },
      },
      { name: "three.com", customEnvironmentId: "env_1" },
    ],
    variables: { K: "canary" },
    production: { ...promotion, deployment: "dpl_1" },
  };
  await site(declared as SiteArgs);
  await until(
    "all is registered",
    () => inputsOf("DomainVerification", "web-two.com") && inputsOf("Promotion", "web"),
  );
  const handed = (type: string, ...names: string[]) =>
    [...new Set(names.flatMap((name) => Object.keys(inputsOf(type, name) ?? {})))]
      .filter((key) => !key.startsWith("__"))
      .sort();
  const inputs = ({ resource }: Subject, ...without: string[]) =>
    Object.keys(resource.inputs.shape)
      .filter((key) => !without.includes(key))
      .sort();
  expect(handed("Project", "web")).toEqual(inputs(projectFields));
  // The wait for verification is a child of its own.
  expect(handed("ProjectDomain", "web-one.com", "web-two.com", "web-three.com")).toEqual(
    inputs(domainFields, "waitForVerification", "timeoutMs"),
  );
  expect(handed("DomainVerification", "web-two.com")).toEqual(inputs(verificationFields));
  // Options for all variables are set on each.
  expect(handed("EnvVars", "web")).toEqual(inputs(variablesFields, "target", "type"));
  expect(handed("Promotion", "web")).toEqual(inputs(promotionFields));
});

it("has a challenge published before it waits for the domain", async () => {
  const seen: unknown[] = [];
  await site({
    domains: [
      {
        name: "example.com",
        verify: {
          timeoutMs: 5,
          publish(records, opts) {
            records.apply((known) => seen.push(known));
            return new pulumi.ComponentResource("dns:index:Record", "proof", {}, opts);
          },
        },
      },
    ],
  });
  const types = () => registered.map(({ type }) => type);
  await until("the verification is registered", () =>
    types().find((type) => type.endsWith(":DomainVerification")),
  );
  expect(seen).toEqual([[record]]);
  expect(inputsOf("DomainVerification", "web-example.com")).toMatchObject({ timeoutMs: 5 });
  expect(types().indexOf("dns:index:Record")).toBeLessThan(
    types().indexOf("pulumi-nodejs:dynamic/slipway:DomainVerification"),
  );
  expect(types()).toContain("dns:index:Record");
});

it("promotes a deployment after its domains exist and are verified", async () => {
  const register = jest.spyOn(MockMonitor.prototype, "registerResource");
  await site({
    domains: ["a.com", { name: "b.com", verify: { timeoutMs: 5 } }],
    production: { deployment: "dpl_1" },
  });
  await until("the promotion is registered", () => inputsOf("Promotion", "web"));
  const requests = register.mock.calls.map(([request]) => request);
  const promotion = requests.find((request) => request.getType().endsWith(":Promotion"));
  const awaited = promotion
    ?.getDependenciesList()
    .map((urn: string) => urn.split("::").slice(-2).join(" ").replace(/^.*:/, ""));
  expect(awaited).toEqual(
    expect.arrayContaining([
      "ProjectDomain web-a.com",
      "ProjectDomain web-b.com",
      "DomainVerification web-b.com",
    ]),
  );
  register.mockRestore();
});

it("refuses a domain that is declared twice", async () => {
  expect(() => new Site("web", { domains: ["a.com", { name: "a.com" }] })).toThrow(
    /a\.com is declared twice/,
  );
  // Resources before the refusal are registered here, not in the next test.
  await until("the project is registered", () => inputsOf("Project", "web"));
});

it("declares each domain after the one that it redirects to, however long the chain is", async () => {
  await site({
    domains: [
      { name: "a.com", redirect: "b.com" },
      { name: "b.com", redirect: "c.com" },
      { name: "c.com", redirect: "d.com" },
      "d.com",
    ],
  });
  const names = registered.filter(({ type }) => type.endsWith(":ProjectDomain")).map(({ name }) => name);
  expect(names).toEqual(["web-d.com", "web-c.com", "web-b.com", "web-a.com"]);
});

it.each([
  [
    [
      ["a", "b"],
      ["b", "a"],
    ],
    "a.example.com, b.example.com",
  ],
  [
    [
      ["a", "b"],
      ["b", "c"],
      ["c", "b"],
    ],
    "b.example.com, c.example.com",
  ],
])("refuses domains that redirect to each other: %j", (redirects, named) => {
  const domains = redirects.map(([name, redirect]) => ({
    name: `${name}.example.com`,
    redirect: `${redirect}.example.com`,
  }));
  expect(() => new Site("web", { domains })).toThrow(
    `Site "web": the domains ${named} redirect to each other. Remove one of the redirects.`,
  );
});

it("takes domains that redirect to one outside of the site, or to one that redirects itself", async () => {
  const domains = [
    { name: "a.example.com", redirect: "b.example.com" },
    { name: "b.example.com", redirect: "elsewhere.example.com" },
  ];
  const web = await site({ domains });
  expect(Object.keys(web.domains).sort()).toEqual(["a.example.com", "b.example.com"]);
});
