/** True for requests that clients repeat all the time: for the server's state, the dashboard and the reference. */
export const isRoutine = (path: string): boolean =>
  /^\/(?:_health|_ready|_dashboard|metrics|docs)\b/.test(path);
