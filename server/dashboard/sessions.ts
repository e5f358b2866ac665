import { randomBytes } from "node:crypto";
import { tokenHash } from "../platform/vault";

/** A browser that opened a link. */
export interface Session {
  readonly hash: string;
  /** When it ends whatever is done with it. */
  readonly endsAt: number;
  /** When it ends unless it is used before. */
  idleAt: number;
}

export interface SessionOptions {
  /** How long a session lasts unused, in milliseconds. Default 2 hours. */
  idleMs?: number | undefined;
  /** The machine's time: the server's own can be advanced, and nobody is to be signed out by that. */
  now?: () => number;
}

const hourMs = 60 * 60 * 1000;
const codeLifetimeMs = 24 * hourMs;
const longestMs = 12 * hourMs;
/** Of codes and of sessions. The oldest go first. */
const most = 100;

/**
 * Who may look at the dashboard: links with a code that works once, and the sessions that they open.
 * @choice Both live in the process: they end with the server, and one server's session is not another's.
 */
export class Sessions {
  private readonly codes = new Map<string, number>();
  private readonly sessions = new Map<string, Session>();
  private readonly idleMs: number;
  private readonly now: () => number;
  /** A name of its own: a browser keeps the cookies of all ports of a host together. */
  private readonly cookie = `slipway_${randomBytes(4).toString("hex")}`;

  constructor({ idleMs = 2 * hourMs, now = Date.now }: SessionOptions = {}) {
    this.idleMs = idleMs;
    this.now = now;
  }

  /** A code that opens one session, within a day. */
  issueCode(): string {
    // Letters and digits alone: a terminal takes all of it for the link.
    const code = randomBytes(24).toString("hex");
    this.codes.set(tokenHash(code), this.now() + codeLifetimeMs);
    trim(this.codes);
    return code;
  }

  /** @returns the cookie of a new session; undefined: the code is unknown, used or too old */
  open(code: string): string | undefined {
    const hash = tokenHash(code);
    const expiresAt = this.codes.get(hash);
    this.codes.delete(hash);
    if (expiresAt === undefined || expiresAt <= this.now()) return undefined;
    const secret = randomBytes(24).toString("base64url");
    const session = {
      hash: tokenHash(secret),
      endsAt: this.now() + longestMs,
      idleAt: this.now() + this.idleMs,
    };
    this.sessions.set(session.hash, session);
    trim(this.sessions);
    return `${this.cookie}=${secret}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${longestMs / 1000}`;
  }

  /** The session that a request's cookies name. Finding it counts as use. */
  find(cookies: string | undefined): Session | undefined {
    const secret = (cookies ?? "")
      .split(/; */)
      .find((one) => one.startsWith(`${this.cookie}=`))
      ?.slice(this.cookie.length + 1);
    const session = secret === undefined ? undefined : this.sessions.get(tokenHash(secret));
    if (!session || !this.isOpen(session)) return undefined;
    session.idleAt = this.now() + this.idleMs;
    return session;
  }

  isOpen(session: Session): boolean {
    const open =
      this.sessions.get(session.hash) === session && Math.min(session.endsAt, session.idleAt) > this.now();
    if (!open) this.sessions.delete(session.hash);
    return open;
  }

  /** @returns the cookie that removes the browser's */
  close(session: Session): string {
    this.sessions.delete(session.hash);
    return `${this.cookie}=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0`;
  }
}

function trim(map: Map<string, unknown>): void {
  const [oldest] = map.keys();
  if (map.size > most && oldest !== undefined) map.delete(oldest);
}
