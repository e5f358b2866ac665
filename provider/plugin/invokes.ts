import { type InvokeRequest, InvokeResponse } from "@pulumi/pulumi/proto/provider_pb";
import type { Settings } from "../client/config";
import type { Plain } from "../core/values";
import { lookupNamed } from "../lookups/by-id";
import type { Inform, LookupClients } from "../lookups/lookup";
import { tokenStart } from "./tokens";
import { plain, received, sent } from "./wire";

/** Answers the call of a function. A list is wrapped in an object, because Pulumi's functions return objects. */
export async function invoke(
  request: InvokeRequest,
  settings: () => Settings,
  clients: LookupClients,
  inform: Inform,
): Promise<InvokeResponse> {
  const token = request.getTok();
  const name = token.startsWith(tokenStart) ? token.slice(tokenStart.length) : "";
  const lookup = lookupNamed(name);
  if (!lookup) throw new Error(`slipway has no function ${token}.`);
  const args = plain(received(request.getArgs()));
  const answer: unknown = await clients.ask(settings(), { name, lookup, args, inform });
  const secrets = lookup.secret ?? [];
  const result = Array.isArray(answer)
    ? { [lookup.list ?? name]: answer.map((item) => without(item, secrets)) }
    : without(answer as Plain, secrets);
  return new InvokeResponse().setReturn(sent(result));
}

const without = (values: Plain, keys: readonly string[]): Plain =>
  Object.fromEntries(Object.entries(values).filter(([key]) => !keys.includes(key)));
