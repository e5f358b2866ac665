import { heldProjectRoles, teamRoles } from "../../provider/vocabulary";
import { flag, json, object, oneOf, type Row, text, time } from "../store/object";

export const members = object("members", {
  columns: {
    team_id: text(),
    user_id: text(),
    role: oneOf(...teamRoles),
    /** 0 for a user who was invited and has not accepted, and so has no access. */
    confirmed: flag(),
    /** When the user asked to join; null for a user who did not ask. */
    access_requested_at: time().orNull(),
    /** From where the user asked: `JoinedFrom`. */
    joined_from: json().orNull(),
    created_at: time(),
  },
  key: ["team_id", "user_id"],
  indexes: [["user_id"]],
  section: "members",
});
export type MembershipRow = Row<typeof members>;
export type Role = Row<typeof members>["role"];

/** The role of a member of the team in a project. */
export const projectMembers = object("project_members", {
  columns: {
    project_id: text(),
    user_id: text(),
    role: oneOf(...heldProjectRoles),
    /** Unique per project, since the list is paged by it. */
    created_at: time(),
  },
  key: ["project_id", "user_id"],
  indexes: [["user_id"]],
  section: "projectMembers",
});
export type ProjectRole = Row<typeof projectMembers>["role"];
