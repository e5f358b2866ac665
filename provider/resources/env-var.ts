import { projectPath } from "../client/paths";
import * as responses from "../client/responses";
import type { Created } from "../core/definition";
import { takeKeys } from "../core/key-step";
import { listing, readPage } from "../core/listing";
import { resource } from "../core/resource";
import { inputsRead } from "../core/settings";
import { withValueSources } from "../core/value-source";
import { asDeclared, type Plain } from "../core/values";
import { change } from "./env-var/change";
import { createOrAdopt } from "./env-var/create";
import { withDefaultType } from "./env-var/default-type";
import {
  defaultOf,
  defaults,
  type Inputs,
  inputs,
  isReserved,
  type Outputs,
  outputs,
  settings,
} from "./env-var/inputs";
import { isOfIntegration, reasonOfIntegration } from "./env-var/other-tools";
import { environmentsForCreate, find, variableKeys } from "./env-var/records";
import { refuseValue } from "./env-var/refusals";
import { removeVariable } from "./env-var/remove-batch";
import { isPlaceholder, placeholderReason, reasonOfLoss } from "./env-var/unknown-value";
import { sizeReason, whiteSpaceWarnings } from "./env-var/value-warnings";
import { environmentIdInput } from "./id-inputs";
import { filters, textOf } from "./names";

/** The default type depends on the environments: see `withDefaultType`. */
const { type: _, ...documented } = defaults;

/**
 * An environment variable of a project. Its value is always a secret, whatever its type.
 * @throws ApiError 403 when a variable with the same key, target and branch exists
 * @source Environment variable; Environment variables
 */
export const envVar = withValueSources(
  resource({
    type: "EnvVar",
    handler: "env",
    scopes: ["read:project", "read-write:global-project-env-vars"],
    importId:
      "`<project>/<KEY>/<target>`, with `/<branch>` if the variable has a branch, or `<project>/<id of the variable>`",
    inputs,
    outputs,
    traits: {
      secret: ["value", "valueDigest"],
      defaults: { ...documented, adopt: false },
      stable: ["projectId"],
      computed: ["type", "target", "gitBranch", "comment", "customEnvironmentIds"],
      replaceOn: ["project"],
      ids: { customEnvironmentIds: environmentIdInput },
    },
    checks: {
      normalize: ({ value, ...inputs }) =>
        value === undefined ? inputs : { ...inputs, value: textOf(value) },
      complete: withDefaultType,
      rules: [
        [
          ({ key, type }, declared) => (type !== undefined || !declared.has("type")) && isReserved(key, type),
          "key must be another one, or type must be system, because a system variable has this key.",
        ],
        [
          ({ type }, declared) => type === "system" && declared.has("value"),
          "value cannot be given with type system, whose value the service sets. Remove value.",
        ],
        [
          ({ type }, declared) =>
            !declared.has("value") && type !== "system" && (type !== undefined || !declared.has("type")),
          "value is missing. Set it: only type system has no value.",
        ],
        [
          ({ key, value }) => sizeReason(key, value) !== undefined,
          ({ key, value }) => `value ${sizeReason(key, value)}.`,
        ],
        [
          (known, declared) =>
            (["target", "customEnvironmentIds"] as const).every((key) =>
              known[key] === undefined ? !declared.has(key) : known[key].length === 0,
            ),
          "target is missing. Give target, customEnvironmentIds, or both.",
        ],
        [
          ({ type, target }) => type === "sensitive" && (target ?? []).includes("development"),
          "type sensitive excludes the target development. Declare another variable for development, of another type.",
        ],
        [
          ({ gitBranch, target = [], customEnvironmentIds = [] }) =>
            gitBranch !== undefined &&
            (target.some((one) => one !== "preview") || customEnvironmentIds.length > 0),
          'gitBranch requires preview as the only target. Set target to ["preview"], or remove gitBranch.',
        ],
      ],
      warnings: whiteSpaceWarnings,
      refusals: refuseValue,
    },
    diff: {
      // A sensitive value cannot be made readable.
      replaces: (key, state) => key === "type" && state.type === "sensitive",
      // Two variables with the same identity cannot exist at once.
      deleteFirst: true,
      refuseLoss: reasonOfLoss,
      needsRefresh: ({ type }) => type === "sensitive",
    },
    ownership: { uniqueKeys: variableKeys },
    production: {
      revisionValues: ({ key, value, type, target, gitBranch, customEnvironmentIds }) => ({
        key,
        value,
        type: type ?? defaults.type,
        target,
        gitBranch,
        customEnvironmentIds,
      }),
    },
    list: listing(filters, async (client, { project }, at) => {
      const { id: projectId } = await client.identify(project);
      return readPage(client, at, {
        path: `${projectPath(projectId)}/env`,
        shape: responses.variableList,
        items: ({ envs }) =>
          envs
            .filter((one) => !isOfIntegration(one))
            .map(({ id, key }) => ({ id: `${projectId}/${id}`, name: key })),
      });
    }),

    async create(operation, declared) {
      if (isPlaceholder(declared)) throw new Error(placeholderReason(declared.key));
      const { id: projectId, accountId } = await operation.client.identify(declared.project);
      const remote = await createOrAdopt(operation, projectId, declared);
      const { isWhole } = environmentsForCreate(declared);
      const made = resultOf(projectId, accountId, remote);
      operation.checkpoint(made, { ...declared, ...(!isWhole && { customEnvironmentIds: undefined }) });
      if (isWhole) return made;
      return resultOf(projectId, accountId, await change(operation.run, projectId, remote.id, declared, {}));
    },

    async read(client, id, state) {
      const { projectId, accountId, remote } = await find(client, id);
      if (!state && isOfIntegration(remote)) throw new Error(reasonOfIntegration(remote));
      const current = { ...remote, value: declaredValue(remote, state) };
      const now: Plain = {
        project: state?.project ?? projectId,
        ...inputsRead(settings, state, current, (key, declared) =>
          asDeclared(declared, current[key] ?? defaultOf(key)),
        ),
      };
      if (state?.adopt !== undefined) now.adopt = state.adopt;
      return { ...resultOf(projectId, accountId, remote), inputs: now as Partial<Inputs> };
    },

    async update({ client, run, unsure }, id, state, declared) {
      const { projectId } = state;
      const { accountId } = await client.identify(projectId);
      const envId = id.slice(id.indexOf("/") + 1);
      const attempt = () => change(run, projectId, envId, declared, state, unsure);
      const remote = await takeKeys(run, variableKeys, { id, declared, state, attempt });
      return resultOf(projectId, accountId, remote);
    },

    async remove({ run }, id, { projectId }) {
      await removeVariable(run, projectId, id.slice(id.indexOf("/") + 1));
    },
  }),
);

/**
 * The value of a variable as an input; undefined for type system, whose value the service sets.
 * A sensitive value cannot be read: the result is the recorded value, or an empty text if others changed the value.
 */
function declaredValue(
  remote: responses.Variable,
  state: (Partial<Inputs> & Partial<Outputs>) | undefined,
): string | undefined {
  if (remote.type !== "sensitive") return (remote.type === "system" ? undefined : remote.value) ?? undefined;
  if (!state) return undefined;
  return remote.updatedAt == null || remote.updatedAt === state.updatedAt ? state.value : "";
}

const resultOf = (projectId: string, accountId: string, remote: responses.Variable): Created<Outputs> => ({
  id: `${projectId}/${remote.id}`,
  accountId,
  outputs: { projectId, updatedAt: remote.updatedAt ?? 0 },
  existing: { ...remote },
});
