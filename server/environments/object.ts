import { json, object, publicId, type Row, text, time } from "../store/object";

export const customEnvironments = object("custom_environments", {
  columns: {
    id: publicId("customEnvironment", "env_", 16),
    project_id: text(),
    slug: text(),
    description: text().orNull(),
    branch_matcher: json().orNull(),
    created_at: time(),
    updated_at: time(),
  },
  unique: [{ columns: ["project_id", "slug"] }],
  section: "customEnvironments",
});
export type CustomEnvironmentRow = Row<typeof customEnvironments>;
