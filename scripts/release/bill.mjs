import { createHash } from "node:crypto";

/** The component for a package in a bill of materials (CycloneDX). */
export function componentOf({ name, version, license }) {
  const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
  return {
    "bom-ref": `${name}@${version}`,
    type: "library",
    name,
    version,
    purl,
    ...(license && { licenses: [licenseOf(license)] }),
  };
}

/** A bill of materials of `subject`, which contains these packages or is installed with them. */
export function billOf(subject, packages) {
  const component = { ...subject, type: "application" };
  const components = [...new Map(packages.map(componentOf).map((one) => [one["bom-ref"], one])).values()];
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.5",
    serialNumber: `urn:uuid:${uuidOf(JSON.stringify([component, components]))}`,
    version: 1,
    metadata: { component },
    components,
  };
}

/** A UUID that depends only on the contents, so that a release can be reproduced. */
function uuidOf(text) {
  const hash = createHash("sha256").update(text).digest();
  hash[6] = (hash[6] & 0x0f) | 0x80;
  hash[8] = (hash[8] & 0x3f) | 0x80;
  return hash.toString("hex", 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** The license of a component: an SPDX expression, or words such as "SEE LICENSE IN LICENSE". */
function licenseOf(license) {
  return license.startsWith("SEE ") ? { license: { name: license } } : { expression: license };
}
