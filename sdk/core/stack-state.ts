import * as pulumi from "@pulumi/pulumi";
import { heldText, type Recorded } from "../../provider/core/claims";
import { isPlain } from "../../provider/core/values";

const runs = new WeakMap<pulumi.Resource, Promise<string>>();

/**
 * What the state of the stack holds as the run begins, for the provider, which is told nothing of the state but what
 * a resource itself had. Asked once in a run, and only when something is to be adopted.
 */
export function stackState(): Promise<string> | undefined {
  const stack = pulumi.runtime.getStackResource();
  // Without an engine there is no state.
  if (!stack) return undefined;
  const known = runs.get(stack) ?? ask();
  runs.set(stack, known);
  return known;
}

async function ask(): Promise<string> {
  const stackName = [pulumi.getOrganization(), pulumi.getProject(), pulumi.getStack()].join("/");
  const answer: unknown = await pulumi.runtime.invoke("pulumi:pulumi:readStackResourceOutputs", {
    stackName,
  });
  const outputs = isPlain(answer) && isPlain(answer.outputs) ? answer.outputs : {};
  return heldText(
    Object.entries(outputs).flatMap(([urn, resource]): Recorded[] => {
      const [, , type = "", ...name] = urn.split("::");
      if (!isPlain(resource) || !isPlain(resource.outputs)) return [];
      return [{ type: type.split(":").at(-1) ?? type, name: name.join("::"), outputs: resource.outputs }];
    }),
  );
}
