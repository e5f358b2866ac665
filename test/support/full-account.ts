import { type RunningServer, type SeedDocument, type StartOptions, startServer } from "../../server";

export interface FullAccount {
  server: RunningServer;
  /** The slug of the team. */
  team: string;
  token: string;
}

/**
 * Starts a server whose team has objects of each kind that the provider reads, and several of most kinds.
 * @param mark a text that is part of every name, id and value of the account
 */
export async function startFullAccount(
  mark: string,
  profile: NonNullable<StartOptions["profile"]>,
): Promise<FullAccount> {
  const team = `${mark}-team`;
  const token = `${mark}-token`;
  const server = await startServer({ developmentAccount: false, profile, seed: seedOf(mark, team, token) });
  const send = async (method: string, path: string, body?: object): Promise<void> => {
    const answer = await fetch(`${server.url}${path}${path.includes("?") ? "&" : "?"}slug=${team}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  };
  const path = `/v9/projects/prj_${mark}_web`;
  await send("POST", `/v10/projects/prj_${mark}_web/promote/dpl_${mark}_1`);
  await send("PATCH", `${path}/protection-bypass`, { generate: { note: mark } });
  await server.control.advanceClock(60_000);
  return { server, team, token };
}

function seedOf(mark: string, team: string, token: string): SeedDocument {
  const project = `${mark}-web`;
  const ids = <T extends object>(prefix: string, rows: T[]): (T & { id: string })[] =>
    rows.map((row, at) => ({ id: `${prefix}_${mark}_${at + 1}`, ...row }));
  const zone = `${mark}.example`;
  return {
    users: [
      { username: `${mark}-dev` },
      { username: `${mark}-ada`, email: `ada@${zone}` },
      { username: `${mark}-bob` },
    ],
    teams: [
      {
        ...{ slug: team, plan: "enterprise" },
        members: [
          { user: `${mark}-dev`, role: "OWNER" },
          { user: `${mark}-ada`, role: "CONTRIBUTOR" },
          { user: `${mark}-bob`, role: "CONTRIBUTOR" },
        ],
      },
    ],
    tokens: [{ token, user: `${mark}-dev` }],
    gitProviders: [{ team, type: "github", repos: [`${mark}/web`] }],
    projects: [
      {
        ...{ id: `prj_${mark}_web`, team, name: project, createdAt: 1_000 },
        gitRepository: { type: "github", repo: `${mark}/web` },
      },
      { id: `prj_${mark}_api`, team, name: `${mark}-api`, createdAt: 2_000 },
    ],
    projectMembers: [{ team, project, user: `${mark}-ada`, role: "PROJECT_DEVELOPER" }],
    accessGroups: [
      {
        ...{ id: `ag_${mark}`, team, name: `${mark}-designers`, members: [`${mark}-ada`] },
        projects: [{ project, role: "PROJECT_VIEWER" }],
      },
    ],
    microfrontendGroups: [
      {
        ...{ id: `mfe_${mark}`, team, name: `${mark}-shop`, fallbackEnvironment: "PRODUCTION" },
        projects: [
          { project, isDefaultApp: true, defaultRoute: `/${mark}` },
          { project: `${mark}-api`, routeObservabilityToThisProject: true },
        ],
      },
    ],
    deployments: ids("dpl", [
      { team, project, target: "production", createdAt: 1_000, meta: { [`${mark}Key`]: mark } },
      { team, project, target: "production", createdAt: 2_000 },
      { team, project, target: "preview", gitBranch: mark, createdAt: 3_000 },
    ]),
    domains: [
      { team, project, name: `www.${zone}`, verified: true, createdAt: 1_000 },
      { team, project, name: `${mark}.example.org`, createdAt: 2_000 },
    ],
    dnsRecords: [
      { id: `rec_${mark}_1`, team, domain: zone, name: mark, type: "A", value: "192.0.2.1" },
      {
        id: `rec_${mark}_2`,
        team,
        domain: zone,
        name: "",
        type: "MX",
        value: `mail.${zone}`,
        mxPriority: 10,
      },
    ],
    env: ids("env", [
      { team, project, key: `${mark}_A`, value: mark, type: "encrypted", target: ["preview"] },
      { team, project, key: `${mark}_B`, value: mark, type: "plain", target: ["production"] },
      { team, project, key: `${mark}_C`, value: mark, type: "sensitive", target: ["production"] },
    ]),
    sharedEnv: ids("env_shared", [
      { team, key: `${mark}_S`, value: mark, target: ["production"], projects: [project] },
      { team, key: `${mark}_T`, value: mark, target: ["preview"] },
    ]),
    environments: [{ id: `env_${mark}_staging`, team, project, slug: `${mark}-staging` }],
    aliases: [{ team, id: `alias_${mark}`, alias: `${mark}.vercel.app`, deployment: `dpl_${mark}_3` }],
    protectionExceptions: [{ team, project, alias: `${mark}.vercel.app` }],
    firewallBypasses: [{ team, project, domain: `www.${zone}`, sourceIp: "192.0.2.9", note: mark }],
    firewallConfigs: [
      {
        ...{ id: `waf_${mark}`, team, project, firewallEnabled: true },
        ips: [{ hostname: "*", ip: "192.0.2.9", action: "deny" as const, notes: mark }],
      },
    ],
    bulkRedirects: [
      { team, project, name: mark, redirects: [{ source: `/${mark}`, destination: "/new", query: true }] },
    ],
    projectRoutes: [
      { team, project, routes: [{ id: `${mark}_route`, name: mark, route: { src: "/old", dest: "/new" } }] },
    ],
    webhooks: [
      {
        id: `account_hook_${mark}`,
        team,
        url: `https://${zone}/`,
        events: ["project.created"],
        projectIds: [`prj_${mark}_web`],
      },
    ],
    certificates: [
      { id: `cert_${mark}`, team, cns: [`www.${zone}`], autoRenew: true, expiresAt: 4102444800000 },
    ],
    integrations: [
      {
        ...{ clientId: `oac_${mark}`, clientSecret: mark, slug: `${mark}-integration`, scopes: [] },
        ...{ owner: `${mark}-dev`, redirectUrl: `https://${zone}/callback` },
      },
    ],
    installations: [
      { id: `icfg_${mark}`, team, integration: `oac_${mark}`, projects: [project] },
      { id: `icfg_${mark}2`, team, integration: `oac_${mark}` },
    ],
    blobStores: [
      { id: `store_${mark}`, team, name: `${mark}-images`, count: 2, size: 9, connections: [{ project }] },
    ],
    edgeConfigs: [
      {
        ...{ id: `ecfg_${mark}`, team, slug: `${mark}-flags` },
        items: [{ key: `${mark}_KEY`, value: { [mark]: mark } }],
        tokens: [{ id: `token_${mark}`, label: mark, token: `${mark}-secret` }],
      },
    ],
    featureFlags: ids("flag", [
      {
        ...{ team, project, slug: `${mark}-checkout`, kind: "string" as const, createdAt: 1_000 },
        ...{ description: mark, tags: [mark], variants: [{ id: mark, label: mark, value: mark }] },
        environments: {
          production: {
            active: true,
            pausedOutcome: { type: "variant" as const, variantId: mark },
            fallthrough: { type: "variant" as const, variantId: mark },
            rules: [],
          },
        },
      },
      {
        ...{ team, project, slug: `${mark}-banner`, kind: "string" as const, createdAt: 2_000 },
        variants: [{ id: mark, value: mark }],
      },
    ]),
    featureFlagSegments: [
      {
        ...{ id: `segment_${mark}`, team, project, slug: `${mark}-staff`, label: mark, hint: mark },
        data: { rules: [], include: { user: { [mark]: [{ value: mark, note: mark }] } } },
      },
    ],
    featureFlagSdkKeys: [
      { team, project, hashKey: `hash_${mark}`, type: "server", environment: "production", label: mark },
    ],
    logDrains: [
      {
        ...{
          id: `ld_${mark}`,
          team,
          name: `${mark}-drain`,
          url: `https://${zone}/logs`,
          deliveryFormat: "json",
        },
        ...{ environments: ["production"], headers: { [`x-${mark}`]: mark } },
      },
    ],
    otherDrains: [
      {
        ...{
          id: `drn_${mark}`,
          team,
          kind: "trace",
          name: `${mark}-traces`,
          url: `https://${zone}/v1/traces`,
        },
        ...{ deliveryFormat: "proto", headers: { [`x-${mark}`]: mark } },
        sampling: [{ type: "head_sampling", rate: 0.5, env: "preview", requestPath: `/${mark}` }],
      },
      {
        ...{ id: `drn_${mark}2`, team, kind: "audit_log", name: `${mark}-events`, url: `s3://${mark}-logs` },
        ...{ deliveryFormat: "json", s3: { roleArn: "arn:aws:iam::1:role/audit", region: "eu-central-1" } },
      },
    ],
  };
}
