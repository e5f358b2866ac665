import type { Plain } from "../../../provider/core/values";
import { bulkRedirects } from "../../../provider/resources/bulk-redirects";
import { ofProject, own, projects } from "../fields/common";
import type { Harness } from "../stack";
import { life, type Row, type Subject } from "../subject";

const path = "/v1/bulk-redirects";
const redirect = { source: "/old", destination: "/new" };

/** Publishes redirects without the provider. */
async function publish(w: Harness, projectId: string, redirects: readonly Plain[]): Promise<unknown> {
  const { version } = await w.curl("PUT", path, { projectId, overwrite: true, redirects });
  const { id } = version as unknown as Plain;
  return w.curl("POST", `${path}/versions?projectId=${projectId}`, { id, action: "promote" });
}

const projectOf = (id: string): string => id.split("/")[0] ?? "";
const redirectsOf = async (w: Harness, projectId: string): Promise<Plain[]> =>
  (await w.curl("GET", `${path}?projectId=${projectId}`)).redirects as unknown as Plain[];

/** Changes what the first redirect has. */
const changed =
  (changes: (before: Plain) => Plain): Row["drift"] =>
  async (w, id) => {
    const [first = {}] = await redirectsOf(w, projectOf(id));
    return publish(w, projectOf(id), [{ ...first, ...changes(first) }]);
  };

const inRedirect = (name: string, row: Pick<Row, "first" | "second" | "cleared"> & Partial<Row>): Row => ({
  path: `redirects[].${name}`,
  changed: "update",
  shown: (value) => ({
    redirects: [value === undefined ? expect.any(Object) : expect.objectContaining({ [name]: value })],
  }),
  drift: changed(({ destination }) => ({ destination: `${destination}-by-hand` })),
  ...row,
});
const flag = (name: string): Row =>
  inRedirect(name, {
    ...{ first: true, second: false, cleared: "update" },
    shown: (value = false) => ({ redirects: [expect.objectContaining({ [name]: value })] }),
    drift: changed((before) => ({ [name]: !before[name] })),
  });

export const subject: Subject = {
  resource: bulkRedirects,
  handler: "redirects",
  async prepare(w) {
    const known = await projects(w);
    return { given: { project: known.web, redirects: [redirect], onDelete: "remove" }, known };
  },
  look: async (w, id) => ({ redirects: await redirectsOf(w, projectOf(id)) }),
  async all({ server }) {
    const { routingVersions } = await server.control.snapshot();
    return routingVersions
      .filter(({ kind, isLive }) => kind === "redirects" && isLive)
      .map(({ items }) => items);
  },
  listed: {
    query: { project: "web" },
    names: ["web redirects"],
    async prepare(w) {
      const { id } = await w.curl("GET", "/v9/projects/web");
      await publish(w, String(id), [redirect]);
    },
  },
  managed: {
    inputs: () => ({ project: "prj_web", redirects: [redirect], onDelete: "remove" }),
    changed: { redirects: [{ ...redirect, statusCode: 308 }] },
  },
  rows: [
    { ...ofProject, shown: () => ({ redirects: [expect.objectContaining(redirect)] }) },
    {
      path: "redirects",
      first: [redirect],
      second: [redirect, { source: "/blog", destination: "https://example.com/blog" }],
      changed: "update",
      cleared: /^redirects is missing/,
      shown: (redirects) => ({
        redirects: (redirects as Plain[]).map((one) => expect.objectContaining(one)),
      }),
      drift: changed(() => ({ destination: "/by-hand" })),
    },
    inRedirect("source", { first: "/old", second: "/older", cleared: /source is missing/ }),
    inRedirect("destination", { first: "/new", second: "/newer", cleared: /destination is missing/ }),
    inRedirect("statusCode", {
      ...{ first: 308, second: 301, cleared: "update" },
      shown: (statusCode = 307) => ({ redirects: [expect.objectContaining({ statusCode })] }),
      drift: changed(() => ({ statusCode: 302 })),
    }),
    ...["caseSensitive", "query", "preserveQueryParams"].map(flag),
    own("onDelete", "keep", "remove"),
    own("adopt", true, false),
  ],
  operations: [
    ...life(
      bulkRedirects,
      () => ({ project: "web", redirects: [redirect], onDelete: "remove" }),
      () => ({ project: "web", redirects: [{ ...redirect, destination: "/newer" }], onDelete: "remove" }),
    ),
    {
      name: "BulkRedirects: adopt",
      resource: bulkRedirects,
      async prepare(w) {
        const { id } = await w.curl("GET", "/v9/projects/web");
        await publish(w, String(id), [redirect]);
        return {};
      },
      step: "up",
      inputs: () => ({
        project: "web",
        redirects: [{ ...redirect, statusCode: 308 }],
        adopt: true,
        onDelete: "remove",
      }),
    },
  ],
};
