import { findProjectNames } from "../access/project-store";
import { findEnvKeys } from "../env/store";
import type { EventRow } from "../events/object";
import type { Tx } from "../store/store";

/** The members of payloads that name the subject of an event. */
interface Payload {
  envVarId?: string;
  domain?: { name: string };
  deployment?: { id: string };
  project?: { name?: string };
  configuration?: { id: string };
}

/** The subject of an event, for people. */
export interface EventSubject {
  /** The name of a domain or project, the key of a variable, or another object's id; null: the account. */
  subject: string | null;
  project: { id: string; name: string } | null;
}

/** Returns the subjects of events, by event id. */
export async function subjectsOf(
  tx: Tx,
  rows: readonly EventRow[],
): Promise<ReadonlyMap<string, EventSubject>> {
  const projects = await findProjectNames(
    tx,
    rows.flatMap(({ project_id }) => project_id ?? []),
  );
  const payloads = rows.map(({ payload }): Payload => JSON.parse(payload));
  const keys = await findEnvKeys(
    tx,
    payloads.flatMap(({ envVarId }) => envVarId ?? []),
  );
  return new Map(
    rows.map((row, at) => {
      const project = projects.find(({ id }) => id === row.project_id) ?? null;
      return [row.id, { subject: subjectOf(payloads[at] ?? {}, keys), project }];
    }),
  );
}

/** @param keys the keys of the variables that still exist, by variable id */
function subjectOf(payload: Payload, keys: ReadonlyMap<string, string>): string | null {
  const { envVarId, domain, deployment, project, configuration } = payload;
  if (envVarId !== undefined) return keys.get(envVarId) ?? envVarId;
  return domain?.name ?? deployment?.id ?? project?.name ?? configuration?.id ?? null;
}
