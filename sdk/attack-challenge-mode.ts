import type * as pulumi from "@pulumi/pulumi";
import { attackChallengeMode } from "../provider/resources/attack-challenge-mode";
import { classOf } from "./core/resource";
import type { AttackChallengeModeArgs, AttackChallengeModeOutputs } from "./types";

/**
 * The attack challenge mode of a project, in which every visitor has to pass a challenge. A project has one: deleting
 * the resource disables it.
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
