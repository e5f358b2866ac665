// Longer than other files: all tables are here, to be read as one schema.

/**
 * The tables, which are the same in both engines. Times are milliseconds since the epoch, booleans are 0 or 1, and JSON
 * and encrypted ("sealed") values are text, so a row is the same in both engines.
 */
export interface Database {
  meta: Meta;
  accounts: AccountRow;
  members: MemberRow;
  tokens: TokenRow;
  projects: ProjectRow;
  bypass_secrets: BypassSecretRow;
  custom_environments: CustomEnvironmentRow;
  deployments: DeploymentRow;
  deployment_variables: DeploymentVariablesRow;
  deployment_files: DeploymentFilesRow;
  uploads: UploadRow;
  promotions: PromotionRow;
  promotion_aliases: PromotionAliasRow;
  domains: DomainRow;
  env_vars: EnvVarRow;
  env_slots: EnvSlotRow;
  edge_connections: EdgeConnectionRow;
  git_providers: GitProviderRow;
  dns_records: DnsRecordRow;
  integrations: IntegrationRow;
  configurations: ConfigurationRow;
  configuration_projects: ConfigurationProjectRow;
  codes: CodeRow;
  retired_ids: RetiredIdRow;
  webhooks: WebhookRow;
  log_drains: LogDrainRow;
  events: EventRow;
  deliveries: DeliveryRow;
  receivers: ReceiverRow;
  mail: MailRow;
  rate_windows: RateWindowRow;
  unknown_members: UnknownMembersRow;
  aliases: AliasRow;
  domain_records: DomainRecordRow;
  shared_env_vars: SharedEnvVarRow;
  shared_env_slots: SharedEnvSlotRow;
  shared_env_links: SharedEnvLinkRow;
  firewall_bypasses: FirewallBypassRow;
  project_members: ProjectMemberRow;
  edge_configs: EdgeConfigRow;
  edge_config_items: EdgeConfigItemRow;
  edge_config_tokens: EdgeConfigTokenRow;
  added_domains: AddedDomainRow;
}

type Flag = 0 | 1;
/** JSON, as text. */
type Json = string;

interface Meta {
  name: string;
  value: string;
}

/** A user or a team, which owns projects. */
export interface AccountRow {
  id: string;
  kind: "user" | "team";
  /** A team's slug, a user's username. Unique per kind. */
  slug: string;
  name: string | null;
  email: string | null;
  plan: "hobby" | "pro" | "enterprise";
  /** Array of add-on names. */
  addons: Json;
  soft_blocked: Flag;
  payment_method_needs_update: Flag;
  /** Array of domain names that the account may not use. */
  denied_domains: Json;
  /** Whether new variables for production and preview must be sensitive; null: it was never set. */
  sensitive_policy: "on" | "off" | "default" | null;
  /** The other settings of a team; null: none was set. */
  settings: Json | null;
  /** The number of the account's last event; the numbers have no gaps. */
  event_sequence: number;
  created_at: number;
}

export type Role =
  | "OWNER"
  | "MEMBER"
  | "DEVELOPER"
  | "SECURITY"
  | "BILLING"
  | "VIEWER"
  | "VIEWER_FOR_PLUS"
  | "CONTRIBUTOR";

export type ProjectRole = "ADMIN" | "PROJECT_DEVELOPER" | "PROJECT_VIEWER";

/** The role of a member of the team in a project. */
interface ProjectMemberRow {
  project_id: string;
  user_id: string;
  role: ProjectRole;
  /** Unique per project, since the list is paged by it. */
  created_at: number;
}

interface MemberRow {
  team_id: string;
  user_id: string;
  role: Role;
  /** 0 for a user who was invited and has not accepted, and so has no access. */
  confirmed: Flag;
  created_at: number;
}

/** A bearer token, stored only as its SHA-256 hash in hex. */
interface TokenRow {
  hash: string;
  user_id: string;
  /** The only account that the token acts on; null: the user's own account and every team of the user. */
  account_id: string | null;
  /** The installation that the token was exchanged for. */
  configuration_id: string | null;
  created_at: number;
}

