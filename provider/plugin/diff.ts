import { type DiffRequest, DiffResponse, PropertyDiff } from "@pulumi/pulumi/proto/provider_pb";
import type { Change } from "../core/diff";
import { type HostContext, resourceOf, stateIn } from "./host-context";
import { plain, received } from "./wire";

const kinds = {
  add: [PropertyDiff.Kind.ADD, PropertyDiff.Kind.ADD_REPLACE],
  update: [PropertyDiff.Kind.UPDATE, PropertyDiff.Kind.UPDATE_REPLACE],
  delete: [PropertyDiff.Kind.DELETE, PropertyDiff.Kind.DELETE_REPLACE],
} as const;

/** Compares a resource with its state. The answer lists each changed property (the detailed diff). */
export async function diff(request: DiffRequest, { run, compared }: HostContext): Promise<DiffResponse> {
  const resource = resourceOf(request.getUrn());
  const [state, news] = [stateIn(received(request.getOlds())), plain(received(request.getNews()))];
  resource.record(run(), request.getId(), state, news);
  const ignored = request.getIgnorechangesList();
  const { changes, replaces, deleteBeforeReplace } = await resource.diff(
    run(),
    request.getId(),
    state,
    news,
    ignored,
  );
  const isChange = changes.length > 0;
  if (replaces.length > 0) compared.delete(request.getUrn());
  else compared.set(request.getUrn(), { isChange, deletedFirst: deleteBeforeReplace, ignored });
  const { DIFF_SOME, DIFF_NONE } = DiffResponse.DiffChanges;
  const reply = new DiffResponse()
    .setChanges(changes.length > 0 ? DIFF_SOME : DIFF_NONE)
    .setReplacesList(replaces)
    .setStablesList(replaces.length > 0 ? [] : [...resource.traits.stable])
    .setDeletebeforereplace(deleteBeforeReplace)
    .setHasdetaileddiff(true);
  for (const change of changes) reply.getDetaileddiffMap().set(change.path, detailOf(change));
  return reply;
}

const detailOf = ({ kind, replace }: Change): PropertyDiff =>
  new PropertyDiff().setKind(kinds[kind][replace ? 1 : 0]);
