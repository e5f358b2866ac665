import {
  type CreateRequest,
  CreateResponse,
  type DeleteRequest,
  type ReadRequest,
  ReadResponse,
  type UpdateRequest,
  UpdateResponse,
} from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { expanded } from "../core/computed";
import { recordKey, withReader } from "../core/ownership-record";
import { PartialFailure } from "../core/partial-failure";
import type { Resource } from "../core/resource";
import type { Step } from "../core/step";
import type { Plain } from "../core/values";
import { providerKey } from "../hosting";
import { type HostContext, resourceOf, stateIn } from "./host-context";
import { InitFailed } from "./replies";
import { plain, received, sent } from "./wire";

/** Creates a resource. This file has all steps: create, update, read and delete. */

export async function create(request: CreateRequest, context: HostContext): Promise<CreateResponse> {
  const resource = resourceOf(request.getUrn());
  const news = received(request.getProperties());
  const inputs = plain(news);
  const reply = new CreateResponse();
  if (request.getPreview())
    return reply.setProperties(sent(resource.planned(inputs), [news], resource.traits.secret));
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
    .setProperties(sent(expanded(state), [news], resource.traits.secret));
}

export async function update(request: UpdateRequest, context: HostContext): Promise<UpdateResponse> {
  const resource = resourceOf(request.getUrn());
  const [olds, news] = [received(request.getOlds()), received(request.getNews())];
  const [before, inputs] = [stateIn(olds), plain(news)];
  const reply = new UpdateResponse();
  if (request.getPreview()) {
    return reply.setProperties(sent(resource.planned(inputs, plain(olds)), [news], resource.traits.secret));
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
    .setProperties(sent({ ...expanded(state), ...hostedBefore(olds) }, [news], resource.traits.secret));
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
    .setProperties(
      sent({ ...expanded(state), ...hostedBefore(olds) }, [olds, inputs], resource.traits.secret),
    )
    .setInputs(sent(found.inputs, [olds, inputs], resource.traits.secret));
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
      sent(state, [news, olds], resource.traits.secret),
      sent(plain(news), [news], resource.traits.secret),
      error,
    );
  }
}
