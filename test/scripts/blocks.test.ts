import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { transformSync } from "@swc/core";
import { parseAllDocuments } from "yaml";
import { built } from "../support/dist";
import { type Block, blocksOf, pages } from "../support/pages";
import { root } from "../support/server";

/**
 * Every code block of every page: it reads as what it says it is, it names commands and flags that exist, and a test
 * runs it. A test runs a block by its id; programs in TypeScript are all run by docs.test.ts, the examples of resources
 * in YAML by pages.long.test.ts, and the pages for official clients by guide.test.ts.
 */
const blocks = pages.flatMap(blocksOf);
const inLanguage = (...names: string[]): Block[] => blocks.filter(({ language }) => names.includes(language));

/** The blocks that nothing runs, and why. Their words are checked below as those of all others. */
const notRun: Record<string, string> = {
  "CONTRIBUTING.md sh 1": "it runs these tests",
  "docs/README.md text 1": "it is a diagram",
  "docs/decisions/0021-keys-move-at-once.md text 1": "it is a diagram",
  "docs/resources/deployment.md text 1":
    "it is the message of a build that failed, which deployment.long.test.ts expects in parts",
  "docs/resources/domain-verification.md text 1":
    "it is a warning, which project-domain.test.ts expects in parts",
  "docs/guides/coming-from-terraform.md sh 1": "there is no Terraform here",
  "docs/guides/coming-from-terraform.md sh 3": "there is no Terraform here",
  "docs/guides/secrets-and-tokens.md text 1": "it is a warning, which e2e/production.long.test.ts expects",
  "docs/guides/package-managers.md yaml 1": "it is a setting of pnpm, which is not installed here",
  "docs/guides/package-managers.md sh 1": "pnpm is not installed here",
  "docs/guides/package-managers.md sh 2": "Yarn is not installed here",
  "docs/guides/package-managers.md sh 3": "Yarn is not installed here",
  "docs/guides/package-managers.md sh 4": "Bun is not installed here",
  "docs/guides/troubleshooting.md sh 2":
    "e2e/traces.long.test.ts runs it with a collector of its own and a file",
  "docs/guides/rehearsal.md sh 1": "rehearse.test.ts runs it with a stack of another name",
  "docs/guides/rehearsal.md sh 2": "rehearse.test.ts runs it with files of other names",
  "docs/guides/rehearsal.md text 1": "it is a report, which rehearse.test.ts expects in parts",
  "docs/guides/pulumi-cloud.md sh 1":
    "it needs an account of Pulumi Cloud; its commands are those of the other backends",
  "docs/guides/pulumi-cloud.md sh 2": "it needs an account of Pulumi Cloud",
  "docs/guides/pulumi-cloud.md yaml 1": "it is an environment of Pulumi ESC, which needs an account",
  "docs/guides/pulumi-cloud.md yaml 2": "it is what pulumi config env writes, which needs an account",
  "docs/scale.md sh 1": "it measures for minutes",
  "docs/server.md sh 5": "npm run image does so with podman",
  "docs/server.md ini 1": "it is a unit of systemd, which tests do not install; its settings are checked",
};

const isRunAsOne = ({ page, language }: Block): boolean =>
  language === "ts" ||
  (language === "yaml" && page.startsWith("docs/resources/")) ||
  // programs.long.test.ts compiles them.
  ["typescript", "python", "go", "java", "csharp"].includes(language) ||
  (language === "hcl" && /resources|other-languages/.test(page)) ||
  page === "docs/guides/official-clients.md";

const testFiles = readdirSync(join(root, "test"), { recursive: true, encoding: "utf8" }).filter(
  (name) => name.endsWith(".test.ts") && !name.endsWith("blocks.test.ts") && !name.includes("node_modules"),
);

