/**
 * The packages that are installed with a package, from its lock file. `npm sbom --omit dev` does not work here: the
 * package is also its own development dependency, so its packages would be omitted too.
 */
export function installedWith({ packages }) {
  const found = new Map();
  const visit = (from) => {
    const { dependencies, optionalDependencies, peerDependencies } = packages[from];
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
      const path = entryOf(packages, from, name);
      if (path === undefined || found.has(path)) continue;
      const { version, license } = packages[path];
      found.set(path, { name, version, license });
      visit(path);
    }
  };
  visit("");
  return [...found.values()];
}

/** The folder where Node.js finds a package for code in `from`: in this folder, or in a parent folder. */
function entryOf(packages, from, name) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/node_modules/")))) {
    const path = folder === "" ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (packages[path]) return path;
    if (folder === "") return undefined;
  }
}
