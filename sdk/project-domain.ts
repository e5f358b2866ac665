import type * as pulumi from "@pulumi/pulumi";
import { projectDomain } from "../provider/resources/project-domain";
import { classOf } from "./core/resource";
import type { ProjectDomainArgs, ProjectDomainOutputs } from "./types";

/**
 * A domain attached to a project. Until the account has proved it, `verified` is false and `verification` tells
 * which DNS record proves it: publish it, and declare a `DomainVerification` that depends on it.
 */
export class ProjectDomain extends classOf<ProjectDomainOutputs>(projectDomain) {
  constructor(name: string, args: ProjectDomainArgs, opts?: pulumi.CustomResourceOptions) {
    super(name, args, opts);
  }

  /** A domain that exists, by `project/domain`; it is read and never changed. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): ProjectDomain {
    return new ProjectDomain(name, {} as ProjectDomainArgs, { ...opts, id });
  }
}
