/** True for requests that clients repeat all the time: health checks, metrics, the dashboard and the API reference. */
export const isRoutine = (path: string): boolean =>
  /^\/(?:_health|_ready|_init|_dashboard|metrics|docs)\b/.test(path);
