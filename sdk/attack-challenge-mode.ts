import type * as pulumi from "@pulumi/pulumi";
import { attackChallengeMode } from "../provider/resources/attack-challenge-mode";
import { classOf } from "./core/resource";
import type { AttackChallengeModeArgs, AttackChallengeModeOutputs } from "./types";

/**
 * The attack challenge mode of a project: while it is enabled, every visitor has to pass a challenge. Declare one
 * resource for each project. Deleting the resource disables the mode.
 */
export class AttackChallengeMode extends classOf<AttackChallengeModeOutputs>(attackChallengeMode) {
  constructor(name: string, args: AttackChallengeModeArgs, opts?: pulumi.CustomResourceOptions) {
    super(name, args, opts);
  }

  /** Reads the mode of an existing project, by the project's id or name. */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    opts?: pulumi.CustomResourceOptions,
  ): AttackChallengeMode {
    return new AttackChallengeMode(name, {} as AttackChallengeModeArgs, { ...opts, id });
  }
}
