import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Plain } from "../../provider/core/values";
import { deployment } from "../../provider/resources/deployment";
import { firstOfEach, sharedOut } from "../support/slices";
import { until } from "../support/until";
import { hosted, hostNames } from "./hosted";
import { type Harness, startHarness } from "./stack";

/** Faults of a deployment, through both hosts: a later run ends with exactly one deployment for each step. */

let w: Harness;
let folder: string;
beforeEach(async () => {
  w = await startHarness();
  await w.server.control.planBuilds({ buildMs: 0 });
  await w.server.control.seed({
    gitProviders: [{ team: "acme", type: "github", repos: ["acme/web"] }],
  });
  await w.curl("POST", "/v10/projects", {
    name: "web",
    gitRepository: { type: "github", repo: "acme/web" },
    commandForIgnoringBuildStep: "exit 0",
  });
  await w.server.control.deploy({
    id: "dpl_1",
    team: "acme",
    project: "web",
    readyState: "READY",
    createdAt: 1,
  });
  folder = mkdtempSync(join(tmpdir(), "slipway-faults-"));
  mkdirSync(join(folder, "static"));
  writeFileSync(join(folder, "config.json"), '{"version":3}');
  writeFileSync(join(folder, "static/index.html"), "<h1>hi</h1>");
});
afterEach(async () => {
  rmSync(folder, { recursive: true });
  await w.close();
});

/** The inputs of each source. */
const sources: Record<string, () => Plain> = {
  ref: () => ({ project: "web", ref: "main" }),
  redeploy: () => ({ project: "web", redeploy: "dpl_1" }),
  directory: () => ({ project: "web", directory: folder }),
  prebuilt: () => ({ project: "web", prebuilt: folder }),
};

/** The states of the deployments that runs have created, the oldest first. */
async function states(): Promise<unknown[]> {
  const { deployments } = (await w.curl("GET", "/v6/deployments")) as unknown as { deployments: Plain[] };
  return deployments
    .filter(({ uid }) => uid !== "dpl_1")
    .map(({ readyState }) => readyState)
    .reverse();
}

const newest = async (): Promise<string> => {
  const { deployments } = (await w.curl("GET", "/v6/deployments")) as unknown as { deployments: Plain[] };
  return String(deployments[0]?.uid);
};

/** The fault of the first run, or of its end. */
interface Trouble {
  name: string;
  begin(): Promise<unknown>;
  /** Inputs of the first run alone. */
  inputs?: Plain;
  /** Does something while the first run waits. */
  meanwhile?(): Promise<unknown>;
  /** The message of the first run; undefined: it overcomes it. */
  says?: RegExp;
  /** The states of all deployments after the second run. */
  leaves: string[];
}

const fault = (path: string, kind: "drop-before" | "drop-after", method = "POST") =>
  w.server.control.addFaults({ method, path, kind, times: 1 });

const plan = (build: Parameters<Harness["server"]["control"]["planBuilds"]>[0]) =>
  w.server.control.planBuilds(build);

const troubles: Trouble[] = [
  {
    name: "the build fails",
    begin: () => plan({ buildMs: 0, error: { message: "no space left" } }),
    says: /dpl_\w+ failed: no space left\. Its log is at/,
    leaves: ["ERROR", "READY"],
  },
  {
    name: "the build is skipped",
    begin: () => plan({ buildMs: 0, skipIgnored: true }),
    says: /dpl_\w+ was skipped by commandForIgnoringBuildStep/,
    leaves: ["CANCELED", "READY"],
  },
  {
    name: "somebody cancels the build",
    begin: () => plan({ buildMs: 60_000 }),
    meanwhile: async () => w.curl("PATCH", `/v12/deployments/${await newest()}/cancel`),
    says: /dpl_\w+ was cancelled\. Its log is at/,
    leaves: ["CANCELED", "READY"],
  },
  {
    name: "the build takes longer than timeoutMs",
    begin: () => plan({ buildMs: 300 }),
    inputs: { timeoutMs: 0 },
    says: /dpl_\w+ is still \w+ after 0 s\. The build continues/,
    leaves: ["READY"],
  },
  ...(["drop-before", "drop-after"] as const).map((kind) => ({
    name: `the answer to the create is lost: ${kind}`,
    begin: () => fault("/v13/deployments", kind),
    leaves: ["READY"],
  })),
  {
    name: "the look-up before the create gets no answer",
    begin: () => fault("/v6/deployments", "drop-after", "GET"),
    leaves: ["READY"],
  },
  {
    name: "a read of the wait gets no answer",
    begin: async () => {
      await plan({ buildMs: 100 });
      await fault("/v13/deployments/:id", "drop-after", "GET");
    },
    leaves: ["READY"],
  },
];

const uploadTroubles: Trouble[] = (["drop-before", "drop-after"] as const).flatMap((kind) => [
  {
    name: `the answer to an upload is lost: ${kind}`,
    begin: () => fault("/v2/files", kind),
    leaves: ["READY"],
  },
  {
    name: `the answer to the create after the uploads is lost: ${kind}`,
    begin: () =>
      w.server.control.addFaults({ method: "POST", path: "/v13/deployments", kind, skip: 1, times: 1 }),
    leaves: ["READY"],
  },
]);

