import { automation } from "@pulumi/pulumi";
import { useServer } from "slipway/testing";
import { declare } from "./infrastructure.ts";

/** Runs the stack on its own server, without mocks and without requests to other machines. */
const server = useServer({
  seed: {
    // A build would have created it.
    deployments: [{ id: "dpl_1", team: "acme", project: "web", target: "production", readyState: "READY" }],
  },
});

it("serves the deployment in production", async () => {
  const program = async () => declare("dpl_1");
  const stack = await automation.LocalWorkspace.createStack(
    { projectName: "stack-test", stackName: "test", program },
    { envVars: server.pulumiEnv },
  );
  const { outputs } = await stack.up();
  expect(outputs.production?.value).toBe("dpl_1");
  expect(await server.request("GET", "/v9/projects/web")).toMatchObject({
    framework: "nextjs",
    targets: { production: { id: "dpl_1" } },
  });
});
