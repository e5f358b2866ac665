import { z } from "zod";
import type { Client } from "../client/client";
import { ApiError, isRefused } from "../client/errors";
import { sharedEnvPath } from "../client/paths";
import * as responses from "../client/responses";
import type { Created } from "../core/definition";
import { takeKeys } from "../core/key-step";
import { listing, readPage } from "../core/listing";
import { resource } from "../core/resource";
import type { RunContext } from "../core/run-context";
import { inputsRead } from "../core/settings";
import { withValueSources } from "../core/value-source";
import { asDeclared, type Plain } from "../core/values";
import { withDefaultType } from "./env-var/default-type";
import { isReserved } from "./env-var/inputs";
import { refuseValue } from "./env-var/refusals";
import { isPlaceholder, placeholderReason, reasonOfLoss } from "./env-var/unknown-value";
import { whiteSpaceWarnings } from "./env-var/value-warnings";
import { projectIdsInput } from "./id-inputs";
import { textOf } from "./names";
import { change, isWrittenSince } from "./shared-env-var/change";
import { createOrAdopt, settingsOf } from "./shared-env-var/create";
import {
  defaultOf,
  defaults,
  type Inputs,
  inputs,
  type Outputs,
  outputs,
  settings,
} from "./shared-env-var/inputs";
import {
  findShared,
  ofTeam,
  refuseFailed,
  sharedKeys,
  sharedVariablesOf,
  teamHint,
  withTeam,
} from "./shared-env-var/records";

/** The default type depends on the environments: see `withDefaultType`. */
const { type: _, ...documented } = defaults;

const filters = z.strictObject({});

/**
 * An environment variable of a team that applies to all linked projects.
 * @throws ApiError 409 when the team has a variable with the same key and target; 400 for a personal account
 * @source the newest official client: /v1/env
 */
export const sharedEnvVar = withValueSources(
  resource({
    type: "SharedEnvVar",
    handler: "shared",
    scopes: ["read-write:global-project-env-vars"],
    importId: "`<KEY>/<target>`, or `<id>`",
    inputs,
    outputs,
    traits: {
      secret: ["value", "valueDigest"],
      defaults: { ...documented, adopt: false },
      computed: ["type", "target", "applyToAllCustomEnvironments", "comment"],
      ids: { projectIds: projectIdsInput },
    },
    checks: {
      normalize: ({ value, ...inputs }) =>
        value === undefined ? inputs : { ...inputs, value: textOf(value) },
      complete: withDefaultType,
      rules: [
        [
          ({ key }) => isReserved(key, undefined),
          "key must be another one, because a system variable has this key.",
        ],
        [(_known, declared) => !declared.has("value"), "value is missing. Set it."],
        [
          ({ target, applyToAllCustomEnvironments }, declared) =>
            (target === undefined ? !declared.has("target") : target.length === 0) &&
            (applyToAllCustomEnvironments === undefined
              ? !declared.has("applyToAllCustomEnvironments")
              : !applyToAllCustomEnvironments),
          "target is missing. Give target, set applyToAllCustomEnvironments to true, or both.",
        ],
        [
          ({ type, target }) => type === "sensitive" && (target ?? []).includes("development"),
          "type sensitive excludes the target development. Declare another variable for development, of type encrypted.",
        ],
      ],
      warnings: whiteSpaceWarnings,
      async refusals(client, previous, news) {
        const reason = await reasonOfTeam(client);
        return reason === undefined ? refuseValue(client, previous, news) : [{ property: "key", reason }];
      },
    },
    diff: {
      // A sensitive value cannot be made readable.
      replaces: (key, state) => key === "type" && state.type === "sensitive",
      // Two variables with the same identity cannot exist at once.
      deleteFirst: true,
      refuseLoss: reasonOfLoss,
      needsRefresh: ({ type }) => type === "sensitive",
      plan: (run, id, _state, { projectIds }) => planLinks(run, id, projectIds as string[] | undefined),
    },
    ownership: { uniqueKeys: sharedKeys },
    production: {
      revisionValues: ({ key, value, type, target, applyToAllCustomEnvironments, projectIds }) => ({
        key,
        value,
        type: type ?? defaults.type,
        target,
        applyToAllCustomEnvironments,
        projectIds,
      }),
    },
    list: listing(filters, (client, _filters, at) =>
      withTeam(
        client,
        readPage(client, at, {
          path: sharedEnvPath(),
          shape: responses.sharedVariableList,
          items: ({ data }) => data.map(({ id, key }) => ({ id, name: key })),
        }),
      ),
    ),

    async create(operation, declared) {
      if (isPlaceholder(declared)) throw new Error(placeholderReason(declared.key));
      const { client, run } = operation;
      const remote = await withTeam(client, createOrAdopt(operation, declared));
      planLinks(run, remote.id, declared.projectIds);
      return resultOf(client, remote);
    },

    async read(client, id, state) {
      const remote = await withTeam(client, findShared(client, id));
      const current: Plain = { ...settingsOf(remote), value: declaredValue(remote, state) };
      const read = state ? settings : settings.filter((key) => !isEmpty(key, current[key]));
      const now = inputsRead(read, state, current, (key, declared) =>
        asDeclared(declared, current[key] ?? defaultOf(key)),
      );
      if (state?.adopt !== undefined) now.adopt = state.adopt;
      return { ...(await resultOf(client, remote)), inputs: now as Partial<Inputs> };
    },

    async update({ client, run, unsure }, id, state, declared) {
      const attempt = () => change(run, id, declared, state, unsure);
      const step = takeKeys(run, sharedKeys, { id, declared, state, attempt });
      return resultOf(client, await ofTeam(client, step));
    },

    async remove({ client }, id) {
      const asked = { method: "DELETE", path: sharedEnvPath(), object: sharedEnvPath(id) } as const;
      const shape = responses.sharedVariablesDeleted;
      const { failed } = await ofTeam(client, client.send({ ...asked, body: { ids: [id] }, shape }));
      refuseFailed(asked, failed, [client.settings.token]);
    },
  }),
);

