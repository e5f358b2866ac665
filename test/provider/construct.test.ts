import { Alias } from "@pulumi/pulumi/proto/alias_pb";
import { ConstructRequest } from "@pulumi/pulumi/proto/provider_pb";
import { Value } from "google-protobuf/google/protobuf/struct_pb";
import { unknownText } from "../../provider/hosting";
import { urnOf } from "../support/fake-cli";
import { FakeEngine } from "../support/fake-engine";
import { type Plugin, secret, startPlugin, struct, valuesOf } from "./plugin-host";

const challenge = { type: "TXT", domain: "_vercel.shop.test", value: "proof" };

let engine: FakeEngine;
let plugin: Plugin;
beforeEach(async () => {
  engine = new FakeEngine({
    "slipway:index:ProjectDomain": { verified: false, verification: [challenge] },
  });
  await engine.start();
  plugin = await startPlugin();
});
afterEach(async () => {
  await plugin.close();
  engine.close();
});

const site = (inputs: object = {}, type = "slipway:index:Site"): ConstructRequest =>
  new ConstructRequest()
    .setType(type)
    .setName("shop")
    .setProject("test")
    .setStack("test")
    .setOrganization("organization")
    .setParallel(4)
    .setMonitorendpoint(engine.address)
    .setInputs(struct(inputs as never));
const registered = (type: string) =>
  engine.registered.filter((one) => one.getType() === `slipway:index:${type}`);

it("makes a site of resources of the plugin, and tells its outputs and what they come from", async () => {
  const inputs = {
    project: { framework: "nextjs" },
    domains: [{ name: "www.shop.test", redirect: "shop.test" }, { name: "shop.test" }],
    variables: secret({ A: "canary" }),
  };
  const reply = await plugin.call("construct", site(inputs));
  expect(reply.getUrn()).toBe(urnOf("Site", "shop"));
  expect(valuesOf(reply.getState())).toMatchObject({
    projectId: "shop-id",
    urls: ["https://www.shop.test", "https://shop.test"],
    challenges: [challenge],
  });
  const from = (output: string) => reply.getStatedependenciesMap().get(output)?.getUrnsList();
  expect(from("projectId")).toEqual([urnOf("Project", "shop")]);
  expect(from("urls")?.toSorted()).toEqual(
    ["shop-shop.test", "shop-www.shop.test"].map((name) => urnOf("ProjectDomain", name)),
  );
  expect(engine.registered.map((one) => [one.getType(), one.getName(), one.getParent()]).toSorted()).toEqual([
    ["slipway:index:EnvVars", "shop", urnOf("Site", "shop")],
    ["slipway:index:Project", "shop", urnOf("Site", "shop")],
    ["slipway:index:ProjectDomain", "shop-shop.test", urnOf("Site", "shop")],
    ["slipway:index:ProjectDomain", "shop-www.shop.test", urnOf("Site", "shop")],
    ["slipway:index:Site", "shop", ""],
  ]);
  for (const child of engine.registered.slice(1)) {
    const types = child.getAliasesList().map((alias) => alias.getSpec()?.getType());
    expect(types).toEqual([child.getType().replace("slipway:index:", "pulumi-nodejs:dynamic/slipway:")]);
    const isProject = child.getType() === "slipway:index:Project";
    expect(child.getDeletedwith()).toBe(isProject ? "" : urnOf("Project", "shop"));
  }
  const handle = (type: string, name: string) =>
    expect.objectContaining({ urn: urnOf(type, name), id: `${name}-id` });
  expect(valuesOf(reply.getState())).toMatchObject({
    project: handle("Project", "shop"),
    domains: { "shop.test": handle("ProjectDomain", "shop-shop.test") },
    variables: handle("EnvVars", "shop"),
  });
  const [variables] = registered("EnvVars");
  expect(valuesOf(variables?.getObject())).toMatchObject({
    project: "shop-id",
    variables: secret({ A: "canary" }),
  });
  await plugin.close();
  expect(plugin.printed()).toBe("");
});

