import { type handleUnaryCall, Server, status, type UntypedServiceImplementation } from "@grpc/grpc-js";
import { ResourceMonitorService } from "@pulumi/pulumi/proto/resource_grpc_pb";
import {
  DeploymentInfo,
  type RegisterResourceRequest,
  RegisterResourceResponse,
  ResourceMonitorFeature,
} from "@pulumi/pulumi/proto/resource_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { urnOf } from "./fake-cli";
import { listen } from "./grpc";

/** Stands in for the engine where a component registers its resources: it makes whatever it is told to. */
export class FakeEngine {
  readonly registered: RegisterResourceRequest[] = [];
  /** Why it makes no resource of a type. */
  readonly refusals = new Map<string, string>();
  address = "";
  private readonly server = new Server();

  /** @param outputs what a resource of a type has beside its inputs */
  constructor(private readonly outputs: Readonly<Record<string, object>> = {}) {
    const implementation: UntypedServiceImplementation = {
      getDeploymentInfo: ((_, reply) => reply(null, info)) as handleUnaryCall<Empty, DeploymentInfo>,
      registerResource: this.register,
      registerResourceOutputs: ((_, reply) => reply(null, new Empty())) as handleUnaryCall<unknown, Empty>,
    };
    this.server.addService(ResourceMonitorService, implementation);
  }

  async start(): Promise<void> {
    this.address = await listen(this.server);
  }

  close(): void {
    this.server.forceShutdown();
  }

  private readonly register: handleUnaryCall<RegisterResourceRequest, RegisterResourceResponse> = (
    { request },
    reply,
  ) => {
    const [type, name] = [request.getType(), request.getName()];
    const refusal = this.refusals.get(type);
    if (refusal !== undefined) return reply({ code: status.INVALID_ARGUMENT, details: refusal });
    this.registered.push(request);
    const inputs = request.getObject()?.toJavaScript() ?? {};
    const response = new RegisterResourceResponse()
      .setUrn(urnOf(type, name))
      .setId(request.getCustom() ? `${name}-id` : "")
      .setObject(Struct.fromJavaScript({ ...inputs, ...this.outputs[type] }));
    reply(null, response);
  };
}

const info = new DeploymentInfo().setSupportedfeaturesList([
  ResourceMonitorFeature.RESOURCE_MONITOR_FEATURE_SECRETS,
  ResourceMonitorFeature.RESOURCE_MONITOR_FEATURE_RESOURCE_REFERENCES,
  ResourceMonitorFeature.RESOURCE_MONITOR_FEATURE_ALIAS_SPECS,
  ResourceMonitorFeature.RESOURCE_MONITOR_FEATURE_DELETED_WITH,
  ResourceMonitorFeature.RESOURCE_MONITOR_FEATURE_REPLACE_WITH,
  ResourceMonitorFeature.RESOURCE_MONITOR_FEATURE_RESOURCE_HOOKS,
]);
