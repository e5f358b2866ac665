import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { putComment } from "../../cli/ci/comment";
import { recordDrift } from "../../cli/ci/drift";
import { type Host, send } from "../../cli/ci/host";
import { codeBlock, shortened, withoutSecrets } from "../../cli/ci/text";
import { jsonOf, type Result, slipway, slipwayHere } from "../support/cli";
import { type Item, openRepositoryHost, type RepositoryHost } from "../support/repository-host";

let folder: string;
let host: RepositoryHost;
beforeAll(async () => {
  host = await openRepositoryHost("host-token");
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "slipway-ci-"));
  Object.assign(host, { comments: [], issues: [], writes: [], failures: [] });
  writeFileSync(join(folder, "event.json"), JSON.stringify({ pull_request: { number: 7 } }));
});
afterEach(() => rmSync(folder, { recursive: true }));
afterAll(() => host.close());

const hosts = {
  GitHub: () => ({
    GITHUB_ACTIONS: "true",
    GITLAB_CI: "",
    GITHUB_API_URL: host.url,
    GITHUB_REPOSITORY: "acme/infrastructure",
    GITHUB_TOKEN: "host-token",
    GITHUB_EVENT_PATH: join(folder, "event.json"),
    GITHUB_RUN_ID: "42",
  }),
  GitLab: () => ({
    GITHUB_ACTIONS: "",
    GITLAB_CI: "true",
    CI_API_V4_URL: host.url,
    CI_PROJECT_ID: "3",
    CI_MERGE_REQUEST_IID: "7",
    CI_JOB_URL: "https://gitlab.example.com/job",
    NOTE_TOKEN: "host-token",
  }),
};
const names = Object.keys(hosts) as (keyof typeof hosts)[];
const textOf = ({ body, description }: Item): string => body || description;

/** @param report the content of the file that `-` stands for */
const run = (args: string[], env: NodeJS.ProcessEnv, report?: string): Promise<Result> => {
  const file = join(folder, "report.md");
  if (report !== undefined) writeFileSync(file, report);
  return slipwayHere(
    ["ci", ...args.map((arg) => (arg === "-" ? file : arg))],
    { PATH: [folder, process.env.PATH].join(delimiter), ...env },
    { cwd: folder },
  );
};

it("slipway ci comment on GitLab leaves the note of another user, which it may not change", async () => {
  const foreign = host.newItem({ body: "<!-- slipway: report -->\nOld.", author: { id: 2 } });
  host.comments.push(foreign);
  const post = async (report: string) =>
    jsonOf<{ outcome: string }>("ci comment", await run(["comment", "-", "--json"], hosts.GitLab(), report))
      .outcome;
  expect(await post("New.")).toBe("added");
  expect(await post("Newer.")).toBe("updated");
  expect(foreign.body).toBe("<!-- slipway: report -->\nOld.");
});

it("slipway ci comment posts no secret of the pipeline", async () => {
  const env = { ...hosts.GitHub(), SLIPWAY_TOKEN: "canary-of-slipway" };
  const input = "It sent canary-of-slipway and host-token, and canary-of-slipway again.";
  await slipway(["ci", "comment", "-"], env, { cwd: folder, input });
  expect(host.comments.at(-1)?.body).toContain("It sent [secret] and [secret], and [secret] again.");
});

it.each([
  ...["SLIPWAY_TOKEN", "PULUMI_ACCESS_TOKEN", "PULUMI_CONFIG_PASSPHRASE", "GITHUB_TOKEN", "GH_TOKEN"],
  ...["NOTE_TOKEN", "AWS_SECRET_ACCESS_KEY", "AZURE_STORAGE_KEY", "GOOGLE_CREDENTIALS"],
  ...["AWS_SESSION_TOKEN", "AZURE_STORAGE_SAS_TOKEN", "CI_JOB_TOKEN", "DATABASE_URL", "STRIPE_API_KEY"],
])("a text of slipway ci has no value of %s", (name) => {
  expect(withoutSecrets("It is canary-secret.", { [name]: "canary-secret" })).toBe("It is [secret].");
});

