/** @own-code The schemas of the test and of the server share their registry. */

import * as z from "zod";
import { envScope } from "../../../server/access/scopes";
import { openRoute, route } from "../../../server/http/route";
import { openApi } from "../../../server/ops/openapi";

/** How the OpenAPI document is made of routes. */

const error = { "application/json": { schema: { $ref: "#/components/schemas/Error" } } };
const refused = (description: unknown) => ({ description, content: error });
const always = {
  400: refused("`bad_request`: an invalid value in the body or the query"),
  429: refused("`rate_limited`: too many requests, where limits are switched on"),
  500: refused("`internal_server_error`: the server failed"),
};
const known = {
  ...always,
  401: refused("`forbidden`: the access token is missing or unknown, or has expired"),
  403: refused(
    expect.stringMatching(
      /^`forbidden`: .+; `team_unauthorized`: .+; `integration_configuration_disabled`: the installation .+$/,
    ),
  ),
};
const tooLarge = { 413: refused("`bad_request`: the body is too large") };
const handle = async () => ({});

// biome-ignore lint/suspicious/noExplicitAny: the document is compared member by member
const document = (...routes: Parameters<typeof openApi>[0]): any => openApi(routes);
const account = ["teamId", "slug"].map((name) => ({
  name,
  in: "query",
  description: expect.stringContaining("team that the request acts on"),
  required: false,
  schema: { type: "string" },
}));

it("tells of path, query, body, answer and refusals", () => {
  const patch = route({
    method: "PATCH",
    path: "/v1/things/:idOrName/:part",
    operationId: "updateThing",
    summary: "Changes a thing.",
    scope: ["read-write:project", envScope],
    params: z.object({ idOrName: z.string(), part: z.string().describe("Name of the part.") }),
    query: z.object({ size: z.int().min(1).max(5), colour: z.string().optional() }),
    body: z.strictObject({ name: z.string().default("none"), kind: z.enum(["a", "b"]).optional() }),
    success: [201, z.strictObject({ id: z.string() })],
    throws: [
      [404, "not_found", "no such thing"],
      [400, "mismatch", "it does not match"],
    ],
    refuse: [
      [409, "conflict", "It is there.", () => false],
      [402, "payment", () => "Pay.", () => false],
    ],
    handle,
  });
  expect(document(patch).paths).toEqual({
    "/v1/things/{idOrName}/{part}": {
      patch: expect.objectContaining({
        summary: "Changes a thing.",
        description:
          "Needs `read-write:project` and `read-write:global-project-env-vars` or `read-write:project-env-vars`.",
        parameters: [
          {
            name: "idOrName",
            in: "path",
            description: "Id or name of the project.",
            required: true,
            schema: { type: "string" },
          },
          {
            name: "part",
            in: "path",
            description: "Name of the part.",
            required: true,
            schema: { type: "string" },
          },
          { name: "size", in: "query", required: true, schema: { type: "integer", minimum: 1, maximum: 5 } },
          { name: "colour", in: "query", required: false, schema: { type: "string" } },
          ...account,
        ],
        requestBody: {
          required: false,
          content: {
            "application/json": {
              schema: {
                type: "object",
                properties: {
                  name: { type: "string", default: "none" },
                  kind: { type: "string", enum: ["a", "b"] },
                },
                additionalProperties: false,
              },
            },
          },
        },
        responses: {
          201: {
            description: "Done.",
            content: {
              "application/json": {
                schema: {
                  type: "object",
                  properties: { id: { type: "string" } },
                  required: ["id"],
                  additionalProperties: false,
                },
              },
            },
          },
          ...known,
          ...tooLarge,
          400: refused(`${always[400].description}; \`mismatch\`: it does not match`),
          402: refused("`payment`"),
          404: refused("`not_found`: no such thing"),
          409: refused("`conflict`: It is there."),
        },
      }),
    },
  });
});

it("tells of an answer what is there after defaults, and of a request what may be left out", () => {
  const shape = z.object({ name: z.string().default("none") });
  const put = route({
    method: "PUT",
    path: "/v1/x",
    operationId: "replaceX",
    summary: "",
    scope: [],
    body: shape,
    success: [200, shape],
    handle,
  });
  const { requestBody, responses, description, parameters } = document(put).paths["/v1/x"].put;
  expect(requestBody.content["application/json"].schema.required).toBeUndefined();
  expect(responses[200].content["application/json"].schema.required).toEqual(["name"]);
  expect([description, parameters]).toEqual(["", account]);
});

it("tells of what takes no token, and of forms", () => {
  const schema = { type: "object", properties: { code: { type: "string" } }, required: ["code"] };
  const post = openRoute({
    method: "POST",
    path: "/v2/oauth/token",
    operationId: "exchangeCode",
    summary: "Exchanges.",
    form: true,
    body: z.object({ code: z.string() }),
    success: [204, null],
    accountOf: async () => "team_1",
    handle,
  });
  const { paths, security } = document(post);
  expect(security).toEqual([{ token: [] }]);
  expect(paths["/v2/oauth/token"].post).toMatchObject({
    description: "Needs no access token.",
    parameters: [],
    security: [],
    requestBody: {
      required: true,
      content: { "application/x-www-form-urlencoded": { schema }, "application/json": { schema } },
    },
  });
  expect(paths["/v2/oauth/token"].post.responses).toEqual({
    204: { description: "Done." },
    ...always,
    ...tooLarge,
  });
});

it("keeps the methods of a path together", () => {
  const plain = { path: "/v1/my-things/:id", summary: "", scope: [], success: [204, null], handle } as const;
  const { paths } = document(
    route({ ...plain, method: "GET", operationId: "getMyThing" }),
    route({ ...plain, method: "DELETE", operationId: "deleteMyThing" }),
    route({ ...plain, method: "GET", path: "/v1/my-things", operationId: "getMyThings" }),
  );
  expect(Object.keys(paths)).toEqual(["/v1/my-things/{id}", "/v1/my-things"]);
  const { get, delete: remove } = paths["/v1/my-things/{id}"];
  const ids = [get, remove, paths["/v1/my-things"].get].map(({ operationId }) => operationId);
  expect(ids).toEqual(["getMyThing", "deleteMyThing", "getMyThings"]);
  expect(get.requestBody).toBeUndefined();
  expect(get.security).toBeUndefined();
  expect(get.responses).toEqual({ 204: { description: "Done." }, ...known });
});

it("has a shape that contains itself among its schemas, where references lead to it", () => {
  const folder = z
    .strictObject({
      name: z.string(),
      get folders() {
        return z.array(folder).optional();
      },
    })
    .meta({ id: "Folder" });
  const list = route({
    method: "GET",
    path: "/v1/folders",
    operationId: "getFolders",
    summary: "",
    scope: [],
    success: [200, z.array(folder)],
    handle,
  });
  const { paths, components } = document(list);
  const $ref = "#/components/schemas/Folder";
  expect(paths["/v1/folders"].get.responses[200].content["application/json"].schema).toEqual({
    type: "array",
    items: { $ref },
  });
  expect(components.schemas.Folder.properties.folders).toEqual({ type: "array", items: { $ref } });
});
