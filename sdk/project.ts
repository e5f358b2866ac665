import type * as pulumi from "@pulumi/pulumi";
import { projectNameFrom } from "../provider/resources/names";
import { project } from "../provider/resources/project";
import { autoNamedKey } from "../provider/trampoline";
import { mistake } from "./mistake";
import { type ArgsOf, classOf, type Declared } from "./resource";

/** What a project is declared with. An input that is not given is not managed; one that is removed is reset. */
export interface ProjectArgs extends Omit<ArgsOf<typeof project>, "name"> {
  /**
   * Name of the project; by default a new one is called like the resource, made valid, and keeps that name.
   * Changing it renames the project.
   */
  name?: Declared<string | undefined>;
}

/**
 * A project: deployments of one name, with their build settings, protection, domains and variables.
 * It is never replaced: a rename is in place.
 */
export class Project extends classOf(project) {
  constructor(name: string, args: ProjectArgs = {}, opts: pulumi.CustomResourceOptions = {}) {
    const isNamed = opts.id !== undefined || args.name !== undefined;
    super(name, isNamed ? args : { ...args, name: nameFrom(name), [autoNamedKey]: true }, opts);
  }

  /** A project that exists, by id or name; it is read and never changed. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Project {
    return new Project(name, {}, { ...opts, id });
  }
}

/** @throws RunError when the resource is called so that no project can be called after it */
function nameFrom(logicalName: string): string {
  try {
    return projectNameFrom(logicalName);
  } catch (error) {
    throw mistake(error instanceof Error ? error.message : String(error));
  }
}