const isOfFiles = (source: string): boolean => source === "directory" || source === "prebuilt";

// Neighbours go through different hosts. The order of the steps alternates, so that each goes through both.
const cases = Object.keys(sources).flatMap((source) =>
  [...troubles, ...(isOfFiles(source) ? uploadTroubles : [])].flatMap((trouble, at) => {
    const steps = ["create", "replace"] as const;
    return (at % 2 === 0 ? steps : steps.toReversed()).map((step) => ({ ...trouble, source, step }));
  }),
);

/** Deployments of files are alike, and so are the others. */
const kindOf = ({ name, source, step }: (typeof cases)[number]): string =>
  `${step} ${isOfFiles(source)} ${name}`;

/** The plan of a run that nothing befalls. */
async function recover(): Promise<void> {
  await w.server.control.clearFaults();
  await plan({ buildMs: 0 });
}

describe.each(hostNames)("through the %s host", (host) => {
  const story = sharedOut(hostNames, host);
  for (const one of firstOfEach(cases, kindOf))
    story(`${one.step} of ${one.source}, ${one.name}: the next run leaves one deployment`, async () => {
      const stack = await hosted(w, deployment, host);
      let declared: Plain = { ...sources[one.source]?.(), environment: { KEY: "canary" } };
      const before: string[] = [];
      if (one.step === "replace") {
        await stack.up(declared);
        before.push("READY");
        if (isOfFiles(one.source)) writeFileSync(join(folder, "static/index.html"), "changed");
        else declared = { ...declared, triggers: [2] };
      }
      stack.use(w.another());
      await one.begin();
      const first = stack.up({ ...declared, ...one.inputs }).catch((error: Error) => error.message);
      if (one.meanwhile) {
        await until(
          "the build is under way",
          async () => (await states()).length > before.length || undefined,
        );
        await one.meanwhile();
      }
      const said = await first;
      if (one.says === undefined) expect(said).toBe(one.step);
      else expect(said).toMatch(one.says);
      await recover();
      // The clock of the server is that of the machine.
      if (one.inputs) await w.server.control.advanceClock(1_000);
      stack.use(w.another());
      await stack.up(declared);
      expect(await states()).toEqual([...before, ...one.leaves]);
      expect(stack.state).toMatchObject({ deploymentId: await newest(), readyState: "READY" });
      stack.use(w.another());
      expect(await stack.up(declared)).toBe("same");
      expect(await stack.refresh()).toBe(true);
      expect(await states()).toEqual([...before, ...one.leaves]);
    });

  /** A run that ends without a trace in the state, as one that is killed. */
  async function killed(declared: Plain): Promise<void> {
    const lost = await hosted(w, deployment, host);
    lost.use(w.another());
    await expect(lost.up(declared)).rejects.toThrow();
  }

  for (const source of Object.keys(sources)) {
    story(`${source}: a run that is killed before the create creates nothing twice`, async () => {
      const declared = sources[source]?.() ?? {};
      await w.server.control.addFaults({
        method: "POST",
        path: "/v13/deployments",
        kind: "drop-before",
        times: 99,
      });
      await killed(declared);
      expect(await states()).toEqual([]);
      await recover();
      const stack = await hosted(w, deployment, host);
      stack.use(w.another());
      await stack.up(declared);
      expect(await states()).toEqual(["READY"]);
    });

    story(`${source}: a run that is killed after the create is continued`, async () => {
      const declared = sources[source]?.() ?? {};
      await plan({ buildMs: 60_000 });
      await killed({ ...declared, timeoutMs: 0 });
      const id = await newest();
      expect(await states()).toHaveLength(1);
      await recover();
      const stack = await hosted(w, deployment, host);
      stack.use(w.another());
      const waiting = stack.up(declared);
      await sleep(50);
      await w.server.control.advanceClock(60_000);
      await waiting;
      expect(stack.id).toBe(id);
      expect(await states()).toEqual(["READY"]);
    });
  }

  describe.each(["keep", "delete"] as const)("with onDestroy: %s", (onDestroy) => {
    const left = onDestroy === "keep" ? ["READY"] : [];

    for (const kind of ["drop-before", "drop-after"] as const)
      story(`destroys once when the answer is lost: ${kind}`, async () => {
        const stack = await hosted(w, deployment, host);
        await stack.up({ ...sources.redeploy?.(), onDestroy });
        await fault("/v13/deployments/:id", kind, "DELETE");
        stack.use(w.another());
        await stack.destroy();
        expect(await states()).toEqual(left);
      });

    story("destroys again after a run that was killed while it destroyed", async () => {
      const stack = await hosted(w, deployment, host);
      await stack.up({ ...sources.redeploy?.(), onDestroy });
      await stack.destroy();
      stack.use(w.another());
      await stack.destroy();
      expect(await states()).toEqual(left);
    });
  });
});
