import { createHash } from "node:crypto";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import fs from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { readFolder, reasonAgainstFolder } from "../../../../provider/resources/deployment/files";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "slipway-files-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}
const pathsIn = async (kind: "directory" | "prebuilt", directory = folder): Promise<string[]> =>
  (await readFolder(kind, directory)).files.map(({ path }) => path);
const digestOf = async (): Promise<string> => (await readFolder("directory", folder)).digest;

it("lists files with their hash, size and mode", async () => {
  write({ "index.html": "<h1>", "bin/run": "#!/bin/sh" });
  chmodSync(join(folder, "bin/run"), 0o775);
  symlinkSync("index.html", join(folder, "home.html"));
  const { files } = await readFolder("directory", folder);
  const shaOf = (text: string) => createHash("sha1").update(text).digest("hex");
  expect(files).toMatchObject([
    { path: "bin/run", sha: shaOf("#!/bin/sh"), size: 9, mode: 0o100755 },
    { path: "home.html", sha: shaOf("index.html"), size: 10, mode: 0o120777, link: "index.html" },
    { path: "index.html", sha: shaOf("<h1>"), size: 4, mode: 0o100644 },
  ]);
});

it("reads only the named files, and refuses one that is not deployed or does not exist", async () => {
  write({ "index.html": "<h1>", "public/a.txt": "a", "public/b.txt": "b", ".vercelignore": "b.txt" });
  const only = ["public/a.txt", "index.html"];
  const { files, digest } = await readFolder("directory", folder, only);
  expect(files.map(({ path }) => path)).toEqual(["index.html", "public/a.txt"]);
  for (const paths of [[...only].reverse(), ["./index.html", "public/../public/a.txt"]])
    expect(await readFolder("directory", folder, paths)).toMatchObject({ digest });
  expect(await reasonAgainstFolder("directory", folder, only)).toBeUndefined();
  for (const path of ["public/b.txt", "public/c.txt", "../index.html", "public"]) {
    const reason = await reasonAgainstFolder("directory", folder, [...only, path]);
    expect(reason).toMatch(
      new RegExp(`^files has ${path.replace(/\./g, "\\.")}, but .* has no such file to deploy`),
    );
    await expect(readFolder("directory", folder, [path])).rejects.toThrow(/^files has/);
  }
});

it("leaves out what .vercelignore names, at any depth, and what is never deployed", async () => {
  write({
    ".vercelignore":
      "# drafts\n*.draft.md\n./secret/\n!keep.draft.md\n/top.txt\n./private\n./*.key\n!./public.key\n",
    "a.draft.md": "",
    "docs/b.draft.md": "",
    "docs/keep.draft.md": "",
    "docs/top.txt": "",
    "secret/key": "",
    "private/key": "",
    "live.key": "",
    "public.key": "",
    "top.txt": "",
    ".git/config": "",
    ".env.local": "",
    "node_modules/x/index.js": "",
    "web/node_modules/y/index.js": "",
    ".vercel/project.json": "",
    "index.html": "",
  });
  expect(await pathsIn("directory")).toEqual([
    ".vercelignore",
    "docs/keep.draft.md",
    "docs/top.txt",
    "index.html",
    "public.key",
  ]);
});

it.each([
  ...[".hg/a", ".git/a", ".gitmodules", ".svn/a", ".cache/a", ".next/a", ".now/a", ".vercel/a"],
  ...[".npmignore", ".dockerignore", ".gitignore", ".notes.swp", ".DS_Store", ".wafpicke-1", ".lock-wscript"],
  ...[".env.local", ".env.production.local", ".venv/a", ".yarn/cache/a", "npm-debug.log", "config.gypi"],
  ...["node_modules/a", "__pycache__/a", "venv/a", "CVS/a", ".pnp.cjs"],
])("never deploys %s", async (path) => {
  write({ "index.html": "", ".env.production": "", [path]: "canary", [`web/${path}`]: "canary" });
  const paths = await pathsIn("directory");
  // A rule with a slash is for the root of the folder alone.
  const below = path.startsWith(".yarn/") ? [`web/${path}`] : [];
  expect(paths).toEqual([".env.production", "index.html", ...below]);
});

it("follows the rules in .nowignore, the older name of .vercelignore", async () => {
  write({ ".nowignore": "secret.key\n./drafts\n", "secret.key": "canary", "drafts/a": "", "index.html": "" });
  expect(await pathsIn("directory")).toEqual([".nowignore", "index.html"]);
});

it("never deploys the build folder of Rust", async () => {
  write({ "target/a": "", "web/target/a": "", "index.html": "" });
  expect(await pathsIn("directory")).toEqual(["index.html", "target/a", "web/target/a"]);
  write({ "Cargo.toml": "" });
  expect(await pathsIn("directory")).toEqual(["Cargo.toml", "index.html", "web/target/a"]);
});

