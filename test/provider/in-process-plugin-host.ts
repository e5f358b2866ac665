import { EventEmitter } from "node:events";
import { Metadata } from "@grpc/grpc-js";
import { service } from "../../provider/plugin/service";
import type { FakeCli } from "../support/fake-cli";
import type { Failed, Host } from "./host";
import { type Calls, failed, pluginHost } from "./plugin-host";

type Failure = Parameters<typeof failed>[0];
type Service = Record<string, Method>;
type Method = (
  call: EventEmitter & { request: unknown; metadata: Metadata },
  reply: (error: Failure | null, answer?: unknown) => void,
) => void;

/**
 * The plugin's service in this process: it begins much sooner than one with a process of its own (`startPluginHost`).
 * @param cli has to be on this process's PATH
 * @param provider its name; not given, it is the default one
 */
export const inProcessPluginHost = (
  config: Record<string, string>,
  cli: FakeCli,
  provider?: string,
): Promise<Host> => pluginHostOf(newService(), config, cli, provider);

/** The plugin's service without an engine and without components. */
export const newService = (): Service =>
  service({
    schema: "",
    engine: undefined,
    construct: async () => {
      throw new Error("There are no components here.");
    },
  }) as Service;

/** Calls a method of the service, as the engine does, without a wire. */
export type Call = <Name extends keyof Calls>(name: Name, request: Calls[Name][0]) => Promise<Calls[Name][1]>;

export const callerOf =
  (service: Service): Call =>
  (name, request) =>
    new Promise((resolve, reject: (error: Failed) => void) => {
      service[name]?.(
        Object.assign(new EventEmitter(), { request, metadata: new Metadata() }),
        (error, answer) => (error ? reject(failed(error)) : resolve(answer as Calls[typeof name][1])),
      );
    });

/** The plugin's service, called without a wire. */
export async function pluginHostOf(
  service: Service,
  config: Record<string, string>,
  cli: FakeCli,
  provider?: string,
): Promise<Host> {
  const host = pluginHost({ call: callerOf(service), printed: () => "", async close() {} }, cli, provider);
  await host.configure(config);
  return host;
}
