import type { Plain } from "../../../provider/core/values";
import { featureFlag } from "../../../provider/resources/feature-flag";
import { ofProject, own, projects } from "../fields/common";
import type { Harness } from "../stack";
import { life, type Row, type Subject } from "../subject";

const base = "/v1/projects/web/feature-flags/flags";
const pathOf = (id: string): string => `/v1/projects/${id.replace("/", "/feature-flags/flags/")}`;
const patch = (body: object): Row["drift"] => {
  return (w, id) => w.curl("PATCH", pathOf(id), body);
};

/** The first one serves nothing unless it is declared, so it can get another id. */
const variants = [
  { id: "treatment", label: "Treatment", description: "the new one", value: "b" },
  { id: "control", value: "a" },
];
const flag = { project: "web", slug: "checkout", kind: "string", variants };
const serving = { enabled: true, defaultVariantId: "treatment", disabledVariantId: "control" };
const paused = { enabled: false, defaultVariantId: "control", disabledVariantId: "control" };

const environment = (
  { enabled, defaultVariantId, disabledVariantId }: typeof serving,
  more: Plain = {},
): Plain => ({
  active: enabled,
  fallthrough: { type: "variant", variantId: defaultVariantId },
  pausedOutcome: { type: "variant", variantId: disabledVariantId },
  rules: [],
  ...more,
});
const shownIn = (name: string, declared: typeof serving): Plain => ({
  environments: expect.objectContaining({ [name]: expect.objectContaining(environment(declared)) }),
});

/** A row of a text of the first variant, which is kept once the program does not declare it. */
const variantRow = (path: string, first: unknown, second: unknown, more: Partial<Row>): Row => ({
  path: `variants[].${path}`,
  first,
  second,
  changed: "update",
  cleared: "update",
  shown: () => ({}),
  drift: "the row of the variants shows it",
  ...more,
});

const createFlag = (w: Harness, body: object) =>
  w.curl("PUT", base, { ...{ slug: "checkout", kind: "string", variants, environments: {} }, ...body });

const rows: Row[] = [
  { ...ofProject, shown: () => ({}) },
  {
    path: "slug",
    first: "checkout",
    second: "basket",
    changed: "replace",
    cleared: /^slug is missing/,
    shown: (slug) => ({ slug }),
    drift: "no request of the API changes a slug",
  },
  {
    path: "kind",
    first: "string",
    second: "json",
    changed: "replace",
    cleared: /^kind is missing/,
    shown: (kind) => ({ kind }),
    drift: "no request of the API changes a kind",
  },
  {
    path: "variants",
    first: variants,
    second: [...variants, { id: "other", value: "c" }],
    changed: "update",
    cleared: /^variants is missing/,
    shown: (all) => ({ variants: all }),
    drift: patch({ variants: [...variants, { id: "by-hand", value: "d" }] }),
  },
  variantRow("id", "treatment", "other", { cleared: /^variants\[0\]\.id is missing/ }),
  variantRow("label", "Treatment", "New", {}),
  variantRow("description", "the new one", "the next one", {}),
  variantRow("value", "b", "c", { cleared: /^variants\[0\]\.value is missing/ }),
  {
    path: "description",
    first: "which checkout",
    second: "which basket",
    changed: "update",
    cleared: "update",
    shown: (description = "") => ({ description }),
    drift: patch({ description: "by hand" }),
  },
  {
    path: "archived",
    first: true,
    second: false,
    changed: "update",
    cleared: "update",
    shown: (archived = false) => ({ state: archived ? "archived" : "active" }),
    drift: patch({ state: "archived" }),
  },
  {
    path: "permanent",
    first: true,
    second: false,
    changed: "update",
    cleared: "update",
    shown: (permanent = false) => ({ permanent }),
    drift: patch({ permanent: true }),
  },
  {
    path: "tags",
    first: ["shop"],
    second: ["shop", "web"],
    changed: "update",
    cleared: "update",
    shown: (tags = []) => ({ tags }),
    drift: patch({ tags: ["by hand"] }),
  },
  {
    path: "maintainerIds",
    first: ["user_1"],
    second: ["user_2"],
    changed: "update",
    cleared: "update",
    shown: (maintainerIds = []) => ({ maintainerIds }),
    drift: patch({ maintainerIds: ["user_3"] }),
  },
  ...(["production", "preview", "development"] as const).flatMap((name): Row[] => [
    {
      path: name,
      first: serving,
      second: paused,
      changed: "update",
      cleared: "update",
      shown: (declared) => (declared === undefined ? {} : shownIn(name, declared as typeof serving)),
      drift: patch({ environments: { [name]: environment({ ...paused, disabledVariantId: "treatment" }) } }),
    },
    ...(
      [
        ["enabled", true, false],
        ["defaultVariantId", "treatment", "control"],
        ["disabledVariantId", "control", "treatment"],
      ] as const
    ).map(
      ([member, first, second]): Row => ({
        path: `${name}.${member}`,
        given: { [name]: serving },
        ...{ first, second, changed: "update" },
        cleared: new RegExp(`^${name}\\.${member} is missing`),
        shown: (value) => shownIn(name, { ...serving, [member]: value }),
        drift: patch({ environments: { [name]: environment({ ...serving, [member]: first }) } }),
      }),
    ),
  ]),
  own("adopt", true, false),
];

export const subject: Subject = {
  resource: featureFlag,
  handler: "flag",
  async prepare(w) {
    const known = await projects(w);
    return { given: { ...flag, project: known.web }, known };
  },
  async look(w, id) {
    return { description: null, permanent: null, tags: null, ...(await w.curl("GET", pathOf(id))) } as Plain;
  },
  async all({ server }) {
    const { featureFlags } = await server.control.snapshot();
    return featureFlags.map(({ slug, kind, data: { seed: _, ...data } }) => ({ slug, kind, data }));
  },
  listed: {
    query: { project: "web" },
    names: ["checkout", "old"],
    async prepare(w) {
      await createFlag(w, {});
      await createFlag(w, { slug: "old" });
      await w.curl("PATCH", `${base}/old`, { state: "archived" });
    },
  },
  managed: {
    inputs: (n) => ({ ...flag, project: "prj_web", slug: `flag-${n}` }),
    changed: { description: "changed" },
  },
  rows,
  operations: [
    ...life(
      featureFlag,
      () => ({ ...flag, description: "which checkout", production: serving }),
      () => ({ ...flag, tags: ["shop"], production: paused, preview: serving }),
    ),
    {
      name: "FeatureFlag: create archived",
      resource: featureFlag,
      step: "up",
      inputs: () => ({ ...flag, archived: true }),
    },
    {
      name: "FeatureFlag: adopt",
      resource: featureFlag,
      async prepare(w) {
        await createFlag(w, {});
        return {};
      },
      step: "up",
      inputs: () => ({ ...flag, description: "which checkout", production: serving, adopt: true }),
    },
  ],
};
