import { isPlain, own, type Plain } from "../../../provider/core/values";
import { type KnownValues, listIn, logicalName, type ManagedObject, textIn } from "../move";
import { type Instance, namesIn, type TerraformState } from "./state";

/** What a Terraform state has for Slipway. */
export interface TerraformObjects {
  objects: ManagedObject[];
  /** Resources that stay with Terraform, and settings that no program declares. */
  notes: string[];
  /** Instances that Slipway has no resource for. */
  lacking: Instance[];
}

/** Finds the objects of a state that Slipway has resources for. */
export function objectsOf({ instances }: TerraformState): TerraformObjects {
  const objects: ManagedObject[] = [];
  const notes: string[] = [];
  const lacking: Instance[] = [];
  const bypasses: Instance[] = [];
  for (const instance of instances) {
    const { address, type, isDeposed, isTainted } = instance;
    const mapping = own(mappings, type);
    if (isDeposed) {
      notes.push(
        `${address} has a deposed object, which Terraform still has to destroy. Apply before the move.`,
      );
      continue;
    }
    if (type === bypassType) bypasses.push(instance);
    else if (mapping === undefined) {
      lacking.push(instance);
      notes.push(`${address} stays with Terraform: ${own(advice, type) ?? noResource}`);
      continue;
    }
    if (isTainted) notes.push(`${address} is tainted. It was imported as it is, and is not replaced.`);
    objects.push(...(mapping?.(instance) ?? []));
    if (type === "vercel_project") notes.push(...deployHookNotes(instance));
  }
  for (const bypass of bypasses) {
    if (attachBypass(bypass, objects)) continue;
    lacking.push(bypass);
    notes.push(`${bypass.address} stays with Terraform: its project is not in the state.`);
  }
  return { objects, notes, lacking };
}

const noResource = "Slipway has no resource for it.";

/** What to do with resources that do not move. */
const advice: Readonly<Record<string, string>> = {
  vercel_deployment:
    "a deployment is history, which nothing imports. Declare a Deployment, which deploys once, and remove this one with " +
    "`terraform state rm`, which keeps the deployment.",
  vercel_alias: "a Promotion declares which deployment serves the domains of a project.",
  vercel_shared_environment_variable:
    "Slipway has no variables of a team. Or declare an EnvVar for each of its projects.",
  vercel_shared_environment_variable_project_link:
    "Slipway has no variables of a team. Or declare an EnvVar for the project.",
};

type Mapping = (instance: Instance) => ManagedObject[];

const mappings: Readonly<Record<string, Mapping>> = {
  vercel_project: (instance) => [
    objectOf(instance, "Project", textIn(instance.values, "id"), {
      known: { ...passwordIn(instance.values), ...automationSecretIn(instance.values) },
    }),
    ...variablesIn(instance, "environment", textIn(instance.values, "id")),
  ],
  vercel_project_domain: (instance) => [
    objectOf(instance, "ProjectDomain", within(instance, textIn(instance.values, "domain"))),
  ],
  vercel_project_environment_variable: (instance) => [variableOf(instance, instance.values)],
  vercel_project_environment_variables: (instance) =>
    variablesIn(instance, "variables", textIn(instance.values, "project_id")),
  vercel_custom_environment: (instance) => [
    objectOf(instance, "CustomEnvironment", within(instance, textIn(instance.values, "id"))),
  ],
  vercel_webhook: (instance) => {
    const signingKey = textIn(instance.values, "secret");
    return [
      objectOf(instance, "Webhook", textIn(instance.values, "id"), {
        known: signingKey === undefined ? {} : { signingKey },
      }),
    ];
  },
};

const within = ({ values }: Instance, id = ""): string => `${textIn(values, "project_id") ?? ""}/${id}`;

function objectOf(
  { address, values }: Instance,
  type: ManagedObject["type"],
  id = "",
  { known = {}, names = [] }: { known?: KnownValues; names?: string[] } = {},
): ManagedObject {
  const team = textIn(values, "team_id");
  const name = logicalName([...namesIn(address), ...names]);
  return { type, id, name, address, team, known };
}

/** The object of a variable, by its id or, in states of old providers, by its key and environments. */
function variableOf(
  instance: Instance,
  variable: Plain,
  { project = textIn(instance.values, "project_id") ?? "", names = [] as string[] } = {},
): ManagedObject {
  const value = textIn(variable, "value");
  const key = textIn(variable, "key") ?? "";
  const branch = textIn(variable, "git_branch");
  const natural = [key, ...environmentsIn(variable).slice(0, 1), ...(branch ? [branch] : [])].join("/");
  const id = `${project}/${textIn(variable, "id") ?? natural}`;
  return objectOf(instance, "EnvVar", id, { known: value === undefined ? {} : { value }, names });
}

const environmentsIn = ({ target, custom_environment_ids: custom }: Plain): string[] =>
  [target, custom].flatMap((names) => (Array.isArray(names) ? names.map(String) : []));

/** The variables of a list. A key that occurs several times has its environments in the names. */
function variablesIn(instance: Instance, member: string, project = ""): ManagedObject[] {
  const variables = listIn(instance.values, member);
  return variables.map((variable) => {
    const key = textIn(variable, "key") ?? "";
    const isOnly = variables.filter((other) => other.key === variable.key).length === 1;
    const branch = textIn(variable, "git_branch");
    const environments = [...environmentsIn(variable), ...(branch ? [branch] : [])];
    return variableOf(instance, variable, { project, names: [key, ...(isOnly ? [] : environments)] });
  });
}

function passwordIn({ password_protection: protection }: Plain): KnownValues {
  const password = isPlain(protection) ? textIn(protection, "password") : undefined;
  return password === undefined ? {} : { password };
}

/** The bypass secret of a project, which providers before version 4 have on the project itself. */
function automationSecretIn(values: Plain): KnownValues {
  const secret = textIn(values, "protection_bypass_for_automation_secret");
  return secret === undefined ? {} : { bypass: { automation: { secret } } };
}

const bypassType = "vercel_project_protection_bypass";

/** Adds a bypass secret to the project that it belongs to. @returns false if the state does not have it */
function attachBypass({ values, address }: Instance, objects: ManagedObject[]): boolean {
  const project = objects.find(({ type, id }) => type === "Project" && id === values.project_id);
  const secret = textIn(values, "secret");
  if (project === undefined || secret === undefined) return false;
  const note = textIn(values, "note");
  const label = logicalName(namesIn(address));
  project.known.bypass = {
    ...project.known.bypass,
    [label]: { secret, ...(note !== undefined && { note }) },
  };
  return true;
}

function deployHookNotes({ address, values }: Instance): string[] {
  const repository = values.git_repository;
  const hooks = isPlain(repository) ? listIn(repository, "deploy_hooks") : [];
  if (hooks.length === 0) return [];
  const names = hooks.map((hook) => textIn(hook, "name") ?? "").join(", ");
  return [`${address}: its deploy hooks (${names}) stay at the service. Slipway does not manage them.`];
}
