import { own } from "../../provider/core/values";
import { importables } from "../objects";
import { member } from "../objects/member";
import { projectMember } from "../objects/project-member";
import {
  logicalName,
  type ManagedObject,
  type Mapping,
  type RecordedResource,
  textIn,
} from "../objects/recorded";
import { uniqueName } from "./declare";

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
  }
  for (const resource of ofOthers) {
    const part = own(parts, resource.type);
    const whole = objects.find(
      ({ type, id }) => type === part?.of && id.split("/").at(-1) === resource.values[part.by],
    );
    if (whole && part?.attach(resource, whole)) continue;
    lacking.push(resource);
    notes.push(`${resource.address} stays with ${tool.name}: its ${part?.noun} is not in the state.`);
  }
  return { objects: withoutRepeatedRoles(objects), notes, lacking };
}

/** Removes repeated roles. Of a role in the team's member and in the project's members, the latter stays. */
function withoutRepeatedRoles(objects: readonly ManagedObject[]): ManagedObject[] {
  const ofTeam = new Set(
    objects.filter(({ type }) => type === member.resource.type).map(({ address }) => address),
  );
  const isRole = ({ type }: ManagedObject): boolean => type === projectMember.resource.type;
  const ofProjects = objects.filter((one) => isRole(one) && !ofTeam.has(one.address)).map(({ id }) => id);
  return objects.filter((one) => !isRole(one) || !ofTeam.has(one.address) || !ofProjects.includes(one.id));
}

const noResource = "Slipway has no resource for it.";

/** Advice for resources that do not move. */
const advice: Readonly<Record<string, (tool: Tool) => string>> = {
  vercel_deployment: ({ forget }) =>
    "existing deployments are not imported. Declare a Deployment, which deploys once, and remove this one with " +
    `\`${forget}\`, which keeps the deployment.`,
};

/** How each resource of the tool becomes objects. */
const mappings: Readonly<Record<string, Mapping>> = Object.assign(
  {},
  ...importables.map(({ recorded }) => recorded),
);

/** A resource of the tool that is an input of another resource in Slipway. */
interface Part {
  /** The type of the object that has the input. */
  of: ManagedObject["type"];
  noun: string;
  /** The attribute of the part that contains the id of this object at the service. */
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
  vercel_edge_config_schema: { of: "EdgeConfig", noun: "Edge Config", by: "id", attach: attachInputs },
  vercel_feature_flag_config: {
    of: "FeatureFlag",
    noun: "feature flag",
    by: "flag_id",
    attach: attachInputs,
  },
};

/** Records that the tool manages all inputs. The API returns these of the part with the whole. */
function attachInputs(_part: RecordedResource, whole: ManagedObject): boolean {
  whole.unmanaged = [];
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
    [label]: {
      secret,
      ...(note !== undefined && { note }),
      ...(values.is_env_var === true && { isEnvVar: true }),
    },
  };
  return true;
}

/**
 * The text of a secret attribute. A list or object with one secret is secret as a whole, also its ordinary members, so
 * it has no secret text.
 */
export const textOf = (value: unknown): string[] =>
  typeof value === "string" && value !== "" ? [value] : [];