/** Records the declared links of a variable. The deletion of a `SharedEnvVarLink` keeps these links. */
function planLinks({ keys }: RunContext, id: string, projectIds: readonly string[] | undefined): void {
  if (projectIds) keys.links.set(id, projectIds);
}

/** Why the account cannot have shared variables; undefined if it can, or if this is unknown. */
async function reasonOfTeam(client: Client): Promise<string | undefined> {
  if (client.settings.team !== undefined) return undefined;
  try {
    await withTeam(client, sharedVariablesOf(client, true));
    return undefined;
  } catch (error) {
    // A token that may not read the variables may still create them.
    if (error instanceof ApiError) return isRefused(error) && error.hasHint ? teamHint : undefined;
    throw error;
  }
}

/** True for a setting with its default value, which an import leaves out. */
const isEmpty = (key: string, value: unknown): boolean =>
  (key === "comment" && value === "") ||
  (key === "applyToAllCustomEnvironments" && value === false) ||
  (key === "projectIds" && Array.isArray(value) && value.length === 0);

/**
 * The value of a variable as an input. A sensitive value cannot be read: the result is the recorded value, or an empty
 * text if others may have changed the value.
 */
function declaredValue(
  remote: responses.SharedVariable,
  state: (Partial<Inputs> & Partial<Outputs>) | undefined,
): string | undefined {
  if (remote.type !== "sensitive") return remote.value ?? undefined;
  if (!state) return undefined;
  return isWrittenSince(remote, state) ? "" : state.value;
}

const resultOf = async (client: Client, remote: responses.SharedVariable): Promise<Created<Outputs>> => ({
  id: remote.id,
  accountId: remote.ownerId ?? (await client.account()) ?? "",
  outputs: { linkedProjectIds: remote.projectId ?? [], updatedAt: remote.updatedAt ?? 0 },
  existing: settingsOf(remote),
});
