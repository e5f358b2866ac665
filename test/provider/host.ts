import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import type { Plain } from "../../provider/core/values";
import type { ResourceType } from "../../provider/loader";
import { formatRun, loaderText, runKey } from "../../provider/loader";
import { built } from "../support/dist";
import { FakeCli, urnOf } from "../support/fake-cli";
import { outsideValues } from "../support/outside-values";

// The very copies that Pulumi's process speaks with.
const pulumiRequire = createRequire(require.resolve("@pulumi/pulumi"));
const grpc = pulumiRequire("@grpc/grpc-js");
const empty = pulumiRequire("google-protobuf/google/protobuf/empty_pb");
const struct = pulumiRequire("google-protobuf/google/protobuf/struct_pb");
const messages = require("@pulumi/pulumi/proto/provider_pb");
const statuses = require("@pulumi/pulumi/proto/status_pb");
const { ResourceProviderClient } = require("@pulumi/pulumi/proto/provider_grpc_pb");

// The process loads it by the name of the package. A run on an outdated build is refused at once.
built("provider/dynamic.js");

/** The answer of the process when it fails. */
interface ServiceError {
  details: string;
  metadata?: { get(key: string): Buffer[] };
}

export interface Failed extends Error {
  /** The state that a half-way failure left. */
  kept?: { id: string; properties: Plain; inputs?: Plain };
}

/** A resource as the state has it. */
export interface Named {
  type: ResourceType;
  name: string;
  id?: string;
  outputs: Plain;
  /** Name of its provider; undefined for the default one. */
  provider?: string | undefined;
  /** It is the old half of a replacement. */
  isReplaced?: boolean;
  /** Its replacement was not ended. */
  isPending?: boolean;
}

/** A resource of which a step may be under way. */
export interface NamedStep extends Named {
  /** The inputs that it ignores. */
  ignoreChanges?: readonly string[];
}

/** Pulumi's own process for dynamic resources, driven as the engine drives it. */
export interface Host {
  /**
   * Has the engine tell what the state of the stack holds.
   * @param steps resources of which steps may be under way
   */
  record(resources: readonly Named[], steps: readonly NamedStep[]): void;
  /** Gives the resources of the next steps the option `ignoreChanges`. @param version that of the CLI */
  ignore?(paths: readonly string[], version?: string): void;
  configure(config: Record<string, string>): Promise<void>;
  /** @param name what the stack calls the resource */
  check(
    type: ResourceType,
    olds: Plain,
    news: Plain,
    name?: string,
  ): Promise<{ inputs: Plain; failures: { property: string; reason: string }[] }>;
  diff(
    type: ResourceType,
    id: string,
    olds: Plain,
    news: Plain,
    name?: string,
  ): Promise<{ changes: number; replaces: string[]; deleteFirst: boolean }>;
  create(type: ResourceType, inputs: Plain, name?: string): Promise<{ id: string; properties: Plain }>;
  read(
    type: ResourceType,
    id: string,
    properties: Plain,
  ): Promise<{ id: string; properties: Plain; inputs: Plain }>;
  update(type: ResourceType, id: string, olds: Plain, news: Plain, name?: string): Promise<Plain>;
  remove(type: ResourceType, id: string, properties: Plain): Promise<void>;
  /** The call of the engine at the first Ctrl-C. */
  cancel(): Promise<void>;
  /** All that the process has printed. */
  printed(): string;
  close(): Promise<void>;
}

