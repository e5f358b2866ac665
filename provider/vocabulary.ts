// Longer than other files: provider and server share these lists, and no other file.
/**
 * Enumerations and forms of the specification and of current official clients: the only facts that provider and server
 * share. Both implement everything else independently from the specification.
 */

/** @source Project, `framework` */
export const frameworks = [
  "blitzjs",
  "nextjs",
  "gatsby",
  "remix",
  "astro",
  "hexo",
  "eleventy",
  "docusaurus-2",
  "docusaurus",
  "preact",
  "solidstart-1",
  "solidstart",
  "dojo",
  "ember",
  "vue",
  "scully",
  "ionic-angular",
  "angular",
  "polymer",
  "svelte",
  "sveltekit",
  "sveltekit-1",
  "ionic-react",
  "create-react-app",
  "gridsome",
  "umijs",
  "sapper",
  "saber",
  "stencil",
  "nuxtjs",
  "redwoodjs",
  "hugo",
  "jekyll",
  "brunch",
  "middleman",
  "zola",
  "hydrogen",
  "vite",
  "vitepress",
  "vuepress",
  "parcel",
  "fasthtml",
  "sanity-v3",
  "sanity",
  "storybook",
  // Newer than the specification:
  "react-router",
  "tanstack-start",
  "tanstack-start-lovable",
  "sanity-v2",
  "nitro",
  "hono",
  "express",
  "h3",
  "koa",
  "nestjs",
  "elysia",
  "fastify",
  "xmcp",
  "mastra",
  "eve",
  "factory-eve",
  "ash",
  "fastapi",
  "flask",
  "django",
  "axum",
  "actix-web",
  "python",
  "ruby",
  "rust",
  "go",
  "bun",
  "node",
  "container",
  "services",
] as const;

/** @source Project, `nodeVersion`; 24.x is newer than the specification */
export const nodeVersions = [
  "24.x",
  "22.x",
  "20.x",
  "18.x",
  "16.x",
  "14.x",
  "12.x",
  "10.x",
  "8.10.x",
] as const;

/** Regions of functions. The specification lists none. */
export const regions = [
  "arn1",
  "bom1",
  "cdg1",
  "cle1",
  "cpt1",
  "dub1",
  "dxb1",
  "fra1",
  "gru1",
  "hkg1",
  "hnd1",
  "iad1",
  "icn1",
  "kix1",
  "lhr1",
  "pdx1",
  "sfo1",
  "sin1",
  "syd1",
  "yul1",
] as const;

/** Newer than the specification. */
export const functionMemoryTypes = ["standard_legacy", "standard", "performance", "performance_xl"] as const;

/** Newer than the specification. */
export const buildMachineTypes = ["basic", "enhanced", "turbo", "standard", "elastic"] as const;

/** @source Project domain, `redirectStatusCode` */
export const redirectStatusCodes = [307, 301, 302, 308] as const;

/** @source wire-shapes 4 (the specification shows plain and system only) */
export const envTypes = ["system", "secret", "encrypted", "plain", "sensitive"] as const;

/** @source wire-shapes 4 (the specification shows preview and production only) */
export const envTargets = ["production", "preview", "development"] as const;

/** @source wire-shapes 3; `all_except_custom_domains` is known to newer clients */
export const protectionTypes = [
  "all",
  "preview",
  "prod_deployment_urls_and_all_previews",
  "all_except_custom_domains",
] as const;

/** @source wire-shapes 3: `production` is for trusted IPs alone */
export const trustedIpTypes = [...protectionTypes, "production"] as const;

/** @source wire-shapes 3 */
export const protectionModes = ["exclusive", "additional"] as const;

/** @source wire-shapes 3 */
export const gitProviders = ["github", "gitlab", "bitbucket"] as const;

/** Links that answers and seeds have, and that no request can make. @source wire-shapes 3 */
export const otherLinkTypes = [
  "github-limited",
  "github-custom-host",
  "vercel",
  "v0",
  "cursor-origin",
] as const;

/** The roles of the members of a team. @source the newest official client: POST /v2/teams/{teamId}/members */
export const teamRoles = [
  "OWNER",
  "MEMBER",
  "DEVELOPER",
  "SECURITY",
  "BILLING",
  "VIEWER",
  "VIEWER_FOR_PLUS",
  "CONTRIBUTOR",
] as const;

