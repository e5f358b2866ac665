import type { RequestItem } from "../wire";

const byCode: Record<string, string> = {
  team_unauthorized: "The token is good, but not for this account: look at slipway:team or SLIPWAY_TEAM.",
  integration_configuration_disabled: "The installation is disabled. Enable it under Integrations.",
  payment_required: "The account is blocked, or its payment method must be updated.",
  existing_project_domain:
    "The project has this domain already. To take it over, declare it with adopt: true.",
  domain_already_in_use: "Another project holds the domain. Remove it there, or prove that it is yours.",
  invalid_domain: "This is not a domain name. Compare the input with what you meant.",
  domain_not_allowed: "The account may not use this domain.",
  ENV_CONFLICT:
    "A variable with this key exists for one of the environments. Adopt it, or change one of them.",
  missing_txt_record:
    "The record that proves the domain is not there yet. Domains shows exactly what to set.",
  rate_limited: "Too many requests in a minute. The provider waits and tries again by itself.",
  method_unknown: "The path is known, but not with this method.",
  not_implemented: "This server does not have this part of the API.",
};

const byStatus: Record<number, string> = {
  400: "The API does not take the request like this; the message says what is in the way.",
  401: "The token is missing or unknown: look at slipway:token or SLIPWAY_TOKEN.",
  403: "Whoever the token belongs to may not do this.",
  404: "There is no such thing in this account. After a deletion behind Pulumi's back, refresh the stack.",
  409: "It conflicts with what there is, or with something under way. The provider waits where waiting helps.",
  410: "It was there and is gone for good.",
  413: "The body is too large.",
  428: "The plan or an add-on of the account does not include this.",
};

/** What a refusal means to whoever wrote the program. */
export function explain({ status, code }: RequestItem): string {
  if (status === null)
    return "The connection was dropped before an answer came, by a fault or by whoever asked.";
  const known = (code !== null ? byCode[code] : undefined) ?? byStatus[status];
  if (known !== undefined) return known;
  return status >= 500 ? "The server failed, or a fault was asked for. The provider tries again." : "";
}
