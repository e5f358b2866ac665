import { type handleUnaryCall, Server, ServerCredentials } from "@grpc/grpc-js";
import { ResourceMonitorService } from "@pulumi/pulumi/proto/resource_grpc_pb";
import { type ResourceInvokeRequest, ResourceInvokeResponse } from "@pulumi/pulumi/proto/resource_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import type { Plain } from "../../provider/core/values";
import { urnOf } from "./fake-cli";

/** Stands in for the engine's resource monitor, which tells the state of the stack. */
export class FakeMonitor {
  readonly #server = new Server();
  #outputs: Plain = {};
  address = "";

  private constructor() {
    const invoke: handleUnaryCall<ResourceInvokeRequest, ResourceInvokeResponse> = (_, reply) =>
      reply(
        null,
        new ResourceInvokeResponse().setReturn(Struct.fromJavaScript({ outputs: this.#outputs } as never)),
      );
    this.#server.addService(ResourceMonitorService, { invoke });
  }

  static async start(): Promise<FakeMonitor> {
    const monitor = new FakeMonitor();
    const port = await new Promise<number>((resolve, reject) => {
      monitor.#server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
        error ? reject(error) : resolve(bound),
      );
    });
    monitor.address = `127.0.0.1:${port}`;
    return monitor;
  }

  record(resources: readonly { type: string; name: string; outputs: Plain }[]): void {
    const recorded = resources.map(({ type, name, outputs }) => [urnOf(type, name), { type, outputs }]);
    this.#outputs = JSON.parse(JSON.stringify(Object.fromEntries(recorded)));
  }

  close(): void {
    this.#server.forceShutdown();
  }
}
