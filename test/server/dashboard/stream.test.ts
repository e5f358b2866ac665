/** @own-code The timers are fake. */

import type { ServerResponse } from "node:http";
import { PassThrough } from "node:stream";
import { controlState } from "../../../server/control/state";
import { Sessions } from "../../../server/dashboard/sessions";
import { Stream } from "../../../server/dashboard/stream";
import type { Store } from "../../../server/store/store";

describe("the stream of an open page", () => {
  const state = controlState({ routes: [], restore: async () => {} });
  const interval = 250;
  let stream: Stream;
  let heard: () => string[];

  beforeEach(() => {
    jest.useFakeTimers();
    const sessions = new Sessions();
    const session = sessions.find((sessions.open(sessions.issueCode()) ?? "").split(";")[0] ?? "");
    if (session === undefined) throw new Error("no session");
    const response = Object.assign(new PassThrough({ encoding: "utf8" }), { writeHead: () => response });
    stream = new Stream({ generation: () => 1 } as Store, state, sessions);
    stream.add(response as unknown as ServerResponse, session);
    heard = () => String(response.read() ?? "").match(/(?<=event: )\w+/g) ?? [];
    jest.advanceTimersByTime(interval);
    heard();
  });
  afterEach(() => {
    stream.close();
    jest.useRealTimers();
  });

  it("is silent while nothing changes", () => {
    jest.advanceTimersByTime(4 * interval);
    expect(heard()).toEqual([]);
  });

  it("reports a fault that was added and used up in between", () => {
    state.faults.add({ path: "/v9/projects", skip: 0, times: 1, kind: "status", status: 502, delayMs: 0 });
    state.faults.take({
      method: "GET",
      path: "/v9/projects",
      paths: ["/projects"],
      operation: undefined,
      account: [],
      resources: [],
    });
    expect(state.faults.list()).toEqual([]);
    jest.advanceTimersByTime(interval);
    expect(heard()).toEqual(["change"]);
  });
});
