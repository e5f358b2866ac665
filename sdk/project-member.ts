import type * as pulumi from "@pulumi/pulumi";
import { projectMember } from "../provider/resources/project-member";
import { classOf } from "./core/resource";
import type { ProjectMemberArgs, ProjectMemberOutputs } from "./types";

/** The role of a member of the team in a project. */
export class ProjectMember extends classOf<ProjectMemberOutputs>(projectMember) {
  constructor(name: string, args: ProjectMemberArgs, opts?: pulumi.CustomResourceOptions) {
    super(name, args, opts);
  }

  /** Reads an existing member by id, `project/user`, without managing it. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): ProjectMember {
    return new ProjectMember(name, {} as ProjectMemberArgs, { ...opts, id });
  }
}
