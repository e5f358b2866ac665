import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { credentials, type ServiceError } from "@grpc/grpc-js";
import type { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { isPlain, type Plain } from "../../provider/core/values";
import type { ResourceType } from "../../provider/loader";
import { resources } from "../../provider/resources";
import { built } from "../support/dist";
import { FakeCli, urnOf } from "../support/fake-cli";
import { outsideValues } from "../support/outside-values";
import { type Failed, type Host, providerUrn, recordedOf } from "./host";

/** How the engine marks a secret. */
const signature = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };
export const secret = (value: unknown): Plain => ({ ...signature, value });

/** Values without the marks of secrecy. */
export function revealed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(revealed);
  if (!isPlain(value)) return value;
  if ((Object.keys(signature)[0] as string) in value) return revealed(value.value);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, revealed(item)]));
}

/** The methods of the service: request and answer. */
export interface Calls {
  handshake: [messages.ProviderHandshakeRequest, messages.ProviderHandshakeResponse];
  getSchema: [messages.GetSchemaRequest, messages.GetSchemaResponse];
  getPluginInfo: [Empty, PluginInfo];
  getMapping: [messages.GetMappingRequest, messages.GetMappingResponse];
  getMappings: [messages.GetMappingsRequest, messages.GetMappingsResponse];
  checkConfig: [messages.CheckRequest, messages.CheckResponse];
  diffConfig: [messages.DiffRequest, messages.DiffResponse];
  configure: [messages.ConfigureRequest, messages.ConfigureResponse];
  check: [messages.CheckRequest, messages.CheckResponse];
  diff: [messages.DiffRequest, messages.DiffResponse];
  create: [messages.CreateRequest, messages.CreateResponse];
  read: [messages.ReadRequest, messages.ReadResponse];
  update: [messages.UpdateRequest, messages.UpdateResponse];
  delete: [messages.DeleteRequest, Empty];
  invoke: [messages.InvokeRequest, messages.InvokeResponse];
  construct: [messages.ConstructRequest, messages.ConstructResponse];
  cancel: [Empty, Empty];
}

/** The plugin's process, as the engine calls it. */
export interface Plugin {
  /** Sends a request and waits for its answer. */
  call<Method extends keyof Calls>(method: Method, request: Calls[Method][0]): Promise<Calls[Method][1]>;
  /** All that the process has printed but its port. */
  printed(): string;
  close(): Promise<void>;
}

export const struct = (values: Plain): Struct => Struct.fromJavaScript(values as never);
export const valuesOf = (values: Struct | undefined): Plain => (values?.toJavaScript() ?? {}) as Plain;

