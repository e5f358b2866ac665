import * as z from "zod";
import { command } from "../core/command";
import { print, printJson } from "../core/output";
import { control, serverNote } from "./control";

export const faultClear = command({
  summary: "removes all faults",
  description: "Removes all faults, and completes delayed requests.",
  examples: [["slipway fault clear", "requests succeed again"]],
  notes: serverNote,
  output: z.strictObject({ cleared: z.literal(true) }),
  async run({ json }) {
    await control("DELETE", "/faults");
    if (json) printJson({ cleared: true });
    else print("no faults remain");
  },
});
