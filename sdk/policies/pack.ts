import { PolicyPack } from "@pulumi/policy";
import { policies } from ".";

/** The policy pack `slipway/policies`. `policies/index.js` loads this file. */
new PolicyPack("slipway", { policies });
