import type * as pulumi from "@pulumi/pulumi";
import { autoNamedKey } from "../provider/loader";
import { projectNameFrom } from "../provider/resources/names";
import { project } from "../provider/resources/project";
import { isForPlugin } from "./core/hosting";
import { classOf, refuseMisuse } from "./core/resource";
import { userError } from "./core/user-error";
import type { ProjectArgs, ProjectOutputs } from "./types";

/** The projects of a program, by the outputs that identify them. */
const projects = new WeakMap<object, Project>();

/** Finds the project resource of the program that has an Output as its id or name. */
export const projectOf = (id: unknown): Project | undefined =>
  typeof id === "object" && id !== null ? projects.get(id) : undefined;

/**
 * A project, with its build settings, protection, domains, variables and deployments.
 * Changing `name` renames the project in place.
 */
export class Project extends classOf<ProjectOutputs>(project) {
  constructor(name: string, args: ProjectArgs = {}, opts: pulumi.CustomResourceOptions = {}) {
    refuseMisuse("Project", name, opts);
    // In the plugin, the provider chooses the default name.
    const isNamed = opts.id !== undefined || args.name !== undefined || isForPlugin();
    super(name, isNamed ? args : { ...args, name: nameFrom(name), [autoNamedKey]: true }, opts);
    projects.set(this.id, this);
    projects.set(this.name, this);
  }

  /** Reads an existing project by id or name, without managing it. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Project {
    return new Project(name, {}, { ...opts, id });
  }
}

/** @throws RunError when the logical name cannot be converted to the name of a project */
function nameFrom(logicalName: string): string {
  try {
    return projectNameFrom(logicalName);
  } catch (error) {
    throw userError(error instanceof Error ? error.message : String(error));
  }
}
