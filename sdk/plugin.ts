import { Server, ServerCredentials } from "@grpc/grpc-js";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { type ServiceOptions, service } from "../provider/plugin/service";
import { StepsInProgress } from "../provider/termination";
import type { Components } from "./components/construct.js";

/**
 * The program of the plugin, for every language of Pulumi. The engine passes its own address as the argument. The first
 * line of the program's output is the port that the plugin listens on.
 */

/** The package schema. The build of the plugin puts it here, so that the executable needs no other file. */
declare const packageSchema: string;

/** No limit for the size of messages, since states can be large. */
const unlimited = { "grpc.max_receive_message_length": -1, "grpc.max_send_message_length": -1 };
const ownerCheckMs = 2_000;

const engine = process.argv.slice(2).find((argument) => !argument.startsWith("-"));

const cancelled = new AbortController();
const steps = new StepsInProgress();
steps.endProcessAfterwards(() => cancelled.abort());

const server = new Server(unlimited);

let components: Promise<Components> | undefined;
/** Loads the classes of resources with the first component: they load slowly, and nothing else needs them. */
const construct: ServiceOptions["construct"] = async (request, address) => {
  components ??= import("./components/construct.js").then((module) => new module.Components());
  return (await components).construct(request, address);
};

const options: ServiceOptions = { schema: packageSchema, engine, construct, cancelled, steps };
server.addService(ResourceProviderService, service(options));
server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) => {
  if (error) throw error;
  console.log(String(port));
});

// Ends the process if the engine was killed before it could stop the plugin.
const owner = process.ppid;
setInterval(() => {
  if (process.ppid !== owner) process.exit(1);
}, ownerCheckMs).unref();
