import * as docker from "@pulumi/docker";
import * as pulumi from "@pulumi/pulumi";

/** Builds the server's image with Docker and runs it, with its data on a volume and its account in a seed file. */
const config = new pulumi.Config();
// The token of the account in the seed file: `pulumi config set --secret token …`.
const token = config.requireSecret("token");
const port = config.getNumber("port") ?? 4000;

const image = new docker.Image("slipway", {
  imageName: "slipway",
  build: {
    context: "../../dist/server",
    dockerfile: "Dockerfile",
    args: { BASE: config.get("base") ?? "node:24-slim" },
  },
  skipPush: true,
});

const data = new docker.Volume("slipway");

const seed = token.apply((token) =>
  JSON.stringify({
    users: [{ username: "ada", email: "ada@example.com" }],
    teams: [{ slug: "acme", plan: "pro", members: [{ user: "ada", role: "OWNER" }] }],
    tokens: [{ token, user: "ada", team: "acme" }],
  }),
);

const server = new docker.Container("slipway", {
  // The id of the image, so that a new build replaces the container.
  image: image.repoDigest,
  ports: [{ internal: 4000, external: port, ip: "127.0.0.1" }],
  volumes: [{ volumeName: data.name, containerPath: "/data" }],
  uploads: [{ file: "/seed.json", content: seed }],
  envs: ["SLIPWAY_SEED=/seed.json"],
  // The server writes only to its volume.
  readOnly: true,
  tmpfs: { "/tmp": "" },
  capabilities: { drops: ["ALL"] },
  securityOpts: ["no-new-privileges"],
  restart: "unless-stopped",
  // After SIGTERM, the server finishes the requests in progress.
  destroyGraceSeconds: 15,
  // Waits for the health check.
  wait: true,
  waitTimeout: 60,
});

export const url = pulumi.interpolate`http://127.0.0.1:${port}`;
export const container = server.id;
