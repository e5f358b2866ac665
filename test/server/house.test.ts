import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

const server = path.join(__dirname, "../../server");
const files = readdirSync(server, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());

/** Which room imports which is the linter's matter: `biome.json` has the floors. */
describe("the server's folders", () => {
  it("leave nothing in the hall but the entry points", () => {
    const loose = files.filter(({ parentPath }) => parentPath === server).map(({ name }) => name);
    expect(loose.sort()).toEqual([
      "command.ts",
      "index.ts",
      "main.ts",
      "options.ts",
      "routes.ts",
      "server.ts",
    ]);
  });

  it("hold at most 15 files each", () => {
    const counts = new Map<string, number>();
    for (const { parentPath } of files) counts.set(parentPath, (counts.get(parentPath) ?? 0) + 1);
    expect([...counts].filter(([, count]) => count > 15)).toEqual([]);
  });

  it("hold no file of more than 300 lines that does not say why at its top", () => {
    const long = files
      .filter(({ name }) => /\.tsx?$/.test(name))
      .map(({ parentPath, name }) => path.join(parentPath, name))
      .filter((file) => readFileSync(file, "utf8").split("\n").length > 301)
      .filter((file) => !readFileSync(file, "utf8").startsWith("// Longer than other files: "));
    expect(long).toEqual([]);
  });

  it("take the unit of work first, rather than a transaction and the time apart", () => {
    const sources = files.filter(({ name }) => name.endsWith(".ts"));
    const signatures = sources.flatMap(({ parentPath, name }) => {
      const file = path.join(parentPath, name);
      const parameters =
        /\(([^()]*\btx: Tx\b[^()]*\bnow: number[^()]*|[^()]*,\s*(?:tx: Tx|unit: Unit)\b[^()]*)\)/g;
      return [...readFileSync(file, "utf8").matchAll(parameters)].map(([, list]) => `${name}: ${list}`);
    });
    expect(signatures).toEqual([]);
  });

  it("import downwards inside a noun: schema, rules, store, view, routes", () => {
    const floors = ["schema", "rules", "store", "view", "routes"];
    const floorOf = (file: string): number => floors.indexOf(path.basename(file, ".ts").replace(/^.*-/, ""));
    const sources = files.filter(({ name }) => name.endsWith(".ts"));
    const imports = new Map(
      sources.map(({ parentPath, name }) => {
        const file = path.join(parentPath, name);
        const targets = [...readFileSync(file, "utf8").matchAll(/from "\.\/([\w-]+)"/g)];
        return [file, targets.map(([, target]) => path.join(parentPath, `${target}.ts`))];
      }),
    );
    /** What a file imports of its folder, by way of others too. */
    const below = (file: string, seen = new Set<string>()): Set<string> => {
      for (const target of imports.get(file) ?? []) {
        if (seen.has(target)) continue;
        seen.add(target);
        below(target, seen);
      }
      return seen;
    };
    const upwards = [...imports.keys()].flatMap((file) =>
      [...below(file)]
        .filter((target) => floorOf(file) >= 0 && floorOf(target) > floorOf(file))
        .map((target) => `${path.relative(server, file)} imports ${path.basename(target)}`),
    );
    expect(upwards).toEqual([]);
  });
});