it("deploys a build output under its own name, with the files that functions name", async () => {
  write({
    "package.json": "{}",
    "node_modules/dep/index.js": "",
    ".vercel/output/config.json": '{"version":3}',
    ".vercel/output/static/.git/odd": "",
    ".vercel/output/functions/api.func/.vc-config.json": JSON.stringify({
      filePathMap: { "dep.js": "node_modules/dep/index.js", "out.js": "../outside.js" },
    }),
  });
  expect(await pathsIn("prebuilt", join(folder, ".vercel/output"))).toEqual([
    ".vercel/output/config.json",
    ".vercel/output/functions/api.func/.vc-config.json",
    ".vercel/output/static/.git/odd",
    "node_modules/dep/index.js",
  ]);
});

it.each(["output-private/key", "key", "../outside"])(
  "does not follow a link of a build output to %s",
  async (target) => {
    const root = join(folder, "project");
    write({ "project/output/config.json": "{}", "project/output-private/key": "canary" });
    write({ "project/key": "canary", outside: "canary" });
    symlinkSync(join(root, target), join(root, "output/link"));
    expect(await pathsIn("prebuilt", join(root, "output"))).toEqual([".vercel/output/config.json"]);
  },
);

it.each([
  ["a content", () => write({ "index.html": "<h2>" })],
  ["a new file", () => write({ "b.html": "" })],
  ["a name", () => renameSync(join(folder, "index.html"), join(folder, "home.html"))],
  ["an executable file", () => chmodSync(join(folder, "index.html"), 0o755)],
])("has another digest after a change of %s", async (_what, change) => {
  write({ "index.html": "<h1>" });
  const before = await digestOf();
  expect(await digestOf()).toBe(before);
  change();
  expect(await digestOf()).not.toBe(before);
});

it("has the same digest under another path and with other permissions", async () => {
  write({ "index.html": "<h1>" });
  const before = await digestOf();
  write({ "copy/index.html": "<h1>" });
  chmodSync(join(folder, "copy/index.html"), 0o600);
  expect((await readFolder("directory", join(folder, "copy"))).digest).toBe(before);
});

it("reads more files than it opens at a time", async () => {
  write(Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`f${at}`, `${at}`])));
  expect(await pathsIn("directory")).toHaveLength(100);
});

it.each([
  ["directory", "none", /directory .*none is not a folder\..*pass the path as its output/],
  ["directory", "empty", /directory .*empty has no files to deploy.*\.vercelignore/],
  ["directory", "file", /is not a folder/],
  ["prebuilt", "empty", /has no config\.json, so it is not the output of a build.*vercel build/],
] as const)("refuses %s %s", async (kind, name, reason) => {
  mkdirSync(join(folder, "empty"));
  write({ file: "" });
  const directory = join(folder, name);
  expect(await reasonAgainstFolder(kind, directory)).toMatch(reason);
  await expect(readFolder(kind, directory)).rejects.toThrow(reason);
});

it("hashes a large file without holding it in memory", async () => {
  write({ "large.bin": "" });
  const large = 160 * 1024 * 1024;
  truncateSync(join(folder, "large.bin"), large);
  const before = process.memoryUsage().arrayBuffers;
  let most = 0;
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage().arrayBuffers - before);
  }, 1);
  const { files } = await readFolder("directory", folder);
  clearInterval(watch);
  expect(files).toMatchObject([{ size: large }]);
  expect(most).toBeLessThan(large / 2);
});

it("refuses a name that is not UTF-8, unless .vercelignore has it", async () => {
  write({ "index.html": "<h1>" });
  writeFileSync(
    Buffer.concat([Buffer.from(`${folder}/bad`), Buffer.from([0xff, 0xfe]), Buffer.from(".txt")]),
    "",
  );
  const reason = /^The name of bad.*\.txt is not valid UTF-8\. Rename the file/;
  expect(await reasonAgainstFolder("directory", folder)).toMatch(reason);
  await expect(readFolder("directory", folder)).rejects.toThrow(reason);
  write({ ".vercelignore": "bad*" });
  expect(await reasonAgainstFolder("directory", folder)).toBeUndefined();
  expect(await pathsIn("directory")).toEqual([".vercelignore", "index.html"]);
});

it("names a file that cannot be read", async () => {
  write({ "index.html": "<h1>", "secret.txt": "" });
  const { access } = fs;
  // Tests may run as a user who can read everything.
  jest.spyOn(fs, "access").mockImplementation(async (path, mode) => {
    if (String(path).endsWith("secret.txt")) throw Object.assign(new Error(), { code: "EACCES" });
    return access(path, mode);
  });
  expect(await reasonAgainstFolder("directory", folder)).toBe(
    "The file secret.txt cannot be read (EACCES). Make it readable, or list it in .vercelignore.",
  );
  jest.restoreAllMocks();
});
