import { z } from "zod";
import type { Client } from "../client/client";
import { anything } from "../client/responses";
import type { Created, Operation } from "../core/definition";
import { listing } from "../core/listing";
import { resource } from "../core/resource";
import { changesOf, inputsRead } from "../core/settings";
import { createOrTake, takeOver } from "../core/take-over";
import { unmanagedExists } from "../core/unique-key-messages";
import { asDeclared, type Plain, same } from "../core/values";
import { name, slugText, text } from "./feature-flag/inputs";
import {
  findNow,
  flagsPath,
  type RemoteEntries,
  type RemoteSegment,
  remoteSegment,
  segmentsOf,
} from "./feature-flag/records";
import { slugKeys } from "./feature-flag/slug-keys";
import { filters, projectRef, twoParts } from "./names";

/** Values of attributes, by kind of entity and by attribute. */
const entries = z.record(
  name,
  z
    .record(name, z.array(z.string().max(2000)).min(1).max(1000))
    .refine((attributes) => Object.keys(attributes).length > 0, "must have an attribute, such as email"),
);
type Entries = z.output<typeof entries>;

const inputs = z.strictObject({
  /** Id or name of the project. Changing it replaces the segment. */
  project: projectRef,
  /** Key of the segment: letters, digits, '-' and '_'. Changing it replaces the segment. */
  slug: slugText,
  /** Name of the segment in the dashboard. */
  label: name,
  /** Purpose of the segment. */
  description: text.optional(),
  /** Hint of the dashboard about the entries, such as `user-email`. Default: none. */
  hint: z.string().max(2000).optional(),
  /**
   * Visitors who always belong to the segment: values of attributes, by kind of entity and by attribute. In
   * `{ user: { email: ["ada@example.com"] } }`, `user` is the kind of entity. If you never declare it, the entries are
   * kept. If you remove it, they are deleted.
   */
  include: entries.optional(),
  /** Visitors who never belong to the segment, in the form of `include`. */
  exclude: entries.optional(),
  /**
   * Takes over an existing segment with this slug. If false, the create fails when the project already has the segment.
   * Default: false.
   */
  adopt: z.boolean().optional(),
});

const outputs = z.object({
  /** Id of the project. */
  projectId: z.string(),
  /** Id of the segment at the service, by which rules of flags name it. */
  segmentId: z.string(),
});

type Inputs = z.output<typeof inputs>;
type Outputs = z.output<typeof outputs>;

/** Inputs that an update sends. */
const settings = ["label", "description", "hint", "include", "exclude"] as const;

const defaults: Plain = { description: null, hint: "", include: {}, exclude: {} };

const segmentKeys = slugKeys("the segment", (client, projectId, slug) => find(client, projectId, slug));

/**
 * A segment of a project: a group of visitors that the rules of feature flags name. Rules of the segment itself are kept
 * as they are in the dashboard.
 * @throws ApiError 409 if the project has a segment with this slug, or on delete if a rule uses the segment
 * @source the newest official client: /v1/projects/{idOrName}/feature-flags/segments
 * @source the Terraform provider: vercel_feature_flag_segment
 */
export const featureFlagSegment = resource({
  type: "FeatureFlagSegment",
  handler: "segment",
  scopes: ["read-write:project"],
  importId: "`<project>/<slug>`, or `<project>/<id>`",
  inputs,
  outputs,
  traits: {
    defaults: { ...defaults, adopt: false },
    stable: ["projectId", "segmentId"],
    replaceOn: ["project", "slug"],
  },
  ownership: { uniqueKeys: segmentKeys },
  // The service returns all segments in one page.
  list: listing(filters, async (client, { project }) => {
    const { id: projectId } = await client.identify(project);
    const all = await segmentsOf(client, projectId);
    return { items: all.map(({ id, slug }) => ({ id: `${projectId}/${id}`, name: slug })) };
  }),

  async create(operation, declared) {
    const { client } = operation;
    const { id: projectId, accountId } = await client.identify(declared.project);
    const segment = await createOrTake<RemoteSegment>(operation, declared.adopt, {
      isNew: client.hasCreated(projectId),
      find: () => find(client, projectId, declared.slug),
      idOf: ({ id }) => `${projectId}/${id}`,
      create: (look) => client.create({ request: creationOf(projectId, declared), look, existed: false }),
      take: (existing) => takeSegment(operation, projectId, existing, declared),
      refusal: (error, existing) => (existing ? error.withHint(existsAlready(projectId, existing)) : error),
    });
    return resultOf(projectId, accountId, segment);
  },

  async read(client, id, state) {
    const { project, key } = partsOf(id);
    const { id: projectId, accountId } = await client.identify(project);
    const remote = await client.get(flagsPath(projectId, "segments", key), remoteSegment);
    const current = settingsOf(remote);
    const now: Plain = {
      ...{ project: state?.project ?? projectId, slug: remote.slug },
      ...inputsRead(settings, state, current, (input, declared) => seenAs(declared, current[input])),
    };
    if (state?.adopt !== undefined) now.adopt = state.adopt;
    return { ...resultOf(projectId, accountId, remote), inputs: now as Partial<Inputs> };
  },

  async update({ client, unsure }, _id, state, declared) {
    const { projectId, segmentId } = state;
    const { accountId } = await client.identify(projectId);
    const changes = changesOf(settings, declared, state, (key) => defaults[key], unsure);
    const remote = await client.get(flagsPath(projectId, "segments", segmentId), remoteSegment);
    return resultOf(projectId, accountId, await change(client, projectId, remote, changes));
  },

  async remove({ client }, _id, { projectId, segmentId }) {
    const path = flagsPath(projectId, "segments", segmentId);
    await client.send({ method: "DELETE", path, shape: anything });
  },
});