export interface ProjectRow {
  id: string;
  account_id: string;
  name: string;
  /** The writable fields without a column of their own. */
  settings: Json;
  /** Sealed password of `passwordProtection`. */
  password: string | null;
  link: Json | null;
  repo: string | null;
  repo_id: string | null;
  repo_url: string | null;
  git_fork_protection: Flag;
  node_version: string;
  paused: Flag;
  data_cache_disabled: Flag;
  production_deployment_id: string | null;
  last_rollback_target: Json | null;
  transfer_started_at: number | null;
  transfer_to_account_id: string | null;
  transfer_completed_at: number | null;
  transferred_from_account_id: string | null;
  /** Number and size of the project's variables, for their limits: `env/totals.ts`. */
  env_totals: Json;
  created_at: number;
  /** Unique per account, since lists are ordered and paged by it. */
  updated_at: number;
}

export interface BypassSecretRow {
  id: string;
  project_id: string;
  /** HMAC of the secret, to find it without decrypting every row. */
  digest: string;
  secret: string;
  note: string | null;
  /** 1 for the one secret of a project that deployments get as a variable. */
  is_env_var: number;
  created_at: number;
  created_by: string;
}

export interface CustomEnvironmentRow {
  id: string;
  project_id: string;
  slug: string;
  description: string | null;
  branch_matcher: Json | null;
  created_at: number;
  updated_at: number;
}

/** A deployment of a project. It refers to the project by name and may be created before it. */
export interface DeploymentRow {
  id: string;
  account_id: string;
  name: string;
  target: "production" | "preview";
  ready_state: "BUILDING" | "ERROR" | "INITIALIZING" | "QUEUED" | "READY" | "CANCELED" | "BLOCKED";
  git_branch: string | null;
  git_sha: string | null;
  url: string;
  meta: Json;
  creator_id: string;
  /** When the simulated build changes the state; null if it has ended or the control plane sets the state. */
  ready_at: number | null;
  created_at: number;
  /** Null for production and preview. */
  custom_environment_id: string | null;
  /** A `BuildRecord`; null for deployments that the control plane or a seed has made. */
  build: Json | null;
}

/** The variables that a deployment was built with. */
interface DeploymentVariablesRow {
  deployment_id: string;
  /** Object from the key of each variable to the revision of its value. */
  revisions: Json;
}

/** The files that a deployment was created with. */
interface DeploymentFilesRow {
  deployment_id: string;
  /** Array of `DeploymentFile`. */
  files: Json;
}

/** A file that an account has uploaded for its deployments. */
interface UploadRow {
  account_id: string;
  /** SHA-1 of the contents, in hex. */
  sha: string;
  size: number;
  created_at: number;
}

export interface PromotionRow {
  id: string;
  project_id: string;
  kind: "promote" | "rollback";
  from_deployment_id: string | null;
  to_deployment_id: string;
  status: "pending" | "in-progress" | "succeeded" | "failed";
  requested_at: number;
  /** When the promotion completes and its aliases have moved. */
  completes_at: number;
}

export interface PromotionAliasRow {
  id: string;
  promotion_id: string;
  alias: string;
  /** The status of the alias once the promotion completes. */
  outcome: "completed" | "failed";
  created_at: number;
}

export interface DomainRow {
  id: string;
  project_id: string;
  account_id: string;
  name: string;
  apex_name: string;
  /** 1 if the account has verified the domain. Only one row of a name, in all accounts, can be 1. */
  verified: Flag;
  /** Twenty hex digits that the TXT record of the challenge must contain. */
  challenge: string;
  git_branch: string | null;
  custom_environment_id: string | null;
  redirect: string | null;
  redirect_status_code: number | null;
  /** Unique per project, since lists are ordered and paged by it. */
  created_at: number;
  updated_at: number;
}

export interface EnvVarRow {
  id: string;
  project_id: string;
  key: string;
  type: "system" | "secret" | "encrypted" | "plain" | "sensitive";
  /** Sealed. */
  value: string;
  /** The bytes of key and value together, for the limit on an environment. */
  size: number;
  /** Array of target names, in the order given. */
  target: Json;
  custom_environment_ids: Json;
  git_branch: string | null;
  comment: string | null;
  configuration_id: string | null;
  created_by: string | null;
  updated_by: string | null;
  created_at: number;
  updated_at: number;
}

/** A combination of key, target and branch that a variable has. The primary key makes it unique in the project. */
interface EnvSlotRow {
  project_id: string;
  key: string;
  /** A target, or the id of a custom environment. */
  target: string;
  /** Empty if the variable has no branch. */
  git_branch: string;
  env_id: string;
}

