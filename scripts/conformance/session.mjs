import { randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";

/** The time limit for an answer, in milliseconds. */
const patienceMs = 30_000;
/** The longest `Retry-After` that is waited for, in seconds. */
const longestPause = 120;

/** The beginning of the names of all projects and domains that the checks create. */
export const prefixStart = "slipway-conformance-";

/** Sends requests to an account, and deletes at the end what it has created. */
export class Session {
  prefix = `${prefixStart}${randomBytes(4).toString("hex")}`;
  requests = 0;
  #names = 0;

  constructor({ url, token, team }) {
    Object.assign(this, { url: url.replace(/\/+$/, ""), token, team });
  }

  /** A name that nothing else has. */
  name() {
    this.#names += 1;
    return `${this.prefix}-${this.#names}`;
  }

  /** A domain whose apex nobody has registered. */
  domain() {
    return `${this.name()}.com`;
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {{ query?: object, body?: unknown, text?: string, token?: string | null, team?: string | null }} [options]
   *   `text` is sent as it is; a token of null sends no header, and a team of null no team
   */
  async request(method, path, { query = {}, body, text, token = this.token, team = this.team } = {}) {
    const url = new URL(this.url + path);
    if (team) url.searchParams.set(team.startsWith("team_") ? "teamId" : "slug", team);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
    const content = text ?? (body === undefined ? undefined : JSON.stringify(body));
    const send = () => {
      this.requests += 1;
      return fetch(url, {
        method,
        redirect: "manual",
        headers: {
          ...(token === null ? {} : { authorization: `Bearer ${token}` }),
          ...(content === undefined ? {} : { "content-type": "application/json" }),
        },
        ...(content === undefined ? {} : { body: content }),
        signal: AbortSignal.timeout(patienceMs),
      });
    };
    let answer = await send();
    const pause = Number(answer.headers.get("retry-after"));
    if (answer.status === 429 && pause > 0 && pause <= longestPause) {
      await answer.arrayBuffer();
      await wait(pause * 1000);
      answer = await send();
    }
    const received = await answer.text();
    const request = `${method} ${path.replaceAll(this.prefix, "…")}`;
    return {
      request,
      status: answer.status,
      headers: answer.headers,
      text: received,
      body: jsonIn(received),
    };
  }

  /** All items of a list. */
  async all(path, member) {
    const items = [];
    for (let until; ; ) {
      const query = { limit: 100, ...(until !== undefined && { until }) };
      const { status, body } = await this.request("GET", path, { query });
      if (status !== 200) return items;
      items.push(...(Array.isArray(body) ? body : (body?.[member] ?? [])));
      const next = body?.pagination?.next;
      if (next === null || next === undefined || next === until) return items;
      until = next;
    }
  }

  /** Deletes the projects and the domains of this session. @returns what could not be deleted */
  async cleanUp() {
    const left = [];
    const remove = async (path, name) => {
      const { status } = await this.request("DELETE", path).catch(() => ({ status: 0 }));
      if (status !== 204 && status !== 200 && status !== 404) left.push(name);
    };
    for (const { id, name } of await this.all("/v9/projects", "projects"))
      if (name.startsWith(this.prefix)) await remove(`/v9/projects/${id}`, `the project ${name}`);
    for (const { name } of await this.all("/v5/domains", "domains"))
      if (name.startsWith(this.prefix)) await remove(`/v6/domains/${name}`, `the domain ${name}`);
    return left;
  }
}

function jsonIn(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
