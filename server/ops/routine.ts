/** True for requests that come again and again: those for the server's state, the dashboard and the reference. */
export const isRoutine = (path: string): boolean =>
  /^\/(?:_health|_ready|_dashboard|metrics|docs)\b/.test(path);
