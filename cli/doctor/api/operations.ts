import * as responses from "../../../provider/client/responses";
import { kinds } from "../../objects";
import { listOperation, type Operation } from "../../objects/operation";

/** The GET operations of the provider. Those of the kinds of objects are in their descriptions. */

const plain = (path: Operation["path"], kind: string, shape: Operation["shape"]): Operation => ({
  ...{ path, kind, shape },
});

export const user = plain("/v2/user", "user", responses.user);
export const promotedAliases = listOperation(
  "/v1/projects/{projectId}/promote/aliases",
  "promoted aliases",
  responses.aliasList,
  "aliases",
);
export const domainConfig = plain(
  "/v6/domains/{domain}/config",
  "configurations of domains",
  responses.domainConfig,
);

export const allOperations: readonly Operation[] = [
  ...[user, promotedAliases, domainConfig],
  // Several kinds have the list of drains.
  ...new Set(kinds.flatMap(({ operations }) => Object.values<Operation>(operations))),
];
