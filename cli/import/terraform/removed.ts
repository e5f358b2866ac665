import type { Instance } from "./state";

/**
 * The file that lets Terraform let go of resources. A block removes all instances of a resource, since it takes no
 * instance keys.
 */
export function removedBlocks(resources: readonly string[]): string {
  const blocks = resources.map(
    (resource) => `
removed {
  from = ${resource}

  lifecycle {
    destroy = false
  }
}
`,
  );
  return `# Terraform 1.7 or newer forgets these resources and destroys nothing. Remove their own blocks first.\n${blocks.join("")}`;
}

/** Notes about resources that stay with Terraform and refer to some that do not. */
export function danglingNotes(staying: readonly Instance[], removed: readonly string[]): string[] {
  return staying.flatMap(({ address, dependsOn }) => {
    const targets = dependsOn.filter((resource) => removed.includes(resource));
    if (targets.length === 0) return [];
    return [
      `${address} stays with Terraform and refers to ${targets.join(", ")}. Replace the references by values.`,
    ];
  });
}
