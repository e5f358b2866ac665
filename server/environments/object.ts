import { json, object, type Row, text, time } from "../store/object";

export const customEnvironments = object({
  columns: {
    id: text(),
    project_id: text(),
    slug: text(),
    description: text().orNull(),
    branch_matcher: json().orNull(),
    created_at: time(),
    updated_at: time(),
  },
  unique: [{ columns: ["project_id", "slug"] }],
  hasPublicId: true,
  section: "customEnvironments",
});
export type CustomEnvironmentRow = Row<typeof customEnvironments>;
