import type { DeploymentItem, ProjectDetail, Step } from "../../wire";
import { useView } from "../api";
import { useAct, useShared } from "../context";
import { Badge, Copy, Empty, Heading, Problem, Sure, Time, type Tone } from "../parts";
import { DomainTable } from "./domains";
import { ProjectState } from "./projects";
import { VariablesByTarget } from "./variables";

/** A project with its deployments, domains and variables. */
export function ProjectView({ project: key }: { project: string }) {
  const { account } = useShared();
  const { data, error } = useView<ProjectDetail>("project", { account, project: key });
  const run = useAct();
  if (!data) {
    return (
      <>
        <Heading title="Project" />
        <Problem text={error} />
      </>
    );
  }
  const { project, domains, variables, deployments, timeline } = data;
  const target = { account, project: project.id };
  return (
    <>
      <nav class="crumbs" aria-label="Way back">
        <a href="#/projects">Projects</a>
      </nav>
      <Heading title={project.name}>
        <ProjectState project={project} />
        {project.paused ? (
          <button type="button" onClick={() => void run("unpause", target, `${project.name} serves again.`)}>
            Unpause
          </button>
        ) : (
          <Sure
            label="Pause"
            question={`While ${project.name} is paused, its production does not answer. Pause it?`}
            onSure={() => void run("pause", target, `${project.name} is paused.`)}
          />
        )}
      </Heading>
      <Problem text={error} />
      <p class="facts">
        <code>{project.id}</code> <Copy text={project.id} label="the id" />
        {project.framework && <span>{project.framework}</span>}
        {project.repository && <span>{project.repository}</span>}
        <span>
          changed <Time at={project.updatedAt} />
        </span>
      </p>
      <section aria-labelledby="production">
        <h2 id="production">Production</h2>
        {deployments.length === 0 ? (
          <Empty>No deployment yet. A build makes one, or the control plane does.</Empty>
        ) : (
          <Deployments data={data} target={target} />
        )}
      </section>
      <section aria-labelledby="timeline">
        <h2 id="timeline">Timeline</h2>
        {timeline.length === 0 ? (
          <Empty>Nothing was promoted or rolled back in the last 30 days.</Empty>
        ) : (
          <ol class="timeline">
            {timeline.map((step) => (
              <TimelineStep key={step.id} step={step} />
            ))}
          </ol>
        )}
      </section>
      <section aria-labelledby="domains">
        <h2 id="domains">
          Domains <span class="count">{domains.length}</span>
        </h2>
        {domains.length === 0 ? <Empty>No domains.</Empty> : <DomainTable domains={domains} isOfOne />}
      </section>
      <section aria-labelledby="variables">
        <h2 id="variables">
          Variables <span class="count">{variables.length}</span>
        </h2>
        {variables.length === 0 ? <Empty>No variables.</Empty> : <VariablesByTarget variables={variables} />}
      </section>
    </>
  );
}

const readiness: Record<string, Tone> = { READY: "good", ERROR: "bad", CANCELED: "bad" };

function Deployments({
  data: { project, deployments, timeline },
  target,
}: {
  data: ProjectDetail;
  target: { account: string; project: string };
}) {
  const run = useAct();
  const serving = project.production;
  const served = new Set(timeline.flatMap(({ from, to }) => [from, to]));
  const isEarlier = ({ id, createdAt }: DeploymentItem): boolean =>
    serving !== null && createdAt <= serving.createdAt && (served.has(id) || createdAt < serving.createdAt);
  return (
    <table>
      <caption class="hidden">Deployments of {project.name}, the newest first</caption>
      <thead>
        <tr>
          <th scope="col">Deployment</th>
          <th scope="col">State</th>
          <th scope="col">Target</th>
          <th scope="col">Commit</th>
          <th scope="col">Created</th>
          <th scope="col">
            <span class="hidden">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {deployments.map((one) => {
          const serves = one.id === serving?.id;
          const verb = isEarlier(one) ? "Roll back" : "Promote";
          return (
            <tr key={one.id} class={serves ? "chosen" : undefined}>
              <th scope="row">
                <code>{one.id}</code> {serves && <Badge tone="good">serves production</Badge>}
              </th>
              <td data-label="State">
                <Badge tone={readiness[one.readyState] ?? "wait"}>{one.readyState.toLowerCase()}</Badge>
              </td>
              <td data-label="Target">{one.target ?? "preview"}</td>
              <td data-label="Commit">
                {one.branch ?? <span class="faint">–</span>}
                {one.sha !== null && <small>{one.sha.slice(0, 7)}</small>}
              </td>
              <td data-label="Created">
                <Time at={one.createdAt} />
              </td>
              <td class="actions">
                {!serves && one.readyState === "READY" && (
                  <Sure
                    label={verb}
                    describedAs={`${verb} to ${one.id}`}
                    question={`Production of ${project.name} will be served by ${one.id}. ${verb}?`}
                    onSure={() =>
                      void run(
                        verb === "Promote" ? "promote" : "roll-back",
                        { ...target, deployment: one.id },
                        `Production moves to ${one.id}.`,
                      )
                    }
                  />
                )}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

const outcomes: Record<string, Tone> = { succeeded: "good", failed: "bad" };

function TimelineStep({ step }: { step: Step }) {
  return (
    <li class={outcomes[step.status] ?? "wait"}>
      <b>{step.kind === "rollback" ? "Rolled back" : "Promoted"}</b> to <code>{step.to}</code>
      {step.from !== null && (
        <>
          {" "}
          from <code>{step.from}</code>
        </>
      )}{" "}
      <Badge tone={outcomes[step.status] ?? "wait"}>{step.status}</Badge> <Time at={step.requestedAt} />
      {step.failedAliases.length > 0 && (
        <small>These names did not move: {step.failedAliases.join(", ")}</small>
      )}
    </li>
  );
}
