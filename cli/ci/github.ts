import { readFileSync } from "node:fs";
import { UserError } from "../core/errors";
import { type Call, type Host, type Post, pageSize, send, sendPaged } from "./host";

interface Item {
  id: number;
  number: number;
  body: string | null;
  pull_request?: object;
}

const hint =
  // biome-ignore lint/suspicious/noTemplateCurlyInString: an expression of GitHub Actions
  "Pass GITHUB_TOKEN: ${{ github.token }}, and give the job the permissions pull-requests: write and issues: write.";

/** GitHub, with the variables of GitHub Actions. @throws UserError if the repository or the token is missing */
export function githubHost(environment: NodeJS.ProcessEnv): Host {
  const {
    GITHUB_API_URL: api = "https://api.github.com",
    GITHUB_REPOSITORY: repository,
    GITHUB_TOKEN: token = environment.GH_TOKEN,
    GITHUB_RUN_ID: run,
    GITHUB_SERVER_URL: server = "https://github.com",
  } = environment;
  if (!repository || !token) throw new UserError(`GITHUB_REPOSITORY or GITHUB_TOKEN is not set. ${hint}`);
  const call = (method: Call["method"], path: string, body?: object): Call => ({
    method,
    url: `${api}/repos/${repository}${path}`,
    headers: {
      authorization: `Bearer ${token}`,
      accept: "application/vnd.github+json",
      "x-github-api-version": "2022-11-28",
    },
    ...(body === undefined ? {} : { body }),
  });
  const list = (path: string, query: string): Promise<Item[]> =>
    sendPaged((page) => call("GET", `${path}?${query}per_page=${pageSize}&page=${page}`), hint);
  const write = (method: Call["method"], path: string, body: object): Promise<Item> =>
    send(call(method, path, body), hint) as Promise<Item>;
  const discussion = (): string => `/issues/${pullRequest(environment)}/comments`;
  return {
    name: "GitHub",
    longest: 65_536,
    jobUrl: run === undefined ? undefined : `${server}/${repository}/actions/runs/${run}`,
    comments: async () => (await list(discussion(), "")).map(({ id, body }) => ({ id, body: body ?? "" })),
    addComment: async (body) => postOf(await write("POST", discussion(), { body }), "id"),
    changeComment: async (id, body) => void (await write("PATCH", `/issues/comments/${id}`, { body })),
    async issues(label) {
      const found = await list("/issues", `state=open&labels=${encodeURIComponent(label)}&`);
      return found.filter((one) => one.pull_request === undefined).map((one) => postOf(one, "number"));
    },
    openIssue: async ({ title, body, label }) =>
      postOf(await write("POST", "/issues", { title, body, labels: [label] }), "number"),
    changeIssue: async (id, body) => void (await write("PATCH", `/issues/${id}`, { body })),
    async closeIssue(id, comment) {
      await write("POST", `/issues/${id}/comments`, { body: comment });
      await write("PATCH", `/issues/${id}`, { state: "closed", state_reason: "completed" });
    },
  };
}

const postOf = (item: Item, key: "id" | "number"): Post => ({ id: item[key], body: item.body ?? "" });

/** The number of the pull request, from the event that started the workflow. */
function pullRequest({ GITHUB_EVENT_PATH: path, GITHUB_REF: ref = "" }: NodeJS.ProcessEnv): number {
  let event: { pull_request?: { number?: number }; number?: number } = {};
  try {
    if (path !== undefined) event = JSON.parse(readFileSync(path, "utf8"));
  } catch {
    // The number is also in the Git reference, which is read below.
  }
  const number = event.pull_request?.number ?? Number(/^refs\/pull\/(\d+)\//.exec(ref)?.[1]);
  if (Number.isInteger(number)) return number;
  throw new UserError(
    "This workflow does not run for a pull request. Run slipway ci comment on the event pull_request.",
  );
}
