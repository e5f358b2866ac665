import type { RunContext } from "./run-context";
import type { Plain } from "./values";

/** The unique keys of objects that always exist have these members. */
export const alwaysThere = {
  mayBeShared: true,
  isAlwaysThere: true,
  owners: async (_run: RunContext, keys: readonly string[]) => [...keys],
  freeKeys: async () => async () => {},
} as const;

/**
 * The ownership of a setting that each project has once. A deletion then does not undo the setting that another resource
 * of the program has declared meanwhile.
 * @param name of the setting in the names of its object
 */
export const settingOfProject = (name: string, noun = "the setting") => {
  const objectsOf = (projectId: string): string[] => [`${projectId}/${name}`];
  return {
    objects: ({ projectId }: { projectId: string }) => objectsOf(projectId),
    uniqueKeys: {
      ...{ noun, choices: "another project", scope: "project" as const },
      of: (_inputs: Plain, projectId: string) => objectsOf(projectId),
      ...alwaysThere,
    },
  };
};