export async function startPlugin(
  environment: Record<string, string> = {},
  folder = built("plugin"),
): Promise<Plugin> {
  // From a folder without packages, by what its first line names.
  const child = spawn(join(folder, "pulumi-resource-slipway"), [], {
    cwd: "/",
    env: { PATH: process.env.PATH, ...outsideValues, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const closed = once(child, "close");
  let output = "";
  child.stderr.on("data", (data) => {
    output += data;
  });
  const lines = createInterface(child.stdout);
  const [port] = await Promise.race([
    once(lines, "line"),
    once(child, "exit").then(() => Promise.reject(new Error(`the plugin ended: ${output}`))),
  ]);
  lines.on("line", (line) => {
    output += `${line}\n`;
  });
  const service = new ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure());
  return {
    call: <Method extends keyof Calls>(method: Method, request: Calls[Method][0]) =>
      new Promise<Calls[Method][1]>((resolve, reject) => {
        const send = service[method].bind(service) as unknown as (
          request: Calls[Method][0],
          done: (error: ServiceError | null, reply: Calls[Method][1]) => void,
        ) => void;
        send(request, (error, reply) => (error ? reject(failed(error)) : resolve(reply)));
      }),
    printed: () => output,
    async close() {
      service.close();
      child.kill("SIGINT");
      // With it, all that was printed has arrived.
      await closed;
    },
  };
}

/** The plugin as a host like the dynamic one: what is asked of both is asked in one way. */
export async function startPluginHost(environment: Record<string, string> = {}): Promise<Host> {
  const cli = new FakeCli();
  const plugin = await startPlugin({ PATH: cli.path, ...environment });
  const close = (): Promise<void> => plugin.close().finally(() => cli.close());
  return pluginHost({ ...plugin, close }, cli);
}

const unnamed = Object.values(resources).map(({ type }) => urnOf(type));

/**
 * @param cli what it finds on its PATH
 * @param provider name of the provider that the engine configures; not given, it is the default one
 */
export function pluginHost({ call, printed, close }: Plugin, cli: FakeCli, provider?: string): Host {
  const bare = (values: Struct | undefined): Plain => revealed(valuesOf(values)) as Plain;
  let ignored: readonly string[] = [];
  let ignoredByStep: ReadonlyMap<string, readonly string[]> = new Map();
  return {
    ignore(paths, version) {
      ignored = paths;
      cli.record([], unnamed, undefined, { ignoreChanges: paths, ...(version !== undefined && { version }) });
    },
    record(resources, steps) {
      ignoredByStep = new Map(
        steps.map(({ type, name, ignoreChanges = [] }) => [urnOf(type, name), ignoreChanges]),
      );
      cli.record(resources.map(recordedOf), [...unnamed, ...ignoredByStep.keys()], undefined, {
        ignoreChanges: ignoredByStep,
      });
    },
    async configure(config) {
      const own = Object.entries(config).map(([key, value]) => [key.replace(/^slipway:/, ""), value]);
      const request = new messages.ConfigureRequest().setArgs(struct(Object.fromEntries(own)));
      await call("configure", request.setUrn(providerUrn(provider)));
    },
    async check(type, olds, news, name) {
      const request = new messages.CheckRequest()
        .setUrn(urnOf(type, name))
        .setOlds(struct(olds))
        .setNews(struct(news));
      const reply = await call("check", request);
      return { inputs: bare(reply.getInputs()), failures: reply.toObject().failuresList };
    },
    async diff(type, id, olds, news, name) {
      const request = new messages.DiffRequest()
        .setUrn(urnOf(type, name))
        .setId(id)
        .setOlds(struct(olds))
        .setNews(struct(news))
        .setIgnorechangesList([...ignored, ...(ignoredByStep.get(urnOf(type, name)) ?? [])]);
      const reply = await call("diff", request);
      return {
        changes: reply.getChanges(),
        replaces: reply.getReplacesList(),
        deleteFirst: reply.getDeletebeforereplace(),
      };
    },
    async create(type, inputs, name) {
      const request = new messages.CreateRequest().setUrn(urnOf(type, name)).setProperties(struct(inputs));
      const reply = await call("create", request);
      return { id: reply.getId(), properties: bare(reply.getProperties()) };
    },
    async read(type, id, properties) {
      const request = new messages.ReadRequest()
        .setUrn(urnOf(type))
        .setId(id)
        .setProperties(struct(properties));
      const reply = await call("read", request);
      return { id: reply.getId(), properties: bare(reply.getProperties()), inputs: bare(reply.getInputs()) };
    },
    async update(type, id, olds, news, name) {
      const request = new messages.UpdateRequest()
        .setUrn(urnOf(type, name))
        .setId(id)
        .setOlds(struct(olds))
        .setNews(struct(news))
        .setIgnorechangesList([...ignored, ...(ignoredByStep.get(urnOf(type, name)) ?? [])]);
      return bare((await call("update", request)).getProperties());
    },
    async remove(type: ResourceType, id, properties) {
      const request = new messages.DeleteRequest()
        .setUrn(urnOf(type))
        .setId(id)
        .setProperties(struct(properties));
      await call("delete", request);
    },
    async cancel() {
      await call("cancel", new Empty());
    },
    printed,
    close,
  };
}

export function failed(error: Pick<ServiceError, "details" | "metadata">): Failed {
  const result: Failed = new Error(error.details);
  const [packed] = error.metadata?.get("grpc-status-details-bin") ?? [];
  if (packed === undefined) return result;
  const detail = Status.deserializeBinary(packed as Buffer)
    .getDetailsList()[0]
    ?.unpack(messages.ErrorResourceInitFailed.deserializeBinary, "pulumirpc.ErrorResourceInitFailed");
  if (detail)
    result.kept = {
      id: detail.getId(),
      properties: valuesOf(detail.getProperties()),
      inputs: valuesOf(detail.getInputs()),
    };
  return result;
}
