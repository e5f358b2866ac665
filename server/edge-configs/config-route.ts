import * as z from "zod";
import { paymentMethodNeeded, softBlocked } from "../access/rules";
import type { Call } from "../http/route";
import { findRow } from "../store/rows";
import type { EdgeConfigRow } from "./object";
import { noSuchConfig } from "./rules";

/** Shared by the routes of an Edge Config, its items, schema and tokens. */

export const byId = z.object({ id: z.string().describe("Id of the Edge Config.") });
export const unknownConfig = [404, "not_found", "no such Edge Config of the account"] as const;
export const blocked = [softBlocked, paymentMethodNeeded];

/** @throws Refusal 404 */
export async function loadConfig(call: Call<{ id: string }>): Promise<{ config: EdgeConfigRow }> {
  const config = await findRow(call.tx, "edge_configs", { id: call.params.id, account_id: call.account.id });
  if (config) return { config };
  throw noSuchConfig(call.params.id);
}
