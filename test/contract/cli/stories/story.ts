import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { RunningServer } from "../../../../server";
import { plainDevelopmentToken } from "../../../../server/seed/development-account";
import { type Desk, vercel } from "../run";

/** Commands that are run in their order on one server, in one folder. */
export interface Story {
  title: string;
  /** The name of the folder. A project that is linked without a name gets it. */
  folder: string;
  /** Whether the commands do not name the team. */
  withoutScope?: true;
  prepare?(work: Work): Promise<unknown>;
  runs: readonly Run[];
}

export interface Run {
  /** The words after `vercel`. `{name}` stands for a note of an earlier run, and quotes keep words together. */
  line: string;
  /** The typed answers. */
  input?: string;
  before?(work: Work): unknown;
  /** The exit code. Default: 0 */
  code?: number;
  /** A part of the output, on either stream. */
  says?: string | RegExp;
  /** Checks what the command did. */
  check?(work: Work, said: Said): unknown;
  /** Why the command line cannot do this with a server of the API alone. */
  cannot?: string;
}

interface Said {
  said: string;
  stdout: string;
}

// biome-ignore lint/suspicious/noExplicitAny: answers are checked with matchers
type Answer = any;

/** The place of a story: its folder, its server and what its runs noted. */
export class Work {
  readonly notes: Record<string, string> = {};
  private readonly desk: Desk;

  constructor(
    readonly server: RunningServer,
    private readonly story: Story,
  ) {
    const folder = join(mkdtempSync(join(tmpdir(), "slipway-cli-")), story.folder);
    mkdirSync(folder);
    this.desk = { folder, url: server.url, token: plainDevelopmentToken };
  }

  get folder(): string {
    return this.desk.folder;
  }

  readonly get = (path: string): Promise<Answer> => this.send("GET", path);

  async send(method: string, path: string, body?: object): Promise<Answer> {
    const response = await fetch(`${this.server.url}${path}${path.includes("?") ? "&" : "?"}slug=acme`, {
      method,
      headers: { authorization: `Bearer ${this.server.token}`, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    return response.json();
  }

  write(path: string, contents: string | object | Buffer): void {
    mkdirSync(dirname(join(this.folder, path)), { recursive: true });
    const isText = typeof contents === "string" || Buffer.isBuffer(contents);
    writeFileSync(join(this.folder, path), isText ? contents : JSON.stringify(contents));
  }

  read(path: string): string {
    return readFileSync(join(this.folder, path), "utf8");
  }

  /** Adds a deployment that is ready. @returns its id */
  async deploy(fields: object): Promise<string> {
    const { id } = await this.send("POST", "/v13/deployments", fields);
    await this.server.control.advanceClock(2000);
    return id;
  }

  /** The newest deployment of a project. */
  async last(project: string): Promise<Answer> {
    const { deployments } = await this.get(`/v6/deployments?app=${project}&limit=1`);
    return this.get(`/v13/deployments/${deployments[0].uid}`);
  }

  async run({ line, input, before, code = 0, says, check }: Run): Promise<void> {
    await before?.(this);
    const fill = (text: string) =>
      text.replace(/\{(\w+)\}/g, (_, name) => this.notes[name] ?? `no-note-${name}`);
    const words = [...fill(line).matchAll(/'([^']*)'|(\S+)/g)].map(
      ([, quoted, word]) => quoted ?? word ?? "",
    );
    const scope = this.story.withoutScope ? [] : ["--scope", "acme"];
    const separator = words.includes("--") ? words.indexOf("--") : words.length;
    words.splice(separator, 0, ...scope);
    const result = await vercel(this.desk, words, input);
    expect({ code: result.code, said: result.said }).toEqual({ code, said: result.said });
    if (says !== undefined) expect(result.said).toMatch(typeof says === "string" ? fill(says) : says);
    await check?.(this, result);
  }

  close(): void {
    rmSync(join(this.folder, ".."), { recursive: true });
  }
}

/** The JSON document in an output. */
export const json = ({ stdout }: Said): Answer => JSON.parse(stdout.slice(stdout.search(/[[{]/)));
