import { useState } from "preact/hooks";
import type { Outcome, RequestItem } from "../../wire";
import { explain } from "../explain";
import { List } from "../list";
import { Badge, Time, type Tone } from "../parts";

/** The live log of requests, with the sender of each and an explanation of refusals. */
export function RequestsView() {
  const [refused, setRefused] = useState(false);
  return (
    <List<RequestItem>
      title="Requests"
      view="requests"
      filter={{ refused: refused ? 1 : undefined }}
      topic="requests"
      search="Search method, path, status, resource"
      controls={
        <label class="check">
          <input
            type="checkbox"
            checked={refused}
            onChange={({ currentTarget }) => setRefused(currentTarget.checked)}
          />
          Refused only
        </label>
      }
      empty={() => "No requests yet. They appear here as they come."}
    >
      {(requests) => (
        <table class="log">
          <caption class="hidden">Requests, the newest first</caption>
          <thead>
            <tr>
              <th scope="col">Request</th>
              <th scope="col">Answer</th>
              <th scope="col">Sent by</th>
              <th scope="col" class="number">
                Took
              </th>
              <th scope="col">When</th>
            </tr>
          </thead>
          <tbody>
            {requests.map((request) => (
              <Row key={request.sequence} request={request} />
            ))}
          </tbody>
        </table>
      )}
    </List>
  );
}

const tones: Record<Outcome, Tone> = {
  answered: "good",
  absent: "plain",
  refused: "wait",
  failed: "bad",
  dropped: "bad",
};

function Row({ request }: { request: RequestItem }) {
  const { status, outcome } = request;
  const isRefused = outcome !== "answered" && outcome !== "absent";
  return (
    <tr class={isRefused ? "refused" : undefined}>
      <th scope="row">
        <span class={`method ${request.method.toLowerCase()}`}>{request.method}</span>{" "}
        <code>{request.path}</code>
        {isRefused && (
          <p class="why">
            {request.message !== null && <b>{request.message}</b>} {explain(request)}
          </p>
        )}
      </th>
      <td data-label="Answer">
        <Badge tone={tones[outcome]}>{status ?? "dropped"}</Badge>
        {outcome === "absent" ? (
          <small>looked up, does not exist</small>
        ) : (
          request.code !== null && <small>{request.code}</small>
        )}
      </td>
      <td data-label="Sent by">
        <Sender request={request} />
      </td>
      <td data-label="Took" class="number">
        {request.ms} ms
      </td>
      <td data-label="When">
        <Time at={request.at} />
      </td>
    </tr>
  );
}

function Sender({ request: { resource, dashboard, path } }: { request: RequestItem }) {
  if (dashboard) return <>this dashboard</>;
  if (resource === null) return <span class="faint">–</span>;
  const [type = "", ...name] = resource.split(" ");
  const project = /\/projects\/([^/]+)/.exec(path)?.[1];
  const label = (
    <>
      <b>{type}</b> {name.join(" ")}
    </>
  );
  return project === undefined ? label : <a href={`#/projects/${project}`}>{label}</a>;
}
