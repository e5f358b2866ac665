import type { Policies } from "@pulumi/policy";
import { variablesRotated } from "./age";
import { previewsProtected } from "./previews";
import { productionProtected } from "./protection";
import {
  noPlainSecrets,
  noProductionValuesInPreviews,
  noPublicSecrets,
  productionSecretsSensitive,
} from "./secrets";

export {
  noPlainSecrets,
  noProductionValuesInPreviews,
  noPublicSecrets,
  previewsProtected,
  productionProtected,
  productionSecretsSensitive,
  variablesRotated,
};

/** All policies of Slipway, for a policy pack. Each is exported under its name too. */
export const policies: Policies = [
  noPlainSecrets,
  noPublicSecrets,
  productionSecretsSensitive,
  noProductionValuesInPreviews,
  previewsProtected,
  productionProtected,
  variablesRotated,
];
