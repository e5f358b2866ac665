import { PolicyPack } from "@pulumi/policy";
import { policies } from ".";

/** The policy pack `slipway/policies`, which policies/ of the package starts. */
new PolicyPack("slipway", { policies });
