import { runInNewContext } from "node:vm";
import { parse } from "yaml";
import { type Event, gitlab, workflow, workflowText } from "../support/pipelines";

const { test, pulumi } = workflow.jobs;

interface Run {
  event: Event;
  number?: number;
  isFork?: boolean;
  actor?: string;
}

/** A condition or a text with expressions, as GitHub evaluates it for a run. These expressions are also JavaScript. */
function evaluated(text: string, { event, number, isFork = false, actor = "ada" }: Run): unknown {
  const pull_request = event === "pull_request" ? { head: { repo: { fork: isFork } } } : undefined;
  const github = { event_name: event, actor, event: { number: number ?? "", pull_request } };
  const result = (expression: string): unknown => runInNewContext(expression, { github });
  return text.includes("${{")
    ? text.replace(/\$\{\{(.*?)\}\}/g, (_, expression) => String(result(expression)))
    : result(text);
}

const groupOf = (run: Run): unknown => evaluated(pulumi.concurrency?.group ?? "", run);
const deploy: Run = { event: "push" };

it("only deploys have the concurrency group of a deploy, and none is cancelled while it runs", () => {
  const others: Run[] = [
    { event: "schedule" },
    { event: "pull_request", number: 7 },
    { event: "pull_request", number: 8 },
    { event: "pull_request", number: 9, isFork: true },
  ];
  const groups = [deploy, ...others].map(groupOf);
  expect(new Set(groups).size).toBe(groups.length);
  expect(groupOf({ event: "push", actor: "bob" })).toBe(groupOf(deploy));
  expect(evaluated(pulumi.concurrency?.["cancel-in-progress"] ?? "", deploy)).toBe("false");
});

it("no other job waits for a group", () => {
  expect(workflow).not.toHaveProperty("concurrency");
  expect(test).not.toHaveProperty("concurrency");
});

it.each<[string, Run, boolean]>([
  ["a push", deploy, true],
  ["a schedule", { event: "schedule" }, true],
  ["a pull request", { event: "pull_request", number: 7 }, true],
  ["a pull request from a fork", { event: "pull_request", number: 7, isFork: true }, false],
  ["a pull request of Dependabot", { event: "pull_request", number: 7, actor: "dependabot[bot]" }, false],
  // It has no secrets either: it fails instead of leaving main undeployed in silence.
  ["a merge by Dependabot", { event: "push", actor: "dependabot[bot]" }, true],
])("the job with secrets runs only where there are some: %s", (_, run, isRun) => {
  expect(evaluated(pulumi.if, run)).toBe(isRun);
});

it("the job test gets no credentials, and may only read the repository", () => {
  const { jobs, ...rest } = workflow;
  expect(JSON.stringify([rest, test])).not.toMatch(/secrets\.|vars\./);
  expect(JSON.stringify(pulumi)).toContain("secrets.SLIPWAY_TOKEN");
  expect(rest).toMatchObject({ permissions: { contents: "read" } });
  expect(test).not.toHaveProperty("permissions");
});

it("the line environment, uncommented, separates rehearsals from what touches production", () => {
  const { jobs } = parse(workflowText.replace("# environment:", "environment:")) as typeof workflow;
  const environmentOf = (event: Event): unknown => evaluated(jobs.pulumi.environment ?? "", { event });
  expect(environmentOf("pull_request")).toBe("rehearsal");
  expect([environmentOf("push"), environmentOf("schedule")]).toEqual(["production", "production"]);
});

it("only deploys share a resource group on GitLab", () => {
  expect(gitlab.deploy).toMatchObject({ resource_group: "production", interruptible: false });
  for (const name of ["test", "rehearse", "drift"] as const)
    expect(gitlab[name]).not.toHaveProperty("resource_group");
  expect(gitlab.default).not.toHaveProperty("resource_group");
});
