import { z } from "zod";
import type { Client } from "../client/client";
import { absentFrom, ifFound } from "../client/errors";
import { projectPath } from "../client/paths";
import type { Created, Operation } from "../core/definition";
import { listing } from "../core/listing";
import { resource } from "../core/resource";
import { changesOf, inputsRead } from "../core/settings";
import { createOrTake, takeOver } from "../core/take-over";
import { unmanagedExists } from "../core/unique-key-messages";
import type { UniqueKeys } from "../core/unique-keys";
import { asDeclared, type Plain } from "../core/values";
import { microfrontendGroupIdInput } from "./id-inputs";
import {
  defaultRoute,
  groupId,
  inOtherGroup,
  labelOf,
  type Member,
  memberOf,
  memberRequest,
  putMember,
  readGroup,
  removeMember,
  settingDefaults,
  settingsOf,
} from "./microfrontend/records";
import { projectRef, twoParts } from "./names";

const inputs = z.strictObject({
  /** Id or name of the project. Changing it replaces the membership. */
  project: projectRef,
  /**
   * Id of the group, such as the output `microfrontendGroupId` of a `MicrofrontendGroup`. Changing it replaces the
   * membership.
   */
  microfrontendGroupId: groupId,
  /** Path of the project that is shown in screenshots and links of deployments. Default: /. */
  defaultRoute: defaultRoute.optional(),
  /** Whether observability data of the paths of this project goes to this project instead of the default application. Default: false. */
  routeObservabilityToThisProject: z.boolean().optional(),
  /** Whether the domains of this project serve this project alone, and not the whole group. Default: false. */
  doNotRouteWithMicrofrontendsRouting: z.boolean().optional(),
  /** If the group already has the project, takes it over instead of failing. Default: false. */
  adopt: z.boolean().optional(),
});

const outputs = z.object({
  /** Id of the project. */
  projectId: z.string(),
});

const filters = z.strictObject({
  /** Id or name of the microfrontend group. */
  microfrontendGroup: z.string().min(1).max(256),
});

type Inputs = z.output<typeof inputs>;
type Outputs = z.output<typeof outputs>;

/** Inputs that go back to their defaults when they leave the program. */
const settings = Object.keys(settingDefaults) as (keyof typeof settingDefaults)[];

/**
 * The unique key: a project is in one group at most.
 * @choice It gets no temporary name: the resource that declares the project takes it over, and moves it to its group.
 */
const keys: UniqueKeys = {
  noun: "the membership of the project in a microfrontend group",
  choices: "another project",
  scope: "project",
  mayBeShared: true,
  of: (_inputs, projectId) => [projectId],

  async owners({ client }, wanted) {
    const found = await Promise.all(wanted.map((id) => ifFound(find(client, id))));
    // The default application belongs to the resource of the group.
    return found.flatMap((member) => (member && !member.isDefaultApp ? [idOf(member)] : []));
  },

  async refuseAdoption(_run, [id = ""], { microfrontendGroupId: group }) {
    const [projectId, other] = twoParts(id, form);
    if (typeof group !== "string" || other === group) return undefined;
    return inOtherGroup({ projectId, name: undefined, group: other, isDefaultApp: false });
  },

  freeKeys: async () => async () => {},
};

/**
 * A project of a microfrontend group, other than the default application. The paths that lead to it are in the
 * microfrontends.json of the default application. Changes take effect with the next deployment.
 * @throws ApiError 403 if the plan does not permit another project, or the token does not belong to an owner; 409 if the
 *   project is in another group
 * @source the newest official client: PATCH /v1/projects/{projectId}/microfrontends
 * @source the Terraform provider: vercel_microfrontend_group_membership
 */
