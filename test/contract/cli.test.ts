import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type RunningServer, startServer } from "../../server";
import { plainDevelopmentToken } from "../../server/seed/development-account";
import { type Desk, fetchCommandLine, isWanted, vercel } from "./cli/run";
import { takeStore } from "./contract";

/** The official command line, as it is, towards this server: one story, told command by command. */
(isWanted ? describe : describe.skip)("the official command line", () => {
  let server: RunningServer;
  let release: () => Promise<void>;
  let desk: Desk;
  let first: string;
  let second: string;

  beforeAll(async () => {
    await fetchCommandLine();
    const { release: releaseStore, ...store } = await takeStore();
    release = releaseStore;
    server = await startServer({ ...store });
    const folder = join(mkdtempSync(join(tmpdir(), "slipway-cli-")), "shop");
    mkdirSync(folder);
    desk = { folder, url: server.url, token: plainDevelopmentToken };
  }, 600_000);

  afterAll(async () => {
    await server?.close();
    await release?.();
    if (desk) rmSync(join(desk.folder, ".."), { recursive: true });
  });

  /** Runs a command on the team, which must succeed. @returns what it said */
  async function run(line: string, input?: string): Promise<string> {
    const { code, said } = await vercel(desk, [...line.split(" "), "--scope", "acme"], input);
    expect({ line, code, said }).toEqual({ line, code: 0, said });
    return said;
  }

  const project = async () => {
    const response = await fetch(`${server.url}/v9/projects/shop?slug=acme`, {
      headers: { authorization: `Bearer ${server.token}` },
    });
    return (await response.json()) as {
      id: string;
      targets: { production?: { id: string } };
      env: { key: string; value: string; type: string; visibility: string }[];
      link?: { deployHooks: { id: string }[] };
    };
  };

  const api = (method: string, path: string, body: object) =>
    fetch(`${server.url}${path}?slug=acme`, {
      method,
      headers: { authorization: `Bearer ${server.token}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });

  it("tells who works, and on which teams", async () => {
    expect((await vercel(desk, ["whoami"])).stdout.trim()).toBe("dev");
    expect((await vercel(desk, ["teams", "ls"])).said).toMatch(/acme\s+Acme/);
  });

  it("adds a project, lists it, inspects it and links a folder to it", async () => {
    expect(await run("project add shop")).toContain("Project shop added");
    expect(await run("project ls")).toMatch(/shop\s/);
    expect(await run("project inspect shop")).toContain("22.x");
    expect(await run("link --yes --project shop")).toContain("acme/shop");
    const { projectId } = JSON.parse(readFileSync(join(desk.folder, ".vercel/project.json"), "utf8"));
    expect(projectId).toBe((await project()).id);
  });

  it("adds variables, lists them, changes one, pulls them and removes one", async () => {
    await run("env add GREETING development", "hello");
    await run("env add SECRET production --sensitive", "hidden");
    const listed = await run("env ls");
    expect(listed).toContain("GREETING");
    expect(listed).toContain("SECRET");
    expect((await project()).env).toMatchObject([
      { key: "GREETING", visibility: "config" },
      { key: "SECRET", type: "sensitive", visibility: "secret" },
    ]);
    await run("env update GREETING development --yes", "good morning");
    await run("env pull --yes .env.pulled");
    expect(readFileSync(join(desk.folder, ".env.pulled"), "utf8")).toMatch(/^GREETING="?good morning"?$/m);
    await run("env rm SECRET production --yes");
    expect((await project()).env.map(({ key }) => key)).toEqual(["GREETING"]);
  });

  it("adds a domain, lists the account's domains and inspects one", async () => {
    expect(await run("domains add example.com shop")).toContain("added to project shop");
    expect(await run("domains ls")).toContain("example.com");
    expect(await run("domains inspect example.com")).toContain("example.com");
  });

  it("adds a domain twice, and moves it from another project with --force", async () => {
    await run("project add other");
    expect(await run("domains add example.com shop")).toContain("already assigned");
    const refused = await vercel(desk, ["domains", "add", "example.com", "other", "--scope", "acme"]);
    expect(refused.code).not.toBe(0);
    await run("domains add example.com other --force");
    expect(await run("domains add example.com other")).toContain("already assigned");
    await run("project rm other", "y\n");
  });

  it("removes a domain", async () => {
    await run("domains add example.net shop");
    await run("domains rm example.net --yes");
    expect(await run("domains ls")).not.toContain("example.net");
  });

  it("lists deployments and inspects one", async () => {
    const deploy = async () => {
      const response = await fetch(`${server.url}/v13/deployments?slug=acme`, {
        method: "POST",
        headers: { authorization: `Bearer ${server.token}`, "content-type": "application/json" },
        body: JSON.stringify({ name: "shop", target: "production" }),
      });
      const { id } = (await response.json()) as { id: string };
      await server.control.advanceClock(2000);
      return id;
    };
    first = await deploy();
    second = await deploy();
    expect((await run("ls")).match(/Ready/g)).toHaveLength(2);
    expect(await run(`inspect ${first}`)).toContain(first);
  });

  it("promotes a deployment, tells how that went, and rolls it back", async () => {
    expect((await project()).targets.production?.id).toBe(second);
    await run(`promote ${first} --yes`);
    expect((await project()).targets.production?.id).toBe(first);
    expect(await run("promote status")).toContain("shop");
    await run(`rollback ${second} --yes`);
    expect((await project()).targets.production?.id).toBe(second);
    expect(await run("rollback status")).toContain("shop");
  });

  it("points an alias to a deployment, lists it and removes it", async () => {
    await run(`alias set ${first} shop-docs.vercel.app`);
    expect(await run("alias ls")).toContain("shop-docs.vercel.app");
    await run("alias rm shop-docs.vercel.app --yes");
    const left = await run("alias ls");
    expect(left).not.toContain("shop-docs.vercel.app");
    expect(left).toContain("shop.slipway.app");
  });

  it("creates, lists and removes deploy hooks", async () => {
    await api("POST", "/v9/projects/shop/link", { type: "github", repo: "acme/shop" });
    await run("deploy-hooks create content --ref main");
    const [hook] = (await project()).link?.deployHooks ?? [];
    expect(await run("deploy-hooks ls")).toContain(hook?.id);
    await run(`deploy-hooks rm ${hook?.id}`, "y\n");
    expect((await project()).link?.deployHooks).toEqual([]);
  });

  describe("without --scope, with a token of the team", () => {
    let bound: Desk;

    beforeAll(async () => {
      await server.control.seed({ tokens: [{ token: "boundtoken", user: "dev", team: "acme" }] });
      const folder = join(desk.folder, "../bound");
      mkdirSync(folder);
      bound = { ...desk, folder, token: "boundtoken" };
    });

    const runBound = async (line: string): Promise<string> => {
      const { code, said } = await vercel(bound, line.split(" "));
      expect({ line, code, said }).toEqual({ line, code: 0, said });
      return said;
    };

    it("promotes and rolls back", async () => {
      await runBound(`promote ${first} --yes`);
      expect((await project()).targets.production?.id).toBe(first);
      await runBound(`rollback ${second} --yes`);
      expect((await project()).targets.production?.id).toBe(second);
    });

    it("deploys a deployment again", async () => {
      await runBound(`redeploy ${first} --no-wait`);
      expect((await runBound("ls shop")).match(/shop-/g)?.length).toBeGreaterThan(2);
    });
  });

  it("asks the API itself", async () => {
    const { code, stdout } = await vercel(desk, ["api", "/v9/projects/shop", "--scope", "acme"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout.slice(stdout.indexOf("{")))).toMatchObject({ name: "shop" });
  });

  it("says what the server says when it refuses", async () => {
    const { code, said } = await vercel(desk, ["project", "inspect", "nothing", "--scope", "acme"]);
    expect(code).not.toBe(0);
    expect(said).toContain("nothing");
  });

  it("removes the project", async () => {
    await run("project rm shop", "y\n");
    expect(await project()).toMatchObject({ error: { code: "not_found" } });
  });
});
