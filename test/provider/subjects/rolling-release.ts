import type { Plain } from "../../../provider/core/values";
import { rollingRelease } from "../../../provider/resources/rolling-release";
import { ofProject, projects } from "../fields/common";
import type { Harness } from "../stack";
import { life, type Subject } from "../subject";

const path = (project: unknown): string => `/v1/projects/${project}/rolling-release/config`;
const full = { targetPercentage: 100 };
const automatic = (...durations: number[]) => [
  ...durations.map((duration, at) => ({ targetPercentage: at + 1, duration })),
  full,
];
const configure = (stages: object) => (w: Harness, id: string) =>
  w.curl("PATCH", path(id), { enabled: true, advancementType: "automatic", stages });
const given = { advancementType: "automatic", stages: automatic(5) };

export const subject: Subject = {
  resource: rollingRelease,
  handler: "rollout",
  async prepare(w) {
    const known = await projects(w);
    return { given: { project: known.web, ...given }, known };
  },
  async look(w, id) {
    return ((await w.curl("GET", path(id))) as Plain).rollingRelease as Plain;
  },
  listed: {
    query: { project: "web" },
    names: ["web rolling release"],
    prepare: (w) => configure(automatic(5))(w, "web"),
  },
  managed: {
    inputs: () => ({ project: "prj_web", ...given }),
    changed: { stages: automatic(6) },
  },
  rows: [
    { ...ofProject, shown: () => ({ stages: automatic(5) }) },
    {
      path: "advancementType",
      first: "automatic",
      second: "manual-approval",
      changed: "update",
      cleared: /^advancementType is missing/,
      shown: (type) => ({
        stages: [
          { targetPercentage: 1, ...(type === "automatic" ? { duration: 5 } : { requireApproval: true }) },
          full,
        ],
      }),
      drift: configure(automatic(7)),
    },
    {
      path: "stages",
      first: automatic(5),
      second: automatic(5, 10),
      changed: "update",
      cleared: /^stages is missing/,
      shown: (stages) => ({ stages }),
      drift: configure(automatic(7)),
    },
    {
      path: "stages[].targetPercentage",
      first: 10,
      second: 20,
      changed: "update",
      cleared: /targetPercentage is missing/,
      shown: (targetPercentage) => ({ stages: [{ targetPercentage, duration: 5 }, full] }),
      drift: configure(automatic(7)),
    },
    {
      path: "stages[].duration",
      first: 10,
      second: 20,
      changed: "update",
      cleared: /needs a duration/,
      shown: (duration) => ({ stages: [{ targetPercentage: 1, duration }, full] }),
      drift: configure(automatic(7)),
    },
    {
      path: "stages[].linearShift",
      first: true,
      second: false,
      changed: "update",
      cleared: "update",
      shown: (linearShift) => ({
        stages: [
          { targetPercentage: 1, duration: 5, ...(linearShift !== undefined && { linearShift }) },
          full,
        ],
      }),
      drift: configure([{ targetPercentage: 1, duration: 5, linearShift: true }, full]),
    },
  ],
  operations: life(
    rollingRelease,
    () => ({ project: "web", ...given }),
    () => ({ project: "web", ...given, stages: automatic(6) }),
  ),
};
