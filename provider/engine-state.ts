import { type RecordedResource, StackSnapshot } from "./core/stack-snapshot";
import { isPlain, type Plain } from "./core/values";
import { objectsOf, resourceOfType } from "./hosting";
import type { RunInfo } from "./trampoline";

type ResourceGrpc = typeof import("@pulumi/pulumi/proto/resource_grpc_pb");
type ResourceMessages = typeof import("@pulumi/pulumi/proto/resource_pb");
type StructMessages = typeof import("google-protobuf/google/protobuf/struct_pb");

/** The state of the stack, for dynamic providers: asked of the engine's monitor, as programs may do. */

/** @throws Error when the engine does not answer */
export async function readSnapshot({ monitor, stack }: RunInfo): Promise<StackSnapshot> {
  const outputs = await invoke(monitor, "pulumi:pulumi:readStackResourceOutputs", { stackName: stack });
  const resources = Object.entries(isPlain(outputs.outputs) ? outputs.outputs : {}).flatMap(
    ([urn, resource]): RecordedResource[] => {
      const [, , type = "", ...name] = urn.split("::");
      const kind = type.split(":").at(-1) ?? type;
      if (!resourceOfType.has(kind) || !isPlain(resource) || !isPlain(resource.outputs)) return [];
      return [{ type: kind, name: name.join("::"), outputs: resource.outputs }];
    },
  );
  return new StackSnapshot(resources, objectsOf);
}

async function invoke(monitor: string, token: string, args: Plain): Promise<Plain> {
  // Pulumi's process for dynamic resources has loaded these already.
  const { credentials }: typeof import("@grpc/grpc-js") = require("@grpc/grpc-js");
  const { ResourceMonitorClient }: ResourceGrpc = require("@pulumi/pulumi/proto/resource_grpc_pb");
  const { ResourceInvokeRequest }: ResourceMessages = require("@pulumi/pulumi/proto/resource_pb");
  const { Struct }: StructMessages = require("google-protobuf/google/protobuf/struct_pb");
  const client = new ResourceMonitorClient(monitor, credentials.createInsecure(), {
    "grpc.max_receive_message_length": -1,
  });
  const request = new ResourceInvokeRequest().setTok(token).setArgs(Struct.fromJavaScript(args as never));
  try {
    return await new Promise((resolve, reject) => {
      client.invoke(request, (error, answer) => {
        if (error) return reject(new Error(error.details));
        const [failure] = answer.getFailuresList();
        if (failure) return reject(new Error(failure.getReason()));
        resolve((answer.getReturn()?.toJavaScript() ?? {}) as Plain);
      });
    });
  } finally {
    client.close();
  }
}
