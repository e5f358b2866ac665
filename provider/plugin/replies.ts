import { type handleUnaryCall, Metadata, status } from "@grpc/grpc-js";
import { ErrorResourceInitFailed } from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Any } from "google-protobuf/google/protobuf/any_pb";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";

/** An object exists but is not as declared. Its actual state is recorded. */
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

/** Wraps a method of the service: of an error, only the message reaches the user. */
export const answering =
  <Request, Reply>(answer: (request: Request) => Promise<Reply> | Reply): handleUnaryCall<Request, Reply> =>
  async ({ request }, reply) => {
    try {
      reply(null, await answer(request));
    } catch (error) {
      const details = error instanceof Error ? error.message : String(error);
      reply({ code: status.UNKNOWN, details, ...(error instanceof InitFailed && { metadata: kept(error) }) });
    }
  };

/** The recorded state in the details of a gRPC error. */
function kept({ id, properties, inputs, message }: InitFailed): Metadata {
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
