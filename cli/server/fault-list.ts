import * as z from "zod";
import { command } from "../core/command";
import { print, printJson, say } from "../core/output";
import { control, serverNote } from "./control";
import { type Fault, fault, linesOf } from "./fault";

export const faultList = command({
  summary: "shows the faults that remain",
  description: "Shows the faults that remain, in the order in which they apply, and how often each was used.",
  examples: [["slipway fault list", "shows which requests will fail"]],
  notes: serverNote,
  output: z.array(fault),
  async run({ json }) {
    const { faults } = (await control("GET", "/faults")) as { faults: Fault[] };
    if (json) return printJson(faults);
    if (faults.length === 0) say("No faults remain. Add one with slipway fault add.");
    for (const line of linesOf(faults)) print(line);
  },
});
