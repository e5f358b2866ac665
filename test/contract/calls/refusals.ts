import { type Contract, installationToken, viewerToken } from "../contract";
import { type Operation, operations } from "../operations";
import { body, everyOperation, naming, type Row, variable } from "./requests";

const onProject = everyOperation.slice(2);
const pausing = (operation: Operation): boolean => /pause$/.test(operation);
const writing = (operation: Operation): boolean => !operation.startsWith("GET");

/** Refusals as the clients throw them: their class for the status, and the code in it. */
export function refusals(contract: Contract): void {
  const rows = (given: readonly Row[]) =>
    given
      .filter(([operation]) => operations[operation].includes(contract.generation))
      .map(([operation, request, code]) => ({ operation, request, code }));

  it.each(rows(everyOperation))(
    "401: $operation with a token that nobody has",
    async ({ operation, request }) => {
      const outsider = contract.client.as("token-of-nobody");
      const refused = await outsider.refused(operation, { ...naming("some-project"), ...request });
      expect(refused).toEqual({ status: 401, code: "forbidden" });
    },
  );

  it.each(rows(everyOperation))(
    "403: $operation in a team that the token does not reach",
    async ({ operation, request }) => {
      const elsewhere = { ...naming("some-project"), ...request, slug: "nobodys" };
      expect(await contract.client.refused(operation, elsewhere)).toEqual({
        status: 403,
        code: "team_unauthorized",
      });
    },
  );

  it.each(rows(everyOperation.filter(([operation]) => writing(operation))))(
    "403: $operation by one who may only look",
    async ({ operation, request }) => {
      const { id } = await contract.project();
      const refused = await contract.client.as(viewerToken).refused(operation, { ...naming(id), ...request });
      expect(refused).toEqual({ status: 403, code: "forbidden" });
    },
  );

  it.each(rows(onProject))(
    "404, or 400 for pauses: $operation of an unknown project",
    async ({ operation, request }) => {
      const refused = await contract.client.refused(operation, { ...naming("unknown"), ...request });
      const expected = pausing(operation)
        ? { status: 400, code: "bad_request" }
        : { status: 404, code: "not_found" };
      expect(refused).toEqual(expected);
    },
  );

  it.each(
    rows([
      [
        "PATCH /v1/projects/:idOrName/protection-bypass",
        body({ revoke: { secret: "none", regenerate: false } }),
      ],
      ["POST /v10/projects/:projectId/promote/:deploymentId", {}],
      ["GET /v9/projects/:idOrName/domains/:domain", {}],
      ["PATCH /v9/projects/:idOrName/domains/:domain", body({})],
      ["DELETE /v9/projects/:idOrName/domains/:domain", body({})],
      ["GET /v1/projects/:idOrName/env/:id", {}],
      ["PATCH /v9/projects/:idOrName/env/:id", body({ value: "2" })],
      ["DELETE /v9/projects/:idOrName/env/:id", {}],
      ["GET /v1/env/:id", {}],
      ["GET /v5/domains/:domain/records", { domain: "unknown.example" }],
      ["PATCH /v1/domains/records/:recordId", { recordId: "rec_unknown", ...body({}) }],
      ["GET /v1/webhooks/:id", {}],
      ["DELETE /v1/webhooks/:id", {}],
      ["GET /v1/log-drains/:id", {}],
      ["GET /v13/deployments/:id", { idOrUrl: "dpl_unknown" }],
      ["GET /v1/integrations/configuration/:id", {}],
      ["DELETE /v1/integrations/configuration/:id", {}],
    ]),
  )("404: $operation of something unknown", async ({ operation, request }) => {
    const { id } = await contract.project();
    const refused = await contract.client.refused(operation, { ...naming(id), ...request });
    expect(refused).toEqual({ status: 404, code: "not_found" });
  });

  it.each(
    rows([
      ["POST /v10/projects", body({ name: "not---a-name" }), "bad_request"],
      ["GET /v9/projects", { limit: "many" }, "bad_request"],
      ["PATCH /v9/projects/:idOrName", body({ rootDirectory: "a".repeat(300) }), "bad_request"],
      [
        "PATCH /v1/projects/:idOrName/protection-bypass",
        body({ generate: { secret: "short" } }),
        "bad_request",
      ],
      ["GET /v1/projects/:projectId/promote/aliases", { limit: 101 }, "bad_request"],
      ["POST /v10/projects/:idOrName/domains", body({ name: "not a domain" }), "invalid_domain"],
      [
        "POST /v10/projects/:idOrName/domains",
        body({ name: "a.example.com", gitBranch: "next", redirect: "b.example.com" }),
        "bad_request",
      ],
      [
        "POST /v10/projects/:idOrName/domains",
        body({ name: "a.example.com", redirect: "a.example.com" }),
        "bad_request",
      ],
      ["GET /v9/projects/:idOrName/domains", { since: 0.5 }, "bad_request"],
      ["POST /v9/projects/:idOrName/domains/:domain/verify", {}, "bad_request"],
      ["POST /v10/projects/:idOrName/env", body({ ...variable, key: "1" }), "KEY_INVALID_CHARACTERS"],
    ]),
  )("400: $operation $request", async ({ operation, request, code }) => {
    const { id } = await contract.project();
    const refused = await contract.client.refused(operation, { ...naming(id), ...request });
    expect(refused).toEqual({ status: 400, code });
  });

  it("400: a challenge that is not met, and one that is met wrongly", async () => {
    const { client, server } = contract;
    const { id, name } = await contract.project();
    const domain = `${name}.com`;
    const add = { idOrName: id, requestBody: { name: domain } };
    await client.call("POST /v10/projects/:idOrName/domains", add);
    const verify = () =>
      client.refused("POST /v9/projects/:idOrName/domains/:domain/verify", { idOrName: id, domain });
    expect(await verify()).toEqual({ status: 400, code: "missing_txt_record" });
    await server.control.setTxt(`_vercel.${domain}`, `vc-domain-verify=${domain},00000000000000000000`);
    expect(await verify()).toMatchObject({ status: 400 });
    expect(await client.refused("POST /v10/projects/:idOrName/domains", add)).toEqual({
      status: 400,
      code: "existing_project_domain",
    });
  });

  it.each(
    rows(
      (
        [
          ["POST /v10/projects", body({ name: "some-name" })],
          ["PATCH /v9/projects/:idOrName", body({ framework: "nextjs" })],
          ["POST /v1/projects/:projectId/pause", {}],
          ["POST /v10/projects/:idOrName/domains", body({ name: "www.example.com" })],
          ["POST /v10/projects/:idOrName/env", body(variable)],
        ] as const
      ).map(([operation, request]) => [operation, { ...request, slug: "blocked" }] as const),
    ),
  )("402: $operation in an account that is blocked", async ({ operation, request }) => {
    const { projects } = await contract.client.call("GET /v9/projects", { slug: "blocked" });
    const refused = await contract.client.refused(operation, { ...naming(projects[0].id), ...request });
    expect(refused).toEqual({ status: 402, code: "payment_required" });
  });

  it("403: a variable that exists, and everything of a disabled installation", async () => {
    const { client } = contract;
    const { id } = await contract.project();
    const create = { idOrName: id, requestBody: variable };
    await client.call("POST /v10/projects/:idOrName/env", create);
    expect(await client.refused("POST /v10/projects/:idOrName/env", create)).toEqual({
      status: 403,
      code: "ENV_CONFLICT",
    });
    const { control } = contract.server;
    await control.seed({
      users: [{ username: "goer" }],
      teams: [{ slug: "acme", members: [{ user: "goer", role: "OWNER" }] }],
      installations: [{ integration: "cron", team: "acme", installedBy: "goer", token: "token-of-goer" }],
    });
    await control.removeMember("acme", "goer");
    expect(await client.as("token-of-goer").refused("GET /v9/projects", {})).toEqual({
      status: 403,
      code: "integration_configuration_disabled",
    });
  });

  it("403: an installation that lacks the scope, or leaves out its team", async () => {
    const installation = contract.client.as(installationToken);
    const { id: projectId } = await contract.project();
    const promote = { projectId, deploymentId: "dpl_unknown" };
    expect(
      await installation.refused("POST /v10/projects/:projectId/promote/:deploymentId", promote),
    ).toEqual({ status: 403, code: "forbidden" });
    expect(await installation.refused("GET /v9/projects", { slug: undefined })).toMatchObject({
      status: 403,
    });
  });

  it.each(
    rows([
      ["PATCH /v9/projects/:idOrName", body({ framework: "nextjs" })],
      ["DELETE /v9/projects/:idOrName", {}],
      ["POST /v10/projects/:idOrName/domains", body({ name: "moving.example.com" })],
      ["PATCH /v9/projects/:idOrName/domains/:domain", body({ redirect: null })],
      ["DELETE /v9/projects/:idOrName/domains/:domain", body({})],
      ["POST /v10/projects/:idOrName/env", body({ ...variable, key: "TWO" })],
      ["PATCH /v9/projects/:idOrName/env/:id", body({ value: "2" })],
      ["DELETE /v9/projects/:idOrName/env/:id", {}],
    ]),
  )("409: $operation while the project is being transferred", async ({ operation, request }) => {
    const { client, server } = contract;
    const { id, name } = await contract.project();
    const { created } = await client.call("POST /v10/projects/:idOrName/env", {
      idOrName: id,
      requestBody: variable,
    });
    const domain = `${name}.com`;
    await client.call("POST /v10/projects/:idOrName/domains", {
      idOrName: id,
      requestBody: { name: domain },
    });
    await server.control.startTransfer(id, { toUser: "dev" });
    const named = { ...naming(id), id: created.id, domain };
    expect(await client.refused(operation, { ...named, ...request })).toEqual({
      status: 409,
      code: "conflict",
    });
  });

  it("409: a name, a domain and a secret that are taken, and a deployment that is not ready", async () => {
    const { client, server } = contract;
    const [one, other] = [await contract.project(), await contract.project()];
    const conflict = { status: 409, code: "conflict" };
    expect(await client.refused("POST /v10/projects", body({ name: one.name }))).toEqual(conflict);
    const rename = { idOrName: other.id, ...body({ name: one.name }) };
    expect(await client.refused("PATCH /v9/projects/:idOrName", rename)).toEqual(conflict);
    const domain = body({ name: `${one.name}.com` });
    await client.call("POST /v10/projects/:idOrName/domains", { idOrName: one.id, ...domain });
    expect(
      await client.refused("POST /v10/projects/:idOrName/domains", { idOrName: other.id, ...domain }),
    ).toEqual({ status: 409, code: "domain_already_in_use" });
    const bypass = { idOrName: one.id, ...body({ generate: { secret: "b".repeat(32) } }) };
    await client.call("PATCH /v1/projects/:idOrName/protection-bypass", bypass);
    expect(await client.refused("PATCH /v1/projects/:idOrName/protection-bypass", bypass)).toEqual(conflict);
    const [deploymentId = ""] = await server.control.deploy({
      team: "acme",
      project: one.name,
      readyState: "ERROR",
    });
    expect(
      await client.refused("POST /v10/projects/:projectId/promote/:deploymentId", {
        projectId: one.id,
        deploymentId,
      }),
    ).toEqual(conflict);
  });

  it("428: protection that the plan has not", async () => {
    const request = {
      idOrName: "stalled",
      slug: "blocked",
      ...body({ passwordProtection: { deploymentType: "all", password: "x" } }),
    };
    await contract.server.control.changeTeam("blocked", { softBlocked: false });
    const refused = await contract.client.refused("PATCH /v9/projects/:idOrName", request);
    await contract.server.control.changeTeam("blocked", { softBlocked: true });
    expect(refused).toEqual({ status: 428, code: "upgrade_required" });
  });

  it.each(rows(everyOperation))("500: $operation", async ({ operation, request }) => {
    const { client, server } = contract;
    const path = (operation.split(" ")[1] ?? "")
      .replace(/:(idOrName|projectId)/, "some-project")
      .replace(":domain", "www.example.com")
      .replace(":deploymentId", "dpl_unknown")
      .replace(":id", "unknown");
    await server.control.addFaults({ kind: "status", status: 500, path });
    expect(await client.refused(operation, { ...naming("some-project"), ...request })).toEqual({
      status: 500,
      code: "internal_server_error",
    });
  });
}
