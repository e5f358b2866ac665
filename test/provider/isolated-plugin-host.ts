import { EventEmitter } from "node:events";
import type { FakeCli } from "../support/fake-cli";
import type { Failed, Host } from "./host";
import { type Calls, failed, pluginHost } from "./plugin-host";
import { shareModules } from "./shared-modules";

type Failure = Parameters<typeof failed>[0];
type Service = Record<string, Method>;
type Method = (
  call: EventEmitter & { request: unknown },
  reply: (error: Failure | null, answer?: unknown) => void,
) => void;

/**
 * The plugin's service with modules of its own: it knows as little of others as a process of its own would, and
 * begins much sooner. `startPluginHost` has the process.
 * @param cli has to be on this process's PATH
 * @param provider its name; not given, it is the default one
 */
export async function isolatedPluginHost(
  config: Record<string, string>,
  cli: FakeCli,
  provider?: string,
): Promise<Host> {
  shareModules();
  let service: Service = {};
  jest.isolateModules(() => {
    service = serviceOf(require("../../provider/plugin/service"));
  });
  return pluginHostOf(service, config, cli, provider);
}

/** The plugin's service without an engine and without components. @param module `provider/plugin/service` */
export const serviceOf = ({ service }: typeof import("../../provider/plugin/service")): Service =>
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
      service[name]?.(Object.assign(new EventEmitter(), { request }), (error, answer) =>
        error ? reject(failed(error)) : resolve(answer as Calls[typeof name][1]),
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
