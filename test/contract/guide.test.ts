import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { type RunningServer, startServer } from "../../server";
import { root } from "../support/server";
import { environmentOf, fetchCommandLine, isWanted } from "./cli/run";

/** The page about the official clients, block by block as it stands: only the address is the test's server's. */
const page = readFileSync(join(root, "docs/guides/official-clients.md"), "utf8");
const blocks = (language: string): string[] =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "gm"))].map(
    ([, code = ""]) => code,
  );

let server: RunningServer;
let folder: string;

beforeAll(async () => {
  server = await startServer({ data: "memory" });
  folder = mkdtempSync(join(tmpdir(), "slipway-guide-"));
  mkdirSync(join(folder, "node_modules/@vercel"), { recursive: true });
  symlinkSync(join(root, "node_modules/sdk-k28"), join(folder, "node_modules/@vercel/sdk"));
  // The command line deploys no home folder.
  mkdirSync(join(folder, "home"));
  // In the place of npx, which would fetch the newest one.
  mkdirSync(join(folder, "bin"));
  const command = join(root, "test/contract/cli/node_modules/vercel/dist/vc.js");
  const npx = `#!/bin/sh\nshift\nexec "${process.execPath}" "${command}" "$@"\n`;
  writeFileSync(join(folder, "bin/npx"), npx, { mode: 0o755 });
});

afterAll(async () => {
  await server?.close();
  if (folder) rmSync(folder, { recursive: true });
});

async function run(file: string, args: readonly string[]): Promise<string> {
  const env = { ...environmentOf(join(folder, "home")), PATH: `${join(folder, "bin")}:${process.env.PATH}` };
  return (await promisify(execFile)(file, [...args], { cwd: folder, env })).stdout;
}
const here = (code: string): string => code.replaceAll("http://127.0.0.1:4000", server.url);
const shop = async () => {
  const headers = { authorization: `Bearer ${server.token}` };
  return (await fetch(`${server.url}/v9/projects/shop?slug=acme`, { headers })).json() as Promise<{
    env: { key: string }[];
    targets: { production?: object };
  }>;
};

it("has a block for the SDK, and it runs", async () => {
  const [code = "", ...more] = blocks("js");
  expect(more).toEqual([]);
  writeFileSync(join(folder, "sdk.mjs"), here(code));
  expect(await run(process.execPath, ["sdk.mjs"])).toMatch(/^prj_\w+\n$/);
});

(isWanted ? it : it.skip)(
  "has blocks for a shell, and they run one after the other",
  async () => {
    await fetchCommandLine();
    const [first = "", deploy = "", second = "", ...more] = blocks("bash");
    expect(more).toEqual([]);
    const [opening = ""] = first.split("\n\n");
    await run("bash", ["-euc", here(first)]);
    expect((await shop()).env).toMatchObject([{ key: "GREETING" }]);
    await run("bash", ["-euc", here(`${opening}\n${deploy}`)]);
    expect((await shop()).targets.production).toBeDefined();
    await run("bash", ["-euc", here(second)]);
    await server.control.advanceClock(1000);
    expect((await shop()).targets.production).toMatchObject({ readyState: "READY" });
  },
  600_000,
);
