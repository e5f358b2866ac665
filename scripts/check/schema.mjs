import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Finds changes of the package schema that break programs: against the branch of a pull request in CI, and against the
 * last commit elsewhere. A breaking change is allowed if the section "Unreleased" of CHANGELOG.md has a line that begins
 * with "**Breaking**" and names the changed part.
 */

/**
 * @param {string} root
 * @returns {string[]} the breaking changes without a line in the changelog; empty without git or an earlier schema
 */
export function checkSchema(root) {
  const before = committed(root);
  if (before === undefined) return [];
  const after = JSON.parse(readFileSync(join(root, "schema.json"), "utf8"));
  const [, unreleased = ""] =
    /^## Unreleased\n([\s\S]*?)(?=^## |$(?![\s\S]))/m.exec(
      readFileSync(join(root, "CHANGELOG.md"), "utf8"),
    ) ?? [];
  const allowed = unreleased.split("\n").filter((line) => /^- \*\*Breaking\*\*/.test(line));
  return breakingChanges(before, after)
    .filter(({ part }) => !allowed.some((line) => line.includes(`\`${part}\``)))
    .map(({ part, change }) => `${part}: ${change}`);
}

/** @returns the schema of the branch that CI merges into, or of the last commit; undefined if there is none */
function committed(root) {
  const base = process.env.GITHUB_BASE_REF;
  for (const revision of [...(base ? [`origin/${base}`] : []), "HEAD"]) {
    try {
      const options = { cwd: root, encoding: "utf8", maxBuffer: 100_000_000, stdio: "pipe" };
      return JSON.parse(execFileSync("git", ["show", `${revision}:schema.json`], options));
    } catch {
      // The revision is not in this clone, or has no schema.
    }
  }
  return undefined;
}

/**
 * @param {object} before a package schema of Pulumi
 * @param {object} after a later one
 * @returns {{ part: string, change: string }[]} `part` is a name such as `EnvVar.target`
 */
export function breakingChanges(before, after) {
  const found = [];
  const report = (part, change) => found.push({ part, change });
  compareMembers(before.resources, after.resources, report, (name, old, now) => {
    compareProperties(name, inputsOf(old), inputsOf(now), report);
    compareProperties(name, objectOut(old), objectOut(now), report);
  });
  compareMembers(before.functions, after.functions, report, (name, old, now) => {
    compareProperties(name, objectIn(old.inputs), objectIn(now.inputs), report);
    compareProperties(name, objectOut(old.outputs), objectOut(now.outputs), report);
  });
  compareMembers(before.types, after.types, report, (name, old, now) => {
    const values = (type) => (type.enum ?? []).map(({ value }) => value);
    for (const value of values(old))
      if (!values(now).includes(value)) report(name, `the value ${value} is gone`);
    compareProperties(name, objectIn(old), objectIn(now), report);
  });
  compareProperties("Provider", inputsOf(before.provider), inputsOf(after.provider), report);
  return found;
}

/** Properties that a program sets: each that becomes required is worse, also a new one. */
const given = (properties = {}, required = []) => ({
  properties,
  worse: new Set(required),
  change: "is now required",
  isNewWorse: true,
});
/** Properties that a program reads: each that is no longer always there becomes optional in its types. */
const read = (properties = {}, required = []) => ({
  properties,
  worse: new Set(Object.keys(properties).filter((name) => !required.includes(name))),
  change: "is no longer always there",
  isNewWorse: false,
});

const inputsOf = ({ inputProperties, requiredInputs }) => given(inputProperties, requiredInputs);
const objectIn = ({ properties, required } = {}) => given(properties, required);
const objectOut = ({ properties, required } = {}) => read(properties, required);

function compareMembers(before = {}, after = {}, report, compare) {
  for (const [token, old] of Object.entries(before)) {
    const name = token.split(":").at(-1);
    if (after[token] === undefined) report(name, "is gone");
    else compare(name, old, after[token]);
  }
}

function compareProperties(name, before, after, report) {
  for (const [key, old] of Object.entries(before.properties)) {
    const now = after.properties[key];
    const part = `${name}.${key}`;
    if (now === undefined) report(part, "is gone");
    else if (typeOf(old) !== typeOf(now))
      report(part, `has the type ${typeOf(now)} instead of ${typeOf(old)}`);
    else if (after.worse.has(key) && !before.worse.has(key)) report(part, after.change);
  }
  if (!after.isNewWorse) return;
  for (const key of after.worse)
    if (before.properties[key] === undefined) report(`${name}.${key}`, after.change);
}

/** The type of a property as text, without its description. */
function typeOf(property) {
  const { type, $ref, items, additionalProperties, oneOf } = property;
  if (oneOf) return oneOf.map(typeOf).join(" | ");
  if ($ref) return $ref.split("/").at(-1).split(":").at(-1);
  if (items) return `list of ${typeOf(items)}`;
  return additionalProperties ? `map of ${typeOf(additionalProperties)}` : type;
}
