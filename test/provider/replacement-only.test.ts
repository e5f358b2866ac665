import type { Resource } from "../../provider/core/resource";
import type { Plain } from "../../provider/core/values";
import { attackChallengeMode } from "../../provider/resources/attack-challenge-mode";
import { customCertificate } from "../../provider/resources/custom-certificate";
import { customEnvironment } from "../../provider/resources/custom-environment";
import { dnsRecord } from "../../provider/resources/dns-record";
import { domain } from "../../provider/resources/domain";
import { edgeConfigItem } from "../../provider/resources/edge-config-item";
import { edgeConfigToken } from "../../provider/resources/edge-config-token";
import { envVar } from "../../provider/resources/env-var";
import { featureFlag } from "../../provider/resources/feature-flag";
import { featureFlagSdkKey } from "../../provider/resources/feature-flag-sdk-key";
import { featureFlagSegment } from "../../provider/resources/feature-flag-segment";
import { firewallBypass } from "../../provider/resources/firewall-bypass";
import { integrationProjectAccess } from "../../provider/resources/integration-project-access";
import { microfrontendGroupMembership } from "../../provider/resources/microfrontend-group-membership";
import { projectDomain } from "../../provider/resources/project-domain";
import { projectMember } from "../../provider/resources/project-member";
import { rollingRelease } from "../../provider/resources/rolling-release";
import { sharedEnvVarLink } from "../../provider/resources/shared-env-var-link";
import { teamMember } from "../../provider/resources/team-member";
import { userToken } from "../../provider/resources/user-token";
import { webhook } from "../../provider/resources/webhook";
import { first, second } from "../support/certificates";
import { installations } from "./fields/common";
import { type Harness, quietStep, startHarness } from "./stack";

let w: Harness;
beforeAll(async () => {
  w = await startHarness();
  await w.curl("POST", "/v10/projects", { name: "web" });
  await w.curl("POST", "/v10/projects", { name: "other" });
  await installations(w);
  await w.curl("POST", "/v10/projects/other/domains", { name: "example.com" });
  await w.server.control.seed({
    edgeConfigs: [{ id: "ecfg_1", team: "acme", slug: "flags" }],
    microfrontendGroups: [{ id: "mfe_1", team: "acme", name: "shop" }],
    sharedEnv: ["1", "2"].map((one) => ({
      ...{ id: `env_${one}`, team: "acme", key: `KEY_${one}`, value: "v", target: ["preview" as const] },
    })),
  });
});
afterAll(() => w.close());

const project = "web";
const subjects: [resource: Resource, inputs: Plain, change: Plain, keys: string][] = [
  [
    dnsRecord,
    { domain: "example.com", name: "a", type: "TXT", value: "v" },
    { domain: "example.org", type: "A" },
    "domain and type",
  ],
  [
    firewallBypass,
    { project, domain: "*", sourceIp: "192.0.2.1" },
    { domain: "www.example.com", sourceIp: "192.0.2.2" },
    "domain and sourceIp",
  ],
  [attackChallengeMode, { project, enabled: true }, { project: "other" }, "project"],
  [
    rollingRelease,
    {
      project,
      advancementType: "manual-approval",
      stages: [{ targetPercentage: 1 }, { targetPercentage: 100 }],
    },
    { project: "other" },
    "project",
  ],
  [
    integrationProjectAccess,
    { project, installationId: "icfg_monitoring" },
    { project: "other", installationId: "icfg_tracking" },
    "project and installationId",
  ],
  [
    sharedEnvVarLink,
    { project, sharedEnvVarId: "env_1" },
    { project: "other", sharedEnvVarId: "env_2" },
    "sharedEnvVarId and project",
  ],
  [teamMember, { email: "a@example.org", role: "VIEWER" }, { email: "b@example.org" }, "email"],
  [
    projectMember,
    { project, email: "dev@example.com", role: "ADMIN" },
    { project: "other", email: "b@example.org" },
    "project and email",
  ],
  [
    edgeConfigItem,
    { edgeConfigId: "ecfg_1", key: "a", value: 1 },
    { edgeConfigId: "ecfg_2", key: "b" },
    "edgeConfigId and key",
  ],
  [
    edgeConfigToken,
    { edgeConfigId: "ecfg_1", label: "a" },
    { edgeConfigId: "ecfg_2", label: "b" },
    "edgeConfigId and label",
  ],
  [
    featureFlag,
    { project, slug: "a", kind: "string", variants: [{ id: "on", value: "on" }] },
    { project: "other", slug: "b", kind: "json" },
    "project and slug and kind",
  ],
  [
    featureFlagSegment,
    { project, slug: "a", label: "A" },
    { project: "other", slug: "b" },
    "project and slug",
  ],
  [
    featureFlagSdkKey,
    { project, environment: "preview", type: "server" },
    { environment: "production", type: "client" },
    "environment and type",
  ],
  [
    microfrontendGroupMembership,
    { project, microfrontendGroupId: "mfe_1" },
    { project: "other", microfrontendGroupId: "mfe_2" },
    "project and microfrontendGroupId",
  ],
  [customCertificate, first, second, "privateKey and certificate and certificateAuthorityCertificate"],
  [userToken, { name: "deploy" }, { name: "report" }, "name"],
  [webhook, { url: "https://a.test", events: ["project.created"] }, { url: "https://b.test" }, "url"],
  [projectDomain, { project, name: "www.example.com" }, { name: "example.org" }, "name"],
  [domain, { name: "example.net" }, { name: "example.org" }, "name"],
  [customEnvironment, { project, slug: "staging" }, { project: "other" }, "project"],
  [
    envVar,
    { project, key: "A", value: "1", type: "sensitive", target: ["preview"] },
    { project: "other", type: "plain" },
    "project and type",
  ],
];

// The engine makes a replacement of such a change, and `pulumi do` asks for an update.
it.each(subjects)("an update of what only a replacement can change is refused: %#", async (...subject) => {
  const [resource, inputs, change, keys] = subject;
  const { id, state } = await resource.create(w.run, quietStep, inputs);
  const before = await resource.read(w.run, id, state);
  await expect(resource.update(w.run, quietStep, id, state, { ...inputs, ...change })).rejects.toThrow(
    `${resource.type} ${id}: only a replacement can change ${keys}, so nothing was changed.`,
  );
  expect(await resource.read(w.run, id, state)).toEqual(before);
});

it("an update may name its project in another way", async () => {
  const inputs = { project, slug: "named" };
  const { id, state } = await customEnvironment.create(w.run, quietStep, inputs);
  const next = { ...inputs, project: state.projectId, description: "by id" };
  const after = await customEnvironment.update(w.run, quietStep, id, state, next);
  expect(after).toMatchObject({ description: "by id", project: state.projectId });
});
