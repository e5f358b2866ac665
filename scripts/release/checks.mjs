/** Licenses that only require their text to be included. */
const permissive = new Set([
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "BlueOak-1.0.0",
  "ISC",
  "MIT",
  "MIT-0",
  "Python-2.0",
  "Unlicense",
]);

/** The licenses of packages whose manifest names no license. They come from the license files of the packages. */
const known = new Map([["@logdna/tail-file@2.2.0", "MIT"]]);

/** @param {{ name: string, version: string, license?: string }[]} bundled @returns {string[]} the problems */
export function licenseProblems(bundled) {
  return bundled.flatMap(({ name, version, license }) => {
    if (isPermissive(known.get(`${name}@${version}`) ?? license ?? "")) return [];
    return [`${name} ${version} is under "${license}", which is not among the permissive licenses`];
  });
}

/** True when an SPDX expression is permissive: one part of an OR, all parts of an AND. */
function isPermissive(expression) {
  const bare = expression.replace(/[()]/g, "");
  return bare
    .split(" OR ")
    .some((alternative) => alternative.split(" AND ").every((one) => permissive.has(one.trim())));
}
