import type { Client } from "../../client/client";
import { without } from "../../client/turns";
import { projectIdOf } from "../../core/project-reference";
import type { Resource } from "../../core/resource";
import {
  othersWith,
  readNoted,
  reasonAgainst,
  refuseStandstill,
  refusing,
} from "../../core/turns/taking-turns";
import { isPlain, own, type Plain, unknown } from "../../core/values";
import { variablePlaces } from "../env-var/records";
import type { Wanted } from "./create";
import { type inputs, type Outputs, type outputs, wantedOf } from "./inputs";

type EnvVars = Resource<typeof inputs, typeof outputs>;

/**
 * Lets each variable of an EnvVars pass its places to variables of other resources in the same run.
 */
export function eachTakingTurns(resource: EnvVars): EnvVars {
  const { type } = resource;

  return {
    ...resource,

    async refusals(client, previous, news, self) {
      const failures = await resource.refusals(client, previous, news, self);
      if (failures.length > 0 || Object.keys(previous).length > 0) return failures;
      return refusing(async () => {
        const projectId = await projectIdOf(client, news.project, {});
        if (projectId === undefined) return undefined;
        for (const [key, one] of Object.entries(wantedIn(news))) {
          const reason = await reasonAgainstNew(client, projectId, key, one, news, self);
          if (reason !== undefined) return reason;
        }
        return undefined;
      });
    },

    read: (client, id, state) => readNoted(resource, client, id, state),

    async diff(client, id, state, news) {
      const { turns } = client;
      const diff = await resource.diff(client, id, state, news);
      if (turns.isOfRefresh(`${type} ${id}`)) return diff;
      const { projectId, records } = state as Outputs;
      const isReplaced = diff.replaces.length > 0;
      const isKnown = isPlain(news.variables);
      const [held, wanted] = [wantedIn(state), wantedIn(news)];
      turns.visit(projectId);
      const members = await Promise.all(
        Object.entries(records).map(async ([key, record]) => {
          const has = (await placesIn(client, projectId, key, own(held, key))) ?? [];
          const wants = isReplaced ? [] : await placesIn(client, projectId, key, own(wanted, key));
          return { id: idOf(projectId, record), has, wants: isKnown ? wants : undefined };
        }),
      );
      for (const { id, has, wants } of members)
        turns.plan(id, { type, has, wants, isReplaced, leaves: "in turn" });
      for (const { id, has, wants } of members) {
        const gains = without(wants ?? [], has);
        const holders = await othersWith(client, variablePlaces, id, gains, {});
        refuseStandstill(client, variablePlaces, { type, id }, has, gains, holders);
      }
      if (isReplaced) return diff;
      for (const [key, one] of Object.entries(wanted)) {
        if (Object.hasOwn(records, key)) continue;
        const reason = await reasonAgainstNew(client, projectId, key, one, news, undefined, true);
        if (reason !== undefined) throw new Error(reason);
      }
      return diff;
    },

    async create(client, warn, inputs) {
      const created = await resource.create(client, warn, inputs);
      const { projectId, records } = created.state as Outputs;
      for (const [key, one] of Object.entries(wantedIn(inputs))) {
        const has = (await placesIn(client, projectId, key, one)) ?? [];
        const id = idOf(projectId, own(records, key));
        client.turns.plan(id, { type, has, wants: has, isReplaced: false, leaves: "in turn" });
      }
      return created;
    },

    async update(client, warn, id, state, news) {
      const { projectId, records } = state as Outputs;
      const finish = (succeeded: boolean): void => {
        for (const record of Object.values(records)) client.turns.finish(idOf(projectId, record), succeeded);
      };
      try {
        const updated = await resource.update(client, warn, id, state, news);
        finish(true);
        return updated;
      } catch (error) {
        finish(false);
        throw error;
      }
    },

    async remove(client, warn, id, state) {
      await resource.remove(client, warn, id, state);
      const { projectId, records } = state as Outputs;
      for (const record of Object.values(records)) client.turns.gone(idOf(projectId, record));
    },
  };
}

const idOf = (projectId: string, record: { id: string } | undefined): string =>
  `${projectId}/${record?.id ?? ""}`;

/** The variables with known settings. */
function wantedIn(inputs: Plain): Record<string, Wanted> {
  const { variables, target, type } = inputs;
  if (!isPlain(variables)) return {};
  const known = Object.entries(variables).filter(([, one]) => one !== unknown);
  return wantedOf({ variables: Object.fromEntries(known), target, type } as Parameters<typeof wantedOf>[0]);
}

/** The places of a variable, empty when it is not declared; undefined: not yet known. */
const placesIn = async (
  client: Client,
  projectId: string,
  key: string,
  one: Wanted | undefined,
): Promise<string[] | undefined> =>
  one ? variablePlaces.of(client, { ...one, project: projectId, key }, {}) : [];

/** @param isPatient an unknown holder may still turn out to be a resource of this run */
async function reasonAgainstNew(
  client: Client,
  projectId: string,
  key: string,
  one: Wanted,
  { adopt }: Plain,
  self: string | undefined,
  isPatient = false,
): Promise<string | undefined> {
  const wants = await placesIn(client, projectId, key, one);
  if (!wants) return undefined;
  const news = { ...one, project: projectId, key, adopt };
  return reasonAgainst(client, variablePlaces, { type: "EnvVar", news, wants, self, isPatient });
}
