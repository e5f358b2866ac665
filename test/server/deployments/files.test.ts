import { createHash } from "node:crypto";
import { useTestServer } from "../../support/world";

const world = useTestServer();
const sha = (text: string): string => createHash("sha1").update(text).digest("hex");
const page = "<h1>hi</h1>";

const upload = (text: string, headers: Record<string, string> = { "x-vercel-digest": sha(text) }) =>
  world.call("POST", "/v2/files", {
    body: text,
    headers: { "content-type": "application/octet-stream", ...headers },
  });
const deploy = (body: object, query: Record<string, string> = {}) =>
  world.call("POST", "/v13/deployments", { body: { project: "web", ...body }, query });
const read = async (id: string) => (await world.call("GET", `/v13/deployments/${id}`)).body;
const file = (name: string, text: string) => ({ file: name, sha: sha(text), size: text.length, mode: 33188 });

beforeEach(() => world.seed({ projects: [{ team: "acme", name: "web" }] }));

describe("an upload of a file", () => {
  it("is accepted with either header of its digest, and twice", async () => {
    expect(await upload(page)).toMatchObject({ status: 200, body: { urls: [] } });
    const size = String(page.length);
    expect((await upload(page, { "x-now-digest": sha(page), "x-now-size": size })).status).toBe(200);
  });

  it.each([
    ["without a digest", {}, /x-vercel-digest is missing/],
    ["with the digest of another file", { "x-vercel-digest": sha("other") }, /has the SHA-1/],
    ["with another size", { "x-vercel-digest": sha(page), "x-now-size": "1" }, /has 11 bytes/],
  ])("is refused %s", async (_, headers, message) => {
    const { status, body } = await upload(page, headers);
    expect({ status, code: body.error.code }).toEqual({ status: 400, code: "bad_request" });
    expect(body.error.message).toMatch(message);
  });

  it("is refused above 100 MiB, before it is read", async () => {
    const answer = await upload("", { "x-vercel-digest": sha(""), "content-length": String(2 ** 30) });
    expect(answer.status).toBe(413);
  });

  it("is forgotten after 30 days without another", async () => {
    await upload(page);
    await world.advance(20 * 86_400_000);
    expect((await deploy({ files: [file("index.html", page)] })).status).toBe(200);
    await upload(page);
    await world.advance(20 * 86_400_000);
    expect((await deploy({ files: [file("index.html", page)] })).status).toBe(200);
    await world.advance(20 * 86_400_000);
    expect((await deploy({ files: [file("index.html", page)] })).status).toBe(400);
  });
});

