import fc from "fast-check";
import { type Plain, same } from "../../../provider/core/values";
import type { ResourceType } from "../../../provider/loader";
import { first, second } from "../certificates";
import { booleanVariants, colleagues, installation } from "./companions";
import { outputOf, type Placed, type Present, projectIn } from "./placement";
import type { Declaration } from "./program";
import { deploymentId, seeded } from "./project-declarations";

/** Kinds of which a program has one resource at most. */

interface Kind {
  type: ResourceType;
  /** The team has it, and not a project. */
  isOfTeam?: true;
  /** The resources that it is in or about, by the inputs that have an output of them. */
  of?: Readonly<Record<string, readonly [type: ResourceType, output: string]>>;
  inputs: fc.Arbitrary<Plain>;
}

const keys = (...texts: string[]) => fc.constantFrom(...texts);
const text = fc.constantFrom("one", "two words");
const receiver = fc.constantFrom("http://127.0.0.1:9/one", "http://127.0.0.1:9/two");
const source = fc.constantFrom("/old", "/older");
const route = fc.constantFrom("/", "/home");
const maybe = (inputs: Record<string, fc.Arbitrary<unknown>>) => fc.record(inputs, { requiredKeys: [] });

const kinds: readonly Kind[] = [
  {
    type: "FeatureFlag",
    inputs: fc.record(
      {
        slug: keys("checkout", "checkout", "banner"),
        kind: fc.constant("boolean"),
        variants: fc.constant(booleanVariants),
        description: text,
        permanent: fc.boolean(),
        archived: fc.boolean(),
        tags: fc.subarray(["a", "b"]),
      },
      { requiredKeys: ["slug", "kind", "variants"] },
    ),
  },
  {
    type: "FeatureFlagSegment",
    inputs: fc.record(
      {
        slug: keys("beta", "beta", "testers"),
        label: text,
        description: text,
        hint: text,
        include: fc.constantFrom({ user: { email: ["ada@example.com"] } }, { user: { plan: ["a", "b"] } }),
      },
      { requiredKeys: ["slug", "label"] },
    ),
  },
  {
    type: "ProjectRoute",
    inputs: fc.record(
      {
        name: keys("guide", "guide", "docs"),
        description: text,
        enabled: fc.boolean(),
        route: fc.record({ src: source, dest: fc.constantFrom("/new", "/newer") }),
      },
      { requiredKeys: ["name", "route"] },
    ),
  },
  {
    type: "AccessGroup",
    isOfTeam: true,
    inputs: fc.record({ name: keys("group %", "group %", "others %") }),
  },
  {
    type: "BlobStore",
    isOfTeam: true,
    inputs: fc.record(
      { name: keys("store %", "store %", "other store %"), access: fc.constantFrom("public", "private") },
      { requiredKeys: ["name"] },
    ),
  },
  {
    type: "TraceDrain",
    isOfTeam: true,
    inputs: fc.record({ name: keys("traces %", "other traces %"), endpoint: receiver }),
  },
  {
    type: "AuditLogDrain",
    isOfTeam: true,
    inputs: fc.record({ name: keys("audit %", "other audit %"), endpoint: receiver }),
  },
  {
    type: "AccessGroupMember",
    isOfTeam: true,
    of: { accessGroupId: ["AccessGroup", "id"] },
    inputs: fc.record({ email: keys(`${colleagues[0]}@example.com`, `${colleagues[1]}@example.com`) }),
  },
  {
    type: "AccessGroupProject",
    of: { accessGroupId: ["AccessGroup", "id"] },
    inputs: fc.record({ role: fc.constantFrom("ADMIN", "PROJECT_VIEWER") }),
  },
  {
    type: "BlobStoreConnection",
    of: { blobStoreId: ["BlobStore", "id"] },
    inputs: maybe({
      envVarPrefix: keys("FILES", "OTHER_FILES"),
      environments: fc.subarray(["production", "preview", "development"], { minLength: 1 }),
    }),
  },
  {
    type: "FeatureFlagSdkKey",
    inputs: fc.record(
      { environment: keys("production", "preview"), type: keys("server", "client"), label: text },
      { requiredKeys: ["environment", "type"] },
    ),
  },
  {
    type: "MicrofrontendGroup",
    isOfTeam: true,
    of: { defaultAppProjectId: ["Project", "id"] },
    inputs: fc.record(
      { name: keys("shop %", "shop %", "store %"), defaultRoute: route },
      { requiredKeys: ["name"] },
    ),
  },
  {
    type: "MicrofrontendGroupMembership",
    of: { microfrontendGroupId: ["MicrofrontendGroup", "id"] },
    inputs: maybe({ defaultRoute: route, routeObservabilityToThisProject: fc.boolean() }),
  },
  {
    type: "Alias",
    isOfTeam: true,
    inputs: fc.record({
      alias: keys("docs-%.vercel.app", "docs-%.vercel.app", "next-%.vercel.app"),
      deploymentId: fc.nat(seeded - 1),
    }),
  },
  {
    type: "DeploymentProtectionException",
    of: { alias: ["Alias", "alias"] },
    inputs: fc.record({}),
  },
  { type: "IntegrationProjectAccess", inputs: fc.record({ installationId: fc.constant(installation) }) },
  {
    type: "BulkRedirects",
    inputs: fc.record({
      redirects: fc.uniqueArray(
        fc.record(
          { source, destination: fc.constantFrom("/new", "/newer"), statusCode: fc.constantFrom(301, 308) },
          { requiredKeys: ["source", "destination"] },
        ),
        { maxLength: 2, selector: (one) => one.source },
      ),
      onDelete: fc.constantFrom("keep", "remove"),
    }),
  },
  {
    type: "FirewallConfig",
    inputs: fc.record(
      {
        enabled: fc.boolean(),
        ipRules: fc.subarray([
          { ip: "192.0.2.1", hostname: "*", action: "deny" },
          { ip: "192.0.2.2", hostname: "*", action: "log" },
        ]),
        onDelete: fc.constantFrom("keep", "remove"),
      },
      { requiredKeys: [] },
    ),
  },
  {
    type: "RollingRelease",
    inputs: fc.nat(9).map((duration) => ({
      advancementType: "automatic",
      stages: [{ targetPercentage: 10, duration: duration + 1 }, { targetPercentage: 100 }],
    })),
  },
  {
    type: "CustomCertificate",
    isOfTeam: true,
    inputs: fc.record({ pair: keys("first", "second") }),
  },
  {
    type: "TeamConfig",
    isOfTeam: true,
    inputs: maybe({
      description: text,
      enablePreviewFeedback: keys("on", "off"),
      hideIpAddresses: fc.boolean(),
    }),
  },
  {
    type: "Domain",
    isOfTeam: true,
    inputs: fc.record(
      { name: keys("apex-%.org", "apex-%.org", "other-%.org"), zone: fc.boolean() },
      { requiredKeys: ["name"] },
    ),
  },
  { type: "UserToken", isOfTeam: true, inputs: fc.record({ name: keys("token %", "other token %") }) },
];