it("takes secrets and what is not known yet within its project, domains and production", async () => {
  const inputs = {
    project: { framework: secret("nextjs"), buildCommand: unknownText },
    domains: [
      { name: "shop.test", gitBranch: unknownText, verify: { timeoutMs: secret(1000) } },
      { name: "www.shop.test", redirect: "shop.test", redirectStatusCode: secret(308) },
    ],
    production: { deployment: unknownText },
  };
  const request = site(inputs).setDryrun(true);
  const other = urnOf("Project", "other");
  const dependencies = new ConstructRequest.PropertyDependencies().setUrnsList([other]);
  for (const key of Object.keys(inputs)) request.getInputdependenciesMap().set(key, dependencies);
  await plugin.call("construct", request);
  const [project] = registered("Project");
  const values = (type: string) => registered(type).map((one) => valuesOf(one.getObject()));
  expect(project?.getDependenciesList()).toEqual([other]);
  expect(values("Project")).toEqual([
    expect.objectContaining({ framework: secret("nextjs"), buildCommand: unknownText }),
  ]);
  expect(values("ProjectDomain")).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ name: "shop.test", gitBranch: unknownText }),
      expect.objectContaining({ name: "www.shop.test", redirectStatusCode: secret(308) }),
    ]),
  );
  expect(values("Promotion")).toEqual([expect.objectContaining({ deployment: unknownText })]);
  const whole = site({ domains: unknownText, project: secret({ framework: "nextjs" }) });
  await expect(plugin.call("construct", whole)).rejects.toThrow(
    /^Site "shop": domains is a secret or not yet known/,
  );
});

it("takes over the options of the program", async () => {
  const request = site()
    .setParent(urnOf("my:index:Page", "page"))
    .setProtect(true)
    .setRetainondelete(true)
    .setDeletedwith(urnOf("my:index:Account", "account"))
    .setIgnorechangesList(["production"])
    .setReplaceonchangesList(["domains"])
    .setCustomtimeouts(new ConstructRequest.CustomTimeouts().setCreate("5m"))
    .setDependenciesList([urnOf("Project", "first")])
    .setReplaceWithList([urnOf("Project", "second")])
    .setReplacementTrigger(Value.fromJavaScript("v2"))
    .setDeletebeforereplace(true)
    .setAdditionalsecretoutputsList(["urls"])
    .setResourceHooks(
      new ConstructRequest.ResourceHooksBinding()
        .setBeforeCreateList(["before"])
        .setAfterDeleteList(["after"]),
    )
    .setAliasesList([
      new Alias().setUrn(urnOf("Site", "old")),
      new Alias().setSpec(new Alias.Spec().setName("older").setNoparent(true)),
      new Alias().setSpec(
        new Alias.Spec()
          .setType("my:index:Shop")
          .setProject("old")
          .setStack("dev")
          .setParenturn(urnOf("Site", "above")),
      ),
    ]);
  const provider = `${urnOf("pulumi:providers:slipway", "mine")}::id`;
  request.getProvidersMap().set("slipway", provider);
  const reply = await plugin.call("construct", request);
  expect(valuesOf(reply.getState()).urls).toEqual(secret([]));
  const [made] = registered("Site");
  expect(made?.getReplacementTrigger()?.toJavaScript()).toBe("v2");
  expect(made?.toObject()).toMatchObject({
    parent: urnOf("my:index:Page", "page"),
    protect: true,
    retainondelete: true,
    deletedwith: urnOf("my:index:Account", "account"),
    ignorechangesList: ["production"],
    replaceonchangesList: ["domains"],
    customtimeouts: { create: "5m" },
    dependenciesList: [urnOf("Project", "first"), urnOf("Project", "second")],
    replaceWithList: [urnOf("Project", "second")],
    deletebeforereplace: true,
    deletebeforereplacedefined: true,
    additionalsecretoutputsList: ["urls"],
    hooks: { beforeCreateList: ["before"], afterDeleteList: ["after"] },
    providersMap: [["slipway", provider]],
  });
  const aliases = made?.getAliasesList() ?? [];
  expect(aliases.some((alias) => alias.getUrn() === urnOf("Site", "old"))).toBe(true);
  expect(aliases.some((alias) => alias.getSpec()?.getName() === "older")).toBe(true);
  expect(aliases.map((alias) => alias.getSpec()?.toObject())).toContainEqual(
    expect.objectContaining({
      ...{ type: "my:index:Shop", project: "old", stack: "dev" },
      parenturn: urnOf("Site", "above"),
    }),
  );
  expect(registered("Project")[0]?.getProvider()).toBe(provider);
});

it("fails with the reason when a part of the site is refused, and then makes the next one", async () => {
  engine.refusals.set("slipway:index:Project", "name may have lower case letters");
  await expect(plugin.call("construct", site())).rejects.toThrow(/name may have lower case letters/);
  engine.refusals.clear();
  expect((await plugin.call("construct", site())).getUrn()).toBe(urnOf("Site", "shop"));
});

it("refuses domains that are declared twice, and a component that it does not have", async () => {
  const twice = site({ domains: [{ name: "shop.test" }, { name: "shop.test" }] });
  await expect(plugin.call("construct", twice)).rejects.toThrow(/the domain shop\.test is declared twice/);
  await expect(plugin.call("construct", site({}, "slipway:index:Page"))).rejects.toThrow(
    "slipway has no component of type slipway:index:Page.",
  );
});