/** The roles of the members of a project. @source the newest official client: POST /v1/projects/{idOrName}/members */
export const projectRoles = ["ADMIN", "PROJECT_DEVELOPER", "PROJECT_VIEWER"] as const;

/** The roles that answers and seeds have. No request can set the role of a guest. */
export const heldProjectRoles = [...projectRoles, "PROJECT_GUEST"] as const;

/** How many stages a rolling release has. The last one serves all visitors. @source the public documentation of the service; the Terraform provider */
export const rollingReleaseStages = { min: 2, max: 10 } as const;
/** The longest duration of a stage of a rolling release, in minutes. @source the Terraform provider */
export const mostStageMinutes = 10_000;

/** The length of the name of a microfrontend group. @source recorded answers of the hosted API */
export const groupNameLength = 47;

/** The kinds of values of feature flags. @source the newest official client */
export const flagKinds = ["boolean", "string", "number", "json"] as const;
/** The form of the slugs of feature flags and segments. @source the Terraform provider */
export const flagSlug = /^[A-Za-z0-9_-]{1,512}$/;
/** The environments in which a feature flag always has a configuration. */
export const flagEnvironments = ["production", "preview", "development"] as const;
/** The types of the SDK keys of feature flags. @source the newest official client */
export const sdkKeyTypes = ["server", "mobile", "client"] as const;

/** The states of a deployment. @source wire-shapes 11 */
export const readyStates = [
  "QUEUED",
  "INITIALIZING",
  "BUILDING",
  "READY",
  "ERROR",
  "CANCELED",
  "BLOCKED",
] as const;

/** The types of shared variables that a request can set. @source the newest official client: POST /v1/env */
export const sharedEnvTypes = ["encrypted", "sensitive"] as const;

/** The types of DNS records. @source the newest official client: POST /v2/domains/{domain}/records */
export const dnsRecordTypes = [
  "A",
  "AAAA",
  "ALIAS",
  "CAA",
  "CNAME",
  "HTTPS",
  "MX",
  "NS",
  "SRV",
  "TXT",
] as const;

/** The bounds of the time to live of a DNS record, in seconds. @source the newest official client */
export const dnsTtl = { least: 60, largest: 2_147_483_647 } as const;

/** The sources of log lines that a drain receives. @source the newest official client */
export const logSources = ["build", "edge", "lambda", "static", "external", "firewall", "redirect"] as const;

/** The environments whose log lines a drain receives. @source the newest official client */
export const logEnvironments = ["production", "preview"] as const;

/** Headers that a program cannot declare for a drain, because HTTP or the service sets them. */
export const reservedDrainHeaders: readonly string[] = [
  "connection",
  "content-length",
  "content-type",
  "expect",
  "host",
  "keep-alive",
  "transfer-encoding",
  "upgrade",
  "user-agent",
  "x-vercel-signature",
];

/** How long deployments are kept: each period, and the days that the API returns. @source the Terraform provider */
export const retentionPeriods = {
  "1d": 1,
  "1w": 7,
  "1m": 30,
  "2m": 60,
  "3m": 90,
  "6m": 180,
  "1y": 365,
  unlimited: 36_500,
} as const;
export type RetentionPeriod = keyof typeof retentionPeriods;

/** Keys of variables that the runtime sets, so that no program can. @source wire-shapes 4 */
export const runtimeKeys: readonly string[] = [
  "AWS_SECRET_KEY",
  "AWS_EXECUTION_ENV",
  "AWS_LAMBDA_LOG_GROUP_NAME",
  "AWS_LAMBDA_LOG_STREAM_NAME",
  "AWS_LAMBDA_FUNCTION_NAME",
  "AWS_LAMBDA_FUNCTION_MEMORY_SIZE",
  "AWS_LAMBDA_FUNCTION_VERSION",
  "NOW_REGION",
  "TZ",
  "LAMBDA_TASK_ROOT",
  "LAMBDA_RUNTIME_DIR",
];

/**
 * Keys of system variables, which only variables of type system have.
 * @choice Only the documented system variables are reserved, not all keys with their prefix. @source wire-shapes 4
 */