const find = (client: Client, projectId: string, key: string): Promise<RemoteSegment | undefined> =>
  findNow(client, [projectId, "segments", key], remoteSegment);

const creationOf = (projectId: string, { slug, hint = "", label, ...declared }: Inputs) => ({
  method: "PUT" as const,
  path: flagsPath(projectId, "segments"),
  body: {
    ...{ slug, label, hint },
    ...(declared.description !== undefined && { description: declared.description }),
    data: dataOf({ include: declared.include, exclude: declared.exclude }),
  },
  shape: remoteSegment,
});

/** Adopts a segment, or takes it over from another resource of the stack, and changes it as declared. */
function takeSegment(
  operation: Operation<Inputs, Outputs>,
  projectId: string,
  found: RemoteSegment,
  declared: Inputs,
): Promise<RemoteSegment> {
  const current = settingsOf(found);
  return takeOver(operation, declared, {
    unique: segmentKeys,
    keys: segmentKeys.of(declared, projectId) ?? [],
    id: `${projectId}/${found.id}`,
    what: `The segment ${found.slug} of the project ${projectId}`,
    changed: settings.filter((key) => declared[key] !== undefined && !same(declared[key], current[key])),
    refusal: existsAlready(projectId, found),
    change: (changed) => {
      const changes = changed.map((key) => [key, declared[key as keyof Inputs]]);
      return change(operation.client, projectId, found, Object.fromEntries(changes));
    },
  });
}

const existsAlready = (projectId: string, { id, slug }: RemoteSegment): string =>
  unmanagedExists(segmentKeys, `${projectId}/${id}`, [`${projectId}/${slug}`], true);

/** Changes settings of a segment. Entries that the program does not declare, rules and notes are kept. */
async function change(
  client: Client,
  projectId: string,
  remote: RemoteSegment,
  { include, exclude, description, ...changes }: Plain,
): Promise<RemoteSegment> {
  const lists = { include, exclude } as { include?: Entries; exclude?: Entries };
  const body = {
    ...changes,
    ...(description !== undefined && { description: description ?? "" }),
    ...((include ?? exclude) !== undefined && { data: dataOf(lists, remote.data) }),
  };
  if (Object.keys(body).length === 0) return remote;
  const path = flagsPath(projectId, "segments", remote.id);
  return client.send({ method: "PATCH", path, body, shape: remoteSegment });
}

/** The data of a request, which replaces all data of the segment. */
const dataOf = (
  lists: { include?: Entries | undefined; exclude?: Entries | undefined },
  existing: Partial<RemoteSegment["data"]> = {},
): Plain => ({
  rules: [],
  ...existing,
  ...Object.fromEntries(
    (["include", "exclude"] as const).flatMap((field) => {
      const declared = lists[field];
      return declared === undefined ? [] : [[field, withNotes(declared, existing[field])]];
    }),
  ),
});

/** Entries with the notes that the dashboard has for them. */
const withNotes = (declared: Entries, existing: RemoteEntries): Plain =>
  mapEntries(declared, (values, kind, attribute) =>
    values.map((value) => existing?.[kind]?.[attribute]?.find((entry) => entry.value === value) ?? { value }),
  );

const mapEntries = <T, R>(
  all: Record<string, Record<string, T[]>>,
  convert: (values: T[], kind: string, attribute: string) => R,
): Record<string, Record<string, R>> =>
  Object.fromEntries(
    Object.entries(all).map(([kind, attributes]) => [
      kind,
      Object.fromEntries(
        Object.entries(attributes).map(([attribute, values]) => [
          attribute,
          convert(values, kind, attribute),
        ]),
      ),
    ]),
  );

/** The settings of a segment in the form of inputs. An attribute without values counts as absent. */
const settingsOf = ({ label, description, hint, data }: RemoteSegment): Plain => ({
  label,
  description: description || undefined,
  hint: hint || undefined,
  include: valuesIn(data.include),
  exclude: valuesIn(data.exclude),
});

function valuesIn(existing: RemoteEntries): Entries | undefined {
  const kinds = Object.entries(mapEntries(existing ?? {}, (list) => list.map(({ value }) => value)))
    .map(
      ([kind, attributes]) =>
        [kind, Object.entries(attributes).filter(([, list]) => list.length > 0)] as const,
    )
    .filter(([, attributes]) => attributes.length > 0);
  if (kinds.length === 0) return undefined;
  return Object.fromEntries(kinds.map(([kind, attributes]) => [kind, Object.fromEntries(attributes)]));
}

/** A setting as declared. Entries are compared as a whole: those that the program lacks are drift. */
const seenAs = (declared: unknown, current: unknown): unknown => {
  const absent = typeof declared === "object" ? {} : declared === "" ? "" : null;
  const seen = current ?? absent;
  return same(declared, seen) ? declared : typeof seen === "object" ? seen : asDeclared(declared, seen);
};

/** Parses `project/segment`, with the project by id or name, and the segment by id or slug. */
function partsOf(id: string): { project: string; key: string } {
  const [project, key] = twoParts(id, 'The id of a segment is "project/segment", such as "web/staff".');
  return { project, key };
}

const resultOf = (projectId: string, accountId: string, { id }: RemoteSegment): Created<Outputs> => ({
  id: `${projectId}/${id}`,
  accountId,
  outputs: { projectId, segmentId: id },
});
