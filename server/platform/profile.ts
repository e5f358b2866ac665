import { LimitRefusal, Refusal } from "./refusal";

/**
 * The profiles of the server. The specification decides by default. Where the hosted API is known to differ from the
 * specification, the profile `hosted` answers as the hosted API does. Where the specification is silent, both profiles
 * do. `npm run docs` writes the table into docs/differences.md.
 */
export const profileNames = ["specification", "hosted"] as const;
export type ProfileName = (typeof profileNames)[number];

/** Where a claim about the hosted API comes from, the strongest first. */
export type EvidenceKind = "recording" | "redacted" | "quoted" | "docs";

export interface Difference {
  /** The rule of the specification. */
  readonly specification: string;
  /** The behaviour of the hosted API. */
  readonly hosted: string;
  /** The strongest evidence, and the time that it is from. */
  readonly evidence: readonly [kind: EvidenceKind, date: string];
  /** Refusals whose status or code differ. They are converted after the route has made them. */
  readonly refusals?: readonly RefusalDifference[];
}

interface RefusalDifference {
  readonly from: readonly [status: number, code: string];
  readonly to: readonly [status: number, code: string];
  /** The message of the hosted API, if it is known. */
  readonly message?: string;
}

export const differences = {
  "unknown-token": {
    specification: "An unknown or missing access token is answered with 401.",
    hosted: "403 `forbidden`, with `invalidToken` or `missingToken`.",
    evidence: ["quoted", "2026"],
    refusals: [{ from: [401, "forbidden"], to: [403, "forbidden"], message: "Not authorized" }],
  },
  "existing-variable": {
    specification: "A variable whose key exists for a target is refused with 403.",
    hosted: "400 `ENV_CONFLICT`.",
    evidence: ["quoted", "2026"],
    refusals: [{ from: [403, "ENV_CONFLICT"], to: [400, "ENV_CONFLICT"] }],
  },
  "existing-domain": {
    specification: "A domain that is on the project already is refused with 400.",
    hosted: "409 `domain_already_in_use`, with `projectId` and `domain`.",
    evidence: ["recording", "2026-06"],
    refusals: [{ from: [400, "existing_project_domain"], to: [409, "domain_already_in_use"] }],
  },
  "domain-verified-at-once": {
    specification:
      "A new domain is unverified until its challenge is met, or the account has verified its apex.",
    hosted: "A new domain is verified at once, unless another account has a domain under its apex.",
    evidence: ["recording", "2026-06"],
  },
  "preview-promotion": {
    specification: "Every deployment of the project can be promoted.",
    hosted: "A deployment for preview cannot be promoted.",
    evidence: ["quoted", "2024"],
  },
  "late-promotion": {
    specification: "A promotion has taken effect when its answer arrives.",
    hosted: "Production changes some seconds after the answer.",
    evidence: ["quoted", "2026"],
  },
  "values-in-lists": {
    specification: "The list of variables has decrypted values with `decrypt=true`.",
    hosted: "From `/v9` on, the list has no decrypted values, also with `decrypt=true`.",
    evidence: ["recording", "2022-12"],
  },
  "unset-members-of-variables": {
    specification: "A variable without a comment or without custom environments has no such member.",
    hosted:
      "`comment` is an empty text, and `customEnvironmentIds` an empty list, except in the answer to a creation.",
    evidence: ["recording", "2026-07"],
  },
  "project-defaults": {
    specification: "A new project protects no deployments, and has no skew protection.",
    hosted:
      "A new project has `ssoProtection` for all deployments but production, `skewProtectionMaxAge` 43200 and `enableAffectedProjectsDeployments`.",
    evidence: ["recording", "2025-06"],
  },
  "name-of-rate-limit": {
    specification: "Too many requests are answered with 429 `rate_limited`.",
    hosted: "The code is the name of the limit, and `limit.reset` is in milliseconds.",
    evidence: ["redacted", "2026-04"],
  },
  "public-source": {
    specification: "`publicSource` is a setting of a project.",
    hosted: "`publicSource` is accepted, has no effect, and is null in answers.",
    evidence: ["quoted", "2026-06"],
  },
} as const satisfies Record<string, Difference>;

export type DifferenceId = keyof typeof differences;

/** How a server answers where the hosted API differs from the specification. */
export class Profile {
  constructor(readonly name: ProfileName) {}

  /** True if the server answers as the hosted API does. */
  isHosted(_difference: DifferenceId): boolean {
    return this.name === "hosted";
  }

  /** Converts a refusal of the specification to the refusal of this profile. Other errors stay as they are. */
  convert(error: unknown): unknown {
    if (this.name === "specification" || !(error instanceof Refusal)) return error;
    if (error instanceof LimitRefusal) return error.named();
    const { status, code, extra, beside, headers } = error;
    const difference = refusals.find(({ from }) => from[0] === status && from[1] === code);
    if (!difference) return error;
    const { to, message = error.message } = difference;
    return new Refusal(to[0], to[1], message, extra, beside, headers);
  }
}

const refusals: readonly RefusalDifference[] = Object.values<Difference>(differences).flatMap(
  ({ refusals = [] }) => refusals,
);
