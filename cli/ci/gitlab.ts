import { UserError } from "../core/errors";
import { type Call, type Host, pageSize, send, sendPaged } from "./host";

interface Note {
  id: number;
  body: string;
  system?: boolean;
  author?: { id: number };
}
interface Issue {
  iid: number;
  description: string | null;
}

const hint =
  "Create a project access token with the scope api, and store it in the CI/CD variable NOTE_TOKEN, masked.";

/** GitLab, with the variables of GitLab CI. @throws UserError if the URL, the project or the token is missing */
export function gitlabHost(environment: NodeJS.ProcessEnv): Host {
  const {
    CI_API_V4_URL: api,
    CI_PROJECT_ID: project,
    CI_JOB_URL: job,
    NOTE_TOKEN: token,
    CI_MERGE_REQUEST_IID: request,
  } = environment;
  if (!api || !project || !token) {
    throw new UserError(`CI_API_V4_URL, CI_PROJECT_ID or NOTE_TOKEN is not set. ${hint}`);
  }
  const call = (method: Call["method"], path: string, body?: object): Call => ({
    method,
    url: `${api}/projects/${project}${path}`,
    // After a redirect to another host, `fetch` removes this header, but not `private-token`.
    headers: { authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { body }),
  });
  const list = <T>(path: string, query: string): Promise<T[]> =>
    sendPaged((page) => call("GET", `${path}?${query}per_page=${pageSize}&page=${page}`), hint);
  const write = <T>(method: Call["method"], path: string, body: object): Promise<T> =>
    send(call(method, path, body), hint) as Promise<T>;
  /** The id of the token's user; undefined if the token may not read it. */
  const currentUser = async (): Promise<number | undefined> => {
    try {
      const user = await send({ ...call("GET", ""), url: `${api}/user` }, hint);
      return (user as { id?: number }).id;
    } catch {
      return undefined;
    }
  };
  const discussion = (): string => {
    if (request) return `/merge_requests/${request}/notes`;
    throw new UserError(
      "This pipeline does not run for a merge request. Run slipway ci comment only if CI_PIPELINE_SOURCE is merge_request_event.",
    );
  };
  return {
    name: "GitLab",
    longest: 1_000_000,
    jobUrl: job,
    async comments() {
      const notes = await list<Note>(discussion(), "sort=asc&");
      // GitLab lets nobody change the note of another user, such as the user of a former token.
      const self = await currentUser();
      return notes
        .filter(
          ({ system, author }) =>
            !system && (self === undefined || author === undefined || author.id === self),
        )
        .map(({ id, body }) => ({ id, body }));
    },
    async addComment(body) {
      const note = await write<Note>("POST", discussion(), { body });
      return { id: note.id, body: note.body };
    },
    changeComment: async (id, body) => void (await write("PUT", `${discussion()}/${id}`, { body })),
    async issues(label) {
      const found = await list<Issue>("/issues", `state=opened&labels=${encodeURIComponent(label)}&`);
      return found.map(({ iid, description }) => ({ id: iid, body: description ?? "" }));
    },
    async openIssue({ title, body, label }) {
      const issue = await write<Issue>("POST", "/issues", { title, description: body, labels: label });
      return { id: issue.iid, body: issue.description ?? "" };
    },
    changeIssue: async (id, body) => void (await write("PUT", `/issues/${id}`, { description: body })),
    async closeIssue(id, comment) {
      await write("POST", `/issues/${id}/notes`, { body: comment });
      await write("PUT", `/issues/${id}`, { state_event: "close" });
    },
  };
}
