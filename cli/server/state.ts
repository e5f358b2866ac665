import * as z from "zod";
import { command } from "../core/command";
import { UserError } from "../core/errors";
import { columns, paint, print, printJson, say, timeText } from "../core/output";
import { control, findTarget, serverNote } from "./control";
import { confirm } from "./reset";

const state = z.strictObject({
  name: z.string(),
  /** In milliseconds since the epoch, by the server's clock. */
  savedAt: z.int(),
});
type State = z.output<typeof state>;

const name = (help: string) => ({ name: "name", help });
const pathOf = (of: string): string => `/states/${encodeURIComponent(of)}`;

export const stateSave = command({
  summary: "saves all data of the server under a name",
  description:
    "Saves all data of the server under a name, in place of data with this name. The clock, faults and the plans of " +
    "builds and promotions are no part of it. Uploaded files are not copied.",
  arguments: [name("the name: letters, digits, '.', '_' and '-'")],
  examples: [["slipway state save base", "saves the data, for example before a test"]],
  notes: serverNote,
  output: state,
  async run({ args: [given = ""], json }) {
    const saved = (await control("PUT", pathOf(given))) as State;
    if (json) printJson(saved);
    else print(`saved as ${saved.name}`);
  },
});

export const stateLoad = command({
  summary: "replaces all data of the server by saved ones",
  description: "Deletes all data of the server, and puts back the data that were saved under a name.",
  arguments: [name("the name of the saved data")],
  flags: { yes: { short: "y", help: "confirms; without a terminal it is required" } },
  examples: [["slipway state load base --yes", "goes back to the data, without a question"]],
  notes: serverNote,
  output: z.strictObject({ name: z.string() }),
  async run({ args: [given = ""], flags: { yes }, json }) {
    if (!yes && !(await confirm(`Replace all data of the server at ${findTarget().url}?`)))
      throw new UserError("Nothing was changed. Confirm with --yes.");
    await control("POST", `${pathOf(given)}/load`);
    if (json) printJson({ name: given });
    else print(`the data are those of ${given}`);
  },
});

export const stateList = command({
  summary: "lists the saved data",
  description: "Lists the data that `slipway state save` has saved, by name.",
  examples: [["slipway state list", "names and times"]],
  notes: serverNote,
  output: z.strictObject({ states: z.array(state) }),
  async run({ json }) {
    const { states } = (await control("GET", "/states")) as { states: State[] };
    if (json) return printJson({ states });
    if (states.length === 0) say("Nothing is saved. Save the data with slipway state save <name>.");
    for (const line of columns(states.map((one) => [one.name, paint("gray", timeText(one.savedAt))])))
      print(line);
  },
});

export const stateRm = command({
  summary: "deletes saved data",
  description: "Deletes the data that were saved under a name. The data of the server stay.",
  arguments: [name("the name of the saved data")],
  examples: [["slipway state rm base", "deletes what was saved as base"]],
  notes: serverNote,
  output: z.strictObject({ name: z.string() }),
  async run({ args: [given = ""], json }) {
    await control("DELETE", pathOf(given));
    if (json) printJson({ name: given });
    else print(`deleted ${given}`);
  },
});
