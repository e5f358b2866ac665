import { spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { built } from "../support/dist";
import { root, serve } from "../support/server";
import { until } from "../support/until";

const registered: pulumi.runtime.MockResourceArgs[] = [];

beforeAll(async () => {
  await pulumi.runtime.setMocks({
    newResource(args) {
      registered.push(args);
      return {
        id: `${args.name}-id`,
        state: { ...args.inputs, name: `${args.name}-1`, repoDigest: "sha256:1" },
      };
    },
    call: () => ({}),
  });
  pulumi.runtime.setAllConfig({ "project:token": "canary" });
  require("../../examples/docker");
});

/** The resource of a type, once the stack has registered it. */
const inputsOf = async (type: string): Promise<Record<string, unknown>> =>
  (await until(type, () => registered.find((one) => one.type === `docker:index/${type}`))).inputs;

it("builds the image of the bundle and runs it as it may be run", async () => {
  expect(await inputsOf("image:Image")).toMatchObject({
    skipPush: true,
    build: { context: "../../dist/server", dockerfile: "Dockerfile", args: { BASE: "node:24-slim" } },
  });
  const container = await inputsOf("container:Container");
  expect(container).toMatchObject({
    image: "sha256:1",
    ports: [{ internal: 4000, external: 4000, ip: "127.0.0.1" }],
    volumes: [{ volumeName: "slipway-1", containerPath: "/data" }],
    envs: ["SLIPWAY_SEED=/seed.json"],
    readOnly: true,
    capabilities: { drops: ["ALL"] },
    wait: true,
  });
  expect(registered.map(({ type }) => type).sort()).toEqual([
    "docker:index/container:Container",
    "docker:index/image:Image",
    "docker:index/volume:Volume",
  ]);
});

it("gives the server its account as a secret", async () => {
  const { uploads } = await inputsOf("container:Container");
  // Secrets are wrapped, so that the engine encrypts them.
  expect(JSON.stringify(uploads)).toContain("4dabf18193072939515e22adb298388d");
  expect(JSON.stringify(uploads)).toContain("canary");
});

describe("the image", () => {
  const dockerfile = readFileSync(join(root, "examples/docker/Dockerfile"), "utf8");

  it("lets nobody be root, and says whether it is ready", () => {
    expect(dockerfile).toMatch(/^USER 1000:1000$/m);
    expect(dockerfile).toMatch(/^HEALTHCHECK [\s\S]*_ready/m);
  });

  it("needs no other files than those that it copies", async () => {
    const folder = mkdtempSync(join(tmpdir(), "slipway-image-"));
    const files = /^COPY (.*) \/app\/$/m.exec(dockerfile)?.[1]?.split(" ") ?? [];
    expect(files).toContain("main.js");
    for (const file of files) copyFileSync(join(built("server"), file), join(folder, file));
    const token = "canary";
    const seed = {
      users: [{ username: "ada", email: "ada@example.com" }],
      tokens: [{ token, user: "ada" }],
    };
    const server = await serve({ folder, token, controlToken: token, seed, main: join(folder, "main.js") });
    expect((await server.request("GET", "/v9/projects")).status).toBe(200);
    await server.stop();
    rmSync(folder, { recursive: true });
  });

  it("is not tried without podman, which the script says", () => {
    const empty = mkdtempSync(join(tmpdir(), "slipway-image-"));
    const { status, stderr } = spawnSync(process.execPath, [join(root, "scripts/image.mjs")], {
      env: { ...process.env, PATH: empty },
      encoding: "utf8",
    });
    rmSync(empty, { recursive: true });
    expect(stderr).toContain("podman is missing. ");
    expect(status).toBe(1);
  });
});
