import type { DeploymentItem, ProjectItem } from "../../wire";
import { hrefOf } from "../address";
import { useShared } from "../context";
import { List } from "../list";
import { Badge, Time } from "../parts";

export function ProjectsView() {
  const { account } = useShared();
  return (
    <List<ProjectItem>
      title="Projects"
      view="projects"
      filter={{ account }}
      search="Search projects"
      empty={(search) =>
        search === ""
          ? "No projects yet. A program declares them, and they appear here as it runs."
          : `No project’s name has “${search}” in it.`
      }
    >
      {(projects) => (
        <table>
          <caption class="hidden">Projects, those changed last first</caption>
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Production</th>
              <th scope="col">State</th>
              <th scope="col" class="number">
                Domains
              </th>
              <th scope="col" class="number">
                Variables
              </th>
              <th scope="col">Changed</th>
            </tr>
          </thead>
          <tbody>
            {projects.map((project) => (
              <Row key={project.id} project={project} />
            ))}
          </tbody>
        </table>
      )}
    </List>
  );
}

function Row({ project }: { project: ProjectItem }) {
  return (
    <tr>
      <th scope="row">
        <a href={`#/projects/${project.id}`}>{project.name}</a>
        {project.framework && <small>{project.framework}</small>}
      </th>
      <td data-label="Production">
        {project.production ? (
          <Serving deployment={project.production} />
        ) : (
          <span class="faint">nothing</span>
        )}
      </td>
      <td data-label="State">
        <ProjectState project={project} />
      </td>
      <td data-label="Domains" class="number">
        {project.domains}
        {project.unverified > 0 && <Badge tone="wait">{project.unverified} unverified</Badge>}
      </td>
      <td data-label="Variables" class="number">
        {project.variables}
      </td>
      <td data-label="Changed">
        <Time at={project.updatedAt} />
      </td>
    </tr>
  );
}

function Serving({ deployment: { id, branch, sha } }: { deployment: DeploymentItem }) {
  return (
    <>
      <a href={hrefOf("deployments", id)}>
        <code>{id}</code>
      </a>
      {branch !== null && (
        <small>
          {branch}
          {sha !== null && <> @ {sha.slice(0, 7)}</>}
        </small>
      )}
    </>
  );
}

export function ProjectState({ project }: { project: ProjectItem }) {
  if (project.transferring) return <Badge tone="wait">being transferred</Badge>;
  if (project.paused) return <Badge tone="bad">paused</Badge>;
  if (project.production) return <Badge tone="good">live</Badge>;
  return <Badge>not deployed</Badge>;
}
