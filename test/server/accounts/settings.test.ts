import { useTestServer } from "../../support/world";

const world = useTestServer();

describe("the settings of a team", () => {
  const update = (body: object, options: object = {}) =>
    world.call("PATCH", "/v2/teams/acme", { body, ...options });
  const read = async (team = "acme") => (await world.call("GET", `/v2/teams/${team}`)).body;

  it.each(
    Object.entries({
      avatar: "0123456789abcdef0123456789abcdef01234567",
      description: "Makes things",
      emailDomain: "example.com",
      previewDeploymentSuffix: "example.dev",
      stagingPrefix: "staging",
      saml: { enforced: true, roles: { admins: "OWNER", guests: { accessGroupId: "ag_1" } } },
      enablePreviewFeedback: "on",
      enableProductionFeedback: "off",
      sensitiveEnvironmentVariablePolicy: "default",
      disjunctiveProductionSecretPolicy: "on",
      remoteCaching: { enabled: true },
      hideIpAddresses: true,
      hideIpAddressesInLogDrains: false,
      dpAccessRequestsMode: "email-domain",
      requireVerifiedCommits: true,
      disableRepositoryDispatchEvents: true,
      defaultPassport: { connectorId: "c", deploymentType: "preview" },
      deploymentPolicy: { gitSources: [] },
      strictDeploymentProtectionSettings: { enabled: true },
      strictShareableLinks: { enabled: true },
      strictPasswordProtectionSettings: { enabled: false },
      strictConnectors: { enabled: true },
      nsnbConfig: { preference: "block" },
      defaultProjectJobs: { lint: { targets: ["production"] } },
      resourceConfig: { buildMachine: { default: "standard" } },
    }),
  )("have %s, as it was sent, and keep it", async (name, value) => {
    const { status, body } = await update({ [name]: value });
    expect({ status, value: body[name] }).toEqual({ status: 200, value });
    await update({ hideIpAddresses: true });
    expect((await read())[name]).toEqual(value);
    expect((await world.call("GET", "/v2/teams")).body.teams[0][name]).toEqual(value);
  });

  it("clear what null clears", async () => {
    await update({ avatar: "a", previewDeploymentSuffix: "example.dev" });
    await update({ avatar: null, previewDeploymentSuffix: null });
    expect(await read()).toMatchObject({ avatar: null, previewDeploymentSuffix: null });
  });

  it("show no password, and periods in days", async () => {
    await update({
      defaultDeploymentProtection: {
        passwordProtection: { deploymentType: "all", password: "canary" },
        ssoProtection: null,
      },
      defaultExpirationSettings: { expiration: "2w", expirationProduction: "unlimited" },
    });
    const team = await read();
    expect(team).toMatchObject({
      defaultDeploymentProtection: { passwordProtection: { deploymentType: "all" }, ssoProtection: null },
      defaultExpirationSettings: { expirationDays: 14, expirationDaysProduction: 36_500 },
    });
    expect(JSON.stringify([team, await world.control.snapshot()])).not.toContain("canary");
  });

  it.each([
    ["enablePreviewFeedback", "maybe"],
    ["description", "x".repeat(141)],
    ["hideIpAddresses", "yes"],
    ["remoteCaching", { size: 1 }],
    ["slug", "Acme Inc"],
    ["colour", "red"],
  ])("refuse %s with another value", async (name, value) => {
    expect((await update({ [name]: value })).status).toBe(400);
  });

  it("have at most 65,536 characters each", async () => {
    const filled = (length: number) => ({ a: "x".repeat(length - JSON.stringify({ a: "" }).length) });
    expect((await update({ deploymentPolicy: filled(65_536) })).status).toBe(200);
    expect((await update({ deploymentPolicy: filled(65_537) })).status).toBe(400);
  });

  it("are changed by owners alone", async () => {
    for (const role of ["MEMBER", "VIEWER"] as const)
      expect((await update({ description: "x" }, { token: await world.member(role) })).status).toBe(403);
    expect((await read()).description).toBeNull();
  });

  it("come with a seed, are in the snapshot, and stay as they are with a seed that has none", async () => {
    await world.seed({ teams: [{ slug: "acme", settings: { description: "Seeded", colour: "red" } }] });
    await world.seed({ teams: [{ slug: "acme" }] });
    expect((await read()).description).toBe("Seeded");
    const { accounts } = await world.control.snapshot();
    expect(accounts.find(({ slug }) => slug === "acme")).toMatchObject({
      settings: { description: "Seeded" },
    });
  });
});

describe("the slug of a team", () => {
  beforeEach(() => world.seed({ projects: [{ team: "acme", name: "web" }] }));

  const rename = (slug: string) => world.call("PATCH", "/v2/teams/acme", { body: { slug } });

  it("changes, with what the team has", async () => {
    const { body } = await rename("acme-inc");
    expect(body.slug).toBe("acme-inc");
    expect((await world.call("GET", "/v9/projects", { team: "acme" })).status).toBe(403);
    const { projects } = (await world.call("GET", "/v9/projects", { team: "acme-inc" })).body;
    expect(projects).toHaveLength(1);
  });

  it("stays, also if it is sent", async () => {
    expect(await rename("acme")).toMatchObject({ status: 200, body: { slug: "acme" } });
  });

  it("is refused with 409 if another team has it", async () => {
    await world.team("other");
    expect(await rename("other")).toMatchObject({ status: 409, body: { error: { code: "conflict" } } });
  });
});
