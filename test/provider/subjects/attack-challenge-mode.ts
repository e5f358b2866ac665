import { attackChallengeMode } from "../../../provider/resources/attack-challenge-mode";
import { ofProject, projects } from "../fields/common";
import { life, type Row, type Subject } from "../subject";

const set = (body: object): Row["drift"] => {
  return (w, projectId) => w.curl("POST", "/v1/security/attack-mode", { projectId, ...body });
};
const [soon, later] = [Date.UTC(2100, 0, 1), Date.UTC(2101, 0, 1)];
const off = { attackModeEnabled: false };

export const subject: Subject = {
  resource: attackChallengeMode,
  handler: "challenge",
  async prepare(w) {
    const known = await projects(w);
    return { given: { project: known.web, enabled: true }, known };
  },
  async look(w, id) {
    return { ...off, ...((await w.curl("GET", `/v9/projects/${id}`)).security as unknown as object) };
  },
  listed: {
    query: { project: "web" },
    names: ["web attack challenge mode"],
    async prepare(w) {
      const { id: projectId } = await w.curl("GET", "/v9/projects/web");
      await w.curl("POST", "/v1/security/attack-mode", { projectId, attackModeEnabled: true });
    },
  },
  managed: {
    inputs: () => ({ project: "prj_web", enabled: true }),
    changed: { activeUntil: Date.UTC(2100, 0, 1) },
  },
  rows: [
    { ...ofProject, shown: () => ({ attackModeEnabled: true }) },
    {
      path: "enabled",
      first: true,
      second: false,
      changed: "update",
      cleared: /^enabled is missing/,
      shown: (attackModeEnabled) => ({ attackModeEnabled }),
      async drift(w, id) {
        const { attackModeEnabled } = await subject.look(w, id, {});
        return w.curl("POST", "/v1/security/attack-mode", {
          projectId: id,
          attackModeEnabled: !attackModeEnabled,
        });
      },
    },
    {
      path: "activeUntil",
      first: soon,
      second: later,
      changed: "update",
      cleared: "update",
      shown: (until = null) => ({ attackModeEnabled: true, attackModeActiveUntil: until }),
      drift: set({ attackModeEnabled: true }),
    },
  ],
  operations: life(
    attackChallengeMode,
    () => ({ project: "web", enabled: true, activeUntil: soon }),
    () => ({ project: "web", enabled: false }),
  ),
};
