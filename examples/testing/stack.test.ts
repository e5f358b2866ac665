import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { automation } from "@pulumi/pulumi";
import { type RunningServer, startServer } from "slipway/server";
import { declare } from "./infrastructure.ts";

/** Runs the stack on its own server, without mocks and without requests to other machines. */
let server: RunningServer;
let folder: string;
let stack: automation.Stack;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "stack-test-"));
  server = await startServer({
    seed: {
      // A build would have created it.
      deployments: [{ id: "dpl_1", team: "acme", project: "web", target: "production", readyState: "READY" }],
    },
  });
  const program = async () => declare("dpl_1");
  stack = await automation.LocalWorkspace.createOrSelectStack(
    { projectName: "stack-test", stackName: "test", program },
    {
      envVars: {
        PULUMI_BACKEND_URL: pathToFileURL(folder).href,
        PULUMI_CONFIG_PASSPHRASE: "test",
        PULUMI_SKIP_UPDATE_CHECK: "true",
        SLIPWAY_API_URL: server.url,
        SLIPWAY_TOKEN: server.token,
        SLIPWAY_TEAM: "acme",
      },
    },
  );
});

afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

/** Reads from the server. */
async function ask(path: string) {
  const headers = { authorization: `Bearer ${server.token}` };
  return (await fetch(`${server.url}${path}?slug=acme`, { headers })).json();
}

it("serves the deployment in production", async () => {
  const { outputs } = await stack.up();
  expect(outputs.production?.value).toBe("dpl_1");
  expect(await ask("/v9/projects/web")).toMatchObject({
    framework: "nextjs",
    targets: { production: { id: "dpl_1" } },
  });
});
