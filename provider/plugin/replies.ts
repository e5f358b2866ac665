import {
  type handleServerStreamingCall,
  type handleUnaryCall,
  Metadata,
  type ServerUnaryCall,
  type ServerWritableStream,
  status,
} from "@grpc/grpc-js";
import { ErrorResourceInitFailed, ListResponse } from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Any } from "google-protobuf/google/protobuf/any_pb";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { withCaller } from "../client/step-limits";
import { tracedBy } from "../client/trace";
import type { ListedPage } from "../core/listing";
import type { StepsInProgress } from "../termination";

/** The error if a create or update failed half-way. The engine records the state of the object. */
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

type Call<Request, Reply> = ServerUnaryCall<Request, Reply> | ServerWritableStream<Request, Reply>;

/** Wraps the methods of the service, and tracks them as steps in progress. */
export class Replies {
  constructor(private readonly steps: StepsInProgress) {}

  /**
   * Wraps a method. If the method throws an error, the user sees only the message. When the engine ends the call, the
   * method sends no further requests.
   */
  unary =
    <Request, Reply>(
      respond: (request: Request) => Promise<Reply> | Reply,
    ): handleUnaryCall<Request, Reply> =>
    async (call, reply) => {
      try {
        reply(null, await this.#answer(call, respond));
      } catch (error) {
        reply({ ...failed(error), ...(error instanceof InitFailed && { metadata: detailsOf(error) }) });
      }
    };

  /** Wraps the method that lists objects. Its answer is a page. */
  paged =
    <Request>(
      respond: (request: Request) => Promise<ListedPage>,
    ): handleServerStreamingCall<Request, ListResponse> =>
    async (call) => {
      try {
        const { items, next } = await this.#answer(call, respond);
        for (const { id, name } of items)
          call.write(new ListResponse().setResult(new ListResponse.Result().setId(id).setName(name)));
        const more = new ListResponse.Continuation().setContinuationToken(next ?? "");
        if (next !== undefined) call.write(new ListResponse().setContinuation(more));
        call.end();
      } catch (error) {
        call.emit("error", failed(error));
      }
    };

  #answer<Request, Answer>(
    call: Call<Request, unknown>,
    respond: (request: Request) => Promise<Answer> | Answer,
  ): Promise<Answer> {
    const [parent] = call.metadata.get("traceparent");
    return this.steps.track(() =>
      tracedBy(parent?.toString(), () => withCaller(endOf(call), async () => respond(call.request))),
    );
  }
}

const failed = (error: unknown) => ({
  code: status.UNKNOWN,
  details: error instanceof Error ? error.message : String(error),
});

/** A signal that is aborted when a call ends before its answer. */
function endOf<Request, Reply>(call: Call<Request, Reply>): AbortSignal {
  const end = new AbortController();
  call.once("cancelled", () => end.abort());
  return end.signal;
}

/** Returns the metadata of a gRPC error with the state that the engine is to record. */
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
