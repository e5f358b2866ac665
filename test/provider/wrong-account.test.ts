import type { Client } from "../../provider/client/client";
import type { Plain } from "../../provider/core/values";
import { customEnvironment } from "../../provider/resources/custom-environment";
import { project } from "../../provider/resources/project";
import { teamConfig } from "../../provider/resources/team-config";
import { given, operations } from "./operations";
import { type Harness, quietStep, startHarness } from "./stack";

let w: Harness;
let elsewhere: Harness;
beforeAll(async () => {
  [w, elsewhere] = await Promise.all([startHarness(), startHarness()]);
});
beforeEach(async () => {
  await w.server.control.reset();
  await w.server.control.seed({
    ...given,
    teams: [{ slug: "beta", members: [{ user: "dev", role: "OWNER" }] }],
  });
});
afterAll(() => Promise.all([w.close(), elsewhere.close()]));

const created = operations.filter(({ name }) => name.endsWith(": create"));

it.each(created)(
  "$name: another account or address refreshes, updates and deletes nothing, and says so",
  async ({ resource, prepare, inputs }) => {
    const prepared: Plain = (await prepare?.(w)) ?? {};
    const stack = w.stack(resource);
    const declared = inputs?.(prepared) ?? {};
    await stack.up(declared);
    const { now: _, ...before } = await w.server.control.snapshot();
    const state = JSON.stringify([stack.id, stack.state]);
    for (const [client, says] of [
      [w.another({ team: "beta" }), /created in another account.*SLIPWAY_TEAM/],
      [w.another({ team: "" }), /created in another account.*SLIPWAY_TEAM/],
      // Both servers have the team with one id, as an account and its copy have.
      ...(resource === teamConfig
        ? []
        : ([[elsewhere.another(), /created at another address.*SLIPWAY_API_URL/]] as const)),
    ] as const) {
      await expect(stack.refresh(client)).rejects.toThrow(says);
      await expect(stack.destroy(client)).rejects.toThrow(says);
      const update = resource.update(w.runOf(client), quietStep, stack.id, stack.state, declared);
      await expect(update).rejects.toThrow(says);
    }
    expect(JSON.stringify([stack.id, stack.state])).toBe(state);
    const { now: __, ...after } = await w.server.control.snapshot();
    expect(after).toEqual(before);
  },
);

it.each(created)(
  "$name: a provider of another account creates it again there, but not by its token alone",
  async ({ resource, prepare, inputs }) => {
    const prepared: Plain = (await prepare?.(w)) ?? {};
    const stack = w.stack(resource);
    const declared = inputs?.(prepared) ?? {};
    await stack.up(declared);
    const diff = (client: Client) => resource.diff(w.runOf(client), stack.id, stack.state, declared);
    expect(await diff(w.another({ explicitProvider: "with-team" }))).toMatchObject({ changes: [] });
    // Of the environment, which may be a mistake: whatever asks the service then is refused.
    expect((await diff(w.another({ team: "beta" }))).replaces).not.toContain("provider");
    const beta = w.another({ team: "beta", explicitProvider: "with-team" });
    expect(await diff(beta)).toMatchObject({ replaces: expect.arrayContaining(["provider"]) });
    await expect(diff(w.another({ team: "beta", explicitProvider: "without-team" }))).rejects.toThrow(
      /is not in the account team_.*Restore the token of that account/,
    );
    // Another name of this machine is the same address.
    const apiUrl = w.server.url.replace("127.0.0.1", "localhost");
    expect(await diff(w.another({ apiUrl, explicitProvider: "with-team" }))).toMatchObject({ changes: [] });
    const renamed = w.another({ apiUrl, team: "beta", explicitProvider: "with-team" });
    expect(await diff(renamed)).toMatchObject({ replaces: expect.arrayContaining(["provider"]) });
    // A stack may be pointed at a copy.
    const copy = elsewhere.another({ explicitProvider: "with-team" });
    expect((await diff(copy)).replaces).not.toContain("provider");
  },
);

