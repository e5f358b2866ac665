import * as pulumi from "@pulumi/pulumi";
import { promotion } from "../provider/resources/promotion";
import { mistake } from "./mistake";
import { classOf } from "./resource";
import type { PromotionArgs, PromotionOutputs } from "./types";

/**
 * Which deployment serves a project's production. There is one for each project: two in one program are an error,
 * since each would undo the other.
 */
export class Promotion extends classOf<PromotionOutputs>(promotion) {
  constructor(name: string, args: PromotionArgs, opts: pulumi.CustomResourceOptions = {}) {
    super(name, opts.id === undefined ? { ...args, project: claimed(name, args.project, opts) } : args, opts);
  }

  /** What serves the production of a project that exists, by its id or name. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Promotion {
    return new Promotion(name, {} as PromotionArgs, { ...opts, id });
  }
}

/** The promotions of each running program, by project: a program is its stack resource. */
const claims = new WeakMap<object, Map<string, string>>();

/** @throws RunError when another promotion of this program has the project already */
function claimed(
  name: string,
  project: pulumi.Input<string>,
  opts: pulumi.CustomResourceOptions,
): pulumi.Output<string> {
  const stack = pulumi.runtime.getStackResource();
  const claims = stack && claimsOf(stack);
  return pulumi.output(project).apply((idOrName) => {
    // The same name may mean two projects of two accounts; an id never does.
    if (!claims || (opts.provider && !idOrName.startsWith("prj_"))) return idOrName;
    const owner = claims.get(idOrName) ?? name;
    claims.set(idOrName, owner);
    if (owner === name) return idOrName;
    throw mistake(
      `Promotion "${name}": the promotion "${owner}" decides already what serves the project ${idOrName}. ` +
        "Remove one of them: a project has one production.",
    );
  });
}

function claimsOf(stack: object): Map<string, string> {
  const known = claims.get(stack) ?? new Map<string, string>();
  claims.set(stack, known);
  return known;
}
