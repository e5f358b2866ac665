import { ownerIdOf } from "./ownership-record";
import { identityOf } from "./urn";
import { digest, type Plain } from "./values";

/** A resource in the state of a stack. */
export interface RecordedResource {
  urn: string;
  outputs: Plain;
  /** The URN of its provider. */
  provider?: string | undefined;
  /** True for the old resource of a replacement, which is still to be deleted. */
  isReplaced?: boolean;
  /** The inputs that the program ignored in the last run, as property paths in Pulumi's notation. */
  ignored?: readonly string[];
  /** The option that keeps its object when the program no longer declares it. */
  keptBy?: "protect" | "retainOnDelete" | undefined;
}

/** The resource that has an object. */
export interface Owner {
  /** The identity of the resource, the same for both hosts; undefined if this run has created it. */
  urn?: string | undefined;
  /** The URN of its provider. */
  provider?: string | undefined;
  /** The state of the resource; undefined if this run has created it. */
  outputs?: Plain;
  /** See `RecordedResource`. */
  ignored?: readonly string[] | undefined;
  keptBy?: RecordedResource["keptBy"];
}

/** The objects in the state of a stack. */
export class StackSnapshot {
  /** The resources, by API and object. */
  readonly #owners = new Map<string, Owner>();
  /** The owner ids of the resources that are not to be deleted, by API and object. */
  readonly #ownerIds = new Map<string, Set<string>>();
  readonly #projects = new Set<string>();

  /**
   * @param objectsOf returns the keys of the objects of a resource (`objectKey`)
   * @param abandoned owner ids of resources whose object an incomplete replacement has deleted or retained
   */
  constructor(
    resources: readonly RecordedResource[],
    objectsOf: (resource: RecordedResource) => readonly string[],
    readonly abandoned: readonly string[] = [],
  ) {
    for (const resource of resources) {
      for (const object of objectsOf(resource)) this.#add(object, resource);
      const { projectId } = resource.outputs;
      if (typeof projectId === "string") this.#projects.add(projectId);
    }
  }

  #add(object: string, { urn, outputs, isReplaced, ...rest }: RecordedResource): void {
    const ids = this.#ownerIds.get(object) ?? new Set();
    this.#ownerIds.set(object, ids);
    if (!isReplaced) ids.add(ownerIdOf(outputs));
    if (isReplaced && this.#owners.has(object)) return;
    this.#owners.set(object, { urn: identityOf(urn), outputs, ...rest });
  }

  /** The resource that has an object. @param names the id and the unique keys of the object */
  ownerOf(apiUrl: string, names: readonly string[]): Owner | undefined {
    return names.map((name) => this.#owners.get(digest(apiUrl) + digest(name))).find(Boolean);
  }

  /** The owner ids of the resources that have an object, except resources that are still to be deleted. */
  ownerIdsOf(apiUrl: string, name: string): ReadonlySet<string> {
    return this.#ownerIds.get(digest(apiUrl) + digest(name)) ?? new Set();
  }

  /** True when an object belongs only to the old resource of a replacement, which is still to be deleted. */
  isReplaced(apiUrl: string, name: string): boolean {
    return this.#ownerIds.get(digest(apiUrl) + digest(name))?.size === 0;
  }

  /** The ids of projects that the resources belong to. */
  get projects(): ReadonlySet<string> {
    return this.#projects;
  }
}
