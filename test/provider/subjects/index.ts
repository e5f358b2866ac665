import { resources } from "../../../provider/resources";
import type { Subject } from "../subject";

/** The subject of each resource: the file here that is called after its type. */
export const subjects: readonly Subject[] = Object.values(resources).map(({ type }) => {
  const file = type.replace(/(?!^)[A-Z]/g, "-$&").toLowerCase();
  return (require(`./${file}`) as { subject: Subject }).subject;
});
