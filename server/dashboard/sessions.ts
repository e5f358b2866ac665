import { randomBytes } from "node:crypto";
import { tokenHash } from "../platform/vault";

/** The session of a browser that opened a link. */
export interface Session {
  readonly hash: string;
  /** When the session ends, even if it is used. */
  readonly endsAt: number;
  /** When the session ends unless it is used again. */
  idleAt: number;
}

export interface SessionOptions {
  /** How long an unused session lasts, in milliseconds. Default 2 hours. */
  idleMs?: number | undefined;
  /** Returns the time. Default: the machine's time, because advancing the server's clock must not end sessions. */
  now?: () => number;
}

const hourMs = 60 * 60 * 1000;
const codeLifetimeMs = 24 * hourMs;
const longestMs = 12 * hourMs;
/** The largest number of codes, and of sessions. Above this number, the oldest one is removed. */
const most = 100;

/**
 * Access to the dashboard: codes for links that work once, and the sessions that these codes open.
 * @choice Both are in the memory of the process, so they end with the server and are not shared between servers.
 */
export class Sessions {
  private readonly codes = new Map<string, number>();
  private readonly sessions = new Map<string, Session>();
  private readonly idleMs: number;
  private readonly now: () => number;
  /** A random name, because browsers share cookies between all ports of a host. */
  private readonly cookie = `slipway_${randomBytes(4).toString("hex")}`;

  constructor({ idleMs = 2 * hourMs, now = Date.now }: SessionOptions = {}) {
    this.idleMs = idleMs;
    this.now = now;
  }

  /** Makes a code that opens one session, within a day. */
  issueCode(): string {
    // Letters and digits only, so that a terminal detects the whole link.
    const code = randomBytes(24).toString("hex");
    this.codes.set(tokenHash(code), this.now() + codeLifetimeMs);
    trim(this.codes);
    return code;
  }

  /** @returns the cookie of a new session; undefined: the code is unknown, used or expired */
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

  /** Finds the session of a request by the request's cookies. Also resets the time after which an unused one ends. */
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

  /** @returns a `Set-Cookie` value with which the browser deletes the session's cookie */
  close(session: Session): string {
    this.sessions.delete(session.hash);
    return `${this.cookie}=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0`;
  }
}

function trim(map: Map<string, unknown>): void {
  const [oldest] = map.keys();
  if (map.size > most && oldest !== undefined) map.delete(oldest);
}
