import type * as pulumi from "@pulumi/pulumi";
import { projectNameFrom } from "../provider/resources/names";
import { project } from "../provider/resources/project";
import { type ArgsOf, classOf, type Declared } from "./resource";

/** What a project is declared with. An input that is not given is not managed; one that is removed is reset. */
export interface ProjectArgs extends Omit<ArgsOf<typeof project>, "name"> {
  /** Name of the project; by default the resource's own, made valid. Changing it renames the project. */
  name?: Declared<string | undefined>;
}

/**
 * A project: deployments of one name, with their build settings, protection, domains and variables.
 * It is never replaced: a rename is in place.
 */
export class Project extends classOf(project) {
  constructor(name: string, args: ProjectArgs = {}, opts: pulumi.CustomResourceOptions = {}) {
    const named = opts.id === undefined && args.name === undefined;
    super(name, named ? { ...args, name: projectNameFrom(name) } : args, opts);
  }

  /** A project that exists, by id or name; it is read and never changed. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Project {
    return new Project(name, {}, { ...opts, id });
  }
}
