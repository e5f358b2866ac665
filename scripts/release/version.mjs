import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const semVer = /^(\d+)\.(\d+)\.(\d+)(-[0-9A-Za-z.-]+)?$/;

/**
 * The version of a release. If Unreleased is empty, it is the version in package.json, which the newest section of the
 * changelog must have too. With unreleased changes, it is a pre-release of the next version.
 * @param {string} changelog
 * @param {string} packageVersion
 * @param {number} build an increasing number that distinguishes pre-releases
 * @returns {{ version: string, problems: string[] }}
 */
export function releaseVersion(changelog, packageVersion, build) {
  const parsed = semVer.exec(packageVersion);
  if (!parsed)
    return {
      version: packageVersion,
      problems: [`package.json has the version "${packageVersion}", which is not SemVer`],
    };
  const [, ...sections] = changelog.split(/^## /m);
  const [unreleased, newest] = sections[0]?.startsWith("Unreleased") ? sections : ["", sections[0]];
  const released = newest?.split(/\s/)[0];
  if (/\n\s*\S/.test(unreleased)) {
    const [, major, minor] = parsed;
    const next = released === packageVersion ? `${major}.${Number(minor) + 1}.0` : packageVersion;
    return { version: `${next.replace(/-.*/, "")}-alpha.${build}`, problems: [] };
  }
  const problems =
    released === packageVersion
      ? []
      : [`the newest version in CHANGELOG.md is ${released}, and package.json has ${packageVersion}`];
  return { version: packageVersion, problems };
}

/**
 * Writes the repository and the publisher, which registries require, into the package.json of a copy of the sources.
 */
export function setOrigin(folder, { organization, repository, publisher }) {
  const path = join(folder, "package.json");
  const address = `https://github.com/${organization}/${repository}`;
  const manifest = {
    ...JSON.parse(readFileSync(path, "utf8")),
    repository: { type: "git", url: `git+${address}.git` },
    homepage: `${address}#readme`,
    bugs: `${address}/issues`,
    author: publisher,
    keywords: ["pulumi", "vercel", "infrastructure-as-code"],
  };
  writeFileSync(path, `${JSON.stringify(manifest, null, 2)}\n`);
}

/** Gives a copy of the sources a version. */
export function setVersion(folder, version) {
  const replace = (file, pattern) => {
    const path = join(folder, file);
    const text = readFileSync(path, "utf8");
    if (!pattern.test(text)) throw new Error(`${file} has no version`);
    writeFileSync(path, text.replace(pattern, `$1${version}"`));
  };
  replace("package.json", /^( {2}"version": ")[^"]*"/m);
  replace("provider/client/version.ts", /^(export const version = ")[^"]*"/m);
}
