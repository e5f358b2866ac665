// Longer than other files: the counterparts of all resources and attributes.
/** The resources of Vercel's Terraform provider, and what corresponds to them and to their attributes in Slipway. */

const members = "a [ProjectMember](../resources/project-member.md) for each member";
const shown = "only the dashboard shows it";
const infoOfStore = "the look-up [`getBlobStore`](../resources/lookups.md)";
const ofProject = { project_id: "the `Project` itself" };

/**
 * The resource of Slipway for each one of Terraform. An attribute corresponds to the input of its name in camel case.
 * `names` has the others: the path of an attribute, and that of the input, also for all attributes below it. `texts` says
 * why there is no such input, or what there is instead.
 */
export const counterparts = {
  vercel_access_group: { type: "AccessGroup" },
  vercel_access_group_member: { type: "AccessGroupMember" },
  vercel_access_group_project: { type: "AccessGroupProject" },
  vercel_alias: { type: "Alias" },
  vercel_attack_challenge_mode: {
    type: "AttackChallengeMode",
    names: { attack_mode_active_until: "activeUntil" },
  },
  vercel_audit_log_drain: {
    type: "AuditLogDrain",
    names: {
      http: "endpoint",
      "http.compression": "compression",
      "http.encoding": "deliveryFormat",
      "http.endpoint": "endpoint",
      "http.headers": "headers",
      "http.secret": "secret",
      "s3.encoding": "deliveryFormat",
      "s3.endpoint": "endpoint",
    },
  },
  vercel_blob_project_connection: {
    type: "BlobStoreConnection",
    names: { read_write_token_env_var_name: "envVarKey" },
  },
  vercel_blob_store: {
    type: "BlobStore",
    texts: {
      ...{ created_at: shown, updated_at: shown, file_count: infoOfStore, size: infoOfStore },
      status: infoOfStore,
    },
  },
  vercel_bulk_redirects: { type: "BulkRedirects" },
  vercel_custom_environment: {
    type: "CustomEnvironment",
    names: { name: "slug", branch_tracking: "branchMatcher" },
  },
  vercel_deployment: {
    type: "Deployment",
    names: {
      delete_on_destroy: "onDestroy",
      domains: "aliases",
      path_prefix: "directory",
      production: "target",
    },
  },
  vercel_deployment_protection_exception: {
    type: "DeploymentProtectionException",
    texts: { scope: "always the same" },
  },
  vercel_dns_record: { type: "DnsRecord" },
  vercel_edge_config: { type: "EdgeConfig", names: { name: "slug" } },
  vercel_edge_config_item: { type: "EdgeConfigItem", names: { value_json: "value" } },
  vercel_edge_config_schema: { type: "EdgeConfig", names: { definition: "schema" } },
  vercel_edge_config_token: { type: "EdgeConfigToken" },
  vercel_feature_flag_config: {
    type: "FeatureFlag",
    names: Object.fromEntries(
      ["production", "preview", "development"].flatMap((name) => [
        [`${name}.default_variant_id`, `${name}.defaultVariantId`],
        [`${name}.disabled_variant_id`, `${name}.disabledVariantId`],
      ]),
    ),
    texts: { flag_id: "the `FeatureFlag` itself" },
  },
  vercel_feature_flag_definition: {
    type: "FeatureFlag",
    names: {
      key: "slug",
      variant: "variants",
      "variant.value_bool": "variants.value",
      "variant.value_number": "variants.value",
      "variant.value_string": "variants.value",
    },
  },
  vercel_feature_flag_sdk_key: { type: "FeatureFlagSdkKey" },
  vercel_feature_flag_segment: {
    type: "FeatureFlagSegment",
    names: { name: "label" },
    texts: Object.fromEntries(
      ["include", "exclude"].flatMap((list) => [
        [`${list}.attribute`, `the inner names in \`${list}\``],
        [`${list}.entity`, `the outer names in \`${list}\``],
        [`${list}.values`, `the lists in \`${list}\``],
      ]),
    ),
  },
  vercel_firewall_bypass: { type: "FirewallBypass" },
  vercel_firewall_config: {
    type: "FirewallConfig",
    names: {
      "ip_rules.rule": "ipRules",
      "managed_rulesets.bot_filter": "managedRulesets.botProtection",
      "rules.rule": "rules",
    },
    texts: {
      "ip_rules.rule.id": "not needed: a rule is recognized by its `ip` and `hostname`",
      "rules.rule.action.action_duration": "`rules.action.actionDuration`",
      "rules.rule.id": "`ruleIds`",
    },
  },
  vercel_integration_project_access: {
    type: "IntegrationProjectAccess",
    names: { integration_id: "installationId" },
  },
  vercel_project_route: {
    type: "ProjectRoute",
    names: { "position.reference_route_id": "position.referenceId" },
  },
  vercel_log_drain: { type: "LogDrain" },
  vercel_project: {
    type: "Project",
    names: {
      automatically_expose_system_environment_variables: "autoExposeSystemEnvs",
      customer_success_code_visibility: "customerSupportCodeVisibility",
      function_failover: "serverlessFunctionZeroConfigFailover",
      git_lfs: "gitLFS",
      "git_repository.deploy_hooks": "deployHooks",
      "git_repository.deploy_hooks.url": "deployHookUrls",
      ignore_command: "commandForIgnoringBuildStep",
      preview_comments: "enablePreviewFeedback",
      "resource_config.function_default_cpu_type": "resourceConfig.functionDefaultMemoryType",
      skew_protection: "skewProtectionMaxAge",
      "trusted_sources.external_sources": "trustedSources.oidcProviders",
      vercel_authentication: "ssoProtection",
    },
    texts: {
      environment: "an [EnvVar](../resources/env-var.md) for each variable",
      "git_provider_options.repository_dispatch_events":
        "`gitProviderOptions.disableRepositoryDispatchEvents`, which has the opposite meaning",
      "git_repository.deploy_hooks.id": shown,
      "git_repository.deploy_hooks.name": "the names in `deployHooks`",
      "trusted_sources.external_sources.issuer": "the names in `trustedSources.oidcProviders`",
      "trusted_sources.projects.project_id": "the names in `trustedSources.projects`",
    },
  },
  vercel_microfrontend_group: {
    type: "MicrofrontendGroup",
    names: {
      default_app: "defaultAppProjectId",
      "default_app.default_route": "defaultRoute",
      "default_app.project_id": "defaultAppProjectId",
    },
    texts: { "default_app.id": "the `id` of the group" },
  },
  vercel_microfrontend_group_membership: { type: "MicrofrontendGroupMembership" },
  vercel_project_crons: { type: "Project", names: { enabled: "cronsEnabled" }, texts: ofProject },
  vercel_project_deployment_retention: {
    type: "Project",
    names: {
      expiration_canceled: "deploymentRetention.canceled",
      expiration_errored: "deploymentRetention.errored",
      expiration_preview: "deploymentRetention.preview",
      expiration_production: "deploymentRetention.production",
    },
    texts: ofProject,
  },
  vercel_project_domain: {
    type: "ProjectDomain",
    names: { domain: "name", wait_for_ready: "waitForVerification" },
    texts: { misconfigured: "`configured` of [DomainVerification](../resources/domain-verification.md)" },
  },
  vercel_project_environment_variable: {
    type: "EnvVar",
    names: { sensitive: "type", value_wo: "valueFrom" },
    texts: { value_wo_version: "not needed: each preview compares the value with a keyed digest" },
  },
  vercel_project_environment_variables: {
    type: "EnvVars",
    names: { "variables.sensitive": "variables.type" },
    texts: { "variables.id": shown, "variables.key": "the names in `variables`" },
  },
  vercel_project_members: { type: "ProjectMember", texts: { members } },
  vercel_project_protection_bypass: {
    type: "Project",
    names: {
      is_env_var: "protectionBypass.isEnvVar",
      note: "protectionBypass.note",
      secret: "protectionBypass.secret",
    },
    texts: { ...ofProject, created_at: shown, created_by: shown, scope: shown },
  },
  vercel_project_rolling_release: { type: "RollingRelease" },
  vercel_shared_environment_variable: {
    type: "SharedEnvVar",
    names: { sensitive: "type", value_wo: "valueFrom" },
  },
  vercel_shared_environment_variable_project_link: {
    type: "SharedEnvVarLink",
    names: { shared_environment_variable_id: "sharedEnvVarId" },
  },
  vercel_team_config: {
    type: "TeamConfig",
    texts: { avatar: "set it in the dashboard", invite_code: "not read, because it is a secret" },
  },
  vercel_team_member: {
    type: "TeamMember",
    texts: {
      access_groups: "an [AccessGroupMember](../resources/access-group-member.md) for each group",
      projects: members,
    },
  },
  vercel_custom_certificate: { type: "CustomCertificate" },
  vercel_trace_drain: { type: "TraceDrain" },
  vercel_user_token: {
    type: "UserToken",
    texts: {
      project_id: "not supported",
      active_at: shown,
      created_at: shown,
      leaked_at: shown,
      leaked_url: shown,
      origin: shown,
      prefix: shown,
      suffix: shown,
      type: shown,
    },
  },
  vercel_webhook: { type: "Webhook", names: { endpoint: "url" } },
};

