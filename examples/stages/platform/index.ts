import * as pulumi from "@pulumi/pulumi";
import { Project } from "slipway";

/** One project for each stage. The stack's name is the stage: dev, staging or production. */
const stage = pulumi.getStack();
const isProduction = stage === "production";

const web = new Project(
  "web",
  {
    name: isProduction ? "web" : `web-${stage}`,
    framework: "nextjs",
    nodeVersion: "22.x",
    ssoProtection: { deploymentType: "preview" },
  },
  // `pulumi destroy` refuses to delete the production project.
  { protect: isProduction },
);

/** The application's stack of the same stage reads it. */
export const projectId = web.id;
