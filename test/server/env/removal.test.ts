import { beginTransfer, someVariable, useVariables } from "../../support/variables";
import { useTestServer } from "../../support/world";

const world = useTestServer();
const web = useVariables(world);

describe("the removal of a variable from one custom environment", () => {
  const ids: Record<string, string> = {};

  beforeEach(async () => {
    for (const slug of ["staging", "trial"]) {
      const { body } = await world.call("POST", "/v9/projects/web/custom-environments", { body: { slug } });
      ids[slug] = body.id;
    }
  });

  const removeFrom = (id: string, customEnvironmentId: string, token?: string) =>
    world.call("DELETE", `/v9/projects/web/env/${id}`, {
      query: { customEnvironmentId },
      ...(token === undefined ? {} : { token }),
    });
  const changes = async (): Promise<string[]> =>
    (await world.control.events())
      .map(({ type }) => String(type))
      .filter((type) => type.includes("env-variable"));

  it("keeps the variable in its other environments", async () => {
    const { id } = await web.add({ target: ["production"], customEnvironmentIds: [ids.staging, ids.trial] });
    const { status, body } = await removeFrom(id, ids.staging ?? "");
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { id, target: ["production"], customEnvironmentIds: [ids.trial] },
    });
    expect((await web.read(id)).body).toMatchObject({ value: someVariable.value, target: ["production"] });
    expect((await changes())[0]).toBe("project.env-variable.updated");
  });

  it("frees the key in that environment", async () => {
    const { id } = await web.add({ customEnvironmentIds: [ids.staging] });
    await removeFrom(id, ids.staging ?? "");
    await web.add({ target: [], customEnvironmentIds: [ids.staging] });
  });

  it("deletes a variable that is for no other environment", async () => {
    const { id } = await web.add({ target: [], customEnvironmentIds: [ids.staging] });
    expect((await removeFrom(id, "staging")).status).toBe(200);
    expect((await web.read(id)).status).toBe(404);
    expect((await changes())[0]).toBe("project.env-variable.deleted");
  });

  it.each([
    ["an environment that the variable is not for", "trial"],
    ["an environment that does not exist", "none"],
    ["a target", "preview"],
    ["nothing", ""],
  ])("is refused with 404 for %s", async (_what, environment) => {
    const { id } = await web.add({ customEnvironmentIds: [ids.staging] });
    const { status, body } = await removeFrom(id, environment);
    expect({ status, code: body.error?.code }).toEqual({ status: 404, code: "not_found" });
    expect((await web.read(id)).body).toMatchObject({
      target: ["preview"],
      customEnvironmentIds: [ids.staging],
    });
  });

  it("is refused with 403 to a developer when the variable is for production too", async () => {
    const token = await world.member("DEVELOPER");
    const { id } = await web.add({ target: ["production"], customEnvironmentIds: [ids.staging] });
    expect((await removeFrom(id, "staging", token)).status).toBe(403);
  });

  it("is refused with 409 while the project is transferred", async () => {
    const { id } = await web.add({ customEnvironmentIds: [ids.staging] });
    await beginTransfer(world);
    expect((await removeFrom(id, "staging")).status).toBe(409);
  });
});