it("a text of slipway ci keeps the working directory and public values", () => {
  const environment = { PWD: "/builds/acme", HOME: "/home/runner", NEXT_PUBLIC_API_KEY: "for-browsers" };
  const text = Object.values(environment).join(" ");
  expect(withoutSecrets(text, environment)).toBe(text);
});

it("a text of slipway ci has no rest of a secret that begins with another one", () => {
  const environment = { GITHUB_TOKEN: "canary-1", SLIPWAY_TOKEN: "canary-1-and-more" };
  expect(withoutSecrets("canary-1-and-more, canary-1", environment)).toBe("[secret], [secret]");
});

it("slipway ci does not wait without end for an answer of its host", async () => {
  const limit = new AbortController();
  const timeout = jest.spyOn(AbortSignal, "timeout").mockReturnValue(limit.signal);
  const server = createServer((_, response) => {
    limit.abort(new Error("the time is up"));
    response.end("{}");
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/notes`;
  try {
    await expect(send({ method: "POST", url, headers: {}, body: {} }, "")).rejects.toThrow(
      /is out of reach \(the time is up\)/,
    );
  } finally {
    timeout.mockRestore();
    server.close();
  }
});

it.each(names)("slipway ci on %s sends its token to no other host to which an answer leads", async (name) => {
  const sent: unknown[] = [];
  const servers = [
    createServer((_, response) => response.writeHead(307, { location: at(1) }).end()),
    createServer((request, response) => {
      sent.push(request.headers);
      response.end("[]");
    }),
  ] as const;
  const at = (which: 0 | 1): string => `http://127.0.0.1:${(servers[which].address() as AddressInfo).port}`;
  for (const one of servers) await new Promise<void>((ready) => one.listen(0, "127.0.0.1", ready));
  await run(["comment", "-"], { ...hosts[name](), GITHUB_API_URL: at(0), CI_API_V4_URL: at(0) }, "A report.");
  for (const one of servers) one.close();
  expect(sent.length).toBeGreaterThan(0);
  expect(JSON.stringify(sent)).not.toContain("host-token");
});

describe.each(names)("slipway ci comment on %s", (name) => {
  const comment = (report: string, ...more: string[]) =>
    run(["comment", "-", "--json", ...more], hosts[name](), report);
  const outcome = async (report: string, ...more: string[]): Promise<unknown> =>
    jsonOf("ci comment", await comment(report, ...more)).outcome;

  it("adds one comment, and updates it when the report changes", async () => {
    host.comments.push(
      host.newItem({ body: "Looks good" }),
      host.newItem({ body: "> <!-- slipway: report -->\n> an answer that quotes it" }),
      ...Array.from({ length: 120 }, () => host.newItem({ body: "many more" })),
    );
    const others = host.comments.map(({ body }) => body);
    expect(await outcome("**Creates 1 object.**\n")).toBe("added");
    expect(await outcome("**Creates 1 object.**")).toBe("unchanged");
    expect(await outcome("**Deletes 1 object.**")).toBe("updated");
    expect(host.comments.map(({ body }) => body)).toEqual([
      ...others,
      "<!-- slipway: report -->\n**Deletes 1 object.**\n",
    ]);
    expect(host.writes).toHaveLength(2);
    const { stdout } = await run(["comment", "-"], hosts[name](), "**Deletes 1 object.**");
    expect(stdout).toMatch(new RegExp(`^unchanged comment \\d+ on ${name}\\n$`));
  });

  it("keeps a comment for each name", async () => {
    expect(await outcome("a", "--name", "dev")).toBe("added");
    expect(await outcome("b", "--name", "production")).toBe("added");
    expect(await outcome("c", "--name", "dev")).toBe("updated");
    expect(host.comments.map(({ body }) => body)).toEqual([
      "<!-- slipway: dev -->\nc\n",
      "<!-- slipway: production -->\nb\n",
    ]);
  });

  it("repeats a read after a failure of the host, and no write", async () => {
    host.failures = [500];
    expect(await outcome("report")).toBe("added");
    // The list succeeds, the comment does not.
    host.comments = [];
    host.failures = [503, 503, 503];
    const { code, stderr } = await comment("report");
    expect(code).toBe(1);
    expect(stderr).toMatch(/^slipway: GET \S+: 503: Not this time\. Try again later\.\n$/);
    expect(host.comments).toEqual([]);
  });

  it("adds no comment twice when the host fails, and repeats an update", async () => {
    host.failures = [undefined, 503, 503];
    const { code, stderr } = await comment("report");
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^slipway: POST \S+: 503: Not this time\. Try again later\.\n$/),
    ]);
    expect(host.failures).toEqual([503]);
    host.failures = [];
    await comment("report");
    host.failures = [undefined, 503];
    expect(await outcome("another report")).toBe("updated");
    expect(host.comments.map(({ body }) => body)).toEqual(["<!-- slipway: report -->\nanother report\n"]);
  });

  it("says what a wrong token needs", async () => {
    const wrong = { ...hosts[name](), GITHUB_TOKEN: "wrong", NOTE_TOKEN: "wrong" };
    const { code, stderr } = await run(["comment", "-"], wrong, "report");
    expect(code).toBe(1);
    expect(stderr).toContain(
      name === "GitHub" ? "pull-requests: write" : "project access token with the scope api",
    );
    expect(stderr).not.toContain("wrong");
    const missing = { ...hosts[name](), GITHUB_TOKEN: "", NOTE_TOKEN: "" };
    expect((await run(["comment", "-"], missing, "report")).stderr).toContain("is not set");
  });

  it("needs a pull or merge request, a report and a pipeline", async () => {
    const none = { ...hosts[name](), GITHUB_EVENT_PATH: "", CI_MERGE_REQUEST_IID: "" };
    expect((await run(["comment", "-"], none, "report")).stderr).toMatch(
      /does not run for a (pull|merge) request/,
    );
    expect((await run(["comment", "missing.md"], hosts[name]())).stderr).toMatch(
      /^slipway: The report missing\.md cannot be read/,
    );
    expect((await comment(" \n")).stderr).toBe(
      `slipway: The report ${join(folder, "report.md")} is empty.\n`,
    );
    expect((await run(["comment", "-"], { GITHUB_ACTIONS: "", GITLAB_CI: "" }, "report")).stderr).toMatch(
      /neither GitHub Actions nor GitLab CI/,
    );
  });
});

