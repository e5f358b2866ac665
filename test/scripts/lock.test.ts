import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

type WithLock = <T>(file: string, work: () => Promise<T>, options?: { waiting?: string }) => Promise<T>;
const { withLock }: { withLock: WithLock } = require("../../scripts/setup/lock.mjs");

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "slipway-lock-"));
  file = join(folder, "setup.lock");
});
afterEach(() => {
  jest.useRealTimers();
  rmSync(folder, { recursive: true });
});

const old = new Date(1_000_000);
const isFresh = (): boolean => statSync(file).mtimeMs > old.getTime();

describe("a lock", () => {
  it("has the owner's process id while the work runs, and is removed after it", async () => {
    expect(await withLock(file, async () => readFileSync(file, "utf8"))).toBe(String(process.pid));
    await expect(withLock(file, () => Promise.reject(new Error("failed")))).rejects.toThrow("failed");
    expect(readdirSync(folder)).toEqual([]);
  });

  it("is touched again and again, so that long work does not look stale", async () => {
    jest.useFakeTimers({ doNotFake: ["Date"] });
    let finish = (): void => {};
    const working = withLock(file, () => new Promise<void>((done) => (finish = done)));
    await Promise.resolve();
    for (const beat of [1, 2, 3]) {
      utimesSync(file, old, old);
      jest.advanceTimersByTime(2_000);
      expect([beat, isFresh()]).toEqual([beat, true]);
    }
    finish();
    await working;
    expect(jest.getTimerCount()).toBe(0);
  });

  it("lets one work at a time", async () => {
    const order: string[] = [];
    const work = (name: string) => async () => {
      order.push(`${name} begins`);
      await new Promise((done) => setImmediate(done));
      order.push(`${name} ends`);
    };
    const child = await ownedByAnother();
    const waiting = withLock(file, work("second"), { waiting: "waiting for the other" });
    order.push("the other ends");
    child.kill("SIGKILL");
    await waiting;
    expect(order).toEqual(["the other ends", "second begins", "second ends"]);
  });

  it("is taken over from an owner that has not touched it for half a minute", async () => {
    const child = await ownedByAnother();
    utimesSync(file, old, old);
    expect(await withLock(file, async () => "done")).toBe("done");
    child.kill("SIGKILL");
  });

  it("stays with the process that took it over", async () => {
    await withLock(file, async () => {
      writeFileSync(file, "1");
    });
    expect([existsSync(file), readFileSync(file, "utf8")]).toEqual([true, "1"]);
  });
});

/** A process that runs and has the lock. */
async function ownedByAnother() {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000); console.log('ready')"]);
  await once(child.stdout, "data");
  writeFileSync(file, String(child.pid));
  return child;
}
