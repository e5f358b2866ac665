import { object, sealed, text } from "../store/object";

/** Members of a body that the server does not know, stored with `--lenient`. */
export const unknownMembers = object("unknown_members", {
  columns: {
    /** The object's id or other key. */
    owner: text(),
    /** Sealed array of paths and values. */
    members: sealed(),
  },
  key: ["owner"],
});
