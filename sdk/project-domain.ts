import type * as pulumi from "@pulumi/pulumi";
import { projectDomain } from "../provider/resources/project-domain";
import { classOf } from "./core/resource";
import type { ProjectDomainArgs, ProjectDomainOutputs } from "./types";

/**
 * A domain attached to a project. Until the domain is verified, `verified` is false, and `verification` has the DNS
 * records that can verify it. Publish one of these records, and declare a `DomainVerification` that depends on the
 * published record.
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
