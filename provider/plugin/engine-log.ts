import { credentials } from "@grpc/grpc-js";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";

/** The engine is on this machine. */
const notThroughProxies = { "grpc.enable_http_proxy": 0 };

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
    this.#client ??= new EngineClient(address, credentials.createInsecure(), notThroughProxies);
  }

  /** Sends a warning, or prints it if the engine cannot be reached. Resolves when either is done. */
  warn(urn: string, message: string): Promise<void> {
    return this.#send(LogSeverity.WARNING, urn, message, "warning: ");
  }

  info(message: string, urn = ""): void {
    void this.#send(LogSeverity.INFO, urn, message, "");
  }

  #send(severity: LogSeverity, urn: string, message: string, prefix: string): Promise<void> {
    const client = this.#client;
    const request = new LogRequest().setSeverity(severity).setUrn(urn).setMessage(message);
    return new Promise((resolve) => {
      const print = (): void => console.error(`slipway: ${prefix}${message}`);
      const done = (error: unknown): void => {
        if (error) print();
        resolve();
      };
      if (client) client.log(request, done);
      else done(true);
    });
  }
}
