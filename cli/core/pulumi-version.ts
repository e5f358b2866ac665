/** The oldest supported version of the Pulumi CLI. */
const oldest = [3, 254, 0];

/** The supported versions of the Pulumi CLI, in the format of `requiredPulumiVersion` in Pulumi.yaml. */
export const supportedPulumi = `>=${oldest.join(".")} <4.0.0`;

/** The supported versions in words, for messages. */
export const supportedPulumiText = `${oldest.join(".")} or later, below 4`;

/** @param version of a CLI, such as `3.259.0` or `3.260.0-alpha.1`, with or without a `v` before it */
export function isSupportedPulumi(version: string): boolean {
  const numbers = version.replace(/^v/, "").split(/[.+-]/).slice(0, 3).map(Number);
  if ((numbers[0] ?? 0) >= 4) return false;
  for (const [at, least] of oldest.entries()) {
    const number = numbers[at] ?? 0;
    if (number !== least) return number > least;
  }
  return true;
}
