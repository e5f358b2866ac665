import { developmentToken } from "../../../server/seed/development-account";
import { tableNames } from "../../../server/store/tables";
import { useFurnishedServer } from "../../support/furnished";
import { beginTransfer } from "../../support/variables";

const { world, acme } = useFurnishedServer();

const remove = async (options: object = {}) => {
  const { status, body } = await world.call("DELETE", "/v1/teams/acme", { team: null, ...options });
  return [status, body.error?.code ?? body];
};

/** The tables with rows that contain one of these texts. */
const tablesWith = (...texts: string[]) =>
  world.services.store.read(async (tx) => {
    const found: string[] = [];
    for (const table of tableNames) {
      const rows = await tx
        .selectFrom(table as "projects")
        .selectAll()
        .execute();
      if (rows.some((row) => texts.some((text) => JSON.stringify(row).includes(`"${text}"`))))
        found.push(table);
    }
    return found.sort();
  });

it("deletes a team with everything that it owns", async () => {
  const url = "https://acme.example.org/";
  await world.call("POST", "/v1/webhooks", { body: { url, events: ["project.removed"] } });
  // A deployment without a project.
  await world.seed({ deployments: [{ id: "dpl_alone", team: "acme", project: "gone" }] });
  const things = acme();
  const { configuration, ...owned } = things;
  const people = [things.member, things.projectMember, things.asker];
  const ids = Object.values(owned).filter((id) => !people.includes(id));
  expect((await tablesWith(things.team)).length).toBeGreaterThan(15);
  expect(await remove({ query: { newDefaultTeamId: "team_x" } })).toEqual([
    200,
    { id: things.team, newDefaultTeamIdError: true },
  ]);
  // The webhook still gets the events.
  expect(await tablesWith(things.team, ...ids)).toEqual(["events", "receivers"]);
  expect(await tablesWith(configuration)).toEqual(expect.arrayContaining(["retired_ids"]));
  expect((await world.call("GET", "/v2/teams/acme", { team: null })).status).toBe(403);
  expect((await world.call("GET", "/v2/user", { team: null })).status).toBe(200);
  expect((await world.app.inject("/")).statusCode).toBe(200);
  expect((await world.call("GET", "/v9/projects", { token: "token-of-icfg-acme" })).status).toBe(401);
});

it("tells its webhooks and installations of the removals", async () => {
  await world.call("DELETE", "/v1/teams/acme", { team: null });
  const types = (await world.control.events()).map(({ type }) => type);
  expect(types.slice(0, 3).sort()).toEqual([
    "integration-configuration.removed",
    "project.removed",
    "project.removed",
  ]);
});

it("leaves other teams as they are, also their slugs free for another", async () => {
  const token = await world.team("other");
  await world.seed({ projects: [{ team: "other", name: "web" }] });
  await remove();
  expect((await world.call("GET", "/v9/projects/web", { team: "other", token })).status).toBe(200);
  const again = await world.call("POST", "/v1/teams", { team: null, body: { slug: "acme" } });
  expect(again.status).toBe(200);
  expect((await world.call("GET", "/v9/projects")).body.projects).toEqual([]);
});

it("is refused to those who are no owners, during a transfer, and with another body", async () => {
  expect(await remove({ token: await world.member("MEMBER") })).toEqual([403, "forbidden"]);
  expect(await remove({ token: await world.team("other") })).toEqual([403, "team_unauthorized"]);
  expect(await remove({ body: { other: 1 } })).toEqual([400, "bad_request"]);
  await beginTransfer(world, "acme-web");
  expect(await remove({ body: { reasons: [] } })).toEqual([409, "conflict"]);
  expect((await world.call("GET", "/v2/teams/acme")).status).toBe(200);
});

it("is refused while a project is being transferred to the team", async () => {
  await world.team("other");
  await world.seed({ projects: [{ id: "prj_o", team: "other", name: "o" }] });
  await world.control.startTransfer("prj_o", { toTeam: "acme" });
  expect(await remove({ token: developmentToken })).toEqual([409, "conflict"]);
});
