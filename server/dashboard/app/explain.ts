import type { RequestItem } from "../wire";

const byCode: Record<string, string> = {
  team_unauthorized: "The token is valid, but not for this account. Check slipway:team or SLIPWAY_TEAM.",
  integration_configuration_disabled: "The installation is disabled. Enable it under Integrations.",
  payment_required: "The account is blocked, or its payment method must be updated.",
  existing_project_domain:
    "The project has this domain already. To take it over, declare it with adopt: true.",
  ALIAS_DOMAIN_EXIST: "Another project has the domain. Remove it there, or move it with --force.",
  domain_already_in_use: "Another project has the domain. Remove it there, or verify that it is yours.",
  invalid_domain: "This is not a valid domain name. Correct the input.",
  domain_not_allowed: "The account may not use this domain.",
  ENV_CONFLICT:
    "A variable with this key exists for one of the environments. Adopt it, or change the key or the target.",
  missing_txt_record: "The TXT record of the challenge is missing. Domains shows the record to set.",
  rate_limited: "Too many requests in a minute. The provider waits and retries.",
  method_unknown: "The path does not accept this method.",
  not_implemented: "This server does not have this part of the API.",
};

const byStatus: Record<number, string> = {
  400: "The API refuses this request. The message says why.",
  401: "The token is missing or unknown. Check slipway:token or SLIPWAY_TOKEN.",
  403: "The token does not allow this.",
  404: "This account has no such object. If it was deleted outside of Pulumi, refresh the stack.",
  409: "The request conflicts with an existing object, or with a change in progress. The provider waits if waiting helps.",
  410: "The object was deleted permanently.",
  413: "The body is too large.",
  428: "The plan or an add-on of the account does not include this.",
};

/** Explains a refusal to the author of a program. */
export function explain({ status, code }: RequestItem): string {
  if (status === null) return "A fault or the client closed the connection before the answer.";
  const known = (code !== null ? byCode[code] : undefined) ?? byStatus[status];
  if (known !== undefined) return known;
  return status >= 500 ? "The server failed, or a fault was injected. The provider retries." : "";
}
