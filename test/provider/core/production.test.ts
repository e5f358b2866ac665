import type { Client } from "../../../provider/client/client";
import { Phases } from "../../../provider/core/phases";
import { Production } from "../../../provider/core/production";
import type { Plain } from "../../../provider/core/values";

const definition = { revisionValues: ({ key, value, target }: Plain) => ({ key, value, target }) };
const serving = (createdAt: unknown) => ({ targets: { production: { id: "dpl_1", createdAt } } });

/** A run that has read the project and variables of it. */
function read(project: Plain, variables: Plain[]): Production {
  const client = {
    lastSeen: () => undefined,
    hasCreated: () => false,
    project: async () => {
      if (project.error) throw project.error;
      return { id: "prj_1", name: "web", accountId: "team_1", createdAt: 1, ...project };
    },
  };
  const production = new Production(client as unknown as Client, new Phases());
  for (const one of variables) {
    const variable = { projectId: "prj_1", value: "v", target: ["production"], updatedAt: 6, ...one };
    production.read(definition, `owner of ${one.key}`, variable);
  }
  return production;
}

it("names at most ten variables in a warning, in their order, and counts the others", async () => {
  const keys = Array.from({ length: 12 }, (_, i) => `KEY_${String.fromCharCode(65 + i)}`);
  const variables = keys.toReversed().map((key) => ({ key }));
  const production = read(serving(5), variables);
  const named = keys.slice(0, 9).join(", ");
  expect(await production.warnings()).toEqual([
    expect.stringContaining(`does not have the last change of ${named}, KEY_J and 2 more:`),
  ]);
  // Once.
  expect(await production.warnings()).toEqual([]);
  expect(await read(serving(5), variables.slice(-2)).warnings()).toEqual([
    expect.stringContaining("the last change of KEY_A and KEY_B: a change takes effect"),
  ]);
});

it.each([
  ["a deployment of the same moment", serving(6), {}],
  ["a deployment without a time", serving(undefined), {}],
  ["no deployment", {}, {}],
  ["a deployment older than its project", { ...serving(5), createdAt: 6 }, {}],
  ["a project that cannot be read", { error: new Error("403") }, {}],
  ["a variable for other environments", serving(5), { target: ["preview", "development"] }],
  ["a variable whose time is not known", serving(5), { updatedAt: undefined }],
])("warns of nothing for %s", async (_, project, variable) => {
  expect(await read(project, [{ key: "KEY", ...variable }]).warnings()).toEqual([]);
});
