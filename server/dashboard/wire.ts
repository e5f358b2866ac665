// Longer than other files: the data of every view of the dashboard.

/** The data that the server sends to the dashboard's page. Times are milliseconds of the server's clock. */

export interface AccountItem {
  id: string;
  kind: "user" | "team";
  slug: string;
  name: string | null;
  plan: string;
  projects: number;
}

export interface State {
  version: string;
  now: number;
  /** How far the clock was advanced, in milliseconds. */
  offsetMs: number;
  engine: string;
  profile: string;
  /** True if the control plane is on: then the dashboard may replace all data. */
  isControlled: boolean;
  accounts: AccountItem[];
}

export interface DeploymentItem {
  id: string;
  url: string;
  readyState: string;
  target: string | null;
  branch: string | null;
  sha: string | null;
  createdAt: number;
}

export interface ProjectItem {
  id: string;
  name: string;
  framework: string | null;
  paused: boolean;
  transferring: boolean;
  production: DeploymentItem | null;
  repository: string | null;
  domains: number;
  unverified: number;
  variables: number;
  /** When the project changed or its newest deployment was created, whichever is later. */
  activeAt: number;
}

export interface DnsRecord {
  type: "TXT";
  name: string;
  value: string;
  /** True when the embedded zone has the record. */
  published: boolean;
}

export interface DomainItem {
  name: string;
  apexName: string;
  projectId: string;
  project: string;
  verified: boolean;
  redirect: string | null;
  redirectStatusCode: number | null;
  gitBranch: string | null;
  environment: string | null;
  /** The TXT records that would verify the domain. */
  records: DnsRecord[];
}

/** A variable without its value. The action `reveal` returns the value. */
export interface VariableItem {
  id: string;
  projectId: string;
  project: string;
  key: string;
  type: string;
  target: string[];
  environments: string[];
  gitBranch: string | null;
  comment: string | null;
  updatedAt: number;
}

export interface Step {
  id: string;
  kind: "promote" | "rollback";
  status: string;
  from: string | null;
  to: string;
  requestedAt: number;
  failedAliases: string[];
}

export interface SettingGroup {
  title: string;
  /** A value of null is the default of the framework or of the service. */
  settings: { name: string; value: string | null }[];
}

export interface DeploymentDetail {
  deployment: DeploymentItem;
  projectName: string;
  /** null: there is no project with the name `projectName`. */
  project: ProjectItem | null;
  /** The username of the deployment's creator; null: the user no longer exists. */
  creator: string | null;
  meta: Record<string, string>;
  /** The domains that the deployment serves. */
  aliases: string[];
  /** The lines of the build's log. */
  log: { createdAt: number; text: string; level?: "error" | "warning" }[];
  /** The promotions and rollbacks from or to the deployment, the newest first. */
  timeline: Step[];
}

export interface ProjectDetail {
  project: ProjectItem;
  settings: SettingGroup[];
  domains: DomainItem[];
  variables: VariableItem[];
  /** The newest first. */
  deployments: DeploymentItem[];
  /** Variables that were added, changed or removed since production was built, by key. */
  outdated: OutdatedVariable[];
  /** Promotions and rollbacks, the newest first. */
  timeline: Step[];
}

export interface OutdatedVariable {
  key: string;
  change: "added" | "changed" | "removed";
}

export interface Page<T> {
  items: T[];
  /** How many items match the search, on all pages. */
  total: number;
  /** The `until` of the next page. */
  next: string | null;
}

/** A kind of object: a section of `GET /_control/snapshot`. */
export interface ObjectKind {
  name: string;
  total: number;
}

/** An object of any kind. */
export interface ObjectItem {
  /** The values of its primary key. */
  id: string;
  /** The name by which people know it; null if it has none. */
  label: string | null;
  /** As in `GET /_control/snapshot`, without secrets. */
  members: Record<string, unknown>;
}

export interface InstallationItem {
  id: string;
  integration: string;
  name: string;
  user: string | null;
  scopes: string[];
  pending: string[];
  /** The names of the projects that the installation covers; null: all projects. */
  projects: string[] | null;
  disabledReason: string | null;
  deleteAt: number | null;
  createdAt: number;
}

