import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../support/server";

interface Entry {
  version?: string;
  resolved?: string;
  link?: boolean;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
  packages: Record<string, Entry>;
};

describe("the lock file", () => {
  it("names no registry, so that it works behind any mirror", () => {
    expect(Object.values(packages).filter(({ resolved, link }) => resolved !== undefined && !link)).toEqual(
      [],
    );
  });

  // npm leaves out what a mirror lacks, and then `npm ci` refuses the whole file everywhere.
  it("has every package that another one may need, those for other systems included", () => {
    const missing = Object.entries(packages).flatMap(([path, { dependencies, optionalDependencies }]) =>
      Object.keys({ ...dependencies, ...optionalDependencies }).filter((name) => !isFound(path, name)),
    );
    expect(missing).toEqual([]);
  });
});

/** Whether a package of that name lies beside the path or further up. */
function isFound(path: string, name: string): boolean {
  const beside = path === "" ? `node_modules/${name}` : `${path}/node_modules/${name}`;
  if (packages[beside]?.version !== undefined || packages[beside]?.link) return true;
  if (path === "") return false;
  return isFound(path.slice(0, Math.max(0, path.lastIndexOf("/node_modules/"))), name);
}
