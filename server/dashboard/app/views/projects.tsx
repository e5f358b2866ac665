import type { DeploymentItem, ProjectItem } from "../../wire";
import { changeFilters, hrefOf, useAddress } from "../address";
import { useShared } from "../context";
import { List } from "../list";
import { Badge, Time } from "../parts";

export function ProjectsView() {
  const { account } = useShared();
  const sort = useAddress().query.get("sort") ?? "";
  return (
    <List<ProjectItem>
      title="Projects"
      view="projects"
      filter={{ account, sort }}
      search="Search projects"
      controls={
        <select
          aria-label="Sort projects"
          value={sort}
          onChange={({ currentTarget: { value } }) => changeFilters({ sort: value, pages: undefined })}
        >
          <option value="">Last active first</option>
          <option value="name">By name</option>
        </select>
      }
      empty={(search) =>
        search === ""
          ? "No projects yet. A program declares them, and they appear here as it runs."
          : `No project’s name has “${search}” in it.`
      }
    >
      {(projects) => (
        <table class="rows">
          <caption class="hidden">Projects</caption>
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">State</th>
              <th scope="col">Production</th>
              <th scope="col" class="extra">
                Commit
              </th>
              <th scope="col" class="extra">
                Framework
              </th>
              <th scope="col" class="number">
                Domains
              </th>
              <th scope="col" class="extra">
                Unverified
              </th>
              <th scope="col" class="number">
                Variables
              </th>
              <th scope="col">Last active</th>
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

const none = <span class="none">–</span>;

function Row({ project }: { project: ProjectItem }) {
  const { production, framework, domains, unverified, variables } = project;
  return (
    <tr>
      <th scope="row">
        <a href={hrefOf("projects", project.id)}>{project.name}</a>
      </th>
      <td data-label="State">
        <ProjectState project={project} />
      </td>
      <td data-label="Production">
        {production ? (
          <a href={hrefOf("deployments", production.id)}>
            <code class="id" title={production.id}>
              {production.id}
            </code>
          </a>
        ) : (
          none
        )}
      </td>
      <td data-label="Commit" class="extra commit">
        {production?.branch ? <Commit deployment={production} /> : none}
      </td>
      <td data-label="Framework" class="extra">
        {framework ?? none}
      </td>
      <td data-label="Domains" class="number">
        {domains}
      </td>
      <td data-label="Unverified" class="extra">
        {unverified > 0 ? <Badge tone="wait">{unverified} unverified</Badge> : none}
      </td>
      <td data-label="Variables" class="number">
        {variables}
      </td>
      <td data-label="Last active">
        <Time at={project.activeAt} />
      </td>
    </tr>
  );
}

const Commit = ({ deployment: { branch, sha } }: { deployment: DeploymentItem }) => (
  <>
    {branch}
    {sha !== null && <span class="faint"> @ {sha.slice(0, 7)}</span>}
  </>
);

export function ProjectState({ project }: { project: ProjectItem }) {
  if (project.transferring) return <Badge tone="wait">being transferred</Badge>;
  if (project.paused) return <Badge tone="bad">paused</Badge>;
  if (project.production) return <Badge tone="good">live</Badge>;
  return <Badge>not deployed</Badge>;
}