/** Why Slipway does not have a resource. */
const leftOut = {
  vercel_blob_object:
    "content, not configuration: the files of a store are on another host, and applications write them",
  vercel_network: "private networks of the enterprise plan, which the server cannot simulate",
  vercel_oauth_app: "an application for other teams, not a part of a project's delivery",
  vercel_oauth_app_client_secret: "an application for other teams, not a part of a project's delivery",
  vercel_vcr_repository: "container images, which have registries and tools of their own",
  vercel_vcr_repository_permission: "container images, which have registries and tools of their own",
};

const files = "not needed: [Deployment](../resources/deployment.md) reads the files itself, with";

/** The texts about data sources other than: the look-up of the counterpart of the resource with this name. */
export const dataSources = {
  vercel_blob_object: leftOut.vercel_blob_object,
  vercel_blob_project_connections: "`getBlobStoreConnection` for each project",
  vercel_blob_store_secrets:
    "`readWriteToken` of `BlobStore.get`, because answers of look-ups have no secrets",
  vercel_blob_stores: "`getBlobStore` for each store; `pulumi do slipway:BlobStore list` lists them",
  vercel_domain_config: "`getDomainConfig`",
  vercel_dsync_groups:
    "not yet: `saml` of [TeamConfig](../resources/team-config.md) takes the ids of the groups",
  vercel_edge_config_token: "`getEdgeConfigToken`, without the token itself, which only its creation returns",
  vercel_endpoint_verification: "not yet: the code with which the endpoint of a drain proves its owner",
  vercel_feature_flag: "`getFeatureFlag`",
  vercel_feature_flag_sdk_key:
    "`getFeatureFlagSdkKey`, without the key itself, which only its creation returns",
  vercel_file: `${files} \`files\``,
  vercel_network: leftOut.vercel_network,
  vercel_prebuilt_project: `${files} \`prebuilt\``,
  vercel_project: "`getProject`; `Project.get` has all settings",
  vercel_project_deployment_retention: "`deploymentRetention` of `Project.get`",
  vercel_project_directory: `${files} \`directory\``,
  vercel_project_members: "`getProjectMember` for each member",
  vercel_project_routes: "`getProjectRoute` for each route",
  vercel_team_config: "`getTeamConfig`; `getTeam` for the team of the provider",
  vercel_vcr_repository: leftOut.vercel_vcr_repository,
};

