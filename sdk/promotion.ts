import * as pulumi from "@pulumi/pulumi";
import { promotion } from "../provider/resources/promotion";
import { classOf } from "./core/resource";
import { userError } from "./core/user-error";
import { projectOf } from "./project";
import type { PromotionArgs, PromotionOutputs } from "./types";

/**
 * Which deployment serves a project's production. There is one for each project: two in one program are an error,
 * since each would undo the other.
 */
export class Promotion extends classOf<PromotionOutputs>(promotion) {
  constructor(name: string, args: PromotionArgs, opts: pulumi.CustomResourceOptions = {}) {
    super(
      name,
      opts.id === undefined ? { ...args, project: claimed(name, args?.project, opts) } : args,
      opts,
    );
  }

  /** What serves the production of a project that exists, by its id or name. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Promotion {
    return new Promotion(name, {} as PromotionArgs, { ...opts, id });
  }
}

/** The promotions of each running program, by what says the project: a program is its stack resource. */
const claims = new WeakMap<object, Map<unknown, string>>();

/** @throws RunError when another promotion of this program has the project already */
function claimed(
  name: string,
  project: pulumi.Input<string>,
  opts: pulumi.CustomResourceOptions,
): pulumi.Output<string> {
  const stack = pulumi.runtime.getStackResource();
  const claims = stack && claimsOf(stack);
  const claim = (key: unknown): void => {
    const owner = claims?.get(key) ?? name;
    claims?.set(key, owner);
    if (owner === name) return;
    const which = typeof key === "string" ? `the project ${key}` : "the same project";
    throw userError(
      `Promotion "${name}": the promotion "${owner}" decides already what serves ${which}. ` +
        "Remove one of them: a project has one production.",
    );
  };
  // One that is made in this run has no id yet: its resource stands for it.
  const declared = projectOf(project);
  if (declared) claim(declared);
  return pulumi.output(project).apply((idOrName) => {
    // The same name may mean two projects of two accounts; an id never does.
    // Plain JavaScript may give anything, which the check refuses.
    if (typeof idOrName === "string" && (!opts.provider || idOrName.startsWith("prj_"))) claim(idOrName);
    return idOrName;
  });
}

function claimsOf(stack: object): Map<unknown, string> {
  const known = claims.get(stack) ?? new Map<unknown, string>();
  claims.set(stack, known);
  return known;
}
