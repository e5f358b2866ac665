import { useTestServer } from "../../support/world";

const world = useTestServer();
const deploy = async (body: object = {}, query: Record<string, string> = {}) =>
  (await world.call("POST", "/v13/deployments", { body: { project: "web", ...body }, query })).body.id;
const ask = (id: string, query: Record<string, string> = {}) =>
  world.call("GET", `/v3/deployments/${id}/events`, { query });
const textsOf = (lines: { text: string }[]): string[] => lines.map(({ text }) => text);
const log = async (id: string, query = {}): Promise<string[]> => textsOf((await ask(id, query)).body);
const parseLines = (text: string) =>
  text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

const start = "Running build in Washington, D.C., USA (East) – iad1";
const simulated = "This build is simulated: nothing is installed, compiled or served.";

beforeEach(() => world.seed({ projects: [{ team: "acme", name: "web" }] }));

describe("the log of a build", () => {
  it("grows with the states of the build", async () => {
    await world.control.planBuilds({ buildMs: 4000 });
    const id = await deploy();
    expect(await log(id)).toEqual([]);
    await world.advance(1000);
    expect(await log(id)).toEqual([start, "Retrieving the source of the deployment"]);
    await world.advance(1000);
    expect((await log(id)).slice(2)).toEqual(['Running "vercel build"', simulated]);
    await world.advance(2000);
    expect((await log(id)).slice(4)).toEqual([
      "Build Completed in /vercel/output [2s]",
      "Deployment completed",
    ]);
  });

  it("has the time, the order and the deployment of each line", async () => {
    const id = await deploy();
    await world.advance(1000);
    const { body } = await ask(id);
    const { createdAt } = (await world.call("GET", `/v13/deployments/${id}`)).body;
    expect(body[0]).toMatchObject({ type: "stdout", created: createdAt, date: createdAt, deploymentId: id });
    expect(body.at(-1).created).toBe(createdAt + 1000);
    const serials = body.map(({ serial }: { serial: string }) => serial);
    expect(serials).toEqual([...new Set(serials)].sort());
  });

  it("names the source: a commit, files, or prebuilt output", async () => {
    const gitSource = { type: "github", ref: "main", sha: "a1b2c3d4e5f6" };
    await world.seed({
      gitProviders: [{ team: "acme", type: "github" }],
      projects: [{ team: "acme", name: "site", gitRepository: { type: "github", repo: "acme/site" } }],
    });
    const linked = await deploy({ project: "site", gitSource });
    expect((await log(linked))[1]).toBe("Cloning github.com/acme/site (Branch: main, Commit: a1b2c3d)");
    expect((await log(await deploy({ gitSource })))[1]).toMatch(/^Cloning the repository \(Branch: main/);
    const files = [{ file: "index.html", data: "hi" }];
    const built = await log(await deploy({ files }, { prebuilt: "1" }));
    expect(built[1]).toBe("Downloading 1 deployment files...");
    expect(built[2]).toBe("Using prebuilt build artifacts...");
  });

  it("names prebuilt output again when that is redeployed, and not with other files", async () => {
    const files = [{ file: "index.html", data: "hi" }];
    const deploymentId = await deploy({ files }, { prebuilt: "1" });
    expect((await log(await deploy({ deploymentId })))[2]).toBe("Using prebuilt build artifacts...");
    expect((await log(await deploy({ deploymentId, files })))[2]).toBe('Running "vercel build"');
  });

  it.each([
    ["an error", { error: { message: "no such module" } }, "Error: no such module", "error"],
    ["a skip", { skipIgnored: true }, /"Ignored Build Step" command/, "warning"],
  ])("ends with %s", async (_, plan, text, level) => {
    await world.call("PATCH", "/v9/projects/web", { body: { commandForIgnoringBuildStep: "exit 0" } });
    await world.control.planBuilds(plan);
    const id = await deploy();
    await world.advance(1000);
    const last = (await ask(id)).body.at(-1);
    expect(last.text).toMatch(text);
    expect(last.level).toBe(level);
  });

  it("counts the files of the source, and no folders", async () => {
    const files = [
      { file: "index.html", data: "hi" },
      { file: "about.html", data: "hi" },
      { file: "empty", mode: 0o040755 },
    ];
    const deploymentId = await deploy({ files });
    for (const id of [deploymentId, await deploy({ deploymentId })])
      expect((await log(id))[1]).toBe("Downloading 2 deployment files...");
  });

  it("of a canceled build has no line from the future", async () => {
    await world.control.planBuilds({ buildMs: 4000 });
    const id = await deploy();
    await world.call("PATCH", `/v12/deployments/${id}/cancel`);
    const created = (await ask(id)).body.map((line: { created: number }) => line.created);
    expect(created).toEqual(created.map(() => world.clock.now()));
    expect(created).toHaveLength(5);
  });

  it("ends with the cancellation", async () => {
    const id = await deploy();
    await world.call("PATCH", `/v12/deployments/${id}/cancel`);
    expect((await log(id)).at(-1)).toBe("The deployment was canceled.");
  });

  it("is that of the state that the control plane has set", async () => {
    const [id = ""] = await world.control.deploy({ team: "acme", project: "web", readyState: "BUILDING" });
    expect(await log(id)).toHaveLength(4);
    await world.control.deploy({ team: "acme", project: "web", id, readyState: "ERROR" });
    expect((await log(id)).at(-1)).toBe("Error: The build failed.");
  });

  it("is limited, reversed, and bounded by time", async () => {
    const id = await deploy();
    const { createdAt } = (await world.call("GET", `/v13/deployments/${id}`)).body;
    await world.advance(1000);
    expect(await log(id, { limit: "1" })).toEqual([start]);
    expect(await log(id, { limit: "-1" })).toHaveLength(6);
    expect((await log(id, { direction: "backward", limit: "1" }))[0]).toBe("Deployment completed");
    expect(await log(id, { since: String(createdAt + 1) })).toHaveLength(2);
    expect(await log(id, { until: String(createdAt) })).toHaveLength(4);
  });

  it("is 404 for another account", async () => {
    const id = await deploy();
    expect((await world.call("GET", `/v3/deployments/${id}/events`, { team: null })).status).toBe(404);
  });
});

describe("the lines of a log", () => {
  it("are all there without following", async () => {
    const id = await deploy();
    const answer = await ask(id, { format: "lines", follow: "" });
    expect(answer.headers["content-type"]).toMatch(/^application\/stream\+json/);
    expect(textsOf(parseLines(answer.body))).toEqual(await log(id));
  });

  it("go on until the build ends", async () => {
    await world.control.planBuilds({ buildMs: 4000 });
    const id = await deploy();
    const followed = ask(id, { format: "lines", follow: "1" });
    await world.advance(1000);
    await world.advance(3000);
    expect(textsOf(parseLines((await followed).body))).toEqual(await log(id));
  });

  it("are followed by at most 20 requests of an account at a time", async () => {
    await world.control.planBuilds({ buildMs: 4000 });
    const id = await deploy();
    const isWhole = (answer: { body: string }): boolean => answer.body.includes("Deployment completed");
    for (const _ of ["once", "again"]) {
      const building = await deploy();
      const followed = Array.from({ length: 21 }, () => ask(building, { follow: "1" }));
      expect(isWhole(await Promise.race(followed))).toBe(false);
      await world.advance(4000);
      expect((await Promise.all(followed)).filter(isWhole)).toHaveLength(20);
    }
    expect(isWhole(await ask(id, { follow: "1" }))).toBe(true);
  });

  it("are followed for an account, however many another account follows", async () => {
    await world.control.planBuilds({ buildMs: 4000 });
    const other = { token: await world.team("other"), team: "other" };
    await world.seed({ projects: [{ team: "other", name: "web" }] });
    const { id } = (await world.call("POST", "/v13/deployments", { ...other, body: { project: "web" } }))
      .body;
    const building = await deploy();
    const followed = Array.from({ length: 21 }, () => ask(building, { follow: "1" }));
    // One more than are followed is answered at once: when the others have begun.
    await Promise.race(followed);
    const theirs = world.call("GET", `/v3/deployments/${id}/events`, { ...other, query: { follow: "1" } });
    // The reads of a caller run one after the other.
    await world.call("GET", `/v13/deployments/${id}`, other);
    await world.advance(4000);
    expect((await theirs).body).toContain("Deployment completed");
    await Promise.all(followed);
  });

  it("end when the deployment is deleted", async () => {
    await world.control.planBuilds({ buildMs: 4000 });
    const id = await deploy();
    const followed = Array.from({ length: 21 }, () => ask(id, { follow: "1" }));
    // One more than are followed is answered at once: when the others have begun.
    await Promise.race(followed);
    await world.call("DELETE", `/v13/deployments/${id}`);
    expect((await Promise.all(followed)).map(({ body }) => body)).toEqual(Array(21).fill(""));
  });
});