export const systemKeys: readonly string[] = [
  ...["ENV", "TARGET_ENV", "URL", "BRANCH_URL", "PROJECT_PRODUCTION_URL", "REGION", "DEPLOYMENT_ID"],
  ...["PROJECT_ID", "SKEW_PROTECTION_ENABLED", "AUTOMATION_BYPASS_SECRET", "OIDC_TOKEN", "GIT_PROVIDER"],
  ...["GIT_REPO_SLUG", "GIT_REPO_OWNER", "GIT_REPO_ID", "GIT_COMMIT_REF", "GIT_COMMIT_SHA"],
  ...["GIT_COMMIT_MESSAGE", "GIT_COMMIT_AUTHOR_LOGIN", "GIT_COMMIT_AUTHOR_NAME", "GIT_PREVIOUS_SHA"],
  "GIT_PULL_REQUEST_ID",
].map((name) => `VERCEL_${name}`);

/**
 * An email address without quotes or comments, such as o'neil&co@example.org or ada@example.xn--p1ai.
 * @choice All characters that RFC 5322 allows: an address that its user has is never refused.
 */
export const emailPattern =
  /^[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*@([a-z0-9][a-z0-9-]*\.)+(xn--[a-z0-9-]*[a-z0-9]|[a-z]{2,})$/i;

/** The parts of a request that a condition of a firewall rule can compare. @source the newest official client: putFirewallConfig */
export const firewallConditionTypes = [
  ...[
    "host",
    "path",
    "method",
    "header",
    "query",
    "cookie",
    "target_path",
    "route",
    "raw_path",
    "ip_address",
  ],
  ...["region", "protocol", "scheme", "environment", "domain_environment", "user_agent", "geo_continent"],
  ...["geo_country", "geo_country_region", "geo_city", "geo_as_number", "ja4_digest", "ja3_digest"],
  ...["rate_limit_api_id", "server_action", "bot_name", "bot_category", "bot_status", "bot_protection"],
  ...["shared_condition", "traffic_source", "ruleset"],
] as const;
/** The operators of conditions. */
export const firewallOperators = [
  ...["re", "eq", "neq", "ex", "nex", "inc", "ninc", "pre", "suf", "sub", "gt", "gte", "lt", "lte", "list"],
] as const;
/** The actions of firewall rules. */
export const firewallActions = ["log", "challenge", "deny", "bypass", "rate_limit", "redirect"] as const;
/** The actions for requests above a limit. */
export const firewallLimitActions = ["log", "challenge", "deny", "rate_limit"] as const;
export const firewallLimitAlgorithms = ["fixed_window", "token_bucket"] as const;
/** The actions of rules for IP addresses. */
export const firewallIpActions = ["deny", "challenge", "log", "bypass"] as const;
/** The hosts of a rule for an IP address. @source the official command line */
export const hostPattern =
  /^(\*|(\*\.)?[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*)$/;
/** The parts of the OWASP core rule set. */
export const coreRules = [
  ...["sd", "ma", "lfi", "rfi", "rce", "php", "gen", "xss", "sqli", "sf", "java"],
] as const;
export const coreRuleActions = ["deny", "log"] as const;
export const managedRuleActions = ["log", "challenge", "deny"] as const;

/** How the pattern of a route's source is written. @source the newest official client: addRoute */
export const srcSyntaxes = ["equals", "path-to-regexp", "regex"] as const;

/** The parts of a request that a condition of a route compares. @source the newest official client: addRoute */
export const routeConditions = ["host", "header", "cookie", "query"] as const;

/** The parts that a transform of a route changes, and its operations. @source the newest official client: addRoute */
export const routeTransforms = ["request.headers", "request.query", "response.headers"] as const;
export const transformOps = ["append", "set", "delete"] as const;

/** Where a new route is placed. @source the newest official client: addRoute */
export const routePlacements = ["start", "end", "before", "after"] as const;

/** Where a Blob store is, and who reads its files. @source the newest official client: POST /storage/stores/blob */
export const blobRegions = [
  ...["arn1", "bom1", "cdg1", "cle1", "cpt1", "dub1", "dxb1", "fra1", "gru1", "hkg1"],
  ...["hnd1", "iad1", "icn1", "kix1", "lhr1", "pdx1", "sfo1", "sin1", "syd1", "yul1"],
] as const;
export const blobAccesses = ["public", "private"] as const;
/** The beginning of the key of a connection's variable, if it declares none. @source the Terraform provider */
export const blobPrefix = "BLOB";
/** The environments of that variable, if the connection declares none. @source the Terraform provider */
export const blobEnvironments = ["production", "preview"] as const;
/** The key of the variable that a connection of a Blob store makes. @source the Terraform provider */
export const blobTokenKey = (prefix: string): string => `${prefix}_READ_WRITE_TOKEN`;
