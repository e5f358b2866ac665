import * as pulumi from "@pulumi/pulumi";
import type { Alias } from "@pulumi/pulumi/proto/alias_pb";
import { type ConstructRequest, ConstructResponse } from "@pulumi/pulumi/proto/provider_pb";
import { DependencyProviderResource, DependencyResource } from "@pulumi/pulumi/resource";
import * as runtimeResource from "@pulumi/pulumi/runtime/resource";
import * as runtimeRpc from "@pulumi/pulumi/runtime/rpc";
import * as runtimeSettings from "@pulumi/pulumi/runtime/settings";
import * as runtimeState from "@pulumi/pulumi/runtime/state";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { tokenStart } from "../../provider/plugin/tokens";
import { forPlugin } from "../core/hosting";
import { Site, type SiteArgs } from "../site";
import { argsOf } from "./site-args";

/** Parts of the SDK that have no types. */
const { awaitFeatureSupport, waitForRPCs } = runtimeSettings as unknown as {
  awaitFeatureSupport(): Promise<void>;
  waitForRPCs(): Promise<void>;
};
const { hookBindingFromProto } = runtimeResource as unknown as {
  hookBindingFromProto(
    hooks: ConstructRequest.ResourceHooksBinding | undefined,
  ): pulumi.ResourceHookBinding | undefined;
};
const { deserializeProperty } = runtimeRpc as unknown as {
  deserializeProperty(value: unknown, keepUnknowns: boolean): unknown;
};
const { withLocalStorage } = runtimeState as unknown as {
  withLocalStorage<T>(step: () => Promise<T>): Promise<T>;
};

/** Constructs components for programs in every language, with the classes of the npm package. */
export class Components {
  /** Functions that reject constructions in progress. The SDK does not report errors inside an Output to the caller. */
  readonly #rejections = new Set<(error: unknown) => void>();

  constructor() {
    process.on("unhandledRejection", (error) => {
      for (const fail of this.#rejections) fail(error);
    });
  }

  /** @param engine the address of the engine */
  async construct(request: ConstructRequest, engine: string): Promise<ConstructResponse> {
    if (request.getType() !== `${tokenStart}Site`) {
      throw new Error(`slipway has no component of type ${request.getType()}.`);
    }
    let fail: (error: unknown) => void = () => {};
    const failed = new Promise<never>((_, reject) => {
      fail = reject;
      this.#rejections.add(reject);
    });
    try {
      const made = forPlugin(() => withLocalStorage(() => constructSite(request, engine)));
      return await Promise.race([made, failed]);
    } finally {
      this.#rejections.delete(fail);
    }
  }
}

async function constructSite(request: ConstructRequest, engine: string): Promise<ConstructResponse> {
  runtimeSettings.resetOptions(
    request.getProject(),
    request.getStack(),
    request.getParallel(),
    engine,
    request.getMonitorendpoint(),
    request.getDryrun(),
    request.getOrganization(),
  );
  await awaitFeatureSupport();
  pulumi.runtime.setAllConfig(
    Object.fromEntries(request.getConfigMap().entries()),
    request.getConfigsecretkeysList(),
  );
  const args = (await argsOf(request)) as unknown as SiteArgs;
  const site = new Site(request.getName(), args, optionsOf(request));
  const secrets = request.getAdditionalsecretoutputsList();
  const outputs = Object.entries(outputsOf(site)).map(([key, value]) => [
    key,
    secrets.includes(key) ? pulumi.secret(value) : value,
  ]);
  const [state, dependencies] = await pulumi.runtime.serializeResourceProperties(
    "Site",
    Object.fromEntries(outputs),
  );
  const reply = new ConstructResponse()
    .setUrn(await resolved(site.urn))
    .setState(Struct.fromJavaScript(state));
  for (const [key, resources] of dependencies) {
    const urns = await Promise.all([...resources].map(({ urn }) => resolved(urn)));
    reply.getStatedependenciesMap().set(key, new ConstructResponse.PropertyDependencies().setUrnsList(urns));
  }
  await waitForRPCs();
  return reply;
}

/** The outputs of a site, with handles to its resources. */
const outputsOf = (site: Site): pulumi.Inputs => ({
  project: site.project,
  domains: site.domains,
  variables: site.variables,
  promotion: site.promotion,
  projectId: site.projectId,
  urls: site.urls,
  challenges: site.challenges,
  production: site.production,
});

/** The options of the component in the program. */
function optionsOf(request: ConstructRequest): pulumi.ComponentResourceOptions {
  const providers = [...request.getProvidersMap().entries()].map(([name, reference]) => [
    name,
    new DependencyProviderResource(reference),
  ]);
  const parent = request.getParent();
  const timeouts = request.getCustomtimeouts();
  const hooks = hookBindingFromProto(request.getResourceHooks());
  return {
    ...inherited(request),
    ...replacement(request),
    aliases: request
      .getAliasesList()
      .map((alias) => (alias.hasUrn() ? alias.getUrn() : aliasOf(alias.getSpec()))),
    dependsOn: resourcesAt(request.getDependenciesList()),
    ignoreChanges: request.getIgnorechangesList(),
    ...(timeouts && { customTimeouts: timeouts.toObject() }),
    ...(hooks && { hooks }),
    providers: Object.fromEntries(providers),
    ...(parent && { parent: new DependencyResource(parent) }),
  };
}

/** The options that the children of the component inherit. */
function inherited(request: ConstructRequest): pulumi.ComponentResourceOptions {
  const deletedWith = request.getDeletedwith();
  return {
    ...(request.hasProtect() && { protect: request.getProtect() === true }),
    ...(request.hasRetainondelete() && { retainOnDelete: request.getRetainondelete() === true }),
    ...(deletedWith && { deletedWith: new DependencyResource(deletedWith) }),
  };
}

/** The options about replacement. The engine warns about options that have no effect on a component. */
function replacement(request: ConstructRequest): pulumi.CustomResourceOptions {
  const trigger = request.getReplacementTrigger();
  return {
    replaceOnChanges: request.getReplaceonchangesList(),
    replaceWith: resourcesAt(request.getReplaceWithList()),
    ...(trigger && { replacementTrigger: deserializeProperty(trigger.toJavaScript(), true) }),
    ...(request.hasDeletebeforereplace() && {
      deleteBeforeReplace: request.getDeletebeforereplace() === true,
    }),
    additionalSecretOutputs: request.getAdditionalsecretoutputsList(),
  };
}

const resourcesAt = (urns: readonly string[]): pulumi.Resource[] =>
  urns.map((urn) => new DependencyResource(urn));

function aliasOf(spec: Alias.Spec | undefined): pulumi.Alias {
  const alias: pulumi.Alias = {};
  if (spec?.getName()) alias.name = spec.getName();
  if (spec?.getType()) alias.type = spec.getType();
  if (spec?.getProject()) alias.project = spec.getProject();
  if (spec?.getStack()) alias.stack = spec.getStack();
  if (spec?.hasParenturn()) alias.parent = spec.getParenturn();
  else if (spec?.getNoparent()) alias.parent = pulumi.rootStackResource;
  return alias;
}

const resolved = <T>(output: pulumi.Output<T>): Promise<T> =>
  new Promise((resolve) => void output.apply(resolve));
