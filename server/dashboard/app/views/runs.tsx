import type { RunDetail, RunItem } from "../../wire";
import { hrefOf, useAddress } from "../address";
import { useView } from "../api";
import { List } from "../list";
import { Badge, Breadcrumb, Heading, outcomeTones, Problem, Time } from "../parts";

/** The runs of Pulumi programs, or one of them with its requests in order. */
export function RunsView() {
  const { key } = useAddress();
  return key === undefined ? <RunList /> : <RunPage key={key} id={key} />;
}

function RunList() {
  return (
    <List<RunItem>
      title="Runs"
      view="runs"
      filter={{}}
      topic="requests"
      empty={() => "No runs yet. A run of a program with Slipway appears here with its requests."}
    >
      {(runs) => (
        <table>
          <caption class="hidden">Runs, the newest first</caption>
          <thead>
            <tr>
              <th scope="col">Run</th>
              <th scope="col">Began</th>
              <th scope="col" class="number">
                Took
              </th>
              <th scope="col" class="number">
                Requests
              </th>
              <th scope="col" class="number">
                Changes
              </th>
              <th scope="col" class="number">
                Refused
              </th>
            </tr>
          </thead>
          <tbody>
            {runs.map((run) => (
              <tr key={run.id}>
                <th scope="row">
                  <a href={hrefOf("runs", run.id)}>
                    <code>{run.id}</code>
                  </a>
                </th>
                <td data-label="Began">
                  <Time at={run.startedAt} />
                </td>
                <td data-label="Took" class="number">
                  {secondsOf(run.ms)}
                </td>
                <td data-label="Requests" class="number">
                  {run.requests}
                </td>
                <td data-label="Changes" class="number">
                  {run.changes}
                </td>
                <td data-label="Refused" class="number">
                  {run.refused > 0 ? <Badge tone="wait">{run.refused}</Badge> : 0}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </List>
  );
}

const secondsOf = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

function RunPage({ id }: { id: string }) {
  const { data: run, error } = useView<RunDetail>("run", { run: id }, "requests");
  return (
    <>
      <Breadcrumb steps={[["Runs", hrefOf("runs")]]} />
      <Heading title={`Run ${id}`} />
      <Problem text={error} />
      {run && (
        <>
          <p class="line">
            <Time at={run.startedAt} /> · {secondsOf(run.ms)} · {run.requests} requests · {run.changes}{" "}
            changes · {run.refused} refused
          </p>
          {run.refusals.length > 0 && <Refusals run={run} />}
          <Waterfall run={run} />
          {run.more > 0 && <p class="faint">{run.more} more requests are not shown.</p>}
        </>
      )}
    </>
  );
}

const Refusals = ({ run: { refusals } }: { run: RunDetail }) => (
  <section aria-labelledby="refusals">
    <h2 id="refusals">Refusals</h2>
    <ul class="plainlist">
      {refusals.map(({ operation, status, code, message, count }) => (
        <li key={`${operation} ${status} ${code}`}>
          <Badge tone={status === null || status >= 500 ? "bad" : "wait"}>{status ?? "dropped"}</Badge>{" "}
          {count} × <code>{operation}</code> {code !== null && <code>{code}</code>} {message}
        </li>
      ))}
    </ul>
  </section>
);

/** The requests by resource, each with a bar for its time in the run. */
function Waterfall({ run }: { run: RunDetail }) {
  const share = (ms: number): string => `${run.ms > 0 ? (100 * ms) / run.ms : 0}%`;
  return (
    <ol class="waterfall" aria-label="Requests">
      {run.resources.map(({ name, requests }) =>
        requests.map(({ sequence, method, path, operation, status, outcome, after, ms }, index) => (
          <li key={sequence}>
            <b class={index > 0 ? "repeated" : undefined}>{name}</b>
            <a href={hrefOf("requests", String(sequence))} title={path}>
              <span class={`method ${method.toLowerCase()}`}>{method}</span> <code>{operation ?? path}</code>
            </a>
            <span>
              <Badge tone={outcomeTones[outcome]}>{status ?? "dropped"}</Badge>
            </span>
            <span class="time" title={`after ${secondsOf(after)}, ${ms} ms`}>
              <span class="hidden">
                after {secondsOf(after)}, {ms} ms
              </span>
              <span class={`bar ${outcomeTones[outcome]}`} style={{ left: share(after), width: share(ms) }} />
            </span>
          </li>
        )),
      )}
    </ol>
  );
}
