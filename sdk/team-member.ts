import type * as pulumi from "@pulumi/pulumi";
import { teamMember } from "../provider/resources/team-member";
import { classOf } from "./core/resource";
import type { TeamMemberArgs, TeamMemberOutputs } from "./types";

/** A member of the team. A user who is not a member is invited, and becomes a member by accepting the invitation. */
export class TeamMember extends classOf<TeamMemberOutputs>(teamMember) {
  constructor(name: string, args: TeamMemberArgs, opts?: pulumi.CustomResourceOptions) {
    super(name, args, opts);
  }

  /** Reads an existing member by id, `team/user`, without managing it. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): TeamMember {
    return new TeamMember(name, {} as TeamMemberArgs, { ...opts, id });
  }
}
