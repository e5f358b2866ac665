import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "../support/server";
import { until } from "../support/until";

/** Counts the interrupts that reach it, and ends when it is terminated. */
const counter = `
  let count = 0;
  process.on("SIGINT", () => console.log("interrupt " + ++count));
  process.on("SIGTERM", () => process.exit(7));
  setInterval(() => {}, 1000);
  console.log("ready");
`;

/** A script of ours, without a terminal and in a group of its own, with a program in the foreground. */
function start(): { script: ChildProcess; said(): string } {
  const command = pathToFileURL(join(root, "scripts/command.mjs")).href;
  const text = `
    const { foreground } = await import(${JSON.stringify(command)});
    process.exitCode = await foreground(process.execPath, ["-e", ${JSON.stringify(counter)}], process.env, {
      isOneInterrupt: true,
    });
  `;
  const script = spawn(process.execPath, ["--input-type=module", "-e", text], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
    detached: true,
  });
  let output = "";
  script.stdout?.on("data", (data) => {
    output += data;
  });
  return { script, said: () => output };
}

it("hands on once an interrupt that reaches the whole group, and that npm hands on as well", async () => {
  const { script, said } = start();
  const { pid } = script;
  if (pid === undefined) throw new Error("the script did not start");
  const ended = once(script, "exit");
  const reads = (text: string) => until(`it says ${text}`, () => said().includes(text) || undefined);
  try {
    await reads("ready");
    process.kill(-pid, "SIGINT");
    process.kill(pid, "SIGINT");
    await reads("interrupt 1");
    // A user who means a second one takes longer, and is heard.
    await new Promise((done) => setTimeout(done, 1_100));
    process.kill(-pid, "SIGINT");
    await reads("interrupt 2");
    process.kill(pid, "SIGTERM");
    expect(await ended).toEqual([7, null]);
    expect(said()).toBe("ready\ninterrupt 1\ninterrupt 2\n");
  } finally {
    if (script.exitCode === null) process.kill(pid, "SIGTERM");
  }
});