export const microfrontendGroupMembership = resource({
  type: "MicrofrontendGroupMembership",
  handler: "mfemember",
  scopes: [],
  importId: "`<project>/<group>`, with the id or name of the project, and the id of the group",
  inputs,
  outputs,
  traits: {
    defaults: { ...settingDefaults, adopt: false },
    stable: ["projectId"],
    computed: [...settings],
    replaceOn: ["project", "microfrontendGroupId"],
    ids: { microfrontendGroupId: microfrontendGroupIdInput },
  },
  checks: {
    async refusals(client, previous, { project }, run) {
      if (typeof project !== "string") return [];
      run.microfrontends.add(project);
      if (project === previous.project) return [];
      const member = await ifFound(find(client, project));
      // The program may make another project the default application.
      const isKept = run.defaultApps.size === 0 || run.defaultApps.has(member?.projectId ?? project);
      if (!(member?.isDefaultApp ?? run.defaultApps.has(project)) || !isKept) return [];
      return [{ property: "project", reason: isDefaultApp(member ?? { projectId: project }) }];
    },
  },
  // A project cannot be in two groups.
  diff: { deleteFirst: (state, news) => [state.project, state.projectId].includes(news.project) },
  ownership: { uniqueKeys: keys },
  list: listing(filters, async (client, { microfrontendGroup }) => {
    const { members } = await readGroup(client, `${microfrontendGroup}`);
    const others = members.filter((member) => !member.isDefaultApp);
    return { items: others.map((member) => ({ id: idOf(member), name: member.name ?? member.projectId })) };
  }),

  async create(operation, declared) {
    const { client } = operation;
    const { microfrontendGroupId: group } = declared;
    const { id: projectId, accountId } = await client.identify(declared.project);
    const member = await createOrTake<Member>(operation, declared.adopt, {
      async find() {
        const found = await find(client, projectId);
        if (found?.isDefaultApp)
          throw new Error(found.group === group ? isDefaultApp(found) : inOtherGroup(found));
        return found;
      },
      idOf: () => `${projectId}/${group}`,
      create: (look) =>
        client.create({
          request: memberRequest(
            projectId,
            group,
            changesOf(settings, declared, {}, () => undefined),
          ),
          async look() {
            const found = await look();
            return found?.group === group ? found : undefined;
          },
          existed: false,
        }),
      take: (existing) => takeMember(operation, existing, declared),
      refusal: (error) => error,
    });
    return resultOf(member, accountId);
  },

  async read(client, id, state) {
    const [project, group] = twoParts(id, form);
    const { id: projectId, accountId, ...rest } = await client.project(project);
    const member = memberOf({ id: projectId, ...rest });
    if (!member || member.isDefaultApp || member.group !== group)
      throw absentFrom(
        projectPath(projectId),
        `The project ${project} is not in the microfrontend group ${group}.`,
      );
    const current = settingsOf(member);
    const now: Plain = {
      ...{ project: state?.project ?? projectId, microfrontendGroupId: group },
      ...inputsRead(settings, state, current, (key, declared) => asDeclared(declared, current[key])),
    };
    if (state?.adopt !== undefined) now.adopt = state.adopt;
    return { ...resultOf(member, accountId), inputs: now as Partial<Inputs> };
  },

  async update({ client, unsure }, _id, state, declared) {
    const { projectId } = state;
    const { accountId } = await client.identify(projectId);
    const body = changesOf(
      settings,
      declared,
      state,
      (key) => settingDefaults[key as keyof typeof settingDefaults],
      unsure,
    );
    return resultOf(await putMember(client, projectId, declared.microfrontendGroupId, body), accountId);
  },

  // The project may be in another group meanwhile, or be the default application.
  async remove({ client, warn }, id) {
    const [projectId, group] = twoParts(id, form);
    const member = await find(client, projectId);
    if (member?.group !== group) return;
    if (!member.isDefaultApp) await removeMember(client, projectId);
    else warn(`${id}: the project is the default application of the group now, so it stays in the group.`);
  },
});

/** A project in its group, uncached; undefined if it is in none. @throws ApiError 404 if there is no such project */
const find = async (client: Client, project: string): Promise<Member | undefined> =>
  memberOf(await client.project(project));

/** Adopts a project of the group, or takes it over from another resource of the stack, and changes it as declared. */
async function takeMember(
  operation: Operation<Inputs, Outputs>,
  found: Member,
  declared: Inputs,
): Promise<Member> {
  const { client } = operation;
  const { projectId } = found;
  const group = declared.microfrontendGroupId;
  const current = settingsOf(found);
  const moves = found.group !== group;
  const isOther = (key: (typeof settings)[number]): boolean =>
    declared[key] !== undefined && (moves || declared[key] !== current[key]);
  const what = `The project ${labelOf(found)} of the microfrontend group ${found.group}`;
  if (moves && !(await operation.isOfStack(what, idOf(found)))) throw new Error(inOtherGroup(found));
  return takeOver(operation, declared, {
    ...{ unique: keys, keys: [projectId], id: idOf(found), what },
    changed: settings.filter(isOther),
    refusal: unmanagedExists(keys, idOf(found), [`/${labelOf(found)}`], true),
    async change(changed) {
      if (moves) await removeMember(client, projectId);
      else if (changed.length === 0) return found;
      const body = Object.fromEntries(changed.map((key) => [key, declared[key as keyof Inputs]]));
      return putMember(client, projectId, group, body);
    },
  });
}

const isDefaultApp = (member: Pick<Member, "projectId"> & Partial<Member>): string =>
  `The project ${labelOf({ name: undefined, group: "", isDefaultApp: true, ...member })} is the default application of a ` +
  "microfrontend group. Its membership is part of the MicrofrontendGroup, whose input defaultRoute is its route. " +
  "Remove this resource.";

const idOf = ({ projectId, group }: Pick<Member, "projectId" | "group">): string => `${projectId}/${group}`;

const form = 'The id of a project of a microfrontend group is "project/group", such as "web/mfe_1".';

const resultOf = (member: Member, accountId: string): Created<Outputs> => ({
  id: idOf(member),
  accountId,
  outputs: { projectId: member.projectId },
  existing: settingsOf(member),
});
