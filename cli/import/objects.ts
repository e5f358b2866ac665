import { isPlain, own, type Plain } from "../../provider/core/values";
import { uniqueName } from "./declare";
import { type KnownValues, listIn, logicalName, type ManagedObject, textIn } from "./move";

/** A resource that another tool recorded, with the types and attributes of the Terraform provider. */
export interface RecordedResource {
  /** The address of the resource in the tool, for messages. */
  address: string;
  /** The parts of the logical name that the resource gets. */
  names: readonly string[];
  type: string;
  values: Plain;
  /** The texts in values that the tool records as secret. */
  secretTexts: readonly string[];
  /** The next run of the tool would replace the object. */
  isTainted: boolean;
  /** The object was replaced, and the tool still has to delete it. */
  isDeposed: boolean;
}

/** The name of the tool and its commands, for messages. */
export interface Tool {
  name: string;
  /** The command that removes a resource from the tool's state. */
  forget: string;
}

export interface RecordedObjects<R extends RecordedResource> {
  objects: ManagedObject[];
  /** Notes about resources that stay with the tool, and about settings that a program cannot declare. */
  notes: string[];
  /** Resources that stay with the tool, because Slipway cannot declare them. */
  lacking: R[];
}

/** Finds the objects for which Slipway has a resource. */
export function objectsOf<R extends RecordedResource>(
  resources: readonly R[],
  tool: Tool,
): RecordedObjects<R> {
  const objects: ManagedObject[] = [];
  const notes: string[] = [];
  const lacking: R[] = [];
  const ofOthers: R[] = [];
  for (const resource of resources) {
    const { address, type, isDeposed, isTainted } = resource;
    const mapping = own(mappings, type);
    if (isDeposed) {
      notes.push(
        `${address} has an object that ${tool.name} still has to delete. Let it do so before the move.`,
      );
      continue;
    }
    if (Object.hasOwn(parts, type)) ofOthers.push(resource);
    else if (mapping === undefined) {
      lacking.push(resource);
      notes.push(`${address} stays with ${tool.name}: ${own(advice, type)?.(tool) ?? noResource}`);
      continue;
    }
    if (isTainted) notes.push(`${address} is tainted. It was imported as it is, and is not replaced.`);
    objects.push(...(mapping?.(resource, resources) ?? []));
    const left = own(leftBehind, type)?.(resource.values);
    if (left !== undefined) notes.push(`${address}: ${left}`);
  }
  for (const resource of ofOthers) {
    const part = own(parts, resource.type);
    const whole = objects.find(({ type, id }) => type === part?.of && id === resource.values[part.by]);
    if (whole && part?.attach(resource, whole)) continue;
    lacking.push(resource);
    notes.push(`${resource.address} stays with ${tool.name}: its ${part?.noun} is not in the state.`);
  }
  return { objects: withoutRepeatedRoles(objects), notes, lacking };
}

/** Removes repeated roles. Of a role in the team's member and in the project's members, the latter stays. */
function withoutRepeatedRoles(objects: readonly ManagedObject[]): ManagedObject[] {
  const ofTeam = new Set(objects.filter(({ type }) => type === "TeamMember").map(({ address }) => address));
  const isRole = ({ type }: ManagedObject): boolean => type === "ProjectMember";
  const ofProjects = objects.filter((one) => isRole(one) && !ofTeam.has(one.address)).map(({ id }) => id);
  return objects.filter((one) => !isRole(one) || !ofTeam.has(one.address) || !ofProjects.includes(one.id));
}

const noResource = "Slipway has no resource for it.";

/** Advice for resources that do not move. */
const advice: Readonly<Record<string, (tool: Tool) => string>> = {
  vercel_deployment: ({ forget }) =>
    "existing deployments are not imported. Declare a Deployment, which deploys once, and remove this one with " +
    `\`${forget}\`, which keeps the deployment.`,
  vercel_alias: () => "a Promotion declares which deployment serves the domains of a project.",
};

/** Settings of a moved resource that a program cannot declare. */
const leftBehind: Readonly<Record<string, (values: Plain) => string | undefined>> = {
  vercel_team_member: ({ access_groups: groups }) =>
    Array.isArray(groups) && groups.length > 0
      ? "the member keeps the access groups, because Slipway has no resource for them."
      : undefined,
};

/** @param all every resource that the tool recorded */
type Mapping = (resource: RecordedResource, all: readonly RecordedResource[]) => ManagedObject[];