/** Members of a body that the server does not know, stored with `--lenient`. */
interface UnknownMembersRow {
  /** The object's id or other key. */
  owner: string;
  /** Sealed array of paths and values. */
  members: string;
}

/** The connection of a project to an Edge Config, with the token that it uses, if any. */
interface EdgeConnectionRow {
  project_id: string;
  edge_config_id: string;
  token_id: string | null;
}

interface GitProviderRow {
  account_id: string;
  type: "github" | "gitlab" | "bitbucket";
  /** Array of `owner/name`; null: every repository. */
  repos: Json | null;
  webhooks: "ok" | "forbidden" | "unavailable";
}

/** A record of the embedded zone. */
export interface DnsRecordRow {
  id: string;
  name: string;
  type: "A" | "CNAME" | "TXT";
  value: string;
}

export interface IntegrationRow {
  id: string;
  slug: string;
  name: string;
  owner_id: string;
  /** Sealed. */
  client_secret: string;
  redirect_url: string;
  webhook_url: string | null;
  scopes: Json;
  created_at: number;
}

export interface ConfigurationRow {
  id: string;
  integration_id: string;
  account_id: string;
  /** The user who installed it, or who took over its ownership. */
  user_id: string;
  scopes: Json;
  /** Scopes that are not yet confirmed. */
  pending_scopes: Json;
  /** 1 if the installation covers only the projects in `configuration_projects`. */
  selected: Flag;
  source: "marketplace" | "deploy-button" | "external";
  /** When the first code was exchanged. */
  completed_at: number | null;
  disabled_at: number | null;
  disabled_reason: string | null;
  /** When the configuration will be deleted, if it was disabled because its owner left. */
  delete_at: number | null;
  created_at: number;
  updated_at: number;
}

interface ConfigurationProjectRow {
  configuration_id: string;
  project_id: string;
}

interface CodeRow {
  hash: string;
  configuration_id: string;
  expires_at: number;
  used_at: number | null;
}

/** The id of a removed configuration, which is never used again. */
interface RetiredIdRow {
  id: string;
}

export interface WebhookRow {
  id: string;
  account_id: string;
  url: string;
  events: Json;
  project_ids: Json | null;
  /** Sealed. */
  secret: string;
  created_at: number;
  updated_at: number;
}

export interface LogDrainRow {
  id: string;
  account_id: string;
  configuration_id: string | null;
  /** The drain as the API shows it, without its secret; its headers are sealed. */
  settings: Json;
  /** Sealed. */
  secret: string | null;
  created_at: number;
  /** null if it was never changed. */
  updated_at: number | null;
}

/** An event in the outbox, written in the transaction of its change. */
export interface EventRow {
  id: string;
  account_id: string;
  sequence: number;
  type: string;
  payload: Json;
  project_id: string | null;
  user_id: string | null;
  created_at: number;
}

/** The delivery of one event to one receiver. */
export interface DeliveryRow {
  id: string;
  receiver_id: string;
  event_id: string;
  /** Consecutive per receiver: the order of delivery. */
  position: number;
  state: "waiting" | "delivered" | "dead";
  attempts: number;
  first_attempt_at: number | null;
  last_error: string | null;
}

/** A webhook, or the integration of an installation. A worker leases this row while it delivers. */
export interface ReceiverRow {
  id: string;
  /** Empty for a receiver of an earlier version that has no deliveries. */
  account_id: string;
  kind: "webhook" | "configuration";
  /** A copy of the URL, so that the last event of a deleted webhook or installation can still be sent. */
  url: string;
  /** Sealed. */
  secret: string;
  /** The id of the webhook or the integration. The secret was sealed with this id. */
  secret_row: string;
  /** The number of the receiver's last delivery. */
  position: number;
  /** null if no delivery waits, or deliveries are paused. */
  next_attempt_at: number | null;
  /** The worker that sends to the receiver now; null if none does. */
  lease: string | null;
  /** When the lease expires if its worker was killed, by the database's clock. */
  leased_until: number;
}