/**
 * Those whose object goes with a project. Domains, shared variables, their links, members, stores,
 * installations and access tokens stay.
 */
const ofProject = created.filter(
  ({ name }) =>
    !/^(Webhook|Domain:|DnsRecord|(Log|Trace|AuditLog)Drain|SharedEnvVar|TeamMember|ProjectMember|EdgeConfig|TeamConfig|AccessGroup|MicrofrontendGroup|UserToken|CustomCertificate|IntegrationProjectAccess|BlobStore)/.test(
      name,
    ),
);

it.each(ofProject)(
  "$name: what was transferred with its project is not gone, and the account that has it is named",
  async ({ resource, prepare, inputs }) => {
    const prepared: Plain = (await prepare?.(w)) ?? {};
    const stack = w.stack(resource);
    await stack.up(inputs?.(prepared) ?? {});
    const id = String(stack.state.projectId ?? stack.id);
    const beta = ((await w.curl("GET", "/v2/teams/beta")) as { id?: string }).id;
    await w.server.control.startTransfer(id, { toTeam: "beta" });
    await w.server.control.completeTransfer(id);
    const { now: _, ...before } = await w.server.control.snapshot();
    const state = JSON.stringify([stack.id, stack.state]);
    const client = w.another();
    const says = new RegExp(`was transferred to the account ${beta}.*SLIPWAY_TEAM.*pulumi state delete`);
    await expect(stack.refresh(client)).rejects.toThrow(says);
    await expect(stack.destroy(client)).rejects.toThrow(says);
    const update = resource.update(w.runOf(client), quietStep, stack.id, stack.state, stack.inputs);
    await expect(update).rejects.toThrow(says);
    expect(JSON.stringify([stack.id, stack.state])).toBe(state);
    const { now: __, ...after } = await w.server.control.snapshot();
    expect(after).toEqual(before);
    // To the account that it was transferred to, it is what it was.
    expect(await stack.refresh(w.another({ team: "beta" }))).toBe(true);
    expect(await stack.refresh(w.another({ team: "beta" }))).toBe(true);
  },
);

it("what is gone in all accounts of the token is gone, and so is a part of a project that is there", async () => {
  const [gone, part] = [w.stack(project), w.stack(customEnvironment)];
  await gone.up({ name: "gone" });
  await part.up({ project: "web", slug: "staging" });
  await w.curl("DELETE", `/v9/projects/${gone.id}`);
  const [id, environment] = part.id.split("/");
  await w.curl("DELETE", `/v9/projects/${id}/custom-environments/${environment}`, {});
  const client = w.another();
  expect(await gone.refresh(client)).toBe(false);
  expect(await part.refresh(client)).toBe(false);
});

it("a project that was transferred to the account of its provider stays what it is", async () => {
  const stack = w.stack(project);
  await stack.up({ name: "mine" });
  await w.server.control.startTransfer(stack.id, { toTeam: "beta" });
  await w.server.control.completeTransfer(stack.id);
  const beta = w.another({ team: "beta", explicitProvider: "with-team" });
  stack.use(beta);
  expect(await stack.up({ name: "mine" })).toBe("same");
  await stack.refresh();
  expect(await stack.up({ name: "mine", gitLFS: true })).toBe("update");
});

it("what is not found is not gone where the token cannot read its account", async () => {
  const stack = w.stack(project);
  await stack.up({ name: "mine" });
  await w.curl("DELETE", `/v9/projects/${stack.id}`);
  const client = w.another();
  jest.spyOn(client, "account").mockResolvedValue(undefined);
  const says =
    /was not found at .* cannot read its account, so it does not count as deleted\. Set the team by its id/;
  await expect(stack.refresh(client)).rejects.toThrow(says);
  await expect(stack.destroy(client)).rejects.toThrow(says);
});
