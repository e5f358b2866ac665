import { type Plain, unknown } from "../../provider/core/values";
import { put, withKnown } from "./fields/paths";
import { type Harness, quietStep, startHarness } from "./stack";
import { subjects } from "./subjects";

/** The form of a value (length, characters, number of items) is refused at preview where the server refuses it. */

const long = (length: number): string => "a".repeat(length + 1);
const times = (count: number, item: unknown): unknown[] => Array(count + 1).fill(item);
const nested = { text: long(64 * 1024) };

/** Values that the server refuses, by resource and input. */
const forms: [type: string, path: string, value: unknown][] = [
  ["AttackChallengeMode", "activeUntil", 2 ** 53 - 1],
  ["CustomEnvironment", "slug", long(32)],
  ["CustomEnvironment", "slug", "Staging"],
  ["CustomEnvironment", "slug", "a b"],
  ["CustomEnvironment", "description", long(256)],
  ["CustomEnvironment", "branchMatcher.pattern", long(100)],
  ["DnsRecord", "srv.target", "localhost"],
  ["DnsRecord", "srv.target", "a b.example.com"],
  ["DnsRecord", "srv.target", "https://host.example.com"],
  ["DnsRecord", "https.target", "localhost"],
  ["DnsRecord", "https.target", "-a.example.com"],
  ["DnsRecord", "comment", long(500)],
  ["EdgeConfig", "slug", "a b"],
  ["EdgeConfig", "slug", long(64)],
  ["EdgeConfig", "schema", nested],
  ["EdgeConfigItem", "key", "a b"],
  ["EdgeConfigItem", "key", long(256)],
  ["EdgeConfigItem", "description", long(512)],
  ["EdgeConfigToken", "label", long(52)],
  ["EnvVar", "key", "1KEY"],
  ["EnvVar", "key", long(256)],
  ["EnvVar", "key", "TZ"],
  ["EnvVar", "key", "VERCEL_URL"],
  ["EnvVar", "comment", long(500)],
  ["EnvVar", "target", times(20, "preview")],
  ["EnvVar", "gitBranch", long(250)],
  ["FeatureFlag", "slug", "a b"],
  ["FeatureFlag", "slug", long(512)],
  ["FeatureFlag", "description", long(2000)],
  ["FeatureFlag", "tags", times(1000, "a")],
  ["FeatureFlag", "maintainerIds", times(1000, "a")],
  ["FeatureFlag", "variants[].id", long(512)],
  ["FeatureFlag", "variants[].label", long(2000)],
  ["FeatureFlag", "variants[].description", long(2000)],
  ["FeatureFlagSegment", "slug", "a/b"],
  ["FeatureFlagSegment", "label", long(512)],
  ["FeatureFlagSegment", "description", long(2000)],
  ["FeatureFlagSegment", "hint", long(2000)],
  ["FeatureFlagSdkKey", "label", long(2000)],
  ["FirewallBypass", "note", long(500)],
  ["MicrofrontendGroup", "name", " "],
  ["MicrofrontendGroup", "name", long(47)],
  ["MicrofrontendGroup", "defaultRoute", "docs"],
  ["MicrofrontendGroup", "defaultRoute", `/${long(1024)}`],
  ["MicrofrontendGroup", "fallbackEnvironment", long(100)],
  ["MicrofrontendGroupMembership", "microfrontendGroupId", "shop"],
  ["MicrofrontendGroupMembership", "defaultRoute", "/a b"],
  ["LogDrain", "endpoint", "ftp://example.com"],
  ["LogDrain", "endpoint", "https://user:password@example.com"],
  ["LogDrain", "endpoint", "https://example.com/a b"],
  ["LogDrain", "endpoint", `https://example.com/${long(2048)}`],
  ["LogDrain", "sources", times(7, "build")],
  ["LogDrain", "environments", times(2, "preview")],
  ["LogDrain", "headers", { "a b": "value" }],
  ["LogDrain", "headers", { host: "example.com" }],
  ["TraceDrain", "endpoint", "ftp://example.com"],
  ["TraceDrain", "samplingRules", times(50, { rate: 1 })],
  ["TraceDrain", "headers", { host: "example.com" }],
  ["AuditLogDrain", "endpoint", "s3://a"],
  ["AuditLogDrain", "endpoint", "https://user:password@example.com"],
  ["AuditLogDrain", "headers", { host: "example.com" }],
  ["Project", "name", "Web"],
  ["Project", "name", "a---b"],
  ["Project", "name", long(100)],
  ["Project", "buildCommand", long(256)],
  ["Project", "rootDirectory", "../web"],
  ["Project", "rootDirectory", "web/"],
  ["Project", "gitRepository.repo", `acme/${long(500)}`],
  ["Project", "gitRepository.repo", "web"],
  ["Project", "optionsAllowlist.paths[].value", `/${long(1000)}`],
  ["Project", "optionsAllowlist.paths[].value", "api"],
  ["Project", "autoAssignCustomDomainsUpdatedBy", long(256)],
  ["Project", "passwordProtection.password", long(72)],
  ["Project", "trustedIps.addresses[].value", "10.0.0.256"],
  ["Project", "trustedIps.addresses[].note", long(20)],
  ["Project", "trustedIps.addresses", times(1000, { value: "10.0.0.1" })],
  ["ProjectDomain", "name", "www"],
  ["ProjectDomain", "name", "https://www.example.com"],
  ["ProjectDomain", "gitBranch", long(250)],
  ["SharedEnvVar", "key", "1KEY"],
  ["SharedEnvVar", "key", "TZ"],
  ["SharedEnvVar", "key", "VERCEL_URL"],
  ["SharedEnvVar", "comment", long(500)],
  ["SharedEnvVar", "target", times(20, "preview")],
  ["TeamMember", "email", "ada"],
  ["TeamMember", "email", `${long(254)}@example.com`],
  ["CustomCertificate", "privateKey", "none"],
  ["CustomCertificate", "certificate", "none"],
  ["CustomCertificate", "certificateAuthorityCertificate", "none"],
  ["UserToken", "name", ""],
  ["UserToken", "name", " deploy"],
  ["UserToken", "name", long(256)],
  ["UserToken", "expiresAt", 0],
  ["UserToken", "expiresAt", 1.5],
  ["Webhook", "url", "ftp://example.com"],
  ["Webhook", "url", "https://user:password@example.com"],
  ["Webhook", "url", "https://example.com/a b"],
  ["Webhook", "url", `https://example.com/${long(2048)}`],
];

let w: Harness;
beforeAll(async () => {
  w = await startHarness();
});
beforeEach(async () => {
  await w.server.control.changeTeam("acme", {
    plan: "enterprise",
    addons: ["advanced-deployment-protection"],
  });
  await w.server.control.seed({
    gitProviders: [{ team: "acme", type: "github", repos: ["acme/web", "acme/other", "acme/api"] }],
  });
});
afterEach(() => w.server.control.reset());
afterAll(() => w.close());

it.each(forms)(
  "%s is refused at preview, as by the server, with the form of %s: %j",
  async (type, path, value) => {
    const subject = subjects.find(({ resource }) => resource.type === type);
    const row = subject?.rows.find((one) => one.path === path);
    if (!subject || !row) throw new Error(`no row of ${type} has the path ${path}`);
    const { given, known = {} } = await subject.prepare(w);
    const inputs = put(withKnown({ ...given, ...row.given }, known) as Plain, path, value);

    const [failure] = subject.resource.check({}, inputs);
    expect(failure?.reason).toMatch(/ must | has /);
    await expect(subject.resource.create(w.run, quietStep, inputs)).rejects.toThrow(/: 400 /);
    expect(subject.resource.check({}, put(inputs, path, unknown))).toEqual([]);
  },
);
