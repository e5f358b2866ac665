import { engine } from "../support/engine";
import { addIntegration, exchange, install } from "../support/integrations";
import { type Answer, type TestServer, useTestServer } from "../support/world";

const rounds = process.env.SLIPWAY_TEST_LONG ? 50 : 4;
const racers = 8;
const numbers = [...Array(racers).keys()];

const world = useTestServer();

/** `status code`, most frequent last. */
const outcome = ({ status, body }: Answer): string =>
  `${status} ${body?.error?.code ?? body?.error ?? ""}`.trim();

const setUps: [string, () => Promise<TestServer[]>][] = [
  ["one server", async () => [world]],
  ["two servers over one database", async () => [world, await world.replica()]],
];

describe.each(engine === "postgres" ? setUps : setUps.slice(0, 1))(
  "of clients that race through %s",
  (_, open) => {
    let servers: TestServer[];

    beforeEach(async () => {
      servers = await open();
    });

    /**
     * Sends all requests at once, alternately to the servers, round after round.
     * @returns what was answered each time: a winner's answer, and the different answers of the others
     */
    async function race(
      send: (server: TestServer, racer: number, round: number) => Promise<Answer>,
      prepare: (round: number) => Promise<unknown> = async () => {},
    ): Promise<string[][]> {
      const results: string[][] = [];
      for (let round = 0; round < rounds; round++) {
        await prepare(round);
        const answers = await Promise.all(
          numbers.map((racer) => send(servers[racer % servers.length] ?? world, racer, round)),
        );
        const outcomes = answers.map(outcome);
        const won = outcomes.filter((each) => each.startsWith("2"));
        results.push([...won, ...new Set(outcomes.filter((each) => !each.startsWith("2")))]);
      }
      return results;
    }

    /** The expected result of every round. */
    const eachTime = (...result: string[]): string[][] => Array.from({ length: rounds }, () => result);

    const create = (name: string, server = world) => server.call("POST", "/v10/projects", { body: { name } });
    const projects = () => Promise.all(numbers.map((racer) => create(`p-${racer}`)));

    it("one gets the project's name", async () => {
      const results = await race((server, _racer, round) => create(`web-${round}`, server));
      expect(results).toEqual(eachTime("200", "409 conflict"));
      const { body } = await world.call("GET", "/v9/projects?limit=100");
      expect(body.projects).toHaveLength(rounds);
    });

    it("one renames a project to it", async () => {
      const ids = (await projects()).map(({ body }) => body.id);
      const results = await race((server, racer, round) =>
        server.call("PATCH", `/v9/projects/${ids[racer]}`, { body: { name: `web-${round}` } }),
      );
      expect(results).toEqual(eachTime("200", "409 conflict"));
    });

    it("one gets the domain, of an account's projects", async () => {
      await projects();
      const results = await race((server, racer, round) =>
        server.call("POST", `/v10/projects/p-${racer}/domains`, {
          body: { name: `www-${round}.example.com` },
        }),
      );
      expect(results).toEqual(eachTime("200", "409 domain_already_in_use"));
    });

    it("one gets the domain, of accounts that all published a record for it", async () => {
      const of = (racer: number) => ({ team: `team-${racer}`, token: `token-of-owner-of-team-${racer}` });
      for (const racer of numbers) {
        await world.team(of(racer).team);
        await world.seed({ projects: [{ team: of(racer).team, name: "web" }] });
      }
      const results = await race(
        (server, racer, round) =>
          server.call("POST", `/v9/projects/web/domains/www-${round}.example.com/verify`, of(racer)),
        async (round) => {
          const records: string[] = [];
          for (const racer of numbers) {
            const body = { name: `www-${round}.example.com` };
            const added = await world.call("POST", "/v10/projects/web/domains", { ...of(racer), body });
            records.push(added.body.verification[0].value);
          }
          await world.control.setTxt("_vercel.example.com", ...records);
        },
      );
      expect(results).toEqual(eachTime("200", "400 existing_project_domain"));
    });

    it("one gets the domain, of an account that is born with it and one that has its record", async () => {
      await world.team("apex");
      await world.team("record");
      const of = (team: string) => ({ team, token: `token-of-owner-of-${team}` });
      await world.seed({
        projects: [
          { team: "apex", name: "web" },
          { team: "record", name: "web" },
        ],
        domains: [{ team: "apex", project: "web", name: "example.com", verified: true }],
      });
      const results = await race(
        (server, racer, round) => {
          const name = `www-${round}.example.com`;
          return racer % 2 === 0
            ? server.call("POST", `/v9/projects/web/domains/${name}/verify`, of("record"))
            : server.call("POST", "/v10/projects/web/domains", { ...of("apex"), body: { name } });
        },
        async (round) => {
          const body = { name: `www-${round}.example.com` };
          const added = await world.call("POST", "/v10/projects/web/domains", { ...of("record"), body });
          const [{ domain, value }] = added.body.verification;
          await world.control.setTxt(domain, value);
        },
      );
      for (const [round, result] of results.entries()) {
        const name = `www-${round}.example.com`;
        const held = [];
        for (const team of ["apex", "record"]) {
          held.push((await world.call("GET", `/v9/projects/web/domains/${name}`, of(team))).body.verified);
        }
        expect(held.filter((verified) => verified === true)).toHaveLength(1);
        // The owner can verify it again and again; the one who comes too late is refused.
        expect(held[1] ? result.slice(0, 4) : result.slice(0, 1)).toEqual(
          held[1] ? ["200", "200", "200", "200"] : ["200"],
        );
      }
    });

    it("as many add domains as the plan has room for", async () => {
      const token = await world.team("small", { plan: "hobby" });
      const results = await race(
        (server, racer, round) =>
          server.call("POST", `/v10/projects/web-${round}/domains`, {
            team: "small",
            token,
            body: { name: `www-${racer}-${round}.example.com` },
          }),
        (round) =>
          world.seed({
            projects: [{ team: "small", name: `web-${round}` }],
            domains: Array.from({ length: 48 }, (_, n) => ({
              team: "small",
              project: `web-${round}`,
              name: `seed-${n}-${round}.example.com`,
            })),
          }),
      );
      expect(results).toEqual(eachTime("200", "200", "400 bad_request"));
    });

    it("one makes the variable", async () => {
      await create("web");
      const results = await race((server, racer, round) =>
        server.call("POST", "/v10/projects/web/env", {
          body: { key: `KEY_${round}`, value: `v${racer}`, type: "plain", target: ["production"] },
        }),
      );
      expect(results).toEqual(eachTime("201", "403 ENV_CONFLICT"));
      const { body } = await world.call("GET", "/v9/projects/web/env");
      expect(body.envs).toHaveLength(rounds);
    });

    it("as many make variables as there is room for", async () => {
      const results = await race(
        (server, racer, round) =>
          server.call("POST", `/v10/projects/web-${round}/env`, {
            body: { key: `KEY_${racer}`, value: "v".repeat(20_000), type: "plain", target: ["production"] },
          }),
        (round) => create(`web-${round}`),
      );
      expect(results).toEqual(eachTime("201", "201", "201", "400 BAD_REQUEST"));
    });

    it("one exchanges the code", async () => {
      await addIntegration(world);
      let code = "";
      const results = await race(
        (server) => exchange(server, { code }),
        async () => {
          ({ code } = await install(world));
        },
      );
      expect(results).toEqual(eachTime("200", "400 invalid_grant"));
    });

    it("one promotes", async () => {
      await create("web");
      const ids = await world.control.deploy(
        ...numbers.map((racer) => ({ team: "acme", project: "web", createdAt: racer + 1 })),
      );
      for (const server of servers) await server.control.planPromotions({ delayMs: 1000 });
      const results = await race(
        (server, racer) => server.call("POST", `/v10/projects/web/promote/${ids[racer]}`),
        async () => {
          // Each server has its own clock, and none may think that a promotion of another is over.
          for (const server of servers) await server.advance(1000);
        },
      );
      expect(results).toEqual(eachTime("201", "409 conflict"));
    });

    it("all their events are told, each with a number of its own", async () => {
      await race((server, racer, round) => create(`web-${racer}-${round}`, server));
      const events = await world.services.store.read((tx) =>
        tx
          .selectFrom("events")
          .select("sequence")
          .where("type", "=", "project.created")
          .orderBy("sequence")
          .execute(),
      );
      const [first] = events;
      expect(events.map(({ sequence }) => sequence - (first?.sequence ?? 0))).toEqual([
        ...Array(racers * rounds).keys(),
      ]);
    });

    it("each reads what it wrote, through whichever server", async () => {
      await projects();
      const results = await race(async (server, racer, round) => {
        const body = { key: `KEY_${round}`, value: "v", type: "plain", target: ["preview"] };
        const { body: made } = await server.call("POST", `/v10/projects/p-${racer}/env`, { body });
        const other = servers.find((each) => each !== server) ?? server;
        const read = await other.call("GET", `/v9/projects/p-${racer}`);
        const shown = read.body.env.map(({ id }: { id: string }) => id);
        return { ...read, status: shown.includes(made.created.id) ? 200 : 500 };
      });
      expect(results).toEqual(eachTime(...numbers.map(() => "200")));
    });
  },
);
