import { join } from "node:path";
import { command, foreground } from "./command.mjs";
import { root } from "./setup/paths.mjs";

const usage = `npm run chaos [-- --engine sqlite|postgres] [--faults N] [--writes N] [--seed N]

Writers, readers and a webhook receiver at work on one server with SQLite, and on two servers with one PostgreSQL,
while servers are killed and stopped, PostgreSQL is killed, stopped and started again, connections are cut, slowed
down and silenced, the receiver fails, and the disk is full. Tells each fault, and prints a ledger at the end. Fails
when an acknowledged write is lost, one is there twice, a reader misses one, or an event is missing or out of order.

  --engine E   one engine only; by default both, one after the other
  --faults N   how many faults (200)
  --writes N   how many writes have to be acknowledged (100,000)
  --seed N     which faults and writes (at random; it is printed)

All of it is on this machine, in a folder and with processes of its own, which end with it. The disk is full only on
Linux, with prlimit.`;

await command({
  usage,
  needs: [],
  run: (args) =>
    foreground(
      process.execPath,
      ["--require", join(root, "test/support/register.cjs"), join(root, "test/chaos/main.ts"), ...args],
      process.env,
      { isOneInterrupt: true },
    ),
});
