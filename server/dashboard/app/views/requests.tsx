import { useEffect, useRef, useState } from "preact/hooks";
import type { RequestDetail, RequestItem } from "../../wire";
import { changeFilters, hrefOf, useAddress } from "../address";
import { act, useView } from "../api";
import { useShared } from "../context";
import { explain } from "../explain";
import { List } from "../list";
import { Badge, Copy, outcomeTones, Problem, Time } from "../parts";

/** The live log of requests, with the sender of each and an explanation of refusals. */
export function RequestsView() {
  const { key, query } = useAddress();
  const refused = query.get("refused") ?? undefined;
  return (
    <>
      <List<RequestItem>
        title="Requests"
        view="requests"
        filter={{ refused }}
        topic="requests"
        search="Search method, path, status, resource"
        controls={
          <label class="check">
            <input
              type="checkbox"
              checked={refused === "1"}
              onChange={({ currentTarget: { checked } }) =>
                changeFilters({ refused: checked ? "1" : undefined, pages: undefined })
              }
            />
            Refused only
          </label>
        }
        empty={() =>
          "No requests yet. They appear here as they arrive: run a program, or try the API reference."
        }
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
                <Row key={request.sequence} request={request} query={query} />
              ))}
            </tbody>
          </table>
        )}
      </List>
      {key !== undefined && <RequestDrawer key={key} sequence={key} query={query} />}
    </>
  );
}

