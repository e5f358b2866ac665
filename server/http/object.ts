import { integer, object, text, time } from "../store/object";

export const rateWindows = object("rate_windows", {
  columns: {
    bucket: text(),
    resets_at: time(),
    count: integer(),
  },
  key: ["bucket"],
  indexes: [["resets_at"]],
});
