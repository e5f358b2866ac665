import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type RunningServer, startServer } from "../../server";
import { plainDevelopmentToken } from "../../server/seed/development-account";
import { step } from "../support/step";
import { type Desk, fetchCommandLine, isWanted, vercel } from "./cli/run";
import { takeStore } from "./contract";

/** The official command line, as it is, towards this server: each test is a story, told command by command. */
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

  it("manages a project with its variables, domains, deployments and aliases", async () => {
    await step("tells who works, and on which teams", async () => {
      expect((await vercel(desk, ["whoami"])).stdout.trim()).toBe("dev");
      expect((await vercel(desk, ["teams", "ls"])).said).toMatch(/acme\s+Acme/);
    });

    await step("adds a project, lists it, inspects it and links a folder to it", async () => {
      expect(await run("project add shop")).toContain("Project shop added");
      expect(await run("project ls")).toMatch(/shop\s/);
      expect(await run("project inspect shop")).toContain("22.x");
      expect(await run("link --yes --project shop")).toContain("acme/shop");
      const { projectId } = JSON.parse(readFileSync(join(desk.folder, ".vercel/project.json"), "utf8"));
      expect(projectId).toBe((await project()).id);
    });

    await step("adds variables, lists them, changes one, pulls them and removes one", async () => {
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

    await step("adds sensitive variables only where the policy of the team says so", async () => {
      await server.control.changeTeam("acme", { sensitiveEnvironmentVariablePolicy: "on" });
      await run("env add POLICY production --yes", "hidden");
      await run("env add LOCAL development --yes", "shown");
      const found = async (key: string) => (await project()).env.find((one) => one.key === key);
      expect(await found("POLICY")).toMatchObject({ type: "sensitive" });
      expect((await found("LOCAL"))?.type).not.toBe("sensitive");
      for (const [key, target] of [
        ["POLICY", "production"],
        ["LOCAL", "development"],
      ])
        await run(`env rm ${key} ${target} --yes`);
      await server.control.changeTeam("acme", { sensitiveEnvironmentVariablePolicy: "default" });
    });

    await step("adds a domain, lists the account's domains and inspects one", async () => {
      expect(await run("domains add example.com shop")).toContain("added to project shop");
      expect(await run("domains ls")).toContain("example.com");
      expect(await run("domains inspect example.com")).toContain("example.com");
    });

    await step("adds a domain twice, and moves it from another project with --force", async () => {
      await run("project add other");
      expect(await run("domains add example.com shop")).toContain("already assigned");
      const refused = await vercel(desk, ["domains", "add", "example.com", "other", "--scope", "acme"]);
      expect(refused.code).not.toBe(0);
      await run("domains add example.com other --force");
      expect(await run("domains add example.com other")).toContain("already assigned");
      await run("project rm other", "y\n");
    });

    await step("removes a domain", async () => {
      await run("domains add example.net shop");
      await run("domains rm example.net --yes");
      expect(await run("domains ls")).not.toContain("example.net");
    });

    await step("lists deployments and inspects one", async () => {
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

    await step("promotes a deployment, tells how that went, and rolls it back", async () => {
      expect((await project()).targets.production?.id).toBe(second);
      await run(`promote ${first} --yes`);
      expect((await project()).targets.production?.id).toBe(first);
      expect(await run("promote status")).toContain("shop");
      await run(`rollback ${second} --yes`);
      expect((await project()).targets.production?.id).toBe(second);
      expect(await run("rollback status")).toContain("shop");
    });

    await step("points an alias to a deployment, lists it and removes it", async () => {
      await run(`alias set ${first} shop-docs.vercel.app`);
      expect(await run("alias ls")).toContain("shop-docs.vercel.app");
      await run("alias rm shop-docs.vercel.app --yes");
      const left = await run("alias ls");
      expect(left).not.toContain("shop-docs.vercel.app");
      expect(left).toContain("shop.vercel.app");
    });

    await step("creates, lists and removes deploy hooks", async () => {
      await api("POST", "/v9/projects/shop/link", { type: "github", repo: "acme/shop" });
      await run("deploy-hooks create content --ref main");
      const [hook] = (await project()).link?.deployHooks ?? [];
      expect(await run("deploy-hooks ls")).toContain(hook?.id);
      await run(`deploy-hooks rm ${hook?.id}`, "y\n");
      expect((await project()).link?.deployHooks).toEqual([]);
    });

    const bound: Desk = { ...desk, folder: join(desk.folder, "../bound"), token: "boundtoken" };
    await server.control.seed({ tokens: [{ token: "boundtoken", user: "dev", team: "acme" }] });
    mkdirSync(bound.folder);
    const runBound = async (line: string): Promise<string> => {
      const { code, said } = await vercel(bound, line.split(" "));
      expect({ line, code, said }).toEqual({ line, code: 0, said });
      return said;
    };

    await step("promotes and rolls back with a token of the team, without --scope", async () => {
      await runBound(`promote ${first} --yes`);
      expect((await project()).targets.production?.id).toBe(first);
      await runBound(`rollback ${second} --yes`);
      expect((await project()).targets.production?.id).toBe(second);
    });

    await step("deploys a deployment again, without --scope", async () => {
      await runBound(`redeploy ${first} --no-wait`);
      expect((await runBound("ls shop")).match(/shop-/g)?.length).toBeGreaterThan(2);
    });

    await step("asks the API itself", async () => {
      const { code, stdout } = await vercel(desk, ["api", "/v9/projects/shop", "--scope", "acme"]);
      expect(code).toBe(0);
      expect(JSON.parse(stdout.slice(stdout.indexOf("{")))).toMatchObject({ name: "shop" });
    });

    await step("says what the server says when it refuses", async () => {
      const { code, said } = await vercel(desk, ["project", "inspect", "nothing", "--scope", "acme"]);
      expect(code).not.toBe(0);
      expect(said).toContain("nothing");
    });

    await step("removes the project", async () => {
      await run("project rm shop", "y\n");
      expect(await project()).toMatchObject({ error: { code: "not_found" } });
    });
  });

  it("deploys a folder, and what comes after", async () => {
    const folder = join(desk.folder, "../site");
    const site: Desk = { ...desk, folder };
    mkdirSync(join(folder, ".vercel/output/static"), { recursive: true });
    writeFileSync(join(folder, "index.html"), "<h1>hi</h1>");
    writeFileSync(join(folder, "big.bin"), randomBytes(200_000));
    writeFileSync(join(folder, ".vercel/output/config.json"), '{"version":3}');
    writeFileSync(join(folder, ".vercel/output/static/index.html"), "<h1>built</h1>");
    await server.control.changeTeam("acme", { plan: "enterprise" });
    await server.control.seed({ projects: [{ team: "acme", name: "site" }] });
    await api("POST", "/v9/projects/site/custom-environments", { slug: "staging" });
    /** The last deployment of the project. */
    const last = async () => {
      const query = "slug=acme&app=site&limit=1";
      const headers = { authorization: `Bearer ${server.token}` };
      const response = await fetch(`${server.url}/v6/deployments?${query}`, { headers });
      const { deployments } = (await response.json()) as {
        deployments: {
          uid: string;
          target?: string;
          readyState: string;
          customEnvironment?: { slug: string };
        }[];
      };
      return deployments[0];
    };
    const production = async () => {
      const headers = { authorization: `Bearer ${server.token}` };
      const response = await fetch(`${server.url}/v9/projects/site?slug=acme`, { headers });
      return ((await response.json()) as { targets: { production?: { id: string } } }).targets.production?.id;
    };
    const runSite = async (line: string, expected = 0): Promise<string> => {
      const { code, said } = await vercel(site, [...line.split(" "), "--scope", "acme"]);
      expect({ line, code, said }).toEqual({ line, code: expected, said });
      return said;
    };

    await runSite("link --yes --project site");

    await step("uploads it, waits for the build and shows the log", async () => {
      // The client stops to read the log when the deployment is ready, and may miss its last line.
      expect(await runSite("deploy --prod --yes --logs")).toContain('Running "vercel build"');
      expect(await last()).toMatchObject({ target: "production", readyState: "READY" });
      expect(await production()).toBe((await last())?.uid);
      expect(await runSite(`inspect ${(await last())?.uid} --logs`)).toContain("Deployment completed");
    });

    await step("deploys output that was built before, and to a custom environment", async () => {
      expect(await runSite("deploy --prebuilt --yes")).toContain("Using prebuilt build artifacts");
      await runSite("deploy --target staging --yes");
      expect(await last()).toMatchObject({ readyState: "READY", customEnvironment: { slug: "staging" } });
    });

    await step("deploys again, and rolls back", async () => {
      const first = await production();
      await runSite(`redeploy ${first}`);
      const second = await production();
      expect(second).not.toBe(first);
      await runSite(`rollback ${first} --yes`);
      expect(await production()).toBe(first);
    });

    await step("keeps production where it is with --skip-domain", async () => {
      const before = await production();
      await runSite("deploy --prod --skip-domain --yes");
      expect(await last()).toMatchObject({ target: "production", readyState: "READY" });
      expect(await production()).toBe(before);
    });

    await step("promotes a preview, which is built again for production", async () => {
      await runSite("deploy --yes");
      const preview = await last();
      await runSite(`promote ${preview?.uid} --yes`);
      expect((await last())?.uid).not.toBe(preview?.uid);
      expect(await last()).toMatchObject({ target: "production" });
    });

    await step("deploys a folder with an empty one in it", async () => {
      mkdirSync(join(site.folder, "empty"));
      await runSite("deploy --yes");
      expect(await last()).toMatchObject({ readyState: "READY" });
    });

    await step("says why a build failed", async () => {
      await server.control.planBuilds({ error: { message: "no such module: left-pad" } });
      expect(await runSite("deploy --yes", 1)).toContain("no such module: left-pad");
      await server.control.planBuilds({});
    });

    await step("removes one deployment, and those that serve nothing", async () => {
      const { uid } = (await last()) ?? {};
      await runSite(`rm ${uid} --yes`);
      expect((await last())?.uid).not.toBe(uid);
      expect(await runSite("rm site --safe --yes")).toMatch(/Removed \d+ deployments/);
      expect((await last())?.uid).toBe(await production());
    });
  });
});