function Row({ request, query }: { request: RequestItem; query: URLSearchParams }) {
  const { outcome, sequence } = request;
  const isRefused = outcome !== "answered" && outcome !== "absent";
  const href = hrefOf("requests", String(sequence), query);
  const open = ({ target }: MouseEvent): void => {
    const isLink = target instanceof Element && target.closest("a") !== null;
    // Selecting text ends with a click, which does not open the request.
    if (!isLink && getSelection()?.isCollapsed !== false) location.hash = href;
  };
  return (
    <tr class={isRefused ? "opens refused" : "opens"} onClick={open}>
      <th scope="row">
        <a class="request" href={href}>
          <Method name={request.method} /> <Path request={request} />
        </a>
        {isRefused && <Why request={request} />}
      </th>
      <td data-label="Answer">
        <Status request={request} />
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

const Method = ({ name }: { name: string }) => <span class={`method ${name.toLowerCase()}`}>{name}</span>;

/** The path, with the project's name in place of its id. */
function Path({ request: { path, project } }: { request: RequestItem }) {
  const [, before, after] = /^(.*?\/projects\/)[^/]+(.*)$/.exec(path) ?? [];
  if (project === null || before === undefined) return <code>{path}</code>;
  return (
    <code title={path}>
      {before}
      <b>{project.name}</b>
      {after}
    </code>
  );
}

function Status({ request: { status, outcome, code } }: { request: RequestItem }) {
  return (
    <>
      <Badge tone={outcomeTones[outcome]}>{status ?? "dropped"}</Badge>
      {outcome === "absent" ? (
        <small>looked up, does not exist</small>
      ) : (
        code !== null && <small>{code}</small>
      )}
    </>
  );
}

const Why = ({ request }: { request: RequestItem }) => (
  <p class="why">
    {request.message !== null && <b>{request.message}</b>} {explain(request)}
  </p>
);

function Sender({ request: { resource, dashboard, project } }: { request: RequestItem }) {
  const { account } = useShared();
  if (dashboard) return <>this dashboard</>;
  if (resource === null) return <span class="faint">–</span>;
  const [type = "", ...name] = resource.split(" ");
  const label = (
    <>
      <b>{type}</b> {name.join(" ")}
    </>
  );
  return project?.account === account ? <a href={hrefOf("projects", project.id)}>{label}</a> : label;
}

/** A drawer over the list that shows a request with its body and its answer. */
function RequestDrawer({ sequence, query }: { sequence: string; query: URLSearchParams }) {
  const { data, error } = useView<RequestDetail>("request", { sequence });
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const close = (): void => {
    location.hash = hrefOf("requests", undefined, query);
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the Escape key closes a dialog
    <dialog
      ref={dialog}
      class="drawer"
      aria-label="Request"
      onClose={close}
      // A click beside the drawer hits the dialog itself.
      onClick={({ target }) => target === dialog.current && dialog.current?.close()}
    >
      <div class="inside">
        <div class="heading">
          <h2>
            Request <span class="count">{sequence}</span>
          </h2>
          <button type="button" onClick={() => dialog.current?.close()}>
            Close
          </button>
        </div>
        <Problem text={error} />
        {data && <Detail request={data} />}
      </div>
    </dialog>
  );
}

function Detail({ request }: { request: RequestDetail }) {
  const [sent, setSent] = useState("");
  const sendAgain = (): Promise<void> =>
    act("send-again", { sequence: request.sequence }).then(
      () => setSent("Sent again, as the owner of the account: it succeeded."),
      (error: Error) => setSent(`Sent again: ${error.message}`),
    );
  const { outcome, requestId, query, caller, account, body, answer } = request;
  const isRefused = outcome !== "answered" && outcome !== "absent";
  return (
    <>
      <p class="line">
        <Method name={request.method} /> <Path request={request} />
      </p>
      {isRefused && <Why request={request} />}
      <dl class="record">
        <dt>Answer</dt>
        <dd>
          <Status request={request} />
        </dd>
        <dt>Took</dt>
        <dd>
          {request.ms} ms, <Time at={request.at} />
        </dd>
        <dt>Sent by</dt>
        <dd>
          <Sender request={request} />
        </dd>
        {request.run !== null && (
          <>
            <dt>Run</dt>
            <dd>
              <a href={hrefOf("runs", request.run)}>{request.run}</a>
            </dd>
          </>
        )}
        {request.operation !== null && (
          <>
            <dt>Operation</dt>
            <dd>
              <a href={`/docs#${request.operation}`}>{request.operation}</a>
            </dd>
          </>
        )}
        <dt>Caller</dt>
        <dd>{caller ?? "unknown"}</dd>
        <dt>Account</dt>
        <dd>{account ?? "none"}</dd>
        <dt>Query</dt>
        <dd>{query === "" ? "none" : <code>{query}</code>}</dd>
        {requestId !== null && (
          <>
            <dt>Request id</dt>
            <dd>
              <code>{requestId}</code> <Copy text={requestId} label="the request id" />
            </dd>
          </>
        )}
      </dl>
      <div class="tools">
        <Copy text={curlOf(request)} label="as curl" title="Copy as curl" />
        <button type="button" onClick={() => void sendAgain()}>
          Send again
        </button>
        <span role="status">{sent}</span>
      </div>
      <BodyPart title="Body" text={body} />
      <BodyPart title="Answer" text={answer} />
      <p class="faint">Secrets are masked. Bodies of the last requests are kept, up to 32 KB each.</p>
    </>
  );
}

function BodyPart({ title, text }: { title: string; text: string | null }) {
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      {text === null ? (
        <p class="faint">None, or not kept.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
        <pre tabIndex={0}>{text}</pre>
      )}
    </section>
  );
}

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** The request as a curl command, which reads the token from the environment. A deployment needs no token. */
function curlOf({ method, path, query, body }: RequestDetail): string {
  const isOfDeployment = !path.startsWith("/");
  const url = `${isOfDeployment ? `${location.protocol}//` : location.origin}${path}${query === "" ? "" : `?${query}`}`;
  return [
    `curl -X ${method} ${quote(url)}`,
    ...(isOfDeployment ? [] : [`-H "Authorization: Bearer $SLIPWAY_TOKEN"`]),
    ...(body === null ? [] : [`-H 'Content-Type: application/json'`, `--data ${withVariables(quote(body))}`]),
  ].join(" \\\n  ");
}

/** Replaces masked secrets with shell variables. The shell refuses the command while such a variable is not set. */
function withVariables(quoted: string): string {
  let count = 0;
  return quoted.replace(/•••/g, () => {
    count += 1;
    return `'"\${SECRET_${count}:?is masked here}"'`;
  });
}