describe("a deployment of files", () => {
  it("lists the files to upload first, and is created once they are", async () => {
    await upload(page);
    const files = [file("index.html", page), file("a.txt", "a"), file("b/a.txt", "a"), file("c.txt", "c")];
    const { status, body } = await deploy({ files });
    expect({ status, code: body.error.code }).toEqual({ status: 400, code: "missing_files" });
    expect(body.error.missing).toEqual([sha("a"), sha("c")]);
    expect((await world.call("GET", "/v6/deployments")).body.deployments).toEqual([]);
    await upload("a");
    await upload("c");
    expect(await deploy({ files })).toMatchObject({ status: 200, body: { readyState: "BUILDING" } });
  });

  it("may carry its files in the body", async () => {
    const files = [
      { file: "index.html", data: page },
      { file: "a.bin", data: "AAAA", encoding: "base64" },
    ];
    const { status, body } = await deploy({ files, source: "cli", version: 2 }, { prebuilt: "1" });
    expect(status).toBe(200);
    await world.advance(1000);
    expect((await read(body.id)).readyState).toBe("READY");
  });

  it("keeps empty folders, which clients send without contents", async () => {
    await upload(page);
    const folder = { size: 0, mode: 0o040755 };
    const files = [file("index.html", page), { file: "empty", ...folder }, { file: "a/b", ...folder }];
    const { status, body } = await deploy({ files });
    expect(status).toBe(200);
    const tree = await world.call("GET", `/v6/deployments/${body.id}/files`);
    const entry = { type: "directory", mode: 0o040755 };
    expect(tree.body).toEqual([
      { name: "a", ...entry, children: [{ name: "b", ...entry, children: [] }] },
      { name: "empty", ...entry, children: [] },
      { name: "index.html", type: "file", mode: 0o100644, uid: sha(page) },
    ]);
  });

  it("does not find the files of another account", async () => {
    await world.call("POST", "/v2/files", { team: null, headers: { "x-vercel-digest": sha("") } });
    expect((await deploy({ files: [file("empty", "")] })).body.error.missing).toEqual([sha("")]);
  });

  it.each([
    ["a digest that is none", [{ file: "a", sha: "zz" }]],
    ["a file without a name", [{ file: "", data: "" }]],
    ["a file without contents", [{ file: "a" }]],
    ["a file with its contents twice", [{ file: "a", data: "a", sha: sha("a") }]],
    ["a folder with contents", [{ file: "a", mode: 0o040755, data: "a" }]],
  ])("is refused with %s", async (_, files) => {
    expect((await deploy({ files })).status).toBe(400);
  });

  it("finds its missing files among thousands", async () => {
    await upload("7");
    const files = Array.from({ length: 1200 }, (_, at) => ({ file: `f${at}`, sha: sha(String(at)) }));
    expect((await deploy({ files })).body.error.missing).toHaveLength(1199);
  });
});

describe("a deployment to a custom environment", () => {
  const addEnvironment = async () =>
    (await world.call("POST", "/v9/projects/web/custom-environments", { body: { slug: "staging" } })).body.id;
  beforeEach(() => world.control.changeTeam("acme", { plan: "enterprise" }));

  it("is named by slug or id, and serves no production", async () => {
    const id = await addEnvironment();
    for (const key of ["staging", id]) {
      const { status, body } = await deploy({ customEnvironmentSlugOrId: key });
      expect(status).toBe(200);
      expect(body.customEnvironment).toEqual({ id, slug: "staging" });
      expect(body).toMatchObject({ target: null });
    }
    await world.advance(1000);
    const { targets, latestDeployments } = (await world.call("GET", "/v9/projects/web")).body;
    expect(targets).toEqual({});
    expect(latestDeployments[0].customEnvironment).toEqual({ id, slug: "staging" });
  });

  it("is refused for an unknown environment, and beside production", async () => {
    await addEnvironment();
    expect((await deploy({ customEnvironmentSlugOrId: "moon" })).status).toBe(404);
    expect((await deploy({ customEnvironmentSlugOrId: "staging", target: "production" })).status).toBe(400);
  });

  it("is redeployed in an environment that the request names, not in that of its source", async () => {
    const id = await addEnvironment();
    const { body } = await deploy({ customEnvironmentSlugOrId: "staging" });
    const again = await deploy({ deploymentId: body.id, customEnvironmentSlugOrId: id });
    expect(again.body.customEnvironment.id).toBe(id);
    for (const target of ["production", undefined]) {
      const elsewhere = await deploy({ deploymentId: body.id, target });
      expect(elsewhere.body).not.toHaveProperty("customEnvironment");
    }
    await world.call("DELETE", "/v9/projects/web/custom-environments/staging");
    expect((await read(body.id)).customEnvironment).toEqual({ id });
  });
});

it("keeps production where it is with autoAssignCustomDomains: false", async () => {
  const { body } = await deploy({ target: "production", autoAssignCustomDomains: false });
  await world.advance(1000);
  expect(await read(body.id)).toMatchObject({
    readyState: "READY",
    aliasAssigned: true,
    readySubstate: "STAGED",
  });
  expect((await world.call("GET", "/v9/projects/web")).body.targets).toEqual({});
});
