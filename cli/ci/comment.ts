import * as z from "zod";
import { command } from "../core/command";
import { UserError } from "../core/errors";
import { readInput } from "../core/input";
import { print, printJson } from "../core/output";
import { findHost, hostNote } from "./find-host";
import type { Host } from "./host";
import { hasMarker, isSameText, markerFor, shortened, withoutSecrets } from "./text";

export const ciComment = command({
  summary: "posts a report on a pull request, as one comment that is updated",
  description:
    "Posts a Markdown file as a comment on the pull or merge request of a pipeline. The next run updates that comment " +
    "instead of adding another one.",
  arguments: [{ name: "file", help: "the report in Markdown; - is standard input" }],
  flags: {
    name: { value: "name", help: "tells the comments of several stacks apart", default: "report" },
  },
  examples: [
    ["slipway ci comment report.md", "after slipway rehearse --report report.md"],
    ["slipway ci comment report.md --name production", "one comment for each stack"],
  ],
  notes: hostNote,
  output: z.strictObject({
    id: z.int(),
    outcome: z.enum(["added", "updated", "unchanged"]),
  }),
  async run({ args: [file = ""], flags: { name }, json }) {
    const host = findHost();
    const done = await putComment(host, readReport(file), name);
    if (json) printJson(done);
    else print(`${done.outcome} comment ${done.id} on ${host.name}`);
  },
});

type Outcome = { id: number; outcome: "added" | "updated" | "unchanged" };

/** Adds the comment with a name, or updates it. */
export async function putComment(host: Host, report: string, name: string): Promise<Outcome> {
  const marker = markerFor(name);
  const job = host.jobUrl === undefined ? "The job has" : `[The job](${host.jobUrl}) has`;
  const body = shortened(
    `${marker}\n${withoutSecrets(report).trim()}\n`,
    host.longest,
    `${job} the rest of this report.`,
  );
  const known = (await host.comments()).find((comment) => hasMarker(comment.body, marker));
  if (known === undefined) return { id: (await host.addComment(body)).id, outcome: "added" };
  if (isSameText(known.body, body)) return { id: known.id, outcome: "unchanged" };
  await host.changeComment(known.id, body);
  return { id: known.id, outcome: "updated" };
}

function readReport(file: string): string {
  const text = readInput(file, `The report ${file}`);
  if (text.trim() === "") throw new UserError(`The report ${file} is empty.`);
  return text;
}