export interface DeliveryItem {
  receiver: string;
  url: string;
  state: "waiting" | "delivered" | "dead";
  attempts: number;
  lastError: string | null;
}

export interface EventItem {
  id: string;
  type: string;
  sequence: number;
  createdAt: number;
  /** The name of a domain or project, the key of a variable, or another object's id; null: the account. */
  subject: string | null;
  project: { id: string; name: string } | null;
  payload: unknown;
  deliveries: DeliveryItem[];
}

export interface MailItem {
  id: string;
  to: string;
  subject: string;
  body: string;
  createdAt: number;
  sentAt: number | null;
}

export interface FaultItem {
  id: number;
  /** The requests that the fault meets, such as `POST /v10/projects of acme`. */
  requests: string;
  kind: string;
  status: number;
  /** null: any number of requests. */
  times: number | null;
  met: number;
}

/** The environment of the API, as the control plane simulates it. */
export interface Simulation {
  now: number;
  offsetMs: number;
  dns: { name: string; type: ZoneType; values: string[] }[];
  /** How the next builds go. `error`: the message of builds that fail; null: they succeed, or are blocked. */
  builds: { buildMs: number; error: string | null; isBlocked: boolean };
  faults: FaultItem[];
}

export type ZoneType = "A" | "CNAME" | "TXT";

/** A saved state of all data. */
export interface StateItem {
  name: string;
  savedAt: number;
}

/** `absent`: a resource looked up an object that does not exist; this is not a refusal. `dropped`: no answer. */
export type Outcome = "answered" | "absent" | "refused" | "failed" | "dropped";

export interface RequestItem {
  sequence: number;
  at: number;
  method: string;
  path: string;
  status: number | null;
  outcome: Outcome;
  ms: number;
  code: string | null;
  message: string | null;
  /** The Pulumi resource that sent the request: its type, and its logical name if the provider's host knows it. */
  resource: string | null;
  /** The project in the path; null: the path has none, or the project no longer exists. */
  project: { id: string; name: string; account: string } | null;
  /** True for an action on the dashboard instead of a request. */
  dashboard: boolean;
}

/** The requests of a run of a Pulumi program. */
export interface RunItem {
  id: string;
  startedAt: number;
  /** From the first request to the last answer, in milliseconds. */
  ms: number;
  requests: number;
  /** The requests that changed something. */
  changes: number;
  /** The requests that were refused, failed or dropped. */
  refused: number;
}

export interface RunDetail extends RunItem {
  /** The refusals with one code at one endpoint, the most frequent first. */
  refusals: {
    operation: string;
    status: number | null;
    code: string | null;
    message: string | null;
    count: number;
  }[];
  /** The resources in the order of their first requests. */
  resources: { name: string; requests: RunRequest[] }[];
  /** How many requests are not shown, after those that are. */
  more: number;
}

export interface RunRequest {
  sequence: number;
  method: string;
  path: string;
  /** Its `operationId` in the reference. */
  operation: string | null;
  status: number | null;
  outcome: Outcome;
  /** When the request began, in milliseconds after the start of the run. */
  after: number;
  ms: number;
}

/** A request with what was sent and answered. Secrets are masked. */
export interface RequestDetail extends RequestItem {
  /** The run of a Pulumi program; null: another client sent it. */
  run: string | null;
  /** Its `operationId` in the reference. */
  operation: string | null;
  /** The header `x-request-id` of the answer. */
  requestId: string | null;
  /** The query, without `?`. */
  query: string;
  /** The username of the token's user; null: the token is missing or unknown. */
  caller: string | null;
  /** The slug of the account that the request acted on. */
  account: string | null;
  /** The body as JSON; null: the body is empty, too large, too old to be kept, or neither JSON nor a form. */
  body: string | null;
  answer: string | null;
}

export interface AccountMap {
  /** The projects that have domains. */
  projects: { id: string; name: string; paused: boolean; live: boolean }[];
  domains: { name: string; projectId: string; verified: boolean; redirect: string | null }[];
  /** How many projects with domains are not shown. */
  more: number;
  /** How many projects have no domain. */
  bare: number;
}
