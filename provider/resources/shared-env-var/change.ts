import type * as responses from "../../client/responses";
import type { RunContext } from "../../core/run-context";
import { changesOf } from "../../core/settings";
import { type Plain, same } from "../../core/values";
import { isTemporaryKey } from "../env-var/temporary-key";
import { isPlaceholder } from "../env-var/unknown-value";
import { defaultOf, type Inputs, type Outputs, settings } from "./inputs";
import { editShared, readShared } from "./records";

/**
 * Sends the settings that differ from the state. Settings that were removed from the program are reset, except links.
 * @param all also sends settings that do not differ
 */
export async function change(
  { client, keys: plan }: RunContext,
  id: string,
  declared: Inputs,
  state: Partial<Inputs & Outputs>,
  all = false,
): Promise<responses.SharedVariable> {
  const body = bodyOf(declared, state, all);
  // Only `updatedAt` shows that others wrote a sensitive value. A write changes `updatedAt`, so it is read before.
  const unseen = state.type === "sensitive" && body.value === undefined;
  const before = unseen ? await readShared(client, id) : undefined;
  const changed =
    Object.keys(body).length === 0 ? (before ?? (await readShared(client, id))) : await send(body);
  // This run, or an interrupted one, has given the variable a temporary key.
  const hasTemporaryKey = isTemporaryKey(changed.key) && changed.key !== declared.key;
  const after = hasTemporaryKey ? await send({ key: declared.key }) : changed;
  if (!before || !isWrittenSince(before, state) || wasMoved(before)) return after;
  return { ...after, updatedAt: state.updatedAt };

  function send(body: Plain): Promise<responses.SharedVariable> {
    return editShared(client, id, body, declared.value === undefined ? [] : [declared.value]);
  }

  /** True when the last write was the one by which this run gave the variable a temporary key. */
  function wasMoved({ updatedAt }: responses.SharedVariable): boolean {
    const move = plan.moves.get(id);
    return move !== undefined && move.before === state.updatedAt && move.after === updatedAt;
  }
}

/**
 * True when others may have written the value since the state was recorded.
 * @choice Linking a project also changes `updatedAt`. If the links differ from the state, it is not compared.
 */
export const isWrittenSince = (
  { updatedAt, projectId }: responses.SharedVariable,
  state: Partial<Outputs>,
): boolean =>
  updatedAt != null &&
  updatedAt !== state.updatedAt &&
  same(projectId ?? [], state.linkedProjectIds ?? projectId ?? []);

/** Converts settings to members of a request, in which `projectIds` is named `projectId`. */
export const membersOf = ({ projectIds, ...settings }: Plain): Plain => ({
  ...settings,
  ...(projectIds === undefined ? {} : { projectId: projectIds }),
});

function bodyOf(declared: Inputs, state: Partial<Inputs>, all: boolean): Plain {
  const body = changesOf(settings, declared, state, defaultOf, all);
  // An empty text never overwrites a sensitive value: it stands for one that is not known.
  if (isPlaceholder({ type: declared.type ?? state.type, value: body.value })) delete body.value;
  return membersOf(body);
}
