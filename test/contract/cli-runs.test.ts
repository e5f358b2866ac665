import { type RunningServer, startServer } from "../../server";
import { fetchCommandLine, isWanted } from "./cli/run";
import { type Run, Work } from "./cli/stories/story";
import { stories } from "./cli-runs";
import { takeStore } from "./contract";

const runs = stories.flatMap((story) => story.runs);

it("has the runs of daily work, of which nearly all must succeed", () => {
  expect(runs.length).toBeGreaterThanOrEqual(300);
  expect(runs.filter(({ cannot }) => !cannot).length).toBeGreaterThanOrEqual(280);
});

(isWanted ? describe : describe.skip).each(stories)("the official command line: $title", (story) => {
  /** Tests have no order, but the runs of a story do: all are run before the first test. */
  const failures = new Map<Run, unknown>();
  let server: RunningServer;
  let release: () => Promise<void>;
  let work: Work;

  beforeAll(async () => {
    await fetchCommandLine();
    const { release: releaseStore, ...store } = await takeStore();
    release = releaseStore;
    server = await startServer({ ...store });
    work = new Work(server, story);
    await story.prepare?.(work);
    for (const run of story.runs) {
      if (run.cannot) continue;
      await work.run(run).catch((error: unknown) => failures.set(run, error));
    }
  }, 1_200_000);

  afterAll(async () => {
    await server?.close();
    await release?.();
    work?.close();
  });

  for (const run of story.runs) {
    if (run.cannot) it.todo(`vercel ${run.line}: ${run.cannot}`);
    else
      it(`vercel ${run.line}`, () => {
        if (failures.has(run)) throw failures.get(run);
        expect(failures).not.toContain(run);
      });
  }
});
