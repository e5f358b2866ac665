import type { UntypedServiceImplementation } from "@grpc/grpc-js";
import { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import {
  type CheckRequest,
  type ConfigureRequest,
  ConfigureResponse,
  type ConstructRequest,
  type ConstructResponse,
  type CreateRequest,
  type DeleteRequest,
  type DiffRequest,
  GetMappingResponse,
  GetMappingsResponse,
  GetSchemaResponse,
  type InvokeRequest,
  type ProviderHandshakeRequest,
  ProviderHandshakeResponse,
  type ReadRequest,
  type UpdateRequest,
} from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { type Lookup, settingsFrom, warningsOf } from "../client/config";
import { sentFor } from "../client/sender";
import { withLimits } from "../client/step-limits";
import { version } from "../client/version";
import { nameOf, typeOf } from "../core/urn";
import { Contexts } from "../hosting";
import { LookupClients } from "../lookups/lookup";
import { StackState } from "../stack-state";
import { StepsInProgress } from "../termination";
import { cancel } from "./cancellation";
import { check } from "./check";
import { diff } from "./diff";
import { EngineLog } from "./engine-log";
import type { HostContext } from "./host-context";
import { invoke } from "./invokes";
import { list } from "./list";
import { Replies } from "./replies";
import { checkConfig, configOf, configProblems, diffConfig, refreshesBeforeUpdate } from "./settings";
import { create, read, remove, update } from "./steps";
import { tokenStart } from "./tokens";

/** The options that the process of the plugin passes to its service. */
export interface ServiceOptions {
  /** The package schema. */
  schema: string;
  /** The address of the engine, if it is on the command line. */
  engine: string | undefined;
  /** Constructs a component. Passed as an option, because components use the SDK, which this layer must not import. */
  construct(request: ConstructRequest, engine: string): Promise<ConstructResponse>;
  /** Aborting it ends the waits of steps. The service does so when the engine calls `Cancel`. */
  cancelled?: AbortController;
  steps?: StepsInProgress;
}

/** The gRPC service of the provider, which Pulumi's engine calls. */
export function service({
  schema,
  engine,
  construct,
  cancelled = new AbortController(),
  steps = new StepsInProgress(),
}: ServiceOptions): UntypedServiceImplementation {
  // Until the engine calls `configure`, settings come only from the environment.
  let config: Lookup = () => undefined;
  const log = new EngineLog(engine);
  const lookupClients = new LookupClients();
  const stack = new StackState();
  const contexts = new Contexts(stack);
  const { unary, paged } = new Replies(steps);
  const named = <Request extends { getUrn(): string }, Reply>(step: (request: Request) => Promise<Reply>) =>
    unary(naming(stack, step));
  const context: HostContext = {
    run: () => contexts.of(settingsFrom(config)),
    settings: () => settingsFrom(config),
    compared: new Map(),
    ignoredBy: (urn) => stack.ignoredBy(urn),
    refreshesBeforeUpdate: () => refreshesBeforeUpdate(config),
    problems: () => configProblems(config),
    warn: (urn, message) => void log.warn(urn, message),
    inform: (urn, message) => log.info(message, urn),
    withLimits: (seconds, step) => withLimits({ seconds, cancelled: cancelled.signal }, step),
  };

  return {
    ...descriptionMethods(schema, log, unary),

    checkConfig: unary((request: CheckRequest) =>
      checkConfig(request, (message) => log.warn(request.getUrn(), message)),
    ),
    diffConfig: unary((request: DiffRequest) => diffConfig(request, contexts)),
    configure: unary((request: ConfigureRequest) => {
      config = configOf(request);
      stack.provider = request.getUrn() || undefined;
      for (const warning of warningsOf(config)) void log.warn(request.getUrn() ?? "", warning);
      return configured();
    }),

    check: named((request: CheckRequest) => check(request, context)),
    diff: named((request: DiffRequest) => diff(request, context)),
    create: named((request: CreateRequest) => stack.step(request.getUrn(), () => create(request, context))),
    read: named((request: ReadRequest) => read(request, context)),
    update: named((request: UpdateRequest) => stack.step(request.getUrn(), () => update(request, context))),
    delete: named((request: DeleteRequest) => remove(request, context)),
    invoke: unary((request: InvokeRequest) =>
      context.withLimits(0, () => invoke(request, context.settings, lookupClients, (text) => log.info(text))),
    ),

    list: paged((request) => context.withLimits(0, () => list(request, context.settings, lookupClients))),

    construct: unary((request: ConstructRequest) => construct(request, log.address)),

    cancel: unary(async () => {
      await cancel(cancelled, contexts, log);
      return new Empty();
    }),
  };
}

const configured = (): ConfigureResponse =>
  new ConfigureResponse()
    .setAcceptsecrets(true)
    .setSupportspreview(true)
    .setAcceptresources(false)
    .setAcceptoutputs(false)
    .setSupportsAutonamingConfiguration(true);

/** The methods that describe the provider. */
const descriptionMethods = (
  schema: string,
  log: EngineLog,
  unary: Replies["unary"],
): UntypedServiceImplementation => ({
  handshake: unary((request: ProviderHandshakeRequest) => {
    log.connect(request.getEngineAddress());
    return new ProviderHandshakeResponse()
      .setAcceptSecrets(true)
      .setAcceptResources(false)
      .setAcceptOutputs(false)
      .setSupportsAutonamingConfiguration(true);
  }),
  attach: unary(() => new Empty()),
  getPluginInfo: unary(() => new PluginInfo().setVersion(version)),
  getSchema: unary(() => new GetSchemaResponse().setSchema(schema)),
  getMapping: unary(() => new GetMappingResponse()),
  getMappings: unary(() => new GetMappingsResponse()),
});

/** Wraps a method of a resource, so that the requests of the method name the resource. */
const naming =
  <Request extends { getUrn(): string }, Reply>(
    stack: StackState,
    step: (request: Request) => Promise<Reply>,
  ) =>
  (request: Request): Promise<Reply> => {
    const urn = request.getUrn();
    stack.note(urn);
    return sentFor(`${typeOf(urn).replace(tokenStart, "")} ${nameOf(urn)}`, () => step(request));
  };
