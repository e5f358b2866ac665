import type { Client } from "../../../provider/client/client";
import { UserError } from "../../core/errors";
import type { Discovery } from "../discover";
import { move } from "../move";
import { objectsOf, type Tool } from "../objects";
import { shellArgument } from "../shell";
import { danglingNotes, removedBlocks } from "./removed";
import { constructHash, type Instance, parseState } from "./state";

const terraform: Tool = { name: "Terraform", forget: "terraform state rm" };

export interface TerraformImport extends Discovery {
  /** The text of `removed.tf`, with which Terraform forgets the imported resources. */
  release: string;
}

/**
 * Declares the objects of a Terraform state, with their settings at the service.
 * @param source the name of the file in messages
 * @throws UserError if the text is not a state, or belongs to another account @throws ApiError
 */
export async function importTerraform(
  client: Client,
  text: string,
  options: { source: string; progress?: (message: string) => void },
): Promise<TerraformImport> {
  const { source } = options;
  const { instances, foreign, others, dataSources } = parseState(text, source);
  if (instances.length === 0 && foreign.length > 0)
    throw new UserError(`${foreignNotes(foreign)[0]} To import what the account has, run slipway import.`);
  if (instances.length === 0) {
    throw new UserError(
      `${source} has no resource of the provider vercel/vercel. Check the workspace (\`terraform workspace show\`); ` +
        "a remote state is read with `terraform state pull > before.tfstate`.",
    );
  }
  const { objects, notes, lacking } = objectsOf(instances, terraform);
  const moved = await move(client, objects, options);
  // A block removes all instances of a resource. A resource with an instance that stays gets no block.
  const addresses = new Set(objects.map(({ address }) => address));
  const staying = new Set(
    instances
      .filter(({ address }) => addresses.has(address) && !moved.released.has(address))
      .concat(lacking)
      .map(({ resource }) => resource),
  );
  const removed = [...new Set(instances.map(({ resource }) => resource))].filter((one) => !staying.has(one));
  const stayingInstances = [...instances.filter(({ resource }) => staying.has(resource)), ...others];
  return {
    found: moved.found,
    notes: [
      ...moved.notes,
      ...notes,
      ...danglingNotes(stayingInstances, removed),
      ...foreignNotes(foreign),
      ...constructNotes(removed),
      ...ignoredNote(others.length, dataSources),
    ],
    release: removedBlocks(removed),
  };
}

const foreignNotes = (foreign: readonly Instance[]): string[] =>
  foreign.map(
    ({ address }) =>
      `${address} stays with Terraform: its provider is not vercel/vercel, and its attributes have other meanings. ` +
      "Import its object from the account: slipway import <project>.",
  );

/** CDKTF overwrites its output in each run, so `removed.tf` would be lost. */
function constructNotes(removed: readonly string[]): string[] {
  if (!removed.some((resource) => constructHash.test(resource))) return [];
  return [
    "The names of the resources come from CDKTF, which overwrites removed.tf. Instead, remove the constructs from its " +
      "program, and let Terraform forget the resources in cdktf.out/stacks/<stack>: terraform state rm " +
      removed.map(shellArgument).join(" "),
  ];
}

function ignoredNote(others: number, dataSources: number): string[] {
  if (others + dataSources === 0) return [];
  const parts = [
    ...(dataSources > 0 ? [`${dataSources} data source${dataSources === 1 ? "" : "s"}`] : []),
    ...(others > 0 ? [`${others} resource${others === 1 ? "" : "s"} of other providers`] : []),
  ];
  return [`ignored ${parts.join(" and ")}`];
}
