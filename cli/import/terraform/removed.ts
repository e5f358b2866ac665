import type { Instance } from "./state";

/**
 * The text of `removed.tf`, with which Terraform forgets resources. A `removed` block has no instance keys, so it
 * removes all instances of a resource.
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

/** Notes about resources that stay with Terraform and refer to resources that are removed from its state. */
export function danglingNotes(staying: readonly Instance[], removed: readonly string[]): string[] {
  return staying.flatMap(({ address, dependsOn }) => {
    const targets = dependsOn.filter((resource) => removed.includes(resource));
    if (targets.length === 0) return [];
    return [
      `${address} stays with Terraform and refers to ${targets.join(", ")}. Replace the references by values.`,
    ];
  });
}