/** Attributes of every resource, which a sentence explains. */
const common = ["id", "team_id"];

/** How many resources correspond, as a paragraph. */
export const terraformShare = ({ version, resources }) => [
  `Terraform's provider (${version}) has ${Object.keys(resources).length} resources. Slipway has ${Object.keys(counterparts).length} of them.`,
];

/** A section for each resource, and a table of the others. @param schema the schema of the package */
export function terraformSections({ resources }, schema, table, pageOf) {
  const sections = Object.entries(resources).flatMap(([name, attributes]) => {
    const counterpart = counterparts[name];
    if (!counterpart) return [];
    const rows = rowsOf(counterpart, attributes, schema);
    const link = `[${counterpart.type}](../resources/${pageOf(counterpart.type)}.md)`;
    return [
      `### \`${name}\``,
      "",
      `In Slipway: ${link}`,
      "",
      ...table(["attribute", "in Slipway"], rows),
      "",
    ];
  });
  const others = Object.keys(resources).filter((name) => !(name in counterparts));
  const rows = others.map((name) => [`\`${name}\``, leftOut[name] ?? "not yet"]);
  return [...sections, "### Others", "", ...table(["resource", "in Slipway"], rows)];
}

/**
 * The rows of the table of data sources.
 * @param lookups the names of all look-ups
 * @throws Error for a data source with neither a look-up nor an explanation
 */
