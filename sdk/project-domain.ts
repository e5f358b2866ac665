import type * as pulumi from "@pulumi/pulumi";
import { projectDomain } from "../provider/resources/project-domain";
import { classOf } from "./core/resource";
import type { ProjectDomainArgs, ProjectDomainOutputs } from "./types";

/**
 * A domain attached to a project. Until the account proves that it controls the domain, `verified` is false and
 * `verification` has the DNS record that proves it: publish the record, and declare a `DomainVerification` that depends
 * on it.
 */
export class ProjectDomain extends classOf<ProjectDomainOutputs>(projectDomain) {
  constructor(name: string, args: ProjectDomainArgs, opts?: pulumi.CustomResourceOptions) {
    super(name, args, opts);
  }

  /** Reads an existing domain by `project/domain`, without managing it. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): ProjectDomain {
    return new ProjectDomain(name, {} as ProjectDomainArgs, { ...opts, id });
  }
}