const mappings: Readonly<Record<string, Mapping>> = {
  vercel_project: (resource) => [
    objectOf(resource, "Project", textIn(resource.values, "id"), {
      known: { ...passwordIn(resource.values), ...automationSecretIn(resource.values) },
    }),
    ...variablesIn(resource, "environment", textIn(resource.values, "id")),
  ],
  vercel_project_domain: (resource) => [
    objectOf(resource, "ProjectDomain", within(resource, textIn(resource.values, "domain"))),
  ],
  vercel_project_environment_variable: (resource) => [variableOf(resource, resource.values)],
  vercel_project_environment_variables: (resource) =>
    variablesIn(resource, "variables", textIn(resource.values, "project_id")),
  vercel_custom_environment: (resource) => [
    objectOf(resource, "CustomEnvironment", within(resource, textIn(resource.values, "id"))),
  ],
  vercel_attack_challenge_mode: (resource) => [
    objectOf(resource, "AttackChallengeMode", textIn(resource.values, "project_id")),
  ],
  vercel_shared_environment_variable: (resource) => {
    const { project_ids: projects } = resource.values;
    const value = knownValue(resource.values);
    const shared = objectOf(resource, "SharedEnvVar", textIn(resource.values, "id"), {
      known: value === undefined ? {} : { value },
    });
    return [Array.isArray(projects) ? shared : { ...shared, unmanaged: ["projectIds"] }];
  },
  vercel_shared_environment_variable_project_link: (resource) => [
    objectOf(
      resource,
      "SharedEnvVarLink",
      within(resource, textIn(resource.values, "shared_environment_variable_id")),
    ),
  ],
  vercel_firewall_bypass: (resource) => {
    const { domain, source_ip: address } = resource.values;
    return [objectOf(resource, "FirewallBypass", within(resource, `${domain}/${address}`))];
  },
  vercel_dns_record: (resource) => {
    const { domain, id } = resource.values;
    return [objectOf(resource, "DnsRecord", `${domain}/${id}`)];
  },
  vercel_log_drain: (resource) => {
    const drainSecret = textIn(resource.values, "secret");
    return [
      objectOf(resource, "LogDrain", textIn(resource.values, "id"), {
        known: drainSecret === undefined ? {} : { drainSecret },
      }),
    ];
  },
  vercel_team_member: (resource, all) => {
    const user = textIn(resource.values, "user_id") ?? textIn(resource.values, "email") ?? "";
    const roles = listIn(resource.values, "projects").map((role) => {
      const project = textIn(role, "project_id") ?? "";
      const names = namesOfProject(project, all);
      return objectOf(resource, "ProjectMember", `${project}/${user}`, { names });
    });
    return [objectOf(resource, "TeamMember", user), ...roles];
  },
  vercel_project_members: (resource) => {
    const members = listIn(resource.values, "members");
    return members.map((member) => {
      const user = textIn(member, "user_id") ?? textIn(member, "email") ?? "";
      const names = [textIn(member, "username") ?? user];
      return objectOf(resource, "ProjectMember", within(resource, user), { names });
    });
  },
  vercel_edge_config: (resource) => [
    { ...objectOf(resource, "EdgeConfig", textIn(resource.values, "id")), unmanaged: ["schema"] },
  ],
  vercel_edge_config_item: (resource) => {
    const { edge_config_id: config, key } = resource.values;
    return [objectOf(resource, "EdgeConfigItem", `${config}/${key}`)];
  },
  vercel_edge_config_token: (resource) => {
    const { edge_config_id: config, id } = resource.values;
    const readToken = textIn(resource.values, "token");
    return [
      objectOf(resource, "EdgeConfigToken", `${config}/${id}`, {
        known: readToken === undefined ? {} : { readToken },
      }),
    ];
  },
  vercel_webhook: (resource) => {
    const signingKey = textIn(resource.values, "secret");
    return [
      objectOf(resource, "Webhook", textIn(resource.values, "id"), {
        known: signingKey === undefined ? {} : { signingKey },
      }),
    ];
  },
};

/** The parts of the logical name of a project, or its id if the tool does not manage it. */
function namesOfProject(id: string, all: readonly RecordedResource[]): string[] {
  const project = all.find(({ type, values }) => type === "vercel_project" && values.id === id);
  return project ? [...project.names] : [id];
}

const within = ({ values }: RecordedResource, id = ""): string =>
  `${textIn(values, "project_id") ?? ""}/${id}`;

