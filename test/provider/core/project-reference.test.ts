import { Client } from "../../../provider/client/client";
import { sameProject } from "../../../provider/core/project-reference";

it("tells the id of another project from its own without asking the service", async () => {
  const client = new Client({ apiUrl: "http://127.0.0.1:9", token: "t", team: undefined });
  const state = { project: "web", projectId: "prj_1" };
  expect(await sameProject(client, state, "web")).toBe(true);
  expect(await sameProject(client, state, "prj_1")).toBe(true);
  expect(await sameProject(client, state, "prj_2")).toBe(false);
  await client.close();
});
