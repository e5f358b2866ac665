/** The risks that an audit finds, with a hint for each. */
export const risks = {
  "secret-not-sensitive": {
    severity: "high",
    about: "a variable whose name or value looks like a secret can be read",
    hint: "Rotate the value, and store the new one with type sensitive.",
  },
  "production-shared-with-preview": {
    severity: "high",
    about: "preview builds of every branch get a secret of production",
    hint: "Use different values: one variable for production, and another one for preview.",
  },
  "preview-unprotected": {
    severity: "medium",
    about: "everybody who knows the address of a preview can open it",
    hint: "Set ssoProtection, passwordProtection or trustedIps for previews.",
  },
  "domain-unverified": {
    severity: "high",
    about: "the domain is not verified, so it serves nothing",
    hint: "Publish the TXT record of its challenge, or remove the domain.",
  },
  "domain-misconfigured": {
    severity: "high",
    about: "the DNS records of the domain do not point at the service",
    hint: "Point its A or CNAME record at the service. A dangling record lets somebody else take over the domain.",
  },
  "production-outdated": {
    severity: "medium",
    about: "production was built before its variables changed",
    hint: "Deploy again, so that production gets the new values.",
  },
  "variable-unused": {
    severity: "low",
    about: "no deployment has used the variable for a year",
    hint: "Delete it, and revoke the credential in its value.",
  },
  "installation-without-owner": {
    severity: "high",
    about: "the user whose rights an integration uses has left the team",
    hint: "Give the installation another owner, or remove it.",
  },
  "webhook-without-project": {
    severity: "medium",
    about: "all projects of a webhook were deleted",
    hint: "Delete the webhook, or set existing projects.",
  },
} as const satisfies Record<string, { severity: Severity; about: string; hint: string }>;

export type Risk = keyof typeof risks;
export const riskNames = Object.keys(risks) as Risk[];

export const severities = ["high", "medium", "low"] as const;
export type Severity = (typeof severities)[number];

/** A risk of one object. A finding never contains the value of a variable. */
export interface Finding {
  risk: Risk;
  /** The name of the project; null for an object of the account, such as a webhook. */
  project: string | null;
  /** A variable, domain, webhook or installation; null for the project itself. */
  object: string | null;
  /** Describes the finding. Reports print it after the names of the project and the object. */
  detail: string;
}
