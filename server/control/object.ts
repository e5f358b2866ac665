import { hide, integer, json, object, text, time } from "../store/object";

/** A part of the data that `PUT /_control/states/{name}` has saved: rows of one table. */
export const savedRows = object("saved_rows", {
  columns: {
    /** The name of the state. */
    state: text(),
    /** Numbers the parts of a state from 0. */
    part: integer(),
    /** The last migration of the store that the rows are from. */
    migration: text(),
    of_table: text(),
    rows: hide(json()),
    saved_at: time(),
  },
  key: ["state", "part"],
});
