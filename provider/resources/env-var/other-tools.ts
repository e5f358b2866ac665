import type * as responses from "../../client/responses";

/**
 * Variables that an integration or a store sets. Their values change without the program, and the integration deletes
 * them with its connection to the project. A program must not have them.
 */

export const isOfIntegration = ({ configurationId, contentHint }: responses.Variable): boolean =>
  configurationId != null || contentHint?.storeId != null || contentHint?.type === "integration-store-secret";

/** Why a program cannot have such a variable, and what to do. */
export const reasonOfIntegration = ({ key, id }: responses.Variable): string =>
  `The variable ${key} (${id}) belongs to an integration or a store, which sets its value. Leave it out of the ` +
  "program, or disconnect the integration or the store from the project first.";
