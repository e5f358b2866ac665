import { useCallback, useEffect, useRef, useState } from "preact/hooks";

/** Requests views and actions from the server, and listens for changes. */

export class ApiFailure extends Error {}

class SessionOver extends ApiFailure {}

/** The server does not answer, or answers with a status of 500 or above. */
class Unavailable extends ApiFailure {}

export type Params = Record<string, string | number | undefined>;

async function send<T>(path: string, options?: RequestInit): Promise<T> {
  const response = await fetch(`/_dashboard/${path}`, options).catch(() => {
    throw new Unavailable("The server does not answer. Check that it runs.");
  });
  if (response.status === 401) {
    // Without a session, this address shows the sign-in page.
    location.reload();
    throw new SessionOver("The session is over.");
  }
  if (response.ok) return response.json();
  const body = await response.json().catch(() => undefined);
  const message = body?.error?.message ?? `The server answered ${response.status}.`;
  throw response.status >= 500 ? new Unavailable(message) : new ApiFailure(message);
}

function post<T>(path: string, body: object): Promise<T> {
  return send(path, {
    method: "POST",
    headers: { "x-slipway-dashboard": "1", "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

/** Requests an action. */
export const act = <T = unknown>(action: string, body: object): Promise<T> => post(`do/${action}`, body);

export async function signOut(): Promise<void> {
  await post("close", {});
  location.reload();
}

export type Topic = "change" | "requests";

/** The shortest time between two requests for the same view, in milliseconds. */
const pauseMs = 400;

const listeners: Record<Topic, Set<() => void>> = { change: new Set(), requests: new Set() };

/** The pause before a closed stream is opened again, in milliseconds. */
const reopenMs = 1_000;

/**
 * Listens for changes. The browser reconnects a broken stream by itself, but not a stream that was refused. After a
 * refusal, `reopen` requests the state. If the session is over, the sign-in page appears; otherwise the stream reopens.
 * @param onState called with true when the page is connected, and with false when the connection is lost
 */
export function listen(onState: (live: boolean) => void): () => void {
  let source: EventSource;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const open = (): void => {
    source = new EventSource("/_dashboard/stream");
    source.onopen = () => onState(true);
    source.onerror = () => {
      onState(false);
      if (source.readyState === EventSource.CLOSED) timer = setTimeout(reopen, reopenMs);
    };
    source.addEventListener("ended", () => location.reload());
    for (const topic of ["change", "requests"] as const) {
      source.addEventListener(topic, () => {
        for (const listener of listeners[topic]) listener();
      });
    }
  };
  const reopen = (): void => {
    send("view/state").then(open, (error: Error) => {
      if (!(error instanceof SessionOver)) timer = setTimeout(reopen, reopenMs);
    });
  };
  open();
  return () => {
    clearTimeout(timer);
    source.close();
  };
}

export interface Loaded<T> {
  data: T | undefined;
  error: string | undefined;
  reload: () => void;
}

/** The newest answer for a view. While the server is not available, the last data and the error are both set. */
interface Answer<T> {
  path: string;
  data?: T;
  error?: Error;
}

/** Loads a view, and reloads it on each event of the topic. While the server is not available, the data stays. */
export function useView<T>(name: string, params: Params = {}, topic: Topic = "change"): Loaded<T> {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(params)) {
    if (value !== undefined && value !== "") query.set(key, String(value));
  }
  const path = `view/${name}?${query}`;
  const [loaded, setLoaded] = useState<Answer<T>>({ path });
  const requested = useRef(0);
  const shown = useRef(0);
  const load = useCallback(async () => {
    const number = ++requested.current;
    const next = await send<T>(path).then(
      (data) => () => ({ path, data }),
      (error: Error) => (last: Answer<T>) =>
        error instanceof Unavailable && last.path === path ? { ...last, error } : { path, error },
    );
    // Answers arrive in any order. If the page shows the answer to a later request, this answer is dropped.
    if (number < shown.current) return;
    shown.current = number;
    setLoaded(next);
  }, [path]);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let again = false;
    const changed = (): void => {
      if (timer !== undefined) {
        again = true;
        return;
      }
      void load();
      timer = setTimeout(() => {
        timer = undefined;
        if (again) changed();
        again = false;
      }, pauseMs);
    };
    changed();
    listeners[topic].add(changed);
    return () => {
      clearTimeout(timer);
      listeners[topic].delete(changed);
    };
  }, [load, topic]);
  return { data: loaded.data, error: loaded.error?.message, reload: load };
}

/** Debounces a value: returns it when it has not changed for a time. */
export function useRested<T>(value: T, ms = 150): T {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return rested;
}
