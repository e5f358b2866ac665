import { useState } from "preact/hooks";
import type { DeploymentItem, ProjectItem, ProjectPage } from "../../wire";
import { useRested, useView } from "../api";
import { useShared } from "../context";
import { Badge, Empty, Heading, Pager, Problem, Search, Time, usePage } from "../parts";

export function ProjectsView() {
  const { account } = useShared();
  const [search, setSearch] = useState("");
  const rested = useRested(search.trim());
  const [until, setUntil] = usePage(`${account} ${rested}`);
  const { data, error } = useView<ProjectPage>("projects", { account, search: rested, until });
  return (
    <>
      <Heading title="Projects" count={data?.total}>
        <Search label="Search projects" value={search} onChange={setSearch} />
      </Heading>
      <Problem text={error} />
      {data?.projects.length === 0 && (
        <Empty>
          {rested === "" ? (
            <>No projects yet. A program declares them, and they appear here as it runs.</>
          ) : (
            <>No project’s name has “{rested}” in it.</>
          )}
        </Empty>
      )}
      {data && data.projects.length > 0 && (
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
            {data.projects.map((project) => (
              <Row key={project.id} project={project} />
            ))}
          </tbody>
        </table>
      )}
      {data && (
        <Pager
          next={data.next}
          isFirst={until === undefined}
          shown={data.projects.length}
          total={data.total}
          onNext={setUntil}
          onFirst={() => setUntil(undefined)}
        />
      )}
    </>
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
      <code>{id}</code>
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