export async function startHost(environment: Record<string, string> = {}): Promise<Host> {
  const cli = new FakeCli();
  const child = spawn(
    process.execPath,
    [require.resolve("@pulumi/pulumi/cmd/dynamic-provider"), "127.0.0.1:0"],
    {
      env: { PATH: cli.path, PULUMI_NODEJS_PROJECT: "test", ...outsideValues, ...environment },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  const closed = once(child, "close");
  let output = "";
  child.stderr.on("data", (data) => {
    output += data;
  });
  const port = await firstLine(child);
  child.stdout.on("data", (data) => {
    output += data;
  });
  const client = new ResourceProviderClient(`127.0.0.1:${port}`, grpc.credentials.createInsecure());

  // biome-ignore lint/suspicious/noExplicitAny: the generated messages have no types here
  const call = (method: string, request: any): Promise<any> =>
    new Promise((resolve, reject) => {
      client[method](request, (error: ServiceError | null, reply: unknown) =>
        error ? reject(failed(error)) : resolve(reply),
      );
    });
  const pack = (type: ResourceType, values: Plain) =>
    struct.Struct.fromJavaScript({ ...values, __provider: loaderText(type) });
  /** A state has the text unless it was not this host that made it. */
  const packState = (type: ResourceType, { __provider = loaderText(type), ...state }: Plain) =>
    struct.Struct.fromJavaScript(__provider === null ? state : { ...state, __provider });

  return {
    record: (resources) => cli.record(resources.map(recordedOf), []),
    async configure(config) {
      const request = new messages.ConfigureRequest();
      request.setArgs(struct.Struct.fromJavaScript(config));
      await call("configure", request);
    },
    async check(type, olds, news, name) {
      const request = new messages.CheckRequest();
      request.setOlds(struct.Struct.fromJavaScript(olds));
      request.setNews(pack(type, withRun(type, news, name)));
      const reply = await call("check", request);
      return { inputs: reply.getInputs().toJavaScript(), failures: reply.toObject().failuresList };
    },
    async diff(type, id, olds, news) {
      const request = new messages.DiffRequest();
      request.setId(id);
      request.setOlds(packState(type, olds));
      request.setNews(pack(type, news));
      const reply = await call("diff", request);
      return {
        changes: reply.getChanges(),
        replaces: reply.getReplacesList(),
        deleteFirst: reply.getDeletebeforereplace(),
      };
    },
    async create(type, inputs) {
      const request = new messages.CreateRequest();
      request.setProperties(pack(type, inputs));
      const reply = await call("create", request);
      return { id: reply.getId(), properties: reply.getProperties().toJavaScript() };
    },
    async read(type, id, properties) {
      const request = new messages.ReadRequest();
      request.setId(id);
      request.setProperties(pack(type, properties));
      const reply = await call("read", request);
      return {
        id: reply.getId(),
        properties: reply.getProperties().toJavaScript(),
        inputs: reply.getInputs()?.toJavaScript() ?? {},
      };
    },
    async update(type, id, olds, news) {
      const request = new messages.UpdateRequest();
      request.setId(id);
      request.setOlds(pack(type, olds));
      request.setNews(pack(type, news));
      return (await call("update", request)).getProperties().toJavaScript();
    },
    async remove(type, id, properties) {
      const request = new messages.DeleteRequest();
      request.setId(id);
      request.setProperties(pack(type, properties));
      await call("delete", request);
    },
    async cancel() {
      await call("cancel", new empty.Empty());
    },
    printed: () => output,
    async close() {
      client.close();
      cli.close();
      child.kill("SIGINT");
      // With it, all that was printed has arrived.
      await closed;
    },
  };
}

export const providerUrn = (name = "default"): string => urnOf("pulumi:providers:slipway", name);

/** A resource as a state has it. */
export const recordedOf = ({ provider, isReplaced = false, isPending = false, ...rest }: Named) => ({
  ...rest,
  provider: `${providerUrn(provider)}::id`,
  delete: isReplaced,
  pendingReplacement: isPending,
});

/** The inputs of a resource as the npm package sends them. @param name undefined: without what they tell of the run */
export const withRun = (type: string, news: Plain, name: string | undefined, provider = "default"): Plain =>
  name === undefined
    ? news
    : {
        ...news,
        [runKey]: formatRun({
          urn: urnOf(type, name),
          provider: providerUrn(provider),
        }),
      };

async function firstLine(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error("the host prints nowhere");
  const lines = createInterface(child.stdout);
  const [line] = await once(lines, "line");
  lines.close();
  child.stdout.resume();
  return line;
}

function failed(error: ServiceError): Failed {
  const result: Failed = new Error(error.details);
  const [packed] = error.metadata?.get("grpc-status-details-bin") ?? [];
  if (packed === undefined) return result;
  const detail = statuses.Status.deserializeBinary(packed)
    .getDetailsList()[0]
    .unpack(messages.ErrorResourceInitFailed.deserializeBinary, "pulumirpc.ErrorResourceInitFailed");
  result.kept = { id: detail.getId(), properties: detail.getProperties().toJavaScript() };
  return result;
}
