import { CheckFailure, CheckRequest, CheckResponse } from "@pulumi/pulumi/proto/provider_pb";
import type { Resource } from "../core/resource";
import { nameOf } from "../core/urn";
import type { Plain } from "../core/values";
import { type HostContext, resourceOf } from "./host-context";
import { plain, received, sent } from "./wire";

/** Completes and checks the inputs of a resource, and refuses what the service would refuse. */
export async function check(request: CheckRequest, context: HostContext): Promise<CheckResponse> {
  const { problems, settings, warn } = context;
  const resource = resourceOf(request.getUrn());
  const [olds, news] = [received(request.getOlds()), received(request.getNews())];
  const failures = problems();
  const previous = plain(olds);
  const given = resource.normalize(plain(news));
  const inputs = failures.length > 0 ? given : resource.complete(settings(), previous, given);
  failures.push(...addName(resource, request, previous, inputs));
  if (failures.length === 0) {
    failures.push(...resource.check(previous, inputs).map(({ reason }) => reason));
  }
  if (failures.length === 0) {
    for (const warning of await resource.warnings(inputs)) warn(request.getUrn(), warning);
    failures.push(...(await refusals(resource, request.getUrn(), context, previous, inputs)));
  }
  // If a failure named its property, the engine would print the property's value, even a secret.
  return new CheckResponse()
    .setInputs(sent(inputs, [news], resource.traits.secret))
    .setFailuresList(failures.map((reason) => new CheckFailure().setReason(reason)));
}

/** Adds the default name. @returns the reason why the resource has none */
function addName({ traits }: Resource, request: CheckRequest, previous: Plain, inputs: Plain): string[] {
  const { autoName } = traits;
  if (!autoName || inputs.name !== undefined) return [];
  // @choice An existing object keeps its name after a change of the logical name or of the auto-naming setting.
  try {
    inputs.name = previous.name ?? nameFor(autoName, request);
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

async function refusals(
  resource: Resource,
  urn: string,
  { run, compared }: HostContext,
  previous: Plain,
  inputs: Plain,
): Promise<string[]> {
  const replaced = Object.keys(previous).length === 0 ? compared.get(urn) : undefined;
  const isDeletedFirst = replaced?.deletedFirst === true;
  const step = { urn, isDeletedFirst, ignored: replaced?.ignored };
  const reasons = (await resource.declare(run(), previous, inputs, step)).map(({ reason }) => reason);
  if (isDeletedFirst) return reasons;
  if (!replaced || reasons.length === 0 || !("adopt" in resource.inputs.shape)) return reasons;
  if (!replaced.isChange)
    return [
      "The object still exists, although it should have been replaced. If the option `retainOnDelete` kept it, set " +
        "{ adopt: true } on this resource, which takes it over.",
    ];
  return [
    "The option replaceOnChanges of this resource requires a replacement, and the object cannot exist twice. Remove the option. Or, to " +
      "delete the object and everything in it first, set { adopt: true } and the option { deleteBeforeReplace: true }.",
  ];
}

/**
 * Returns the default name: from the stack's auto-naming setting, otherwise from `autoName`. Undefined if the stack has
 * turned auto-naming off, so that the program must declare a name.
 */
function nameFor(autoName: (logicalName: string) => string, request: CheckRequest): string | undefined {
  const policy = request.getAutonaming();
  const { Mode } = CheckRequest.AutonamingOptions;
  switch (policy?.getMode()) {
    case Mode.DISABLE:
      return undefined;
    case Mode.ENFORCE:
      return policy.getProposedName();
    default:
      return autoName(policy?.getProposedName() || nameOf(request.getUrn()));
  }
}
