import type { DeploymentItem, ProjectItem, Step } from "../../wire";
import { hrefOf } from "../address";
import { useAct, useShared } from "../context";
import { Badge, Confirm, Empty, Time, type Tone } from "../parts";

/** The parts of the pages of projects and deployments that show production. */

export const readiness: Record<string, Tone> = { READY: "good", ERROR: "bad", CANCELED: "plain" };

/** A button that promotes a deployment or rolls back to it. No button if the deployment serves or is not ready. */
export function MoveProduction({
  project,
  deployment,
  timeline,
}: {
  project: ProjectItem;
  deployment: DeploymentItem;
  timeline: Step[];
}) {
  const { account } = useShared();
  const run = useAct();
  if (deployment.id === project.production?.id || deployment.readyState !== "READY") return null;
  const verb = isRollback(project.production, deployment, timeline) ? "Roll back" : "Promote";
  return (
    <Confirm
      label={verb}
      describedAs={`${verb} to ${deployment.id}`}
      question={`${deployment.id} will serve the production of ${project.name}. ${verb}?`}
      onConfirm={() =>
        void run(
          verb === "Promote" ? "promote" : "roll-back",
          { account, project: project.id, deployment: deployment.id },
          `Production moves to ${deployment.id}.`,
        )
      }
    />
  );
}

/** True for an older deployment that has the target production or was in a promotion. Other ones are promoted. */
function isRollback(
  serving: DeploymentItem | null,
  { id, target, createdAt }: DeploymentItem,
  steps: Step[],
) {
  if (serving === null || createdAt > serving.createdAt) return false;
  return target === "production" || steps.some(({ from, to }) => from === id || to === id);
}

/** Promotions and rollbacks, the newest first. */
export function Timeline({ steps }: { steps: Step[] }) {
  if (steps.length === 0) return <Empty>No promotion or rollback in the last 30 days.</Empty>;
  return (
    <ol class="timeline">
      {steps.map((step) => (
        <TimelineStep key={step.id} step={step} />
      ))}
    </ol>
  );
}

const outcomes: Record<string, Tone> = { succeeded: "good", failed: "bad" };

const DeploymentLink = ({ id }: { id: string }) => (
  <a href={hrefOf("deployments", id)}>
    <code>{id}</code>
  </a>
);

function TimelineStep({ step }: { step: Step }) {
  const tone = outcomes[step.status] ?? "wait";
  return (
    <li class={tone}>
      <b>{step.kind === "rollback" ? "Rolled back" : "Promoted"}</b> to <DeploymentLink id={step.to} />
      {step.from !== null && (
        <>
          {" "}
          from <DeploymentLink id={step.from} />
        </>
      )}{" "}
      <Badge tone={tone}>{step.status}</Badge> <Time at={step.requestedAt} />
      {step.failedAliases.length > 0 && (
        <small>These domains did not move: {step.failedAliases.join(", ")}</small>
      )}
    </li>
  );
}
