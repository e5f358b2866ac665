import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A comment or issue, with the members of both hosts. */
export interface Item {
  author?: { id: number };
  id: number;
  number: number;
  iid: number;
  body: string;
  description: string;
  state: string;
  /** A list at GitHub, a text at GitLab. */
  labels: string | readonly string[];
  pull_request?: object;
}

/** A stand-in for the APIs of GitHub and GitLab, as far as `slipway ci` uses them. */
export interface RepositoryHost {
  /** The id of the user of the token. */
  user: number;
  readonly url: string;
  /** On the pull or merge request 7. */
  comments: Item[];
  issues: Item[];
  /** The requests that change something, in order. */
  writes: string[];
  /** Statuses of the next answers, before its own; undefined: its own. */
  failures: (number | undefined)[];
  newItem(more: Partial<Item>): Item;
  close(): void;
}

/** @param token what requests have to send */
export async function openRepositoryHost(token: string): Promise<RepositoryHost> {
  const api = createServer(async (request, response) => {
    const { method = "", headers } = request;
    const { pathname, searchParams } = new URL(request.url ?? "", "http://host");
    let text = "";
    for await (const chunk of request) text += chunk;
    const body = text === "" ? {} : (JSON.parse(text) as Partial<Item>);
    const answer = (status: number, value: unknown): void =>
      void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
    if (pathname === "/user") return answer(200, { id: host.user });
    const failure = host.failures.shift();
    if (failure !== undefined) return answer(failure, { message: "Not this time" });
    if (headers.authorization !== `Bearer ${token}` && headers["private-token"] !== token)
      return answer(401, { message: "Bad credentials" });
    if (method !== "GET") host.writes.push(`${method} ${pathname}`);
    const isComments = /\/(comments|notes)$/.test(pathname);
    const list = isComments ? host.comments : host.issues;
    if (method === "GET") {
      const page = Number(searchParams.get("page"));
      const [state, label] = [searchParams.get("state"), searchParams.get("labels")];
      const found = list.filter(
        (one) =>
          (state === null || one.state === "open") && (label === null || [one.labels].flat().includes(label)),
      );
      return answer(200, found.slice((page - 1) * 100, page * 100));
    }
    if (method === "POST") {
      const made = host.newItem(body);
      // Remarks on issues are not read again.
      if (!isComments || /\/(issues|merge_requests)\/7\//.test(pathname)) list.push(made);
      return answer(201, made);
    }
    const id = Number(/\d+$/.exec(pathname)?.[0]);
    const found = [...host.comments, ...host.issues].find((one) => one.id === id);
    if (!found) return answer(404, { message: "Not Found" });
    Object.assign(found, body, "state_event" in body ? { state: "closed" } : {});
    return answer(200, found);
  });
  const host: RepositoryHost = {
    url: "",
    user: 1,
    comments: [],
    issues: [],
    writes: [],
    failures: [],
    newItem(more) {
      const id = 100 + host.comments.length + host.issues.length;
      return { id, number: id, iid: id, body: "", description: "", state: "open", labels: [], ...more };
    },
    close: () => void api.close(),
  };
  await new Promise<void>((listening) => api.listen(0, "127.0.0.1", listening));
  return Object.assign(host, { url: `http://127.0.0.1:${(api.address() as AddressInfo).port}` });
}
