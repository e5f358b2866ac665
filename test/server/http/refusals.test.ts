import * as z from "zod";
import { App } from "../../../server/http/app";
import { serveApi } from "../../../server/http/pipeline";
import { route } from "../../../server/http/route";
import { Refusal } from "../../../server/platform/refusal";
import { developmentToken } from "../../../server/seed/development-account";
import { useTestServer } from "../../support/world";

const world = useTestServer();

/** Asks a route that documents a conflict, and is refused with another code. */
async function refusedWith(status: number, code: string, strict: boolean): Promise<[number, string]> {
  const { services } = world;
  const app = new App(services.log);
  const refusing = route({
    method: "GET",
    path: "/v1/things",
    operationId: "getThings",
    summary: "Is refused.",
    scope: [],
    success: [200, z.strictObject({})],
    throws: [[409, "conflict", "always"]],
    handle: () => Promise.reject(new Refusal(status, code, "It is refused.")),
  });
  serveApi(app, [refusing], { services, strict, limited: false });
  const answer = await app.inject({
    url: "/v1/things",
    headers: { authorization: `Bearer ${developmentToken}` },
  });
  return [answer.statusCode, answer.json().error.code];
}

describe("where answers are checked", () => {
  it.each([
    [409, "conflict"],
    [403, "team_unauthorized"],
  ])("a refusal %d %s that the document tells of is answered", async (status, code) => {
    expect(await refusedWith(status, code, true)).toEqual([status, code]);
  });

  it.each([
    [409, "other"],
    [404, "conflict"],
  ])("a refusal %d %s that no document tells of is a failure of the server", async (status, code) => {
    expect(await refusedWith(status, code, true)).toEqual([500, "internal_server_error"]);
  });
});

test("to clients every refusal is answered", async () => {
  expect(await refusedWith(409, "other", false)).toEqual([409, "other"]);
});