export interface MailRow {
  id: string;
  /** Consecutive: the order of sending. */
  sequence: number;
  recipient: string;
  subject: string;
  body: string;
  created_at: number;
  sent_at: number | null;
  attempts: number;
  /** null if it was sent or is not retried any more. */
  next_attempt_at: number | null;
  last_error: string | null;
  /** As in `receivers`. */
  lease: string | null;
  leased_until: number;
}

interface RateWindowRow {
  bucket: string;
  resets_at: number;
  count: number;
}

/** A name that points to a deployment, independently of production. */
export interface AliasRow {
  id: string;
  account_id: string;
  deployment_id: string;
  /** In lower case and ASCII; unique in the store. */
  alias: string;
  /** The domain to which the alias redirects instead of serving the deployment. */
  redirect: string | null;
  creator_id: string;
  created_at: number;
  updated_at: number;
}

/** A DNS record of a domain of an account. The server stores it but answers no DNS queries with it. */
export interface DomainRecordRow {
  id: string;
  account_id: string;
  /** The domain of the account, in lower case and ASCII. */
  domain: string;
  /** The name relative to the domain; empty for the domain itself. */
  name: string;
  type: "A" | "AAAA" | "ALIAS" | "CAA" | "CNAME" | "HTTPS" | "MX" | "NS" | "SRV" | "TXT";
  /** The first part of an MX, SRV or HTTPS record. */
  priority: number | null;
  /** The value without the priority. */
  value: string;
  /** SHA-256 of name, type, priority and value: unique in the domain. */
  digest: string;
  /** In seconds. */
  ttl: number;
  comment: string | null;
  creator_id: string;
  /** Unique in the domain, since its list is paged by it. */
  created_at: number;
  updated_at: number;
}

/** A shared variable: a variable of a team, to which projects are linked. */
export interface SharedEnvVarRow {
  id: string;
  account_id: string;
  key: string;
  type: "encrypted" | "sensitive";
  /** Sealed. */
  value: string;
  /** Array of target names, in the order given. */
  target: Json;
  /** 1 if the custom environments of the linked projects get the variable too. */
  apply_to_all: Flag;
  comment: string | null;
  created_by: string | null;
  updated_by: string | null;
  /** Unique in the account, since its list is paged by it. */
  created_at: number;
  updated_at: number;
}

/** A combination of key and target that a shared variable has. The primary key makes it unique in the team. */
interface SharedEnvSlotRow {
  account_id: string;
  key: string;
  /** A target, or `*` for all custom environments. */
  target: string;
  env_id: string;
}

/** The link of a project to a shared variable. */
interface SharedEnvLinkRow {
  env_id: string;
  project_id: string;
}

/** A rule that lets an IP address bypass the firewall of a project. */
export interface FirewallBypassRow {
  /** Derived from project, domain and address, so that a project cannot have the same rule twice. */
  id: string;
  project_id: string;
  /** `*` means all domains of the project. */
  domain: string;
  /** An IP address or a range, in lower case. */
  ip: string;
  note: string | null;
  /** The user who created it. */
  actor_id: string;
  created_at: number;
  updated_at: number;
  /** null if it does not expire. */
  expires_at: number | null;
}

export interface EdgeConfigRow {
  id: string;
  account_id: string;
  /** Not unique. */
  slug: string;
  /** The JSON schema of its items. */
  schema: Json | null;
  /** Changes with the items. */
  digest: string;
  item_count: number;
  /** The bytes of the keys and values. */
  size: number;
  created_by: string | null;
  created_at: number;
  updated_at: number;
}

export interface EdgeConfigItemRow {
  edge_config_id: string;
  key: string;
  /** Sealed JSON. */
  value: string;
  /** HMAC of the item. */
  digest: string;
  /** The bytes of key and value together. */
  size: number;
  description: string | null;
  created_at: number;
  updated_at: number;
}

export interface EdgeConfigTokenRow {
  id: string;
  edge_config_id: string;
  label: string;
  /** HMAC of the token, which is not kept itself. */
  digest: string;
  /** The first characters of the token. */
  partial: string;
  created_at: number;
}

/** A domain that was added to an account, without a project. */
export interface AddedDomainRow {
  account_id: string;
  /** An apex, in lower case and ASCII. */
  name: string;
  verified: Flag;
  /** Whether its owner wants to use the nameservers of the service. */
  zone: Flag;
  ech_mode: "auto" | "disabled";
  created_at: number;
}
