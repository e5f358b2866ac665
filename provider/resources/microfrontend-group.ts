import { z } from "zod";
import { anything } from "../client/responses";
import type { Created, Operation } from "../core/definition";
import { isIgnored } from "../core/ignored";
import { takeKeys } from "../core/key-step";
import { listing } from "../core/listing";
import { resource } from "../core/resource";
import { changesOf, inputsRead } from "../core/settings";
import { createOrTake } from "../core/take-over";
import type { UniqueKeys } from "../core/unique-keys";
import { asDeclared, type Plain } from "../core/values";
import { groupNameLength } from "../vocabulary";
import { accountIdOf } from "./account-id";
import { projectIdsInput } from "./id-inputs";
import { moveDefaultApp, otherDefaultApp } from "./microfrontend/default-app";
import {
  changeGroup,
  defaultAppOf,
  defaultRoute,
  findGroup,
  type Group,
  groupDefaults,
  groupPath,
  groupSettingsOf,
  groupsOf,
  groupsPath,
  inOtherGroup,
  inTeam,
  labelOf,
  type Member,
  newGroup,
  newGroupPath,
  putMember,
  readGroup,
} from "./microfrontend/records";
import { isTemporaryName, keysOfGroups, type NamedGroups, nameTaken, naming } from "./named-groups";
import { projectId } from "./names";

const inputs = z.strictObject({
  /** Name of the group in the team. Changing it renames the group, and changes its `slug`. */
  name: z.string().max(groupNameLength).regex(/\S/, "must not be blank"),
  /**
   * Id of the project of the default application, which gets the requests that no other project of the group gets.
   * Changing it makes another project the default application, and removes the one before from the group.
   */
  defaultAppProjectId: projectId,
  /** Path of the default application that is shown in screenshots and links of deployments. Default: /. */
  defaultRoute: defaultRoute.optional(),
  /**
   * Where requests of preview and custom environments go for a project that was not built for a commit. SAME_ENV: the same
   * environment. PRODUCTION: production. Otherwise the slug of a custom environment of the default application. Default:
   * SAME_ENV.
   */
  fallbackEnvironment: z
    .string()
    .regex(
      /^(SAME_ENV|PRODUCTION|[a-z0-9][a-z0-9_-]{0,31})$/,
      "must be SAME_ENV, PRODUCTION, or the slug of a custom environment",
    )
    .optional(),
  /** Whether preview deployments lead to branches with the same name in other Git repositories. Default: false. */
  enablePolyrepoBranchRouting: z.boolean().optional(),
  /**
   * Takes over an existing group with this name and default application, with its projects. If false, the create fails
   * when the team already has the group. Default: false.
   */
  adopt: z.boolean().optional(),
});

const outputs = z.object({
  /** Id of the group, the same as `id`, for `microfrontendGroupId` of its other projects. */
  microfrontendGroupId: z.string(),
  /** Name of the group as in URLs. */
  slug: z.string(),
});

type Inputs = z.output<typeof inputs>;
type Outputs = z.output<typeof outputs>;
type GroupOperation = Operation<Inputs, Outputs>;

const defaults: Plain = { defaultRoute: "/", ...groupDefaults };
/** Inputs that go back to their defaults when they leave the program. */
const settings = ["defaultRoute", "fallbackEnvironment", "enablePolyrepoBranchRouting"] as const;

const groups: NamedGroups = {
  noun: "the microfrontend group",
  longest: groupNameLength,
  path: (id) => (id === undefined ? newGroupPath : groupPath("team", id)),
  find: findGroup,
  rename: (client, id, name) =>
    naming(client, groups, { name, self: id }, async () =>
      changeGroup(client, await accountIdOf(client), id, { name }),
    ),
};

const groupKeys: UniqueKeys = {
  ...keysOfGroups(groups),
  async refuseAdoption({ client }, [id = ""], declared) {
    return otherDefaultApp(await findGroup(client, id), declared);
  },
};

