import * as z from "zod";
import { command } from "../core/command";
import { paint, print, printJson } from "../core/output";
import { checkAccount } from "./account";
import { type Check, check } from "./check";
import { checkNode, checkPlugin, checkPulumi } from "./machine";

export const doctor = command({
  summary: "checks this machine and the account, and says what to do",
  description:
    "Checks Node.js, the Pulumi CLI and the plugin, then the address, token, team, scopes, clock and version of the " +
    "API that SLIPWAY_API_URL, SLIPWAY_TOKEN and SLIPWAY_TEAM select. Sends GET requests only.",
  examples: [
    ["slipway doctor", "checks everything"],
    ["slipway doctor --json", "for a bug report, without the token"],
  ],
  exitCodes: { 1: "a check found a problem" },
  output: z.strictObject({ checks: z.array(check) }),
  async run({ json }) {
    const checks = [checkNode(), checkPulumi(), checkPlugin(), ...(await checkAccount())];
    if (json) printJson({ checks });
    else for (const one of checks) printCheck(one);
    return checks.some(({ state }) => state === "problem") ? 1 : 0;
  },
});

const marks = {
  ok: ["green", "ok"],
  warning: ["yellow", "warning"],
  problem: ["red", "problem"],
  skipped: ["gray", "skipped"],
} as const;

function printCheck({ name, state, found, hint }: Check): void {
  const [color, mark] = marks[state];
  print(`${paint(color, mark.padEnd(7))}  ${name.padEnd(14)}  ${found}`);
  if (hint !== null) print(`${" ".repeat(25)}${hint}`);
}
