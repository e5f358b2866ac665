import { Interrupted, pause, withLimits } from "../../../provider/client/step-limits";

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
      "It was not finished within 0.01 s. Run again to continue, or allow more time with customTimeouts.",
    ),
  );
});
