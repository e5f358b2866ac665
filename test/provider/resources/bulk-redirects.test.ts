import type { Plain } from "../../../provider/core/values";
import { bulkRedirects } from "../../../provider/resources/bulk-redirects";
import { type Harness, recordStack, startHarness } from "../stack";

let w: Harness;
let web: string;
beforeEach(async () => {
  w = await startHarness();
  web = String(((await w.curl("POST", "/v10/projects", { name: "web" })) as Plain).id);
});
afterEach(() => w.close());

const path = "/v1/bulk-redirects";
const redirect = (source: string, destination = "/new", more: Plain = {}) => ({
  source,
  destination,
  ...more,
});
const sent = (source: string, destination = "/new", statusCode = 307) =>
  expect.objectContaining({ source, destination, statusCode });
const declaring = (...redirects: Plain[]) => ({ project: "web", redirects });
const live = async () => (await w.curl("GET", `${path}?projectId=${web}`)).redirects as unknown as Plain[];
const versions = async () =>
  (await w.curl("GET", `${path}/versions?projectId=${web}`)).versions as unknown as Plain[];
const stage = async (...redirects: Plain[]) =>
  (await w.curl("PUT", path, { projectId: web, redirects })).version as unknown as { id: string };
const act = (id: string, action: string) =>
  w.curl("POST", `${path}/versions?projectId=${web}`, { id, action });
const byHand = async (...redirects: Plain[]) => act((await stage(...redirects)).id, "promote");

it("publishes redirects, changes them, and keeps them when it is deleted", async () => {
  const redirects = w.stack(bulkRedirects);
  await redirects.up(declaring(redirect("/a"), redirect("/b", "/c", { statusCode: 308, query: true })));
  expect(redirects.id).toBe(`${web}/redirects`);
  const flags = { query: true, caseSensitive: false, preserveQueryParams: false };
  expect(await live()).toEqual([sent("/a"), { ...redirect("/b", "/c"), statusCode: 308, ...flags }]);
  const [{ id } = {}] = await versions();
  expect(redirects.state).toMatchObject({ projectId: web, versionId: id });
  const changed = declaring(redirect("/b", "/d"), redirect("/e"));
  expect(await redirects.up(changed)).toBe("update");
  expect(await live()).toEqual([sent("/b", "/d"), sent("/e")]);
  expect((await versions()).some(({ isStaging }) => isStaging)).toBe(false);
  await redirects.refresh(w.another());
  expect(await redirects.up(declaring(redirect("/e"), redirect("/b", "/d")))).toBe("same");
  await redirects.destroy();
  expect(await live()).toHaveLength(2);
});

it("keeps redirects that somebody added until a refresh has shown them", async () => {
  const redirects = w.stack(bulkRedirects);
  await redirects.up(declaring(redirect("/a"), redirect("/b")));
  await byHand(redirect("/by-hand"), redirect("/b", "/changed"));
  await redirects.up(declaring(redirect("/b"), redirect("/c")));
  expect(await live()).toEqual([sent("/b", "/changed"), sent("/by-hand"), sent("/c")]);
  await redirects.refresh(w.another());
  expect(redirects.state.redirects).toEqual([
    redirect("/b", "/changed"),
    redirect("/c"),
    redirect("/by-hand"),
  ]);
  expect(await redirects.up(declaring(redirect("/b"), redirect("/c")))).toBe("update");
  expect(await live()).toEqual([sent("/b"), sent("/c")]);
});

it("removes only its own redirects with onDelete: remove", async () => {
  const redirects = w.stack(bulkRedirects);
  await redirects.up({ ...declaring(redirect("/a")), onDelete: "remove" });
  await byHand(redirect("/by-hand"));
  await redirects.destroy();
  expect(await live()).toEqual([sent("/by-hand")]);
});

it("needs adopt for a project that has redirects, and removes none of them", async () => {
  await byHand(redirect("/a"), redirect("/by-hand"));
  const redirects = w.stack(bulkRedirects);
  await expect(redirects.up(declaring(redirect("/a", "/b")))).rejects.toThrow(
    /set of redirects already exists .*adopt: true/,
  );
  await redirects.up({ ...declaring(redirect("/a", "/b")), adopt: true });
  expect(await live()).toEqual([sent("/a", "/b"), sent("/by-hand")]);
});

it("does not publish what somebody else has staged", async () => {
  const redirects = w.stack(bulkRedirects);
  await redirects.up(declaring(redirect("/a")));
  const { id } = await stage(redirect("/draft"));
  await expect(redirects.up(declaring(redirect("/b")))).rejects.toThrow(`not published (version ${id})`);
  expect(await live()).toEqual([sent("/a")]);
  expect((await versions())[0]).toMatchObject({ id, isStaging: true });
  await act(id, "discard");
  await redirects.up(declaring(redirect("/b")));
  expect(await live()).toEqual([sent("/b")]);
});

it("publishes what an interrupted run has staged, and ignores a staged version without changes", async () => {
  const redirects = w.stack(bulkRedirects);
  await redirects.up(declaring(redirect("/a")));
  await stage(redirect("/a"));
  await redirects.up(declaring(redirect("/a"), redirect("/b")));
  const { id } = await stage(redirect("/c"));
  await redirects.up(declaring(redirect("/a"), redirect("/b"), redirect("/c")));
  expect(redirects.state).toMatchObject({ versionId: id });
  expect(await live()).toHaveLength(3);
});

it("reads many pages", async () => {
  const redirects = w.stack(bulkRedirects);
  const many = declaring(...Array.from({ length: 501 }, (_, at) => redirect(`/${at}`)));
  await redirects.up(many);
  await redirects.refresh(w.another());
  expect(await redirects.up(many)).toBe("same");
});

it("refuses two redirects with the same source at preview", async () => {
  await expect(w.stack(bulkRedirects).up(declaring(redirect("/a"), redirect("/a", "/b")))).rejects.toThrow(
    /two redirects with the same source/,
  );
});

it("cannot be read when the project has no redirects", async () => {
  const reading = bulkRedirects.read(w.runOf(w.another()), "web", undefined);
  await expect(reading).rejects.toThrow(/has no redirects/);
});

it("takes the redirects over from a resource that leaves", async () => {
  const before = w.stack(bulkRedirects, "before");
  await before.up({ ...declaring(redirect("/a"), redirect("/b")), onDelete: "remove" });
  await byHand(redirect("/by-hand"));
  const run = w.another();
  recordStack([{ type: "BulkRedirects", name: "before", outputs: before.state }]);
  before.use(run);
  const after = w.stack(bulkRedirects, "after");
  after.use(run);
  await after.up(declaring(redirect("/a", "/c")));
  await before.destroy();
  expect(await live()).toEqual([sent("/a", "/c"), sent("/by-hand")]);
});
