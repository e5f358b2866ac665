import { accountDomainsPath } from "../../provider/client/paths";
import * as responses from "../../provider/client/responses";
import { oneDomain, domain as resource } from "../../provider/resources/domain";
import { type AccountKind, itemOf } from "./kind";
import { listOperation } from "./operation";

/**
 * A domain of the account, without a project. A snapshot reads these domains with their DNS records. An import does not
 * declare them, because the service does not tell which of them are there for the sake of their project domains alone.
 */
export const accountDomain = {
  name: "account domain",
  owner: "account",
  resource,
  suffix: "account-domain",
  weight: 55,
  section: "accountDomains",
  items(row) {
    const name = String(row.name);
    return [itemOf(row, { key: name, id: name })];
  },
  recorded: {},
  operations: {
    list: listOperation(accountDomainsPath, "domains of the account", responses.accountDomainList, "domains"),
    // The answer has the domain in a member.
    one: { path: "/v5/domains/{domain}", kind: "domain of the account", shape: oneDomain },
  },
} as const satisfies AccountKind;
