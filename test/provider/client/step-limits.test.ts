import {
  Interrupted,
  pause,
  requestSignal,
  withCaller,
  withLimits,
} from "../../../provider/client/step-limits";

it("ends a wait when the run is cancelled, and refuses those that follow", async () => {
  const run = new AbortController();
  const waiting = withLimits({ seconds: 0, cancelled: run.signal }, () => pause(3_600_000));
  run.abort();
  await expect(waiting).rejects.toEqual(new Interrupted("The run was cancelled."));
  await expect(withLimits({ seconds: 0, cancelled: run.signal }, () => pause(0))).rejects.toThrow(
    Interrupted,
  );
});

it("ends a wait when the time of the step is up, and says how to allow more", async () => {
  const { signal } = new AbortController();
  await expect(withLimits({ seconds: 0.01, cancelled: signal }, () => pause(3_600_000))).rejects.toEqual(
    new Interrupted(
      "The step was not finished within 0.01 s. Run again to continue, or allow more time with customTimeouts.",
    ),
  );
});

it.each([true, false])(
  "ends a request at its own time limit, before that of its step: creates %s",
  async (creates) => {
    const limit = new AbortController();
    const timeout = jest.spyOn(AbortSignal, "timeout").mockReturnValue(limit.signal);
    const { signal: cancelled } = new AbortController();
    const signal = await withLimits({ seconds: 60, cancelled }, async () => requestSignal(1, creates));
    timeout.mockRestore();
    limit.abort();
    expect(signal.aborted).toBe(true);
  },
);

it("ends waits when the caller is gone, and sends nothing further", async () => {
  const gone = new AbortController();
  const { signal: cancelled } = new AbortController();
  const step = (work: () => Promise<unknown>) =>
    withCaller(gone.signal, () => withLimits({ seconds: 0, cancelled }, work));
  const waiting = step(() => pause(60_000));
  gone.abort();
  await expect(waiting).rejects.toThrow(Interrupted);
  await expect(step(async () => requestSignal(1_000))).rejects.toThrow(
    "Pulumi has ended, so nothing further is sent.",
  );
});
