import { credentials } from "@grpc/grpc-js";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";

/** Logs messages about resources to the engine, which shows them to the user. */
export class EngineLog {
  #client: EngineClient | undefined;
  /** The address of the engine; empty until it is known. */
  address = "";

  constructor(address: string | undefined) {
    this.connect(address);
  }

  connect(address: string | undefined): void {
    if (!address) return;
    this.address = address;
    this.#client ??= new EngineClient(address, credentials.createInsecure());
  }

  warn(urn: string, message: string): void {
    this.#send(LogSeverity.WARNING, urn, message, "warning: ");
  }

  info(message: string, urn = ""): void {
    this.#send(LogSeverity.INFO, urn, message, "");
  }

  #send(severity: LogSeverity, urn: string, message: string, prefix: string): void {
    const print = (): void => console.error(`slipway: ${prefix}${message}`);
    if (!this.#client) {
      print();
      return;
    }
    const request = new LogRequest().setSeverity(severity).setUrn(urn).setMessage(message);
    this.#client.log(request, (error) => {
      if (error) print();
    });
  }
}
