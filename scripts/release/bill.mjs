import { randomUUID } from "node:crypto";

/** A package as a bill of materials in CycloneDX names it. */
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

/** A bill of materials of `subject`, which holds these packages, or is installed with them. */
export function billOf(subject, packages) {
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.5",
    serialNumber: `urn:uuid:${randomUUID()}`,
    version: 1,
    metadata: { timestamp: new Date().toISOString(), component: { ...subject, type: "application" } },
    components: [...new Map(packages.map(componentOf).map((one) => [one["bom-ref"], one])).values()],
  };
}

/** An SPDX expression, or words such as "SEE LICENSE IN LICENSE". */
function licenseOf(license) {
  return license.startsWith("SEE ") ? { license: { name: license } } : { expression: license };
}