/**
 * A microfrontend group of the team: projects that are composed to one application. The group has its default
 * application; add the other projects with `MicrofrontendGroupMembership`. A group with other projects is not deleted.
 * @throws ApiError 400 if another group has the name or the project; 403 if the plan does not permit another group, or the
 *   token does not belong to an owner; Error on delete if the group has projects that the program did not remove
 * @source the newest official client: POST /v1/microfrontends/group; the Terraform provider: vercel_microfrontend_group
 */
export const microfrontendGroup = resource({
  type: "MicrofrontendGroup",
  handler: "mfegroup",
  scopes: [],
  importId: "`<name>`, or `<id>`",
  inputs,
  outputs,
  traits: {
    defaults: { ...defaults, adopt: false },
    stable: ["microfrontendGroupId"],
    computed: [...settings],
    ids: { defaultAppProjectId: { ...projectIdsInput, noun: "project" } },
  },
  checks: {
    async refusals(client, previous, { name, defaultAppProjectId: app }, run) {
      if (typeof app !== "string") return [];
      const other = run.defaultApps.get(app) ?? name;
      run.defaultApps.set(app, name);
      if (app === previous.defaultAppProjectId) return [];
      if (other !== name || run.microfrontends.has(app))
        return [{ property: "defaultAppProjectId", reason: inTwoGroups(app) }];
      const found = (await groupsOf(client))
        .flatMap(({ members }) => members)
        .find((one) => one.projectId === app);
      if (!found) return [];
      const group = await findGroup(client, found.group);
      if (group?.name === (previous.name ?? name)) return [];
      return [{ property: "defaultAppProjectId", reason: inOtherGroup(found) }];
    },
  },
  ownership: { objects: (_outputs, id) => [id], uniqueKeys: groupKeys },
  list: listing(z.strictObject({}), async (client) => ({
    items: (await groupsOf(client)).map(({ id, name }) => ({ id, name })),
  })),

  async create(operation, declared) {
    const { client, run, checkpoint } = operation;
    const { name, defaultAppProjectId, defaultRoute } = declared;
    const accountId = await accountIdOf(client);
    let isNew = true;
    const attempt = () =>
      naming(client, groups, { name }, () =>
        createOrAdopt(operation, declared, () => {
          isNew = false;
        }),
      );
    const group = await takeKeys(run, groupKeys, { declared, attempt });
    // The request that creates a group does not have these settings.
    const further = changesOf(Object.keys(groupDefaults), declared, {}, () => undefined);
    if (!isNew || Object.keys(further).length === 0) return resultOf(group, accountId);
    const app = { defaultAppProjectId, ...(defaultRoute !== undefined && { defaultRoute }) };
    checkpoint(resultOf(group, accountId), { name, ...app });
    await changeGroup(client, accountId, group.id, further);
    return resultOf(group, accountId);
  },

  async read(client, id, state) {
    const group = await readGroup(client, id);
    const app = defaultAppOf(group);
    if (!state && !app) throw new Error(`The microfrontend group ${group.name} has no default application.`);
    const now: Plain = {
      name: group.name,
      ...(app && { defaultAppProjectId: app.projectId }),
      ...inputsRead(settings, state, groupSettingsOf(group), (key, declared) =>
        asDeclared(declared, groupSettingsOf(group)[key]),
      ),
    };
    if (state?.adopt !== undefined) now.adopt = state.adopt;
    return { ...resultOf(group, await accountIdOf(client)), inputs: now as Partial<Inputs> };
  },

  async update(operation, id, state, declared) {
    const { client, run, unsure } = operation;
    const accountId = await accountIdOf(client);
    let group = await readGroup(client, id);
    const body = changesOf(settings, declared, state, (key) => defaults[key], unsure);
    const { defaultRoute, ...ofGroup } = body;
    group = await moveDefaultApp(
      operation,
      group,
      declared,
      state.defaultAppProjectId,
      defaultRoute === undefined ? {} : { defaultRoute },
    );
    const { name } = declared;
    const renames = group.name !== name && (state.name !== name || unsure || isTemporaryName(group.name));
    const sent = { ...ofGroup, ...(renames && { name }) };
    const attempt = () =>
      naming(client, groups, { name, self: id }, () => changeGroup(client, accountId, id, sent));
    if (renames) await takeKeys(run, groupKeys, { id, declared, state, attempt });
    else if (Object.keys(sent).length > 0) await changeGroup(client, accountId, id, sent);
    return resultOf(await readGroup(client, id), accountId);
  },

  async remove({ client }, id, state) {
    const othersIn = ({ members }: Group): Member[] =>
      members.filter((member) => member.projectId !== state.defaultAppProjectId);
    // Another provider of the program may just have removed some.
    const group = await client.readUntil(
      groupsPath,
      () => readGroup(client, id),
      (found) => othersIn(found).length === 0,
      Date.now(),
    );
    const others = othersIn(group);
    if (others.length > 0) throw new Error(stillHas(group, others));
    const path = groupPath(await accountIdOf(client), id);
    await client.send({ method: "DELETE", path, shape: anything });
  },
});

