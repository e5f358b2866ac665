import type { Plain } from "../../../provider/core/values";
import { sharedEnvVarLink } from "../../../provider/resources/shared-env-var-link";
import { container, ofProject, projects } from "../fields/common";
import type { Harness } from "../stack";
import { life, type Subject } from "../subject";

/** Two shared variables. @returns their ids */
async function variables(w: Harness): Promise<Plain> {
  const evs = ["FIRST", "SECOND"].map((key) => ({ key, value: "canary" }));
  const { created } = (await w.curl("POST", "/v1/env", { evs, target: ["preview"] })) as unknown as {
    created: { id: string }[];
  };
  return { first: created[0]?.id, second: created[1]?.id };
}

export const subject: Subject = {
  resource: sharedEnvVarLink,
  handler: "sharedlink",
  async prepare(w) {
    const known = { ...(await projects(w)), ...(await variables(w)) };
    return { given: { project: known.web, sharedEnvVarId: (known as Plain).first }, known };
  },
  look: async (w, id) => (await w.curl("GET", `/v1/env/${id.split("/")[1]}`)) as Plain,
  listed: {
    query: { project: "web" },
    names: ["SHARED"],
  },
  managed: {
    inputs: () => ({ sharedEnvVarId: "env_shared", project: "prj_web" }),
    changed: {},
  },
  rows: [ofProject, container("sharedEnvVarId", "@first", "@second", (id) => ({ id }))],
  operations: life(
    sharedEnvVarLink,
    ({ first }) => ({ project: "web", sharedEnvVarId: first }),
    ({ second }) => ({ project: "web", sharedEnvVarId: second }),
    variables,
  ),
};
