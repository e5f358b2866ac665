import type { Client } from "../../../provider/client/client";
import { UserError } from "../../core/errors";
import type { Discovery } from "../discover";
import { move } from "../move";
import { objectsOf, type Tool } from "../objects";
import { releaseScript, sstReleaseScript } from "./release";
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
  const { kind, resources, others, providers } = parseExport(text, source);
  if (resources.length === 0) {
    const packages = [...new Set(others.map(({ type }) => type.split(":")[0]))].filter(
      (one) => one !== "pulumi",
    );
    const found = packages.length === 0 ? "" : ` Its packages are ${packages.sort().join(", ")}.`;
    throw new UserError(
      `${source} has no resource of @pulumiverse/vercel.${found} Check the stack (\`pulumi stack\`). To import what the ` +
        "account has, run slipway import without --from-pulumiverse.",
    );
  }
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
    notes: [
      ...moved.notes,
      ...notes,
      ...dependentNotes([...staying, ...others], new Set(released)),
      ...(kind === "sst" ? [ofSst(source)] : []),
    ],
    release: kind === "sst" ? sstReleaseScript(gone) : releaseScript(gone),
  };
}

const ofSst = (source: string): string =>
  `${source} is the state of an SST app. Run release.sh in the folder of the app, for each stage that you move, and then ` +
  "remove the resources from sst.config.ts.";

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
