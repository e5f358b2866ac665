/** The risks that an audit finds, with a hint for each. */
export const risks = {
  "secret-not-sensitive": {
    severity: "high",
    about: "people can read the value of a variable that looks like a secret, by its name or its value",
    hint: "Rotate the value, and store the new one with type sensitive.",
  },
  "production-shared-with-preview": {
    severity: "high",
    about: "preview builds of every branch get a secret that is also for production",
    hint: "Use different values: one variable for production, and another one for preview.",
  },
  "value-with-white-space": {
    severity: "medium",
    about:
      "the value of a variable begins or ends with white space or a line break, which many programs do not expect",
    hint: "Set the value again without them. The command echo adds a line break: use printf.",
  },
  "preview-unprotected": {
    severity: "medium",
    about: "everybody who knows the address of a preview can open it",
    hint: "Set ssoProtection, passwordProtection or trustedIps for previews.",
  },
  "domain-unverified": {
    severity: "high",
    about: "the domain is not verified, so the project does not serve it",
    hint: "Publish the TXT record that verifies the domain, or remove the domain.",
  },
  "domain-misconfigured": {
    severity: "high",
    about: "the DNS records of the domain do not point at the service",
    hint: "Correct the A or CNAME record of the domain. A dangling record lets somebody else take over the domain.",
  },
  "production-outdated": {
    severity: "medium",
    about: "production was built before its variables changed",
    hint: "Create a new production deployment, which gets the new values.",
  },
  "variable-unused": {
    severity: "low",
    about: "no deployment has used the variable for a year",
    hint: "Delete the variable, and revoke the credential in its value.",
  },
  "installation-without-owner": {
    severity: "high",
    about: "an integration acts for a user who has left the team",
    hint: "Give the installation another owner, or remove it.",
  },
  "webhook-without-project": {
    severity: "medium",
    about: "all projects of a webhook were deleted",
    hint: "Delete the webhook, or select existing projects for it.",
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
