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
import { cautionsOf, type Lookup, settingsFrom } from "../client/config";
import { sentFor } from "../client/sender";
import { within } from "../client/step-limits";
import { version } from "../client/version";
import { claims } from "../core/claims";
import { clientFor, problemsOf } from "../hosting";
import { LookupClients } from "../lookups/lookup";
import { EngineLog } from "./engine-log";
import { invoke } from "./invokes";
import { answering } from "./replies";
import { check, create, diff, read, remove, type Surroundings, update } from "./resources";
import { checkConfig, configOf, diffConfig, nameOf, typeOf } from "./settings";
import { held, recordedStep } from "./stack-state";
import { tokenStart } from "./tokens";

/** What a plugin's process gives its service. */
export interface ServiceOptions {
  /** The package schema. */
  schema: string;
  /** The address of the engine, if it is on the command line. */
  engine: string | undefined;
  /** Makes a component. It is given here, since components are made of the SDK's classes. */
  construct(request: ConstructRequest, engine: string): Promise<ConstructResponse>;
  /** Aborted to end the waits of steps. Default: they last. */
  cancelled?: AbortController;
}

/** The service of a provider, which Pulumi's engine calls. */
export function service({
  schema,
  engine,
  construct,
  cancelled = new AbortController(),
}: ServiceOptions): UntypedServiceImplementation {
  // Before `configure`, only the environment is used.
  let config: Lookup = () => undefined;
  const log = new EngineLog(engine);
  const lookupClients = new LookupClients();
  claims.ask = held;
  const around: Surroundings = {
    client: () => clientFor(settingsFrom(config)),
    problems: () => problemsOf(config),
    warn: (urn, message) => log.warn(urn, message),
    within: (seconds, step) => within({ seconds, cancelled: cancelled.signal }, step),
  };

  return {
    handshake: answering((request: ProviderHandshakeRequest) => {
      log.connect(request.getEngineAddress());
      return new ProviderHandshakeResponse()
        .setAcceptSecrets(true)
        .setAcceptResources(false)
        .setAcceptOutputs(false)
        .setSupportsAutonamingConfiguration(true);
    }),
    attach: answering(() => new Empty()),
    getPluginInfo: answering(() => new PluginInfo().setVersion(version)),
    getSchema: answering(() => new GetSchemaResponse().setSchema(schema)),
    getMapping: answering(() => new GetMappingResponse()),
    getMappings: answering(() => new GetMappingsResponse()),

    checkConfig: answering((request: CheckRequest) =>
      checkConfig(request, (message) => log.warn(request.getUrn(), message)),
    ),
    diffConfig: answering((request: DiffRequest) => diffConfig(request)),
    configure: answering((request: ConfigureRequest) => {
      config = configOf(request);
      for (const caution of cautionsOf(config)) log.warn(request.getUrn() ?? "", caution);
      return new ConfigureResponse()
        .setAcceptsecrets(true)
        .setSupportspreview(true)
        .setAcceptresources(false)
        .setAcceptoutputs(false)
        .setSupportsAutonamingConfiguration(true);
    }),

    check: naming((request: CheckRequest) => check(request, around)),
    diff: naming((request: DiffRequest) => diff(request, around)),
    create: naming((request: CreateRequest) => recordedStep(request.getUrn(), () => create(request, around))),
    read: naming((request: ReadRequest) => read(request, around)),
    update: naming((request: UpdateRequest) => recordedStep(request.getUrn(), () => update(request, around))),
    delete: naming((request: DeleteRequest) => remove(request, around)),
    invoke: answering((request: InvokeRequest) =>
      around.within(0, () =>
        invoke(
          request,
          () => settingsFrom(config),
          lookupClients,
          (message) => log.info(message),
        ),
      ),
    ),

    construct: answering((request: ConstructRequest) => construct(request, log.address)),

    // Requests under way finish; waits end at once.
    cancel: answering(() => {
      cancelled.abort();
      return new Empty();
    }),
  };
}

/** Wraps a step of a resource, so that its requests name the resource. */
const naming = <Q extends { getUrn(): string }, R>(step: (request: Q) => Promise<R>) =>
  answering((request: Q) => {
    const urn = request.getUrn();
    return sentFor(`${typeOf(urn).replace(tokenStart, "")} ${nameOf(urn)}`, () => step(request));
  });
