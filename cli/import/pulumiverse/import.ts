import type { Client } from "../../../provider/client/client";
import { UserError } from "../../core/errors";
import type { Discovery } from "../discover";
import { move } from "../move";
import { objectsOf, type Tool } from "../objects";
import { releaseScript } from "./release";
import { parseExport, type StackResource } from "./state";

const bridge: Tool = { name: "@pulumiverse/vercel", forget: "pulumi state delete" };

export interface PulumiverseImport extends Discovery {
  /** The script that removes the imported resources from the state of the stack. */
  release: string;
}

/**
 * Declares the objects of a stack that uses @pulumiverse/vercel, with their settings at the service.
 * @param source the name of the file in messages
 * @throws UserError if the text is not an export, or belongs to another account @throws ApiError
 */
export async function importPulumiverse(
  client: Client,
  text: string,
  options: { source: string; progress?: (message: string) => void },
): Promise<PulumiverseImport> {
  const { source } = options;
  const { resources, others, providers } = parseExport(text, source);
  if (resources.length === 0)
    throw new UserError(
      `${source} has no resource of @pulumiverse/vercel. Check the stack (\`pulumi stack\`).`,
    );
  const { objects, notes, lacking } = objectsOf(resources, bridge);
  const moved = await move(client, objects, options);
  const addresses = new Set(objects.map(({ address }) => address));
  const isStaying = (one: StackResource): boolean =>
    lacking.includes(one) || (addresses.has(one.address) && !moved.released.has(one.address));
  const staying = resources.filter(isStaying);
  const released = resources.filter((one) => !isStaying(one)).map(({ urn }) => urn);
  // A provider that no resource needs any more is removed too, because the next update would delete it.
  const gone = [...(staying.length === 0 ? providers : []), ...released];
  return {
    found: moved.found,
    notes: [...moved.notes, ...notes, ...dependentNotes([...staying, ...others], new Set(released))],
    release: releaseScript(gone),
  };
}

/** Notes about resources that stay and depend on resources to remove: Pulumi refuses to remove the latter. */
function dependentNotes(staying: readonly StackResource[], released: ReadonlySet<string>): string[] {
  return staying.flatMap(({ address, dependsOn }) => {
    const targets = dependsOn.filter((urn) => released.has(urn));
    if (targets.length === 0) return [];
    const names = targets.map((urn) => urn.split("::").slice(2).join(" ").split(":").at(-1)).join(", ");
    return [
      `${address} stays and depends on ${names}. Refer to the new resource in the program, and run \`pulumi up\`, ` +
        "before you run release.sh.",
    ];
  });
}
