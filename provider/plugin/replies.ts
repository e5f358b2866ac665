import { type handleUnaryCall, Metadata, type ServerUnaryCall, status } from "@grpc/grpc-js";
import { ErrorResourceInitFailed } from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Any } from "google-protobuf/google/protobuf/any_pb";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { withCaller } from "../client/step-limits";
import { trackStep } from "../termination";

/** A create or update failed half-way. The engine records the state of the object. */
export class InitFailed extends Error {
  constructor(
    readonly id: string,
    readonly properties: Struct,
    readonly inputs: Struct,
    cause: Error,
  ) {
    super(cause.message, { cause });
  }
}

/**
 * Wraps a method of the service. The user sees only the message of an error. When the engine ends the call, the method
 * sends no further requests.
 */
export const unary =
  <Request, Reply>(respond: (request: Request) => Promise<Reply> | Reply): handleUnaryCall<Request, Reply> =>
  async (call, reply) => {
    try {
      reply(null, await trackStep(() => withCaller(endOf(call), async () => respond(call.request))));
    } catch (error) {
      const details = error instanceof Error ? error.message : String(error);
      reply({
        code: status.UNKNOWN,
        details,
        ...(error instanceof InitFailed && { metadata: detailsOf(error) }),
      });
    }
  };

/** A signal that is aborted when a call ends before its answer. */
function endOf<Request, Reply>(call: ServerUnaryCall<Request, Reply>): AbortSignal {
  const end = new AbortController();
  call.once("cancelled", () => end.abort());
  return end.signal;
}

/** The recorded state in the details of a gRPC error. */
function detailsOf({ id, properties, inputs, message }: InitFailed): Metadata {
  const failed = new ErrorResourceInitFailed();
  failed.setId(id).setProperties(properties).setInputs(inputs).setReasonsList([message]);
  const detail = new Any();
  detail.pack(failed.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
  const all = new Status();
  all.setCode(status.UNKNOWN).setMessage(message).addDetails(detail);
  const metadata = new Metadata();
  metadata.add("grpc-status-details-bin", Buffer.from(all.serializeBinary()));
  return metadata;
}
