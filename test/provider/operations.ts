import { subjects } from "./subjects";

/** A server with the project web, its deployments, and a domain that is proved once its record is checked. */
export const given = {
  projects: [
    { team: "acme", name: "web" },
    { team: "acme", name: "other" },
  ],
  deployments: ["dpl_1", "dpl_2", "dpl_3"].map((id, at) => ({
    id,
    team: "acme",
    project: "web",
    target: "production" as const,
    readyState: "READY" as const,
    createdAt: 3 - at,
  })),
};

/** Every operation of every resource. */
export const operations = subjects.flatMap((subject) => subject.operations);

/** The time of a build: long enough to be waited for, once. */
export const quickBuildMs = 50;
