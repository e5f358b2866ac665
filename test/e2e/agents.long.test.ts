import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parse } from "yaml";
import { built } from "../support/dist";
import { block, pages } from "../support/pages";
import { freePort } from "../support/port";
import { root } from "../support/server";
import { Shell } from "../support/shell";

it("the guide for agents runs from the first command to the last", async () => {
  const folder = mkdtempSync(join(tmpdir(), "slipway-agents-"));
  const port = await freePort();
  const setup = join(root, "scripts/install.mjs");
  const pulumi = execFileSync(process.execPath, [setup, "--print-pulumi"], { encoding: "utf8" }).trim();
  expect(existsSync(built("cli/main.js"))).toBe(true);
  const shell = new Shell(
    join(folder, "project"),
    {
      ...process.env,
      PATH: `${dirname(process.execPath)}:${dirname(pulumi)}:${process.env.PATH}`,
      PULUMI_HOME: join(folder, "home"),
      PULUMI_SKIP_UPDATE_CHECK: "true",
      SLIPWAY_PORT: String(port),
    },
    { "127.0.0.1:4000": `127.0.0.1:${port}`, "npx slipway": `node ${built("cli/main.js")}` },
  );
  try {
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    await shell.run(block("docs/guides/agents.md bash 1"));
    const output = await shell.run(block("docs/guides/agents.md bash 2"));
    expect(output).toMatch(
      /\+ 1 to create[\s\S]+\+ 1 created[\s\S]+"buildCommand": "pnpm build"[\s\S]+"projects": \[/,
    );
    const answers = await shell.run(block("docs/guides/agents.md bash 3"));
    expect(answers.match(/"framework":"nextjs"/g)).toHaveLength(2);
    // The project that `pulumi do` deleted is gone, and the one of curl is there.
    expect(await shell.run("pulumi do slipway:getProjects --output json")).toMatch(/"name": "docs"/);
    expect(await shell.run("pulumi do slipway:getProjects --output json")).not.toMatch(/"name": "web"/);
  } finally {
    await shell.attempt(`node ${built("cli/main.js")} stop`);
    shell.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

it("the instructions for a repository name the development account", () => {
  const text = block("docs/guides/agents.md text 1");
  for (const setting of ["http://127.0.0.1:4000", "slipway-dev-token", "SLIPWAY_TEAM=acme"])
    expect(text).toContain(setting);
});

it("the skill has the front matter of a skill, the same rules, and every guide and resource of its sections", () => {
  const text = readFileSync(join(root, "skills/slipway/SKILL.md"), "utf8");
  const { name, description } = parse(/^---\n([\s\S]*?)\n---\n/.exec(text)?.[1] ?? "");
  expect(name).toBe("slipway");
  expect(description.length).toBeLessThanOrEqual(1024);
  const rules = block("docs/guides/agents.md text 1").trim().split("\n").slice(1).join("\n");
  expect(text).toContain(rules);
  expect(text).toContain(block("docs/guides/agents.md bash 1"));
  const paths = [...text.matchAll(/`node_modules\/slipway\/(docs\/\S+)`/g)].map(([, path = ""]) => path);
  expect(paths.length).toBeGreaterThan(40);
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

it("llms.txt has the form of llmstxt.org, and lists every guide and resource", () => {
  const text = readFileSync(join(root, "llms.txt"), "utf8");
  expect(text).toMatch(/^# Slipway\n\n> .+\n\n/);
  const links = [...text.matchAll(/^- \[[^\]]+\]\(([^)]+)\)(: .+)?$/gm)].map(([, path = ""]) => path);
  const listed = pages.filter((page) => /^docs\/(guides|resources)\//.test(page));
  expect(links).toEqual(expect.arrayContaining(listed));
  expect(links.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