export const dataSourceRows = (terraform, lookups) =>
  terraform.dataSources.map((name) => {
    const text = dataSources[name] ?? `\`get${counterparts[name]?.type}\``;
    const [, lookup] = /`(get\w+)`/.exec(text) ?? [];
    if (lookup && !lookups.includes(lookup)) throw new Error(`${name}: there is no look-up ${lookup}.`);
    return [`\`${name}\``, text];
  });

/** The rows of a resource's table. @throws Error for an attribute with neither an input nor an explanation */
export function rowsOf({ type, names = {}, texts = {} }, attributes, schema) {
  const all = propertiesOf(schema, type);
  return attributes
    .filter((path) => !common.includes(path) && !parentsOf(path).some((parent) => parent in texts))
    .map((path) => {
      if (path in texts) return [`\`${path}\``, texts[path]];
      const input = inputOf(path, names, all);
      if (!has(all, schema, input)) throw new Error(`${type}: the attribute ${path} has no input ${input}.`);
      return [`\`${path}\``, `\`${input}\``];
    });
}

const parentsOf = (path) =>
  path
    .split(".")
    .map((_, i, parts) => parts.slice(0, i).join("."))
    .slice(1);

/** The input for an attribute: by the longest beginning of its path that has another name. */
function inputOf(path, names, all) {
  const renamed = [path, ...parentsOf(path).reverse()].find((beginning) => beginning in names);
  const rest = camel(renamed === undefined ? path : path.slice(renamed.length));
  if (renamed !== undefined) return names[renamed] + rest;
  return rest === "projectId" && "project" in all ? "project" : rest;
}

const camel = (path) => path.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());

function propertiesOf(schema, type) {
  const found = Object.entries(schema.resources).find(([token]) => token.endsWith(`:${type}`))?.[1];
  if (!found) throw new Error(`The schema has no resource ${type}.`);
  return { ...found.properties, ...found.inputProperties };
}

function has(all, schema, path) {
  let inside = all;
  for (const name of path.split(".")) {
    if (!Object.hasOwn(inside, name)) return false;
    inside = below(inside[name], schema);
  }
  return true;
}

/** The members of a property, of the items of a list, or of the values of a map. */
function below({ $ref, items, additionalProperties, oneOf }, schema) {
  if ($ref) return schema.types[$ref.replace("#/types/", "")]?.properties ?? {};
  const inner = items ?? additionalProperties;
  if (inner) return below(inner, schema);
  return Object.assign({}, ...(oneOf ?? []).map((one) => below(one, schema)));
}
