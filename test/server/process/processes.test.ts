import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { findProcess, isAlive } from "../../../server/process/processes";
import { until } from "../../support/until";

const children: ChildProcess[] = [];
const run = (script: string, stdin: "ignore" | "pipe" = "ignore"): ChildProcess => {
  const child = spawn("sh", ["-c", script], { stdio: [stdin, "pipe", "ignore"] });
  children.push(child);
  return child;
};
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

/** An id that no system gives. */
const nobody = 2 ** 30;

test("a process is alive until it ends", async () => {
  const child = run("exec sleep 600");
  const pid = child.pid ?? nobody;
  expect([process.pid, pid, nobody].map(isAlive)).toEqual([true, true, false]);
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(isAlive(pid)).toBe(false);
});

if (process.platform === "linux") {
  test("one that has ended is not alive while its parent has not noticed", async () => {
    const parent = run("exec 3<&0; sh -c 'read _' <&3 & echo $!; exec sleep 600", "pipe");
    const [line] = await once(parent.stdout as NodeJS.ReadableStream, "data");
    const pid = Number(line);
    // The shell would notice the end of its child. `sleep`, which replaces the shell, does not.
    const command = (): string => findProcess(parent.pid ?? nobody)?.command ?? "";
    await until("the shell is replaced", () => command().startsWith("sleep") || undefined);
    parent.stdin?.write("\n");
    await until("it has ended", () => !isAlive(pid) || undefined);
    // The system still has it.
    expect(process.kill(pid, 0)).toBe(true);
  });
}

test("a process is found with its parent and its arguments", () => {
  const child = run("exec sleep 612");
  return until("it runs its command", () => {
    const found = findProcess(child.pid ?? nobody);
    return found?.command === "sleep 612" && found.parent === process.pid ? true : undefined;
  });
});

test("nothing is found of a process that there is not", () => {
  expect(findProcess(nobody)).toBeUndefined();
});
