import * as pulumi from "@pulumi/pulumi";
import { MockMonitor } from "@pulumi/pulumi/runtime/mocks";
import type { z } from "zod";
import { explicitKey, type Settings, settingNames, settingsFrom } from "../provider/client/config";
import { isPlain } from "../provider/core/values";
import { lookupsById } from "../provider/lookups/by-id";
import { type Lookup, LookupClients } from "../provider/lookups/lookup";
import type { ById } from "../provider/lookups/shapes";
import { userError } from "./core/user-error";
import type { Found, LookupOptions, Result } from "./lookup-types";
import { Provider, stackConfig } from "./provider";

/**
 * Look-ups send requests while the program runs, also in a preview. Each look-up has two forms. One form takes plain
 * values and returns a Promise. The other form, whose name ends in `Output`, takes Outputs and returns an Output.
 */

type Results<R, L, S extends string> = L extends string ? Result<R, S>[] : Result<R, S>;

type Inputs<A> = { [K in keyof A]: pulumi.Input<A[K]> };

/** The parameters of a look-up. If all arguments are optional, the object with the arguments is optional too. */
type Parameters<A> =
  Partial<A> extends A ? [args?: A, opts?: LookupOptions] : [args: A, opts?: LookupOptions];

const clients = new LookupClients();

/** The form of a look-up that takes plain values and returns a Promise. */
export function plainForm<
  A extends z.ZodObject,
  R extends z.ZodObject,
  L extends string | undefined,
  S extends string,
>(
  name: string,
  lookup: Lookup<A, R, L, S>,
): (...parameters: Parameters<z.output<A>>) => Promise<Results<z.output<R>, L, S>> {
  return async (...[args, opts = {}]) => {
    const answer: unknown = await ask(name, lookup, { ...args }, opts);
    const seal = (value: unknown): unknown => withSecrets(value, lookup.secret ?? []);
    return (Array.isArray(answer) ? answer.map(seal) : seal(answer)) as Results<z.output<R>, L, S>;
  };
}

/** The form of a look-up by id that takes plain values. `Hidden` are the members of the resource that it leaves out. */
export const plainFormById = <Outputs, Hidden extends keyof Outputs>(
  name: string,
): ((...parameters: Parameters<ById>) => Promise<Found<Outputs, Hidden>>) =>
  plainForm(name, lookupsById[name] as Lookup) as never;

/** The form of a look-up that takes Outputs and returns an Output. */
export function outputForm<P extends [args?: object, opts?: LookupOptions], R>(
  plain: (...parameters: P) => Promise<R>,
): (...parameters: { [I in keyof P]: I extends "0" ? Inputs<P[I]> : P[I] }) => pulumi.Output<R> {
  return (...[args, opts]) =>
    pulumi.output(args).apply((known) => plain(...([known, opts] as unknown as P))) as pulumi.Output<R>;
}

function withSecrets(value: unknown, secrets: readonly string[]): unknown {
  if (!isPlain(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      secrets.includes(key) ? pulumi.secret(member) : member,
    ]),
  );
}

async function ask<A extends z.ZodObject, R extends z.ZodObject, L extends string | undefined>(
  name: string,
  lookup: Lookup<A, R, L>,
  args: Record<string, unknown>,
  opts: LookupOptions,
): Promise<unknown> {
  if (pulumi.runtime.getMonitor() instanceof MockMonitor) return askMock(name, lookup.list, args, opts);
  try {
    const inform = (message: string): void => void pulumi.log.info(message);
    return await clients.ask(await settingsOf(opts.provider), { name, lookup, args, inform });
  } catch (error) {
    // The user can correct the mistake that the message describes, so no stack trace is needed.
    throw userError(error instanceof Error ? error.message : String(error));
  }
}

/** In unit tests with `setMocks`, calls the mock with the function's token, such as `slipway:index:getProject`. */
async function askMock(
  name: string,
  list: string | undefined,
  args: Record<string, unknown>,
  { provider }: LookupOptions,
): Promise<unknown> {
  const answer = await pulumi.runtime.invoke(`slipway:index:${name}`, args, {
    ...(provider && { provider }),
  });
  return list === undefined ? answer : (answer[list] ?? []);
}

/** @throws ConfigError */
async function settingsOf(provider: pulumi.ProviderResource | undefined): Promise<Settings> {
  const config: Record<string, string | undefined> = {};
  const put = async (key: string, value: pulumi.Input<string | undefined>) => {
    const output = pulumi.output(value) as pulumi.Output<string | undefined> & { isKnown: Promise<boolean> };
    // An output that is not known never resolves, and the program would end without a message.
    if (!(await output.isKnown)) {
      throw new Error(
        "The settings of the provider are not known before the update, so look-ups cannot use the provider yet. " +
          "Set values that are known at preview.",
      );
    }
    config[key] = await new Promise((resolve) => void output.apply(resolve));
  };
  const stack = stackConfig();
  for (const setting of settingNames) {
    await put(`slipway:${setting}`, stack[setting]);
    if (provider instanceof Provider) await put(explicitKey(setting), provider.given[setting]);
  }
  return settingsFrom((key) => config[key], provider instanceof Provider ? provider.environment : undefined);
}