describe("the code blocks of the pages", () => {
  it("are each run by a test that names them, or stand in the list of those that are not", () => {
    const tests = testFiles.map((name) => readFileSync(join(root, "test", name), "utf8")).join("\n");
    const isNamed = ({ id }: Block): boolean => tests.includes(`"${id}"`);
    const forgotten = blocks.filter((one) => !isRunAsOne(one) && !isNamed(one) && !(one.id in notRun));
    expect(forgotten.map(({ id }) => id)).toEqual([]);
    const listed = blocks.filter(({ id }) => id in notRun);
    expect(listed.map(({ id }) => id).sort()).toEqual(Object.keys(notRun).sort());
    expect(listed.filter(isNamed).map(({ id }) => id)).toEqual([]);
  });

  it("are in a language that this test knows", () => {
    const known = "text sh bash ts typescript js yaml json python go csharp java ini hcl".split(" ");
    expect(blocks.filter(({ language }) => !known.includes(language)).map(({ id }) => id)).toEqual([]);
  });

  it.each(inLanguage("sh", "bash"))("$id is a shell's", ({ text }) => {
    execFileSync("bash", ["-n"], { input: text, stdio: "pipe" });
  });

  it.each(inLanguage("yaml"))("$id is YAML", ({ text }) => {
    const documents = parseAllDocuments(text);
    expect(documents.flatMap(({ errors, warnings }) => [...errors, ...warnings])).toEqual([]);
  });

  it("are JSON where they say so", () => {
    for (const { text } of inLanguage("json")) JSON.parse(text);
  });

  it.each(inLanguage("js", "typescript"))("$id is a module", ({ language, text }) => {
    const syntax = language === "js" ? "ecmascript" : "typescript";
    transformSync(text, { jsc: { target: "es2023", parser: { syntax } }, swcrc: false });
  });

  it.each(inLanguage("python"))("$id is Python", ({ text }) => {
    expectWith("python3", ["-c", "import ast, sys; ast.parse(sys.stdin.read())"], text);
  });

  it.each(inLanguage("go"))("$id is Go, formatted", ({ text }) => {
    const formatted = expectWith("gofmt", [], text);
    if (formatted !== undefined) expect(formatted).toBe(text);
  });

  it.each(inLanguage("ini"))("$id sets what the server reads", ({ text }) => {
    const help = helpOf("serve");
    const names = [...text.matchAll(/\b(SLIPWAY_\w+)=/g)].map(([, name = ""]) => name);
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) expect(help).toContain(name);
    for (const line of text.split("\n")) expect(line).toMatch(/^($|\[\w+\]$|#|[A-Z]\w+=.)/);
  });
});

const helps = new Map<string, string>();
function helpOf(...command: string[]): string {
  const key = command.join(" ");
  const help =
    helps.get(key) ??
    execFileSync(process.execPath, [built("cli/main.js"), ...command, "--help"], { encoding: "utf8" });
  helps.set(key, help);
  return help;
}

/** Runs a tool that this machine may lack: then there is nothing to see. */
function expectWith(tool: string, args: string[], input: string): string | undefined {
  try {
    return execFileSync(tool, args, { input, encoding: "utf8", stdio: "pipe" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

describe("the commands that the pages name", () => {
  /** The code of a page: blocks of a shell, and code within sentences. */
  const commands = pages.flatMap((page) => {
    const within = [...readFileSync(join(root, page), "utf8").matchAll(/`([^`\n]+)`/g)].map(
      ([, text]) => text,
    );
    const shells = blocksOf(page).filter(({ language }) => language === "sh" || language === "bash");
    return [...within, ...shells.flatMap(({ text }) => text.replace(/\\\n/g, " ").split("\n"))].map(
      (text) => ({
        page,
        text: (text ?? "").replace(/\s+#.*$/, ""),
      }),
    );
  });
  const uses = (pattern: RegExp): string[][] =>
    commands.flatMap(({ page, text }) => [...text.matchAll(pattern)].map((found) => [page, ...found]));

  it("are scripts of the package", () => {
    const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    const used = uses(/\bnpm run (?:--silent )?([\w:-]+)/g);
    expect(used.length).toBeGreaterThan(10);
    expect(used.filter(([, , name = ""]) => !(name in scripts)).map(([page, text]) => [page, text])).toEqual(
      [],
    );
  });

  it("are commands of slipway, with flags that they have", () => {
    const used = uses(/\b(?:npx slipway|slipway(?= (?:serve|import|plugin)\b)) ([a-z]+)([^&|;`]*)/g);
    expect(used.length).toBeGreaterThan(10);
    const wrong = used.flatMap(([page, whole, name = "", rest = ""]) => {
      if (!new RegExp(`^ {2}${name}\\b`, "m").test(helpOf())) return [`${page}: ${whole}`];
      const help = helpOf(name);
      const flags = [...rest.matchAll(/(?<=\s)--[a-z-]+/g)].map(([flag]) => flag);
      return flags
        .filter((flag) => flag !== "--help" && !help.includes(flag))
        .map((flag) => `${page}: ${flag}`);
    });
    expect(wrong).toEqual([]);
  });
});
