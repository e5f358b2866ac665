import type { OutdatedVariable, ProjectDetail, SettingGroup } from "../../wire";
import { hrefOf } from "../address";
import { useView } from "../api";
import { useAct, useShared } from "../context";
import { Badge, Breadcrumb, Confirm, Copy, Empty, Heading, Problem, Time } from "../parts";
import { DomainTable } from "./domains";
import { MoveProduction, readiness, Timeline } from "./production";
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
  const { project, settings, domains, variables, deployments, timeline } = data;
  const target = { account, project: project.id };
  return (
    <>
      <Breadcrumb steps={[["Projects", hrefOf("projects")]]} />
      <Heading title={project.name}>
        <ProjectState project={project} />
        {project.paused ? (
          <button type="button" onClick={() => void run("unpause", target, `${project.name} serves again.`)}>
            Unpause
          </button>
        ) : (
          <Confirm
            label="Pause"
            question={`While ${project.name} is paused, its production does not answer. Pause it?`}
            onConfirm={() => void run("pause", target, `${project.name} is paused.`)}
          />
        )}
      </Heading>
      <Problem text={error} />
      <p class="facts">
        <code>{project.id}</code> <Copy text={project.id} label="the id" />
        {project.framework && <span>{project.framework}</span>}
        {project.repository && <span>{project.repository}</span>}
        <span>
          last active <Time at={project.activeAt} />
        </span>
        <a href={hrefOf("objects", undefined, { project: project.id })}>All its objects</a>
      </p>
      <section aria-labelledby="production">
        <h2 id="production">Production</h2>
        {deployments.length === 0 ? (
          <Empty>
            No deployment yet. Push to the repository, or add one with POST /_control/deployments.
          </Empty>
        ) : (
          <Deployments data={data} />
        )}
        <Outdated variables={data.outdated} />
      </section>
      <section aria-labelledby="timeline">
        <h2 id="timeline">History</h2>
        <Timeline steps={timeline} />
      </section>
      <section aria-labelledby="settings">
        <h2 id="settings">Settings</h2>
        <Settings groups={settings} />
      </section>
      <section aria-labelledby="domains">
        <h2 id="domains">
          Domains <span class="count">{domains.length}</span>
        </h2>
        {domains.length === 0 ? (
          <Empty>No domains. Declare a ProjectDomain with this project.</Empty>
        ) : (
          <DomainTable domains={domains} isOfOne />
        )}
      </section>
      <section aria-labelledby="variables">
        <h2 id="variables">
          Variables <span class="count">{variables.length}</span>
        </h2>
        {variables.length === 0 ? (
          <Empty>No variables. Declare an EnvVar with this project.</Empty>
        ) : (
          <VariablesByTarget variables={variables} />
        )}
      </section>
    </>
  );
}

const changes: Record<OutdatedVariable["change"], string> = {
  added: "added since",
  changed: "changed since",
  removed: "removed since",
};

/** The variables that have changed since production was built. */
function Outdated({ variables }: { variables: OutdatedVariable[] }) {
  if (variables.length === 0) return null;
  return (
    <div class="notice">
      <p>Production was built before these variables changed. Deploy again to apply them.</p>
      <ul aria-label="Variables that changed after the build of production">
        {variables.map(({ key, change }) => (
          <li key={key}>
            <code>{key}</code> {changes[change]}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Settings({ groups }: { groups: SettingGroup[] }) {
  return (
    <div class="settings">
      {groups.map(({ title, settings }) => (
        <div key={title} class="card">
          <h3>{title}</h3>
          <dl>
            {settings.map(({ name, value }) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value ?? <span class="faint">default</span>}</dd>
              </div>
            ))}
          </dl>
        </div>
      ))}
    </div>
  );
}

function Deployments({ data: { project, deployments, timeline } }: { data: ProjectDetail }) {
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
          const serves = one.id === project.production?.id;
          return (
            <tr key={one.id} class={serves ? "chosen" : undefined}>
              <th scope="row">
                <a href={hrefOf("deployments", one.id)}>
                  <code>{one.id}</code>
                </a>{" "}
                {serves && <Badge tone="good">serves production</Badge>}
              </th>
              <td data-label="State">
                <Badge tone={readiness[one.readyState] ?? "wait"}>{one.readyState.toLowerCase()}</Badge>
              </td>
              <td data-label="Target">{one.target ?? "preview"}</td>
              <td data-label="Commit" class="commit">
                {one.branch ?? <span class="faint">–</span>}
                {one.sha !== null && <small>{one.sha.slice(0, 7)}</small>}
              </td>
              <td data-label="Created">
                <Time at={one.createdAt} />
              </td>
              <td class="actions">
                <MoveProduction project={project} deployment={one} timeline={timeline} />
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
