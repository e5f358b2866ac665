import type { DeploymentDetail } from "../../wire";
import { hrefOf } from "../address";
import { useView } from "../api";
import { useShared } from "../context";
import { Badge, Breadcrumb, Copy, Empty, Heading, Problem, Time } from "../parts";
import { MoveProduction, readiness, Timeline } from "./production";

/** A deployment with its commit, its domains and its promotions. */
export function DeploymentView({ deployment: id }: { deployment: string }) {
  const { account } = useShared();
  const { data, error } = useView<DeploymentDetail>("deployment", { account, deployment: id });
  if (!data) {
    return (
      <>
        <Heading title="Deployment" />
        <Problem text={error} />
      </>
    );
  }
  const { deployment, project, projectName, creator, meta, aliases, log, timeline } = data;
  const serves = project?.production?.id === deployment.id;
  return (
    <>
      <Breadcrumb
        steps={[
          ["Projects", hrefOf("projects")],
          ...(project ? ([[projectName, hrefOf("projects", project.id)]] as const) : []),
        ]}
      />
      <Heading title={deployment.id}>
        <Badge tone={readiness[deployment.readyState] ?? "wait"}>{deployment.readyState.toLowerCase()}</Badge>
        {serves && <Badge tone="good">serves production</Badge>}
        {project && <MoveProduction project={project} deployment={deployment} timeline={timeline} />}
      </Heading>
      <Problem text={error} />
      <dl class="record">
        <dt>Project</dt>
        <dd>{projectName}</dd>
        <dt>Target</dt>
        <dd>{deployment.target ?? "preview"}</dd>
        <dt>URL</dt>
        <dd>
          <code>{deployment.url}</code> <Copy text={deployment.url} label="the URL" />
        </dd>
        <dt>Branch</dt>
        <dd>{deployment.branch ?? "none"}</dd>
        <dt>Commit</dt>
        <dd>{deployment.sha === null ? "none" : <code>{deployment.sha}</code>}</dd>
        <dt>Created</dt>
        <dd>
          <Time at={deployment.createdAt} /> by {creator ?? "a deleted user"}
        </dd>
        {Object.entries(meta).map(([name, value]) => (
          <>
            <dt>{name}</dt>
            <dd>
              <code>{value}</code>
            </dd>
          </>
        ))}
      </dl>
      <section aria-labelledby="serves">
        <h2 id="serves">
          Domains <span class="count">{aliases.length}</span>
        </h2>
        {aliases.length === 0 ? (
          <Empty>No domain leads to this deployment. Promote it to serve production.</Empty>
        ) : (
          <ul class="plainlist">
            {aliases.map((alias) => (
              <li key={alias}>{alias}</li>
            ))}
          </ul>
        )}
      </section>
      <section aria-labelledby="log">
        <h2 id="log">Build log</h2>
        {log.length === 0 ? (
          <Empty>The build has not begun.</Empty>
        ) : (
          <pre class="letter">{log.map(({ text }) => text).join("\n")}</pre>
        )}
      </section>
      <section aria-labelledby="timeline">
        <h2 id="timeline">History</h2>
        <Timeline steps={timeline} />
      </section>
    </>
  );
}
