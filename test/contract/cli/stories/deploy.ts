import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { json, type Story, type Work } from "./story";

const production = async (work: Work) => (await work.get("/v9/projects/site")).targets?.production?.id;

const commit = (work: Work) => {
  const git = (...words: string[]) => execFileSync("git", words, { cwd: work.folder });
  git("init", "--quiet", "--initial-branch", "main");
  git("remote", "add", "origin", "https://github.com/acme/site.git");
  git(
    "-c",
    "user.name=Dev",
    "-c",
    "user.email=dev@example.com",
    "commit",
    "--allow-empty",
    "--quiet",
    "-m",
    "Begin",
  );
};

export const deploy: Story = {
  title: "deploys of a folder",
  folder: "site",
  prepare: async (work) => {
    work.write("index.html", "<h1>hi</h1>");
    work.write("big.bin", randomBytes(200_000));
    work.write("about/index.html", "<h1>about</h1>");
    work.write(".vercel/output/config.json", { version: 3 });
    work.write(".vercel/output/static/index.html", "<h1>built</h1>");
    await work.server.control.seed({ projects: [{ team: "acme", name: "site" }] });
    await work.send("POST", "/v9/projects/site/custom-environments", { slug: "staging" });
  },
  runs: [
    { line: "link --yes --project site", says: "acme/site" },
    {
      line: "--yes",
      says: "https://",
      check: async (work) =>
        expect(await work.last("site")).toMatchObject({ readyState: "READY", target: null }),
    },
    {
      line: "deploy --prod --yes",
      check: async (work) => expect(await production(work)).toBe((await work.last("site")).id),
    },
    { line: "deploy --prebuilt --yes", says: "Using prebuilt build artifacts" },
    { line: "deploy --prebuilt --prod --yes", says: "https://" },
    { line: "deploy --prebuilt --archive=tgz --yes", says: "https://" },
    { line: "deploy --no-wait --yes", says: "https://" },
    {
      line: "deploy --meta release=12 -m ticket=7 --yes",
      check: async (work) =>
        expect((await work.last("site")).meta).toMatchObject({ release: "12", ticket: "7" }),
    },
    { line: "deploy --env LEVEL=debug --yes", says: "https://" },
    { line: "deploy --build-env MODE=slow --yes", says: "https://" },
    {
      line: "deploy --target=staging --yes",
      check: async (work) =>
        expect(await work.last("site")).toMatchObject({ customEnvironment: { slug: "staging" } }),
    },
    {
      line: "deploy --target=production --yes",
      check: async (work) => expect(await work.last("site")).toMatchObject({ target: "production" }),
    },
    { line: "deploy --target=preview --yes", says: "https://" },
    { line: "deploy --archive=tgz --yes", says: "https://" },
    { line: "deploy --force --yes", says: "https://" },
    { line: "deploy --force --with-cache --yes", says: "https://" },
    { line: "deploy --logs --yes", says: "Build" },
    {
      line: "deploy --json --yes",
      check: (_, said) => expect(json(said)).toMatchObject({ readyState: "READY" }),
    },
    {
      line: "deploy --prod --skip-domain --yes",
      before: async (work) => {
        work.notes.production = await production(work);
      },
      check: async (work) => expect(await production(work)).toBe(work.notes.production),
    },
    { line: "deploy --regions fra1 --yes", says: "https://" },
    {
      line: "deploy --dry --json",
      check: (_, said) => expect(JSON.stringify(json(said))).toContain("index.html"),
    },
    { line: "deploy about --yes --project site", says: "https://" },
    { line: "deploy --name old --yes", says: "https://" },
    {
      line: "deploy --prod --yes --guidance",
      before: commit,
      check: async (work) =>
        expect((await work.last("site")).meta).toMatchObject({
          githubCommitRef: "main",
        }),
    },
    // The commands of a deploy action for GitHub.
    {
      line: "-m githubCommitSha=a1b2c3d -m githubDeployment=1 -m githubOrg=acme -m githubCommitRef=main -m 'githubCommitMessage=\"Say hi\"'",
      check: async (work, { stdout }) => {
        const { id, url, meta } = await work.last("site");
        expect(stdout.trim()).toBe(`https://${url}`);
        expect(meta).toMatchObject({ githubCommitRef: "main", githubCommitMessage: '"Say hi"' });
        Object.assign(work.notes, { action: id, url });
      },
    },
    { line: "inspect https://{url}", says: /^\s+name\s+site$/m },
    {
      line: "alias https://{url} site-next.vercel.app",
      check: async (work) =>
        expect((await work.get("/v13/deployments/site-next.vercel.app")).id).toBe(work.notes.action),
    },
    {
      line: "deploy --yes --cwd .",
      before: (work) => work.server.control.planBuilds({ error: { message: "no such module: left-pad" } }),
      code: 1,
      says: "no such module: left-pad",
    },
    {
      line: "deploy --yes --project fresh",
      before: (work) => work.server.control.planBuilds({}),
      code: 1,
      says: "fresh",
    },
    { line: "build --yes", cannot: "builds on the machine and asks the package registry for builders" },
    { line: "dev --yes", cannot: "serves the folder until it is stopped" },
  ],
};