export const featureCount = kinds.length;

const kindOf = (name: string): Kind => kinds[Number(name.slice(1))] as Kind;

/** Random inputs. @param name that of the slot, whose number is that of the kind */
export const feature = (name: string): fc.Arbitrary<Plain> => kindOf(name).inputs;

/** Some kinds with those that they need, by the numbers of their slots. */
export const someFeatures: fc.Arbitrary<ReadonlySet<number>> = fc
  .subarray([...kinds.keys()], { maxLength: 6 })
  .map((some) => {
    const chosen = new Set(some);
    for (const at of chosen)
      for (const [type] of Object.values(kinds[at]?.of ?? {})) {
        const needed = kinds.findIndex((kind) => kind.type === type);
        if (needed >= 0) chosen.add(needed);
      }
    return chosen;
  });

/**
 * The resources of the kinds that are present, and whose needs are.
 * @param placed puts one on a project
 * @param released whether a project has deployments for production, which a rolling release would not promote at once
 */
export function featuresOf(
  present: readonly Present[],
  placed: (one: Present) => Placed,
  released: (project: string) => boolean,
): Declaration[] {
  const made: Declaration[] = [];
  for (const one of present) {
    const { type, isOfTeam, of = {} } = kindOf(one.name);
    const whole = placed(one);
    const project = projectIn(whole);
    const args = { ...(isOfTeam ? one.args : whole.args) };
    const sources = Object.entries(of).map(([input, [kind, output]]) => {
      const name = kind === "Project" ? project : made.find((other) => other.type === kind)?.name;
      if (name !== undefined) args[input] = outputOf(name, output);
      return name;
    });
    if (type === "Alias") {
      args.deploymentId = deploymentId(project, args.deploymentId);
      // An exception is refused while its alias points to another project.
      args.alias = `${project}-${args.alias}`;
    }
    // Its inputs belong together.
    if (type === "CustomCertificate") {
      Object.assign(args, args.pair === "first" ? first : second);
      delete args.pair;
    }
    const alias = made.find((other) => type === "DeploymentProtectionException" && other.type === "Alias");
    if (alias) args.project = outputOf(String(alias.dependsOn), "id");
    const isDefaultApp = made.some(
      (other) =>
        type === "MicrofrontendGroupMembership" &&
        same(other.args.defaultAppProjectId, outputOf(project, "id")),
    );
    const isLeft =
      sources.includes(undefined) || isDefaultApp || (type === "RollingRelease" && released(project));
    if (isLeft) continue;
    made.push(isOfTeam ? { type, name: one.name, args, dependsOn: [project] } : { ...whole, type, args });
  }
  return made;
}