it("slipway ci comment on GitHub reads GITHUB_REF where no event names the request, and GH_TOKEN", async () => {
  const env = { ...hosts.GitHub(), GITHUB_EVENT_PATH: undefined, GITHUB_REF: "refs/pull/7/merge" };
  const token = { GITHUB_TOKEN: undefined, GH_TOKEN: "host-token" };
  expect((await run(["comment", "-"], { ...env, ...token }, "report")).code).toBe(0);
  expect(host.comments.map(({ body }) => body)).toEqual(["<!-- slipway: report -->\nreport\n"]);
});

describe.each(names)("slipway ci drift on %s", (name) => {
  /** A Pulumi CLI that finds a difference, nothing, or fails. */
  function pulumi(found: string): void {
    const drift =
      'echo "@ previewing ...$$"; echo "Duration: $$s"; printf "~ framework: \\033[3$(($$ % 8))mnextjs\\033[0m => $0\\n"; echo "error: no changes were expected for preview but changes were proposed" >&2; exit 7';
    const scripts: Record<string, string> = { none: "exit 0", failure: "echo 'error: no token' >&2; exit 4" };
    const script = scripts[found] ?? drift.replace("$0", found);
    writeFileSync(join(folder, "pulumi"), `#!/bin/sh\nenv > ${join(folder, "env")}\n${script}\n`);
    chmodSync(join(folder, "pulumi"), 0o755);
  }
  const preview = ["--", "pulumi", "preview", "--refresh", "--expect-no-changes"];
  const drift = (...more: string[]) => run(["drift", "--json", ...more, ...preview], hosts[name]());

  it("opens an issue, updates it, and closes it when the drift is gone", async () => {
    host.issues.push(host.newItem({ body: "another issue", description: "another issue" }));
    const step = async (found: string, code: number, expected: string): Promise<void> => {
      pulumi(found);
      const result = await drift();
      expect([result.code, jsonOf("ci drift", result).outcome]).toEqual([code, expected]);
    };
    await step("none", 0, "none");
    expect(host.writes).toEqual([]);
    await step("astro", 3, "opened");
    await step("astro", 3, "unchanged");
    await step("vite", 3, "updated");
    expect(host.issues.map(textOf)).toEqual([
      "another issue",
      expect.stringMatching(
        /^<!-- slipway: drift of production -->\nThe account differs from the stack production\. To revert the account, run `pulumi up --refresh`\. To keep[^\n]*\n\n```\n~ framework: nextjs => vite\nerror: [^\n]*\n```\n$/,
      ),
    ]);
    await step("none", 0, "closed");
    expect(host.issues.map(({ state }) => state)).toEqual(["open", "closed"]);
    await step("none", 0, "none");
    await step("astro", 3, "opened");
    expect(host.issues).toHaveLength(3);
  });

  it("takes no other issue for that of the stack: a closed one, one of another label, a pull request", async () => {
    const text = "<!-- slipway: drift of production -->\nof a pipeline";
    const post = { body: text, description: text, labels: "drift" };
    const others = [
      { ...post, state: "closed" },
      { ...post, labels: "other" },
      ...(name === "GitHub" ? [{ ...post, pull_request: {} }] : []),
    ];
    for (const other of others) host.issues.push(host.newItem(other));
    pulumi("astro");
    expect(jsonOf("ci drift", await drift()).outcome).toBe("opened");
    expect(host.issues.slice(0, -1).map(textOf)).toEqual(others.map(() => text));
    pulumi("none");
    expect(jsonOf("ci drift", await drift())).toEqual({
      issue: host.issues.at(-1)?.number,
      outcome: "closed",
    });
  });

  it("writes no secret of the pipeline into the issue", async () => {
    pulumi("canary-of-slipway");
    await run(["drift", ...preview], { ...hosts[name](), SLIPWAY_TOKEN: "canary-of-slipway" });
    expect(host.issues.map(textOf)).toEqual([expect.stringContaining("nextjs => [secret]")]);
  });

  it("leaves the issue alone when the preview fails otherwise", async () => {
    pulumi("astro");
    await drift();
    pulumi("failure");
    host.writes = [];
    const { code, stdout, stderr } = await drift();
    expect([code, stdout, host.writes]).toEqual([4, "", []]);
    expect(stderr).toContain("error: no token");
    expect(stderr).toContain("the command failed for another reason than drift");
  });

  it("keeps an issue for each stack, and the token from the program", async () => {
    pulumi("astro");
    await drift("--name", "dev");
    await drift("--name", "production");
    expect(host.issues).toHaveLength(2);
    expect(readFileSync(join(folder, "env"), "utf8")).not.toContain("host-token");
  });

  it("keeps every token of a Git host from the program, whichever it uses itself", async () => {
    pulumi("none");
    const tokens = { GITHUB_TOKEN: "host-token", GH_TOKEN: "host-token", NOTE_TOKEN: "host-token" };
    const { code } = await run(["drift", ...preview], { ...hosts[name](), ...tokens });
    expect(code).toBe(0);
    expect(readFileSync(join(folder, "env"), "utf8")).not.toContain("host-token");
  });

  it("refuses a command that cannot tell drift, or cannot be run", async () => {
    const { code, stderr } = await run(["drift", "--", "pulumi", "preview"], hosts[name]());
    expect([code, stderr]).toEqual([
      2,
      "slipway: Add --expect-no-changes: its exit code shows whether there is drift.\n",
    ]);
    expect((await run(["drift", "--", "pulumy", "--expect-no-changes"], hosts[name]())).stderr).toMatch(
      /^slipway: pulumy cannot be run \(/,
    );
    expect((await run(["drift"], hosts[name]())).code).toBe(2);
  });
});

/** A host with one comment, which is also its only issue. */
const hostWith = (body: string, written: string[]) =>
  ({
    ...{ name: "GitHub", longest: 300, jobUrl: "https://git.example.com/job/1" },
    comments: async () => [{ id: 1, body }],
    issues: async () => [{ id: 1, body }],
    addComment: async (text: string) => ({ id: written.push(text), body: text }),
    changeComment: async (_: number, text: string) => void written.push(text),
    changeIssue: async (_: number, text: string) => void written.push(text),
    closeIssue: async (id: number, text: string) => void written.push(`${id} ${text}`),
  }) as unknown as Host;

describe("a text of slipway ci", () => {
  it("is unchanged where only the host's line ends differ, and leads to the job where it is cut", async () => {
    const written: string[] = [];
    const own = hostWith("<!-- slipway: report -->\r\nLine 1\r\nLine 2\r\n", written);
    expect(await putComment(own, "Line 1\nLine 2", "report")).toEqual({ id: 1, outcome: "unchanged" });
    await putComment(own, "A line of text.\n".repeat(50), "report");
    expect(written).toEqual([
      expect.stringMatching(
        /\.\n\n\[The job\]\(https:\/\/git\.example\.com\/job\/1\) has the rest of this report\.$/,
      ),
    ]);
    expect(written[0]?.length).toBeLessThanOrEqual(300);
    await putComment(own, "text", "a--b");
    expect(written[1]).toBe("<!-- slipway: a-b -->\ntext\n");
  });

  it("closes an issue, with a link to the job that found no drift", async () => {
    const written: string[] = [];
    const own = hostWith("<!-- slipway: drift of dev -->\ntext", written);
    const drift = { name: "dev", label: "drift", diff: undefined };
    expect(await recordDrift(own, drift)).toEqual({ issue: 1, outcome: "closed" });
    expect(written).toEqual(["1 No drift was found by [this job](https://git.example.com/job/1)."]);
  });

  it("leaves an issue as it is while the same drift is too long for it", async () => {
    const written: string[] = [];
    const drift = { name: "dev", label: "drift", diff: "~ framework: nextjs => vite\n".repeat(50) };
    const older = hostWith("<!-- slipway: drift of dev -->\ntext", written);
    expect(await recordDrift(older, drift)).toMatchObject({ outcome: "updated" });
    const [body = ""] = written;
    expect(body.length).toBeLessThanOrEqual(older.longest);
    expect(await recordDrift(hostWith(body, written), drift)).toMatchObject({ outcome: "unchanged" });
    expect(written).toHaveLength(1);
  });
});

describe("a report that is too long", () => {
  it("is cut at the end of a line, with what it opened closed", () => {
    const text = `# Report\n\n<details>\n\n\`\`\`\n${"a line of text\n".repeat(100)}\`\`\`\n\n</details>\n`;
    const cut = shortened(text, 600, "The job has the rest.");
    expect(cut.length).toBeLessThanOrEqual(600);
    expect(cut).toMatch(/a line of text\n```\n\n<\/details>\n\nThe job has the rest\.$/);
    expect(shortened(text, 10_000, "note")).toBe(text);
  });

  it("has code blocks that its lines cannot end", () => {
    expect(codeBlock("a\n````\nb\n")).toBe("`````\na\n````\nb\n`````");
  });
});