const inTwoGroups = (projectId: string): string =>
  `The program declares the project ${projectId} in two microfrontend groups, and a project can be in one group only. ` +
  "Choose another default application, or remove the other declaration.";

/** @source the public documentation of the service: a group is deleted once all its projects are removed */
const stillHas = ({ name, id }: Group, others: readonly Member[]): string =>
  `The microfrontend group ${name} (${id}) has projects that this program does not declare, so it was not deleted: ` +
  `${others.map(labelOf).join(", ")}. Remove them from the group, or import them as MicrofrontendGroupMembership ` +
  "first, and run again. If this run deletes them too, let their microfrontendGroupId be the output of the group.";

/**
 * Creates a group exactly once, or adopts the one that has the name.
 * @param adopted called for an adopted group
 * @throws ApiError 409 if a group has the name and is not adopted, although the service may let two groups have a name
 */
async function createOrAdopt(
  operation: GroupOperation,
  declared: Inputs,
  adopted: () => void,
): Promise<Group> {
  const { client, isOfStack } = operation;
  const { name, adopt: adopts, defaultAppProjectId: projectId, defaultRoute } = declared;
  return createOrTake<Group>(operation, adopts, {
    find: () => findGroup(client, name),
    idOf: ({ id }) => id,
    refusesWith400: true,
    create(look) {
      const defaultApp = { projectId, ...(defaultRoute !== undefined && { defaultRoute }) };
      const request = {
        method: "POST" as const,
        path: newGroupPath,
        body: { groupName: name, defaultApp, otherApplications: [] },
        shape: newGroup.transform(({ newMicrofrontendsGroup: group }): Group => {
          const app = { ...defaultApp, name: undefined, group: group.id, isDefaultApp: true };
          return { ...group, members: [app] };
        }),
      };
      return inTeam(client, client.create<Group>({ request, look, existed: false }));
    },
    async take(existing) {
      const what = `The microfrontend group ${name} (${existing.id})`;
      if (!adopts || (await isOfStack(what, existing.id))) throw nameTaken(groups, name);
      adopted();
      return adoptGroup(operation, existing, declared);
    },
    refusal: (error) => error,
  });
}

/** Adopts a group, and changes it as declared, without what the program ignores. @throws Error for another default application */
async function adoptGroup(
  { client, adopt, ignored }: GroupOperation,
  found: Group,
  declared: Inputs,
): Promise<Group> {
  const reason = otherDefaultApp(found, declared);
  if (reason !== undefined) throw new Error(reason);
  const changes = changesOf(settings, declared, groupSettingsOf(found), () => undefined);
  const paths = Object.keys(changes).length > 0 ? await ignored() : [];
  const { defaultRoute, ...ofGroup } = Object.fromEntries(
    Object.entries(changes).filter(([key, value]) => value !== undefined && !isIgnored(paths, [key])),
  );
  return adopt(`The microfrontend group ${found.name} (${found.id})`, [found.id], async () => {
    if (defaultRoute !== undefined)
      await putMember(client, declared.defaultAppProjectId, found.id, { defaultRoute });
    if (Object.keys(ofGroup).length > 0)
      await changeGroup(client, await accountIdOf(client), found.id, ofGroup);
    return found;
  });
}

const resultOf = (group: Group, accountId: string): Created<Outputs> => ({
  id: group.id,
  accountId,
  outputs: { microfrontendGroupId: group.id, slug: group.slug },
  existing: groupSettingsOf(group),
});
