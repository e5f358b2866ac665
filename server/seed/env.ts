import { scopesOfRole } from "../access/scopes";
import type { NewEnv } from "../env/schema";
import { createEnvVars } from "../env/write";
import { derivedId } from "../platform/ids";
import type { Services } from "../platform/services";
import type { Unit } from "../store/store";
import { omit, variableFields } from "./copied";
import type { Seed } from "./document";
import { SeedError } from "./error";
import { projectOf } from "./projects";
import { hasRow } from "./store";

type SeedEnvVar = NonNullable<Seed["env"]>[number];

/** Adds a variable according to the API's rules, unless its project has a variable with this key, target and branch. */
export async function addEnvVar(
  { tx, now }: Unit,
  services: Pick<Services, "vault">,
  given: SeedEnvVar,
  at: number,
): Promise<void> {
  const place = ["env", at];
  const { team, user, project } = given;
  const item = omit(given, ["team", "user", "project", ...Object.keys(variableFields)]) as NewEnv;
  const row = await projectOf(tx, { team, user, project }, place);
  const targets = [...(item.target ?? [])].sort().join(",");
  const id = derivedId("envVar", row.id, item.key ?? "", targets, item.gitBranch ?? "");
  if (await hasRow(tx, "env_vars", id)) return;
  const owner = {
    tx,
    now,
    services,
    caller: { userId: null, installation: undefined },
    account: { role: "OWNER" as const, scopes: scopesOfRole("OWNER"), wantsSensitive: false },
    idOf: () => id,
  };
  const { failed } = await createEnvVars(owner, row, [item]);
  const [problem] = failed;
  if (problem && problem.error.code !== "ENV_CONFLICT") throw new SeedError(place, problem.error.message);
}
