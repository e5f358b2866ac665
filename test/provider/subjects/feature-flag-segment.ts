import type { Plain } from "../../../provider/core/values";
import { featureFlagSegment } from "../../../provider/resources/feature-flag-segment";
import { ofProject, own, projects } from "../fields/common";
import type { Harness } from "../stack";
import { life, type Row, type Subject } from "../subject";

const base = "/v1/projects/web/feature-flags/segments";
const pathOf = (id: string): string => `/v1/projects/${id.replace("/", "/feature-flags/segments/")}`;
const patch = (body: object): Row["drift"] => {
  return (w, id) => w.curl("PATCH", pathOf(id), body);
};

const segment = { project: "web", slug: "staff", label: "Staff" };
const include = { user: { email: ["ada@example.com", "bob@example.com"] } };

const createSegment = (w: Harness, body: object = {}) =>
  w.curl("PUT", base, { ...{ slug: "staff", label: "Staff", hint: "", data: {} }, ...body });

const updated: Pick<Row, "changed" | "cleared"> = { changed: "update", cleared: "update" };

const byHand = (path: string): Row["drift"] =>
  patch({ data: { [path]: { user: { email: [{ value: "eve@example.com" }] } } } });

/** The rows of one of the two lists of entries. */
const entriesRows = (path: "include" | "exclude"): Row[] => [
  {
    path,
    first: include,
    second: { user: { email: ["ada@example.com"], id: ["1"] }, team: { name: ["acme"] } },
    ...updated,
    shown: (declared = {}) => ({ [path]: declared }),
    drift: byHand(path),
  },
  {
    path: `${path}.*`,
    first: { email: ["ada@example.com"] },
    second: { id: ["1"] },
    ...updated,
    shown: (attributes) => ({ [path]: attributes === undefined ? {} : { K: attributes } }),
    drift: byHand(path),
  },
  {
    path: `${path}.*.*`,
    first: ["ada@example.com"],
    second: ["bob@example.com"],
    changed: "update",
    cleared: /must have an attribute/,
    shown: (values) => ({ [path]: { K: { K: values } } }),
    drift: byHand(path),
  },
];

/** Entries without their notes. */
const plain = (all: unknown): Plain =>
  Object.fromEntries(
    Object.entries((all ?? {}) as Record<string, Record<string, { value: string }[]>>).map(
      ([kind, attributes]) => [
        kind,
        Object.fromEntries(
          Object.entries(attributes).map(([name, list]) => [name, list.map(({ value }) => value)]),
        ),
      ],
    ),
  );

export const subject: Subject = {
  resource: featureFlagSegment,
  handler: "segment",
  async prepare(w) {
    const known = await projects(w);
    return { given: { ...segment, project: known.web }, known };
  },
  async look(w, id) {
    const { data, ...found } = (await w.curl("GET", pathOf(id))) as { data?: Plain };
    return { description: "", ...found, include: plain(data?.include), exclude: plain(data?.exclude) };
  },
  async all({ server }) {
    const { featureFlagSegments } = await server.control.snapshot();
    return featureFlagSegments.map(({ slug, settings }) => ({ slug, settings }));
  },
  listed: { query: { project: "web" }, names: ["staff"], prepare: (w) => createSegment(w) },
  managed: {
    inputs: (n) => ({ ...segment, project: "prj_web", slug: `segment-${n}` }),
    changed: { label: "changed" },
  },
  rows: [
    { ...ofProject, shown: () => ({}) },
    {
      path: "slug",
      first: "staff",
      second: "guests",
      changed: "replace",
      cleared: /^slug is missing/,
      shown: (slug) => ({ slug }),
      drift: "no request of the API changes a slug",
    },
    {
      path: "label",
      first: "Staff",
      second: "Guests",
      changed: "update",
      cleared: /^label is missing/,
      shown: (label) => ({ label }),
      drift: patch({ label: "by hand" }),
    },
    {
      path: "description",
      first: "who works here",
      second: "who visits",
      ...updated,
      shown: (description = "") => ({ description }),
      drift: patch({ description: "by hand" }),
    },
    {
      path: "hint",
      first: "user-email",
      second: "user-id",
      ...updated,
      shown: (hint = "") => ({ hint }),
      drift: patch({ hint: "by hand" }),
    },
    ...entriesRows("include"),
    ...entriesRows("exclude"),
    own("adopt", true, false),
  ],
  operations: [
    ...life(
      featureFlagSegment,
      () => ({ ...segment, description: "who works here", include }),
      () => ({ ...segment, label: "Guests", hint: "user-id", exclude: include }),
    ),
    {
      name: "FeatureFlagSegment: adopt",
      resource: featureFlagSegment,
      async prepare(w) {
        await createSegment(w, { label: "old" });
        return {};
      },
      step: "up",
      inputs: () => ({ ...segment, include, adopt: true }),
    },
  ],
};
