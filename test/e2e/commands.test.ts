import { spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { isAlive } from "../../server/process/processes";
import { Clone } from "../support/clone";
import { withoutDefault } from "../support/domains";
import { freePort } from "../support/port";
import { canary, Workspace } from "../support/pulumi";
import { inFull, stepInFull } from "../support/slices";
import { step } from "../support/step";
import { until } from "../support/until";

jest.setTimeout(300_000);

/** The commands as a new user runs them, in a clone of their own, one story from the first `up` to the last `down`. */
it("npm run up and npm run down work from the first up to the last down", async () => {
  await using clone = new Clone({ SLIPWAY_PORT: String(await freePort()) });

  await stepInFull("down has nothing to do before the first up", async () => {
    const { code, output } = await clone.npm("down");
    expect(output).toContain("The stack has nothing to destroy.");
    expect(code).toBe(0);
  });

  await stepInFull(
    "pulumi works on the stack before the first up, wherever Pulumi keeps what was selected",
    async () => {
      expect((await clone.npm("pulumi", ["stack", "--show-name"])).output).toMatch(/^dev$/m);
      const home = mkdtempSync(join(tmpdir(), "slipway-home-"));
      try {
        symlinkSync(
          join(process.env.PULUMI_HOME ?? join(homedir(), ".pulumi"), "versions"),
          join(home, "versions"),
        );
        const { output } = await clone.npm("pulumi", ["stack", "--show-name"], { PULUMI_HOME: home });
        expect(output).toMatch(/^dev$/m);
      } finally {
        rmSync(home, { recursive: true });
      }
      expect((await clone.npm("pulumi", ["preview", "--help"])).output).toContain("--expect-no-changes");
    },
  );

  await stepInFull("setup refuses what it does not know", async () => {
    const { code, output } = await clone.npm("setup", ["--print"]);
    expect(output).toMatch(/unknown argument: --print\n\nnpm run setup/);
    expect(code).toBe(2);
  });

  await step("up starts the server and makes the quickstart", async () => {
    const { code, output } = await clone.npm("up");
    expect(output).toMatch(/The server is at http:\/\/127\.0\.0\.1:\d+/);
    expect(output).toMatch(/^The dashboard is at http:\/\/127\.0\.0\.1:\d+\/#code=[0-9a-f]+$/m);
    expect(output).toMatch(/projectId\s*: "prj_/);
    expect(output).not.toMatch(/error|warning/i);
    expect(code).toBe(0);

    expect(await clone.api("GET", "/v9/projects/quickstart")).toMatchObject({ framework: "nextjs" });
    const { domains } = await clone.api("GET", "/v9/projects/quickstart/domains");
    expect(
      withoutDefault(domains)
        .map(({ name, verified }: Domain) => [name, verified])
        .sort(),
    ).toEqual([
      ["example.com", true],
      ["www.example.com", true],
    ]);
    const { envs } = await clone.api("GET", "/v9/projects/quickstart/env");
    expect(envs).toHaveLength(3);
    expect(await clone.production()).toBe("dpl_quickstart_2");
  });

  await step("up leaves a promotion in the project's history", async () => {
    expect(
      await clone.api("GET", "/v9/projects/quickstart", undefined, { rollbackInfo: "true" }),
    ).toMatchObject({
      lastAliasRequest: { fromDeploymentId: "dpl_quickstart_1", toDeploymentId: "dpl_quickstart_2" },
    });
  });

  await step("keeps its secrets for its owner", () => {
    for (const file of ["passphrase", "control-token", "server.log"]) {
      expect(`${file} ${(statSync(join(clone.folder, ".slipway", file)).mode & 0o777).toString(8)}`).toBe(
        `${file} 600`,
      );
    }
  });

  await stepInFull("up again changes nothing and starts nothing", async () => {
    const { pid } = clone.server();
    const { code, output } = await clone.npm("up");
    expect(output).toMatch(/\d+ unchanged/);
    expect(output).not.toMatch(/created|updated|replaced/);
    expect(clone.server().pid).toBe(pid);
    expect(code).toBe(0);
  });

  await stepInFull("up -- --refresh names what changed behind Pulumi's back and puts it right", async () => {
    const { envs } = await clone.api("GET", "/v9/projects/quickstart/env");
    const plain = envs.find(({ type }: { type: string }) => type === "plain");
    const { id } = await clone.api("GET", "/v9/projects/quickstart");
    await clone.api("PATCH", "/v9/projects/quickstart", { framework: "astro" });
    await clone.api("PATCH", `/v9/projects/quickstart/env/${plain.id}`, { value: "changed" });
    await clone.api("POST", `/v10/projects/${id}/promote/dpl_quickstart_1`);
    await until(
      "the other deployment serves",
      async () => (await clone.production()) === "dpl_quickstart_1" || undefined,
    );

    const { code, output } = await clone.npm("up", ["--refresh", "--diff"]);
    expect(output).toMatch(/framework.*astro/);
    expect(output).toContain(plain.key.toLowerCase().replaceAll("_", "-"));
    expect(output).toContain("dpl_quickstart_1");
    expect(code).toBe(0);

    expect(await clone.api("GET", "/v9/projects/quickstart")).toMatchObject({ framework: "nextjs" });
    expect((await clone.api("GET", `/v1/projects/quickstart/env/${plain.id}`)).value).toBe(plain.value);
    expect(await clone.production()).toBe("dpl_quickstart_2");
  });

  await stepInFull("up -- --refresh makes a deleted project again with all that hangs on it", async () => {
    await clone.api("DELETE", "/v9/projects/quickstart");
    const { code, output } = await clone.npm("up", ["--refresh"]);
    expect(output).not.toMatch(/error/i);
    expect(code).toBe(0);
    const { domains } = await clone.api("GET", "/v9/projects/quickstart/domains");
    expect(withoutDefault(domains)).toHaveLength(2);
    expect((await clone.api("GET", "/v9/projects/quickstart/env")).envs).toHaveLength(3);
    expect(await clone.production()).toBe("dpl_quickstart_2");
  });

  await step("gives away no secret", async () => {
    const exported = await clone.npm("pulumi", ["stack", "export"]);
    const places = [
      ...clone.transcript,
      exported.output,
      readFileSync(join(clone.folder, ".slipway/server.log"), "utf8"),
    ];
    const secrets = ["passphrase", "control-token"].map((file) =>
      readFileSync(join(clone.folder, ".slipway", file), "utf8").trim(),
    );
    for (const secret of [...secrets, "slipway-dev-token", "change-me"]) {
      expect(places.filter((text) => text.includes(secret))).toEqual([]);
    }
  });

  await step("down destroys the stack and stops the server", async () => {
    const { pid } = clone.server();
    const { code } = await clone.npm("down");
    expect(code).toBe(0);
    expect(isAlive(pid)).toBe(false);
  });

  await stepInFull("a server that is started afterwards has the same data", async () => {
    const serving = clone.start("server");
    await until("the server serves the same data", () =>
      clone.api("GET", "/v9/projects").catch(() => undefined),
    );
    expect((await clone.api("GET", "/v9/projects")).projects).toEqual([]);
    await clone.end(serving);
  });

  await stepInFull("down can be repeated", async () => {
    expect((await clone.npm("down")).code).toBe(0);
  });

  await stepInFull("down brings a server that died back, to destroy what it holds", async () => {
    expect((await clone.npm("up")).code).toBe(0);
    const { pid } = clone.server();
    process.kill(pid, "SIGKILL");
    await until("it is gone", () => !isAlive(pid) || undefined);
    const { code, output } = await clone.npm("down");
    expect(output).toMatch(/\d+ deleted/);
    expect(code).toBe(0);
    expect(existsSync(join(clone.folder, ".slipway/server.json"))).toBe(false);
  });
}, 900_000);

describe("npm run up", () => {
  const clones: Clone[] = [];
  const listeners: Server[] = [];
  const make = (env: NodeJS.ProcessEnv) => {
    const clone = new Clone(env);
    clones.push(clone);
    return clone;
  };

  afterAll(async () => {
    for (const listener of listeners) listener.close();
    for (const clone of clones) await clone.remove();
  });

  inFull("prints only JSON with --json", async () => {
    const clone = make({ SLIPWAY_PORT: String(await freePort()), npm_config_loglevel: "silent" });
    // The plan, and then an event in each line.
    const documents = (text: string) => text.split(/\n(?=\{)/).map((json) => JSON.parse(json));
    const created = documents((await clone.npm("up", ["--json"])).stdout);
    expect(created).toContainEqual(expect.objectContaining({ summaryEvent: expect.anything() }));
    const deleted = documents((await clone.npm("down", ["--json"])).stdout);
    expect(deleted).toContainEqual(expect.objectContaining({ summaryEvent: expect.anything() }));
  });

  inFull("starts one server when two run at the same time, and down stops it", async () => {
    const clone = make({ SLIPWAY_PORT: String(await freePort()) });
    const ups = await Promise.all([clone.npm("up"), clone.npm("up")]);
    expect(ups.filter(({ output }) => output.includes("started the bundled server"))).toHaveLength(1);
    const { pid } = clone.server();
    expect((await clone.npm("down")).code).toBe(0);
    expect(isAlive(pid)).toBe(false);
  });

  inFull("refuses another port while the server runs", async () => {
    const port = String(await freePort());
    const clone = make({ SLIPWAY_PORT: port });
    expect((await clone.npm("up")).code).toBe(0);
    const { code, output } = await clone.npm("up", [], { SLIPWAY_PORT: String(await freePort()) });
    expect([code, output]).toEqual([
      1,
      expect.stringContaining(
        `The server of this clone runs at http://127.0.0.1:${port}, and SLIPWAY_PORT asks`,
      ),
    ]);
    expect((await clone.npm("down", [], { SLIPWAY_PORT: undefined })).code).toBe(0);
  });

  inFull.each(["abc", "-1", "65536"])("refuses SLIPWAY_PORT=%s", async (port) => {
    const { code, output } = await make({ SLIPWAY_PORT: port }).npm("up");
    expect([code, output]).toEqual([
      1,
      expect.stringContaining(`SLIPWAY_PORT is "${port}". Give a number from 0 to 65535.`),
    ]);
  });

  inFull("down does not kill another process that has the recorded process id", async () => {
    const clone = make({});
    const other = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
    try {
      mkdirSync(join(clone.folder, ".slipway"));
      const entry = { pid: other.pid, url: "http://127.0.0.1:9", instance: "gone" };
      writeFileSync(join(clone.folder, ".slipway/server.json"), JSON.stringify(entry));
      expect((await clone.npm("down")).output).toContain("No server of this folder is running.");
      expect(isAlive(other.pid ?? 0)).toBe(true);
    } finally {
      other.kill();
    }
  });

  inFull("names another port as a hint when a program uses the port", async () => {
    const listener = createServer((_request, response) => response.end("hello")).listen(0, "127.0.0.1");
    listeners.push(listener);
    await until("it listens", () => listener.address() ?? undefined);
    const { port } = listener.address() as AddressInfo;
    const { code, output } = await make({ SLIPWAY_PORT: String(port) }).npm("up");
    expect(output).toContain(`Port ${port} is in use by another program.`);
    expect(output).toContain("SLIPWAY_PORT=");
    expect(output).not.toMatch(/^\s+at /m);
    expect(code).toBe(1);
  });

  inFull("names a file that it cannot write in one line", async () => {
    const clone = make({});
    writeFileSync(join(clone.folder, ".slipway"), "");
    const { code, output } = await clone.npm("up");
    expect(output).toMatch(/^EEXIST: .*\.slipway'\. Check that this user may write there/m);
    expect(output).not.toMatch(/^\s+at /m);
    expect(code).toBe(1);
  });

  inFull("leaves the server of another folder alone", async () => {
    const world = await Workspace.start();
    try {
      const port = new URL(world.server.url).port;
      const clone = make({ SLIPWAY_PORT: port });
      const { code, output } = await clone.npm("up");
      expect(output).toContain(`Port ${port} is in use by a Slipway server of another folder.`);
      expect(code).toBe(1);
      expect((await clone.npm("down")).code).toBe(0);
      expect((await world.server.request("GET", "/v9/projects")).status).toBe(200);
    } finally {
      await world.stop();
    }
  });

  inFull("starts no server when SLIPWAY_API_URL names one", async () => {
    const world = await Workspace.start();
    try {
      const clone = make({
        SLIPWAY_API_URL: world.server.url,
        SLIPWAY_TOKEN: world.token,
        SLIPWAY_TEAM: "acme",
        SLIPWAY_CONTROL_TOKEN: world.controlToken,
      });
      const { code, output } = await clone.npm("up");
      expect(output).not.toContain(canary);
      expect(code).toBe(0);
      expect(existsSync(join(clone.folder, ".slipway/server.json"))).toBe(false);
      expect((await world.server.request("GET", "/v9/projects/quickstart")).status).toBe(200);
      expect((await clone.npm("down")).code).toBe(0);
      expect((await world.server.request("GET", "/v9/projects/quickstart")).status).toBe(404);
    } finally {
      await world.stop();
    }
  });

  inFull("uses the server that npm run server serves, and down leaves it running", async () => {
    const port = String(await freePort());
    const clone = make({ SLIPWAY_PORT: port });
    const serving = clone.start("server", ["--port", port]);
    await until("it listens", () => serving.said().includes(`slipway is listening on`) || undefined);
    const up = await clone.npm("up");
    expect(up.output).toContain("a server is running");
    expect(up.code).toBe(0);
    expect((await clone.npm("down")).output).toContain("No server of this folder is running.");
    expect((await clone.api("GET", "/v9/projects")).projects).toEqual([]);
    // The end of its output is that of every process that npm started. The code is npm's, and its shell's.
    await clone.end(serving);
    await expect(clone.api("GET", "/v9/projects")).rejects.toThrow("fetch failed");
  });

  inFull("ends when it is interrupted, and continues at the next run", async () => {
    const clone = make({ SLIPWAY_PORT: String(await freePort()) });
    const child = clone.start("up");
    await until("the update is under way", () => /Updating|updating/.test(child.said()) || undefined, 60_000);
    const code = await clone.end(child, "SIGINT");
    expect(code).not.toBe(0);
    const again = await clone.npm("up");
    expect(again.output).not.toMatch(/error/i);
    expect(again.code).toBe(0);
    expect((await clone.npm("down")).code).toBe(0);
  });
});

interface Domain {
  name: string;
  verified: boolean;
}