function objectOf(
  { address, names: parts, values, secretTexts }: RecordedResource,
  type: ManagedObject["type"],
  id = "",
  { known = {}, names = [] }: { known?: KnownValues; names?: string[] } = {},
): ManagedObject {
  const team = textIn(values, "team_id");
  const name = logicalName([...parts, ...names]);
  return { type, id, name, address, team, known, secretTexts };
}

/** The object of a variable. States of old providers have no id: then key, environment and branch identify it. */
function variableOf(
  resource: RecordedResource,
  variable: Plain,
  { project = textIn(resource.values, "project_id") ?? "", names = [] as string[] } = {},
): ManagedObject {
  const value = knownValue(variable);
  const key = textIn(variable, "key") ?? "";
  const branch = textIn(variable, "git_branch");
  const natural = [key, ...environmentsIn(variable).slice(0, 1), ...(branch ? [branch] : [])].join("/");
  const id = `${project}/${textIn(variable, "id") ?? natural}`;
  return objectOf(resource, "EnvVar", id, { known: value === undefined ? {} : { value }, names });
}

/** The recorded value of a variable, which can be an empty text; undefined if the tool does not record it. */
const knownValue = ({ value }: Plain): string | undefined => (typeof value === "string" ? value : undefined);

const environmentsIn = ({ target, custom_environment_ids: custom }: Plain): string[] =>
  [target, custom].flatMap((names) => (Array.isArray(names) ? names.map(String) : []));

/** The variables of a list. If a key occurs several times, the resource names contain the environments. */
function variablesIn(resource: RecordedResource, member: string, project = ""): ManagedObject[] {
  const variables = listIn(resource.values, member);
  return variables.map((variable) => {
    const key = textIn(variable, "key") ?? "";
    const isOnly = variables.filter((other) => other.key === variable.key).length === 1;
    const branch = textIn(variable, "git_branch");
    const environments = [...environmentsIn(variable), ...(branch ? [branch] : [])];
    return variableOf(resource, variable, { project, names: [key, ...(isOnly ? [] : environments)] });
  });
}

function passwordIn({ password_protection: protection }: Plain): KnownValues {
  const password = isPlain(protection) ? textIn(protection, "password") : undefined;
  return password === undefined ? {} : { password };
}

/** The bypass secret of a project, which versions of the provider before 4 record with the project itself. */
function automationSecretIn(values: Plain): KnownValues {
  const secret = textIn(values, "protection_bypass_for_automation_secret");
  return secret === undefined ? {} : { bypass: { automation: { secret } } };
}

/** A resource of the tool that is an input of another resource in Slipway. */
interface Part {
  /** The type of the object that has the input. */
  of: ManagedObject["type"];
  noun: string;
  /** The attribute of the part that contains the id of this object. */
  by: string;
  /** Adds the part to its object. @returns false if the state does not have the setting */
  attach(part: RecordedResource, whole: ManagedObject): boolean;
}

const partOfProject = (attach: Part["attach"]): Part => ({
  ...{ of: "Project", noun: "project", by: "project_id" },
  attach,
});

const parts: Readonly<Record<string, Part>> = {
  vercel_project_protection_bypass: partOfProject(attachBypass),
  // The API returns these settings with the project, so nothing is added.
  vercel_project_crons: partOfProject(() => true),
  vercel_project_deployment_retention: partOfProject(() => true),
  vercel_edge_config_schema: { of: "EdgeConfig", noun: "Edge Config", by: "id", attach: attachSchema },
};

/** Records that the tool manages the schema. The API returns the schema with the Edge Config. */
function attachSchema(_part: RecordedResource, config: ManagedObject): boolean {
  config.unmanaged = [];
  return true;
}

/** Adds a bypass secret to its project. */
function attachBypass({ values, names }: RecordedResource, project: ManagedObject): boolean {
  const secret = textIn(values, "secret");
  if (secret === undefined) return false;
  const note = textIn(values, "note");
  const label = uniqueName(logicalName(names), new Set(Object.keys(project.known.bypass ?? {})));
  project.known.bypass = {
    ...project.known.bypass,
    [label]: { secret, ...(note !== undefined && { note }) },
  };
  return true;
}

/**
 * The text of a secret attribute. A list or object with one secret is secret as a whole, also its ordinary members, so
 * it has no secret text.
 */
export const textOf = (value: unknown): string[] =>
  typeof value === "string" && value !== "" ? [value] : [];
