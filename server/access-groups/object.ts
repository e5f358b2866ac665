import { heldProjectRoles } from "../../provider/vocabulary";
import { object, oneOf, publicId, type Row, text, time } from "../store/object";

export const accessGroups = object("access_groups", {
  columns: {
    id: publicId("accessGroup", "ag_", 28),
    /** The team. */
    account_id: text(),
    name: text(),
    /** Unique per team, since the list is paged by it. */
    created_at: time(),
    updated_at: time(),
  },
  unique: [{ columns: ["account_id", "name"] }, { columns: ["account_id", "created_at"] }],
  section: "accessGroups",
});
export type AccessGroupRow = Row<typeof accessGroups>;

/** A member of the team in an access group. */
export const accessGroupMembers = object("access_group_members", {
  columns: {
    access_group_id: text(),
    user_id: text(),
    /** Unique per group, since the list is paged by it. */
    created_at: time(),
  },
  key: ["access_group_id", "user_id"],
  indexes: [["user_id"]],
  section: "accessGroupMembers",
});

/** The role that the members of an access group have in a project. */
export const accessGroupProjects = object("access_group_projects", {
  columns: {
    access_group_id: text(),
    project_id: text(),
    role: oneOf(...heldProjectRoles),
    /** Unique per group, since the list is paged by it. */
    created_at: time(),
    updated_at: time(),
  },
  key: ["access_group_id", "project_id"],
  indexes: [["project_id"]],
  section: "accessGroupProjects",
});
export type GroupProjectRow = Row<typeof accessGroupProjects>;
