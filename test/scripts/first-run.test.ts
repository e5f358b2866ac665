import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "../support/server";

/** The modules that a script loads before it does anything, itself included. */
function loadedAtOnce(file: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(file)) return found;
  found.add(file);
  if (!file.startsWith(root)) return found;
  for (const [, name = ""] of readFileSync(file, "utf8").matchAll(
    /^(?:import|export)\b(?:[^;"]* from)? "([^"]+)";$/gm,
  ))
    if (name.startsWith(".")) loadedAtOnce(join(dirname(file), name), found);
    else if (!name.startsWith("node:")) found.add(name);
  return found;
}

/** Scripts of maintainers, who run others first. */
const later = ["conformance.mjs", "release.mjs"];
const scripts = readdirSync(join(root, "scripts")).filter(
  (name) => name.endsWith(".mjs") && !later.includes(name),
);

it.each(scripts)("scripts/%s begins in a fresh clone, where no package is installed", (name) => {
  const loaded = [...loadedAtOnce(join(root, "scripts", name))];
  expect(loaded.length).toBeGreaterThan(0);
  expect(loaded.filter((one) => !one.startsWith(root))).toEqual([]);
});
