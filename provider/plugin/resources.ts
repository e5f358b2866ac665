import {
  CheckFailure,
  CheckRequest,
  CheckResponse,
  type CreateRequest,
  CreateResponse,
  type DeleteRequest,
  type DiffRequest,
  DiffResponse,
  PropertyDiff,
  type ReadRequest,
  ReadResponse,
  type UpdateRequest,
  UpdateResponse,
} from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import type { Settings } from "../client/config";
import { collapsed, expanded } from "../core/computed";
import type { Change } from "../core/diff";
import { recordKey, withReader } from "../core/ownership-record";
import { PartialFailure } from "../core/partial-failure";
import type { Resource } from "../core/resource";
import type { RunContext } from "../core/run-context";
import type { Step } from "../core/step";
import { nameOf, typeOf } from "../core/urn";
import type { Plain } from "../core/values";
import { providerKey, resourceOfType } from "../hosting";
import { InitFailed } from "./replies";
import { tokenStart } from "./tokens";
import { plain, received, sent } from "./wire";

/** The methods of the service for resources. */

/** The state and the functions that the service passes to the methods. */
export interface HostContext {
  run(): RunContext;
  /** @throws ConfigError */
  settings(): Settings;
  /**
   * The resources whose diff needs no replacement, by URN. The engine may replace them nevertheless: for any change with
   * `replaceOnChanges`, and after a replacement that was interrupted. It then checks the resource as if it were new.
   * `isChange`: the diff has changes. `deletedFirst`: a replacement deletes the old object first.
   */
  compared: Map<string, { isChange: boolean; deletedFirst: boolean }>;
  /** Returns the property paths that a resource ignores. @throws Error when they are not known */
  ignoredBy(urn: string): Promise<readonly string[]>;
  /** Whether the user asks for a refresh of resources before each update. @throws ConfigError */
  refreshesBeforeUpdate(): boolean;
  /** Returns the errors in the configuration. */
  problems(): string[];
  /** Shows a warning about a resource. */
  warn(urn: string, message: string): void;
  /** Shows progress of a resource. */
  inform(urn: string, message: string): void;
  /** Runs a step with the time limit of its resource. @param seconds 0: no limit */
  withLimits<T>(seconds: number, step: () => Promise<T>): Promise<T>;
}

function resourceOf(urn: string): Resource {
  const type = typeOf(urn);
  const resource = type.startsWith(tokenStart) && resourceOfType.get(type.slice(tokenStart.length));
  if (!resource) throw new Error(`slipway has no resource of type ${type}.`);
  return resource;
}

export async function check(request: CheckRequest, context: HostContext): Promise<CheckResponse> {
  const { problems, settings, warn } = context;
  const resource = resourceOf(request.getUrn());
  const [olds, news] = [received(request.getOlds()), received(request.getNews())];
  const failures = problems();
  const previous = plain(olds);
  const given = resource.normalize(plain(news));
  const inputs = failures.length > 0 ? given : resource.complete(settings(), previous, given);
  if (resource.autoName && inputs.name === undefined) {
    // @choice An existing object keeps its name after a change of the logical name or of the auto-naming setting.
    try {
      inputs.name = previous.name ?? nameFor(resource.autoName, request);
    } catch (error) {
      failures.push(error instanceof Error ? error.message : String(error));
    }
  }
  if (failures.length === 0) {
    failures.push(...resource.check(previous, inputs).map(({ reason }) => reason));
  }
  if (failures.length === 0) {
    for (const warning of resource.warnings(inputs)) warn(request.getUrn(), warning);
    failures.push(...(await refusals(resource, request.getUrn(), context, previous, inputs)));
  }
  // With a property, the engine would print its value, even a secret.
  return new CheckResponse()
    .setInputs(sent(inputs, [news], resource.secret))
    .setFailuresList(failures.map((reason) => new CheckFailure().setReason(reason)));
}

async function refusals(
  resource: Resource,
  urn: string,
  { run, compared }: HostContext,
  previous: Plain,
  inputs: Plain,
): Promise<string[]> {
  const replaced = Object.keys(previous).length === 0 ? compared.get(urn) : undefined;
  // Only its own old object can have the key, and that one is deleted first.
  if (replaced?.deletedFirst) return [];
  const reasons = (await resource.refusals(run(), previous, inputs, { urn })).map(({ reason }) => reason);
  if (!replaced || reasons.length === 0 || !("adopt" in resource.inputs.shape)) return reasons;
  if (!replaced.isChange)
    return [
      "The object still exists, although it should have been replaced. If the option `retainOnDelete` kept it, set " +
        "{ adopt: true } on this resource, which takes it over.",
    ];
  return [
    "Its option replaceOnChanges requires a replacement, and the object cannot exist twice. Remove that option. Or, to " +
      "delete the object and everything in it first, set { adopt: true } and the option { deleteBeforeReplace: true }.",
  ];
}

/** The default name, from the stack's auto-naming setting or the resource; undefined if the program must declare one. */
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

const kinds = {
  add: [PropertyDiff.Kind.ADD, PropertyDiff.Kind.ADD_REPLACE],
  update: [PropertyDiff.Kind.UPDATE, PropertyDiff.Kind.UPDATE_REPLACE],
  delete: [PropertyDiff.Kind.DELETE, PropertyDiff.Kind.DELETE_REPLACE],
} as const;

