import * as pulumi from "@pulumi/pulumi";
import { promotion } from "../provider/resources/promotion";
import { classOf } from "./core/resource";
import { userError } from "./core/user-error";
import { projectOf } from "./project";
import type { PromotionArgs, PromotionOutputs } from "./types";

/**
 * The deployment that serves a project's production. A project can have one promotion. Two promotions of a project in
 * one program are an error, because each would undo the other.
 */
export class Promotion extends classOf<PromotionOutputs>(promotion) {
  constructor(name: string, args: PromotionArgs, opts: pulumi.CustomResourceOptions = {}) {
    super(
      name,
      opts.id === undefined ? { ...args, project: onlyPromotionOf(args?.project, name, opts) } : args,
      opts,
    );
  }

  /** Reads which deployment serves the production of an existing project, by the project's id or name. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Promotion {
    return new Promotion(name, {} as PromotionArgs, { ...opts, id });
  }
}

/** The names of promotions, by the stack resource of the running program, then by project (id, name or resource). */
const promotions = new WeakMap<object, Map<unknown, string>>();

/** @throws RunError when another promotion of this program has the project */
function onlyPromotionOf(
  project: pulumi.Input<string>,
  name: string,
  opts: pulumi.CustomResourceOptions,
): pulumi.Output<string> {
  const stack = pulumi.runtime.getStackResource();
  const declared = stack && promotionsIn(stack);
  const declare = (key: unknown): void => {
    const other = declared?.get(key) ?? name;
    declared?.set(key, other);
    if (other === name) return;
    const which = typeof key === "string" ? `the project ${key}` : "the same project";
    throw userError(
      `Promotion "${name}": the promotion "${other}" already selects the deployment that serves ${which}. ` +
        "Remove one of them: a project can have one promotion.",
    );
  };
  // A project that is created in this run has no id yet, so its resource identifies it.
  const resource = projectOf(project);
  if (resource) declare(resource);
  return pulumi.output(project).apply((idOrName) => {
    // Projects of two accounts may have the same name, but ids are unique. The check refuses values of other types.
    if (typeof idOrName === "string" && (!opts.provider || idOrName.startsWith("prj_"))) declare(idOrName);
    return idOrName;
  });
}

function promotionsIn(stack: object): Map<unknown, string> {
  const known = promotions.get(stack) ?? new Map<unknown, string>();
  promotions.set(stack, known);
  return known;
}
