import { storedSettings } from "../../access/project-store";
import { readSettings } from "../../log-drains/settings";
import type { Unit } from "../../store/store";
import { controlKey } from "../locks";
import { controlRoute } from "../route";
import { allRows } from "../store";

/** Returns all data in a stable order, without secrets. Servers with the same data return the same snapshot. */
const getSnapshot = controlRoute({
  method: "GET",
  path: "/snapshot",
  operationId: "snapshot",
  summary: "Returns all data in a stable order, without secrets.",
  handle: ({ services }) =>
    services.store.read((tx) => snapshot({ tx, now: services.clock.now() }), controlKey),
});

async function snapshot({ tx, now }: Unit) {
  const rows = await allRows(tx);
  return {
    now,
    accounts: rows.accounts.map((row) => ({
      id: row.id,
      kind: row.kind,
      slug: row.slug,
      name: row.name,
      email: row.email,
      plan: row.plan,
      addons: JSON.parse(row.addons),
      softBlocked: row.soft_blocked === 1,
      paymentMethodNeedsUpdate: row.payment_method_needs_update === 1,
      deniedDomains: JSON.parse(row.denied_domains),
      sensitiveEnvironmentVariablePolicy: row.sensitive_policy,
      ...(row.settings !== null && { settings: JSON.parse(row.settings) }),
      members: rows.members
        .filter(({ team_id }) => team_id === row.id)
        .map(({ user_id, role, confirmed }) => ({
          user: user_id,
          role,
          ...(confirmed === 0 && { confirmed: false }),
        })),
    })),
    projects: rows.projects.map((row) => ({
      id: row.id,
      accountId: row.account_id,
      name: row.name,
      ...storedSettings(row),
      nodeVersion: row.node_version,
      gitForkProtection: row.git_fork_protection === 1,
      link: row.repo_url,
      paused: row.paused === 1,
      dataCacheDisabled: row.data_cache_disabled === 1,
      productionDeploymentId: row.production_deployment_id,
      transferStartedAt: row.transfer_started_at,
      transferToAccountId: row.transfer_to_account_id,
      transferCompletedAt: row.transfer_completed_at,
      transferredFromAccountId: row.transferred_from_account_id,
      createdAt: row.created_at,
      updatedAt: row.updated_at,
    })),
    domains: rows.domains.map((row) => ({
      projectId: row.project_id,
      accountId: row.account_id,
      name: row.name,
      verified: row.verified === 1,
      gitBranch: row.git_branch,
      customEnvironmentId: row.custom_environment_id,
      redirect: row.redirect,
      redirectStatusCode: row.redirect_status_code,
    })),
    customEnvironments: rows.custom_environments.map((row) => ({
      id: row.id,
      projectId: row.project_id,
      slug: row.slug,
      description: row.description,
      branchMatcher: row.branch_matcher === null ? null : JSON.parse(row.branch_matcher),
    })),
    env: rows.env_vars.map((row) => ({
      id: row.id,
      projectId: row.project_id,
      key: row.key,
      type: row.type,
      target: JSON.parse(row.target),
      customEnvironmentIds: JSON.parse(row.custom_environment_ids),
      gitBranch: row.git_branch,
      comment: row.comment,
    })),
    sharedEnv: rows.shared_env_vars.map((row) => ({
      id: row.id,
      accountId: row.account_id,
      key: row.key,
      type: row.type,
      target: JSON.parse(row.target),
      applyToAllCustomEnvironments: row.apply_to_all === 1,
      comment: row.comment,
      projects: rows.shared_env_links
        .filter(({ env_id }) => env_id === row.id)
        .map(({ project_id }) => project_id),
    })),
    deployments: rows.deployments.map((row) => ({
      id: row.id,
      accountId: row.account_id,
      project: row.name,
      target: row.target,
      readyState: row.ready_state,
      gitBranch: row.git_branch,
      createdAt: row.created_at,
    })),
    promotions: rows.promotions.map((row) => ({
      projectId: row.project_id,
      kind: row.kind,
      from: row.from_deployment_id,
      to: row.to_deployment_id,
      status: row.status,
      requestedAt: row.requested_at,
    })),
    integrations: rows.integrations.map((row) => ({
      id: row.id,
      slug: row.slug,
      name: row.name,
      owner: row.owner_id,
      redirectUrl: row.redirect_url,
      webhookUrl: row.webhook_url,
      scopes: JSON.parse(row.scopes),
    })),
    installations: rows.configurations.map((row) => ({
      id: row.id,
      integrationId: row.integration_id,
      accountId: row.account_id,
      userId: row.user_id,
      scopes: JSON.parse(row.scopes),
      pendingScopes: JSON.parse(row.pending_scopes),
      projects:
        row.selected === 1
          ? rows.configuration_projects
              .filter(({ configuration_id }) => configuration_id === row.id)
              .map(({ project_id }) => project_id)
          : null,
      source: row.source,
      disabledAt: row.disabled_at,
      disabledReason: row.disabled_reason,
      deleteAt: row.delete_at,
    })),
    firewallBypasses: rows.firewall_bypasses.map((row) => ({
      id: row.id,
      projectId: row.project_id,
      domain: row.domain,
      sourceIp: row.ip,
      note: row.note,
      expiresAt: row.expires_at,
    })),
    projectMembers: rows.project_members.map((row) => ({
      projectId: row.project_id,
      userId: row.user_id,
      role: row.role,
      createdAt: row.created_at,
    })),
    edgeConfigs: rows.edge_configs.map((row) => ({
      id: row.id,
      accountId: row.account_id,
      slug: row.slug,
      schema: row.schema === null ? null : JSON.parse(row.schema),
      items: rows.edge_config_items
        .filter(({ edge_config_id }) => edge_config_id === row.id)
        .map(({ key, description }) => ({ key, description })),
      tokens: rows.edge_config_tokens
        .filter(({ edge_config_id }) => edge_config_id === row.id)
        .map(({ id, label }) => ({ id, label })),
    })),
    accountDomains: rows.added_domains.map((row) => ({
      accountId: row.account_id,
      name: row.name,
      verified: row.verified === 1,
      zone: row.zone === 1,
      echMode: row.ech_mode,
    })),
    dnsRecords: rows.domain_records.map((row) => ({
      id: row.id,
      accountId: row.account_id,
      domain: row.domain,
      name: row.name,
      type: row.type,
      priority: row.priority,
      value: row.value,
      ttl: row.ttl,
      comment: row.comment,
    })),
    webhooks: rows.webhooks.map((row) => ({
      id: row.id,
      accountId: row.account_id,
      url: row.url,
      events: JSON.parse(row.events),
      projectIds: row.project_ids === null ? null : JSON.parse(row.project_ids),
    })),
    logDrains: rows.log_drains.map((row) => {
      const { headers: _, ...settings } = readSettings(row.settings) ?? {};
      return { id: row.id, accountId: row.account_id, configurationId: row.configuration_id, ...settings };
    }),
    dns: rows.dns_records.map(({ name, type, value }) => ({ name, type, value })),
  };
}

export type Snapshot = Awaited<ReturnType<typeof snapshot>>;

export const snapshotRoutes = [getSnapshot];