export async function diff(request: DiffRequest, { run, compared }: HostContext): Promise<DiffResponse> {
  const resource = resourceOf(request.getUrn());
  const [state, news] = [stateIn(received(request.getOlds())), plain(received(request.getNews()))];
  resource.record(run(), request.getId(), state, news);
  const { changes, replaces, deleteBeforeReplace } = await resource.diff(run(), request.getId(), state, news);
  const isChange = changes.length > 0;
  if (replaces.length > 0) compared.delete(request.getUrn());
  else compared.set(request.getUrn(), { isChange, deletedFirst: deleteBeforeReplace });
  const { DIFF_SOME, DIFF_NONE } = DiffResponse.DiffChanges;
  const reply = new DiffResponse()
    .setChanges(changes.length > 0 ? DIFF_SOME : DIFF_NONE)
    .setReplacesList(replaces)
    .setStablesList(replaces.length > 0 ? [] : [...resource.stable])
    .setDeletebeforereplace(deleteBeforeReplace)
    .setHasdetaileddiff(true);
  for (const change of changes) reply.getDetaileddiffMap().set(change.path, detailOf(change));
  return reply;
}

const detailOf = ({ kind, replace }: Change): PropertyDiff =>
  new PropertyDiff().setKind(kinds[kind][replace ? 1 : 0]);

export async function create(request: CreateRequest, context: HostContext): Promise<CreateResponse> {
  const resource = resourceOf(request.getUrn());
  const news = received(request.getProperties());
  const inputs = plain(news);
  const reply = new CreateResponse();
  if (request.getPreview())
    return reply.setProperties(sent(resource.planned(inputs), [news], resource.secret));
  const { id, state } = await reportingPartialFailure(resource, news, {}, () =>
    context.withLimits(request.getTimeout(), () =>
      resource.create(
        context.run(),
        stepOf(context, request, () => context.ignoredBy(request.getUrn())),
        inputs,
      ),
    ),
  );
  return reply
    .setId(id)
    .setRefreshBeforeUpdate(isRefreshedFirst(resource, state, context))
    .setProperties(sent(expanded(state), [news], resource.secret));
}

export async function update(request: UpdateRequest, context: HostContext): Promise<UpdateResponse> {
  const resource = resourceOf(request.getUrn());
  const [olds, news] = [received(request.getOlds()), received(request.getNews())];
  const [before, inputs] = [stateIn(olds), plain(news)];
  const reply = new UpdateResponse();
  if (request.getPreview()) {
    return reply.setProperties(sent(resource.planned(inputs, plain(olds)), [news], resource.secret));
  }
  const state = await reportingPartialFailure(resource, news, olds, () =>
    context.withLimits(request.getTimeout(), () =>
      resource.update(
        context.run(),
        stepOf(context, request, async () => request.getIgnorechangesList()),
        request.getId(),
        before,
        inputs,
      ),
    ),
  );
  return reply
    .setRefreshBeforeUpdate(isRefreshedFirst(resource, state, context))
    .setProperties(sent({ ...expanded(state), ...hostedBefore(olds) }, [news], resource.secret));
}

export async function read(request: ReadRequest, context: HostContext): Promise<ReadResponse> {
  const resource = resourceOf(request.getUrn());
  const [olds, inputs] = [received(request.getProperties()), received(request.getInputs())];
  const found = await context.withLimits(request.getTimeout(), () =>
    resource.read(context.run(), request.getId(), stateIn(olds)),
  );
  // A reply without an id means that the object was deleted.
  if (!found) return new ReadResponse();
  const state = olds[recordKey] === undefined ? withReader(found.state, request.getUrn()) : found.state;
  return new ReadResponse()
    .setId(found.id)
    .setRefreshBeforeUpdate(isRefreshedFirst(resource, state, context))
    .setProperties(sent({ ...expanded(state), ...hostedBefore(olds) }, [olds, inputs], resource.secret))
    .setInputs(sent(found.inputs, [olds, inputs], resource.secret));
}

export async function remove(request: DeleteRequest, context: HostContext): Promise<Empty> {
  const resource = resourceOf(request.getUrn());
  const state = stateIn(received(request.getProperties()));
  await context.withLimits(request.getTimeout(), () =>
    resource.remove(context.run(), stepOf(context, request), request.getId(), state),
  );
  return new Empty();
}

/** True for a resource that the engine refreshes before each preview and update. The engine records this value. */
const isRefreshedFirst = (
  resource: Resource,
  state: Plain,
  { refreshesBeforeUpdate }: HostContext,
): boolean => refreshesBeforeUpdate() && resource.needsRefresh(expanded(state));

/** Converts a state from the engine: computed outputs are separated from the inputs. */
const stateIn = (values: Plain): Plain => collapsed(plain(values));

function stepOf(
  { warn, inform }: HostContext,
  request: { getUrn(): string },
  ignored: Step["ignored"] = async () => [],
): Step {
  const urn = request.getUrn();
  return { urn, warn: (message) => warn(urn, message), inform: (message) => inform(urn, message), ignored };
}

/** The part of the state that the dynamic provider needs if the stack moves back to it. */
const hostedBefore = ({ [providerKey]: text }: Plain): Plain => ({ [providerKey]: text });

/** Reports the progress of a failed step to the engine. */
async function reportingPartialFailure<T>(
  resource: Resource,
  news: Plain,
  olds: Plain,
  step: () => Promise<T>,
): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (!(error instanceof PartialFailure)) throw error;
    const state = { ...expanded(error.state), ...hostedBefore(olds) };
    throw new InitFailed(
      error.id,
      sent(state, [news, olds], resource.secret),
      sent(plain(news), [news], resource.secret),
      error,
    );
  }
}
