import * as z from "zod";
import { Refusal } from "../../platform/refusal";
import type { Tx } from "../../store/store";
import { controlKey } from "../locks";
import { controlRoute } from "../route";
import { listStates, loadState, reasonNotToLoad, removeState, saveState } from "../state-store";

const byName = z.object({
  name: z
    .string()
    .regex(/^[\w.-]{1,64}$/, "must consist of at most 64 letters, digits, '.', '_' and '-'")
    .describe("Name of the saved state."),
});

async function refuseUnknown(tx: Tx, name: string): Promise<never> {
  const names = (await listStates(tx)).map((state) => state.name);
  const known = names.length > 0 ? `Saved are: ${names.join(", ")}.` : "No state is saved.";
  throw new Refusal(404, "not_found", `There is no state ${JSON.stringify(name)}. ${known}`);
}

/** @choice The clock, faults and plans of builds and promotions are no part of a state. */
const save = controlRoute({
  method: "PUT",
  path: "/states/:name",
  operationId: "saveState",
  summary: "Saves all data under a name, in place of a state with this name.",
  params: byName,
  handle: ({ services: { store, clock }, params }) =>
    store.write((tx) => saveState({ tx, now: clock.now() }, params.name)),
});

const load = controlRoute({
  method: "POST",
  path: "/states/:name/load",
  operationId: "loadState",
  summary: "Replaces all data by those of a saved state.",
  params: byName,
  async handle({ services: { store }, params: { name } }) {
    await store.write(async (tx) => {
      const reason = await reasonNotToLoad(tx, name);
      if (reason === "unknown") await refuseUnknown(tx, name);
      if (reason !== undefined)
        throw new Refusal(
          409,
          "conflict",
          `A version of Slipway with other tables saved the state ${JSON.stringify(name)}. Save it again with this version.`,
        );
      await loadState(tx, name);
    });
    return {};
  },
});

const list = controlRoute({
  method: "GET",
  path: "/states",
  operationId: "listStates",
  summary: "Lists the saved states by name.",
  handle: async ({ services: { store } }) => ({ states: await store.read(listStates, controlKey) }),
});

const remove = controlRoute({
  method: "DELETE",
  path: "/states/:name",
  operationId: "removeState",
  summary: "Deletes a saved state.",
  params: byName,
  async handle({ services: { store }, params: { name } }) {
    await store.write(async (tx) => {
      if (!(await removeState(tx, name))) await refuseUnknown(tx, name);
    }, controlKey);
    return undefined;
  },
});

export const stateRoutes = [save, load, list, remove];
