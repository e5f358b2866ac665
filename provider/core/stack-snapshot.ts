import { digest, type Plain } from "./values";

/** A resource in the state of a stack. */
export interface RecordedResource {
  /** Such as `EnvVar`. */
  type: string;
  name: string;
  outputs: Plain;
}

/** The name of a resource in messages. */
export const labelOf = (type: string, name: string): string => `${type} "${name}"`;

/** The objects in the state of a stack. */
export class StackSnapshot {
  /** The resources, by API and object. */
  readonly #owners = new Map<string, string>();
  readonly #projects = new Set<string>();

  /**
   * @param objectsOf the digests of the objects of a resource, each after that of the API
   * @param abandoned owner ids of resources whose objects were deleted or retained, and that are not yet recreated
   */
  constructor(
    resources: readonly RecordedResource[],
    objectsOf: (resource: RecordedResource) => readonly string[],
    readonly abandoned: readonly string[] = [],
  ) {
    for (const resource of resources) {
      for (const object of objectsOf(resource))
        this.#owners.set(object, labelOf(resource.type, resource.name));
      if (typeof resource.outputs.projectId === "string") this.#projects.add(resource.outputs.projectId);
    }
  }

  /** The resource that has an object, such as `EnvVar "key"`. @param names the id and the unique keys of the object */
  ownerOf(apiUrl: string, names: readonly string[]): string | undefined {
    return names.map((name) => this.#owners.get(digest(apiUrl) + digest(name))).find(Boolean);
  }

  /** The ids of projects that the resources belong to. */
  get projects(): ReadonlySet<string> {
    return this.#projects;
  }
}
