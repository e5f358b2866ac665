import { useId, useState } from "preact/hooks";
import type { Operation, Parameter } from "./document";
import { curl, keyOf, prepare, type ReceivedAnswer, send } from "./request";
import { Members, Prose } from "./schema";

/** An operation. Its line opens the parameters, the body, the answers, and a form that sends a request. */
export function OperationView({
  operation,
  isOpen,
  onToggle,
  token,
  team,
}: {
  operation: Operation;
  isOpen: boolean;
  onToggle: () => void;
  token: string;
  team: string;
}) {
  const { id, method, path, summary } = operation;
  return (
    <article class="operation" id={id}>
      <h3>
        <button type="button" aria-expanded={isOpen} aria-controls={`${id}-details`} onClick={onToggle}>
          <span class={`method ${method.toLowerCase()}`}>{method}</span> <code>{path}</code>{" "}
          <span class="summary">{summary}</span>
        </button>
      </h3>
      <div id={`${id}-details`} class="details" hidden={!isOpen}>
        {isOpen && <Details operation={operation} token={token} team={team} />}
      </div>
    </article>
  );
}

function Details({ operation, token, team }: { operation: Operation; token: string; team: string }) {
  const { parameters, body, answers, description } = operation;
  return (
    <>
      {description !== "" && (
        <p>
          <Prose text={description} />
        </p>
      )}
      <TryForm operation={operation} token={token} team={team} />
      {parameters.length > 0 && (
        <>
          <h4>Parameters</h4>
          <table>
            <caption class="hidden">Parameters of {operation.id}</caption>
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col">In</th>
                <th scope="col">Description</th>
              </tr>
            </thead>
            <tbody>
              {parameters.map((parameter) => (
                <tr key={keyOf(parameter.in, parameter.name)}>
                  <th scope="row">
                    <code>{parameter.name}</code> {parameter.required && <span class="badge">required</span>}
                  </th>
                  <td data-label="In">{parameter.in}</td>
                  <td data-label="Description">
                    <span>
                      <Prose text={parameter.description ?? ""} />
                    </span>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
      {body && (
        <>
          <h4>Body</h4>
          <Members schema={body.schema} />
        </>
      )}
      <h4>Answers</h4>
      <ul class="members">
        {answers.map(({ status, description, schema }) => (
          <li key={status}>
            <span class={`badge ${Number(status) < 400 ? "good" : ""}`}>{status}</span>{" "}
            <Prose text={description} />
            {schema && (
              <details>
                <summary>Members of the answer</summary>
                <Members schema={schema} />
              </details>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

function TryForm({ operation, token, team }: { operation: Operation; token: string; team: string }) {
  const { id, parameters, body: takes } = operation;
  const [values, setValues] = useState<Record<string, string>>(() =>
    team === "" || !parameters.some(({ name }) => name === "slug") ? {} : { [keyOf("query", "slug")]: team },
  );
  const [body, setBody] = useState(() =>
    takes?.example === undefined ? "" : JSON.stringify(takes.example, null, 2),
  );
  const [answer, setAnswer] = useState<ReceivedAnswer | { problem: string }>();
  const [isCopied, setCopied] = useState(false);
  const request = () => prepare(operation, { values, body, token: operation.secured ? token : "" });
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    setAnswer(await send(request()).catch(({ message }: Error) => ({ problem: message })));
  };
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(curl(request()));
    setCopied(true);
  };
  return (
    <form class="try" onSubmit={(event) => void submit(event)} aria-label={`Try ${id}`}>
      {parameters.length > 0 && (
        <div class="fields">
          {parameters.map((parameter) => (
            <Field
              key={keyOf(parameter.in, parameter.name)}
              parameter={parameter}
              value={values[keyOf(parameter.in, parameter.name)] ?? ""}
              onChange={(value) => setValues({ ...values, [keyOf(parameter.in, parameter.name)]: value })}
            />
          ))}
        </div>
      )}
      {takes && (
        <label>
          Body (JSON)
          <textarea
            rows={Math.min(14, body.split("\n").length + 1)}
            spellcheck={false}
            value={body}
            onInput={({ currentTarget }) => setBody(currentTarget.value)}
          />
        </label>
      )}
      <div class="tools">
        <button type="submit" class="main">
          Send request
        </button>
        <button type="button" onClick={() => void copy()}>
          Copy as curl
        </button>
        <span role="status">{isCopied ? "Copied." : ""}</span>
      </div>
      <div aria-live="polite">{answer && <AnswerView id={id} answer={answer} />}</div>
    </form>
  );
}

function Field({
  parameter: { name, required, schema },
  value,
  onChange,
}: {
  parameter: Parameter;
  value: string;
  onChange: (value: string) => void;
}) {
  const id = useId();
  const change = ({ currentTarget }: { currentTarget: HTMLInputElement | HTMLSelectElement }): void =>
    onChange(currentTarget.value);
  return (
    <div>
      <label for={id}>{name}</label>
      {schema.enum ? (
        <select id={id} required={required} value={value} onChange={change}>
          <option value="">not given</option>
          {schema.enum.map((one) => (
            <option key={String(one)}>{String(one)}</option>
          ))}
        </select>
      ) : (
        <input id={id} required={required} autocomplete="off" value={value} onInput={change} />
      )}
    </div>
  );
}

function AnswerView({ id, answer }: { id: string; answer: ReceivedAnswer | { problem: string } }) {
  if ("problem" in answer) return <p class="problem">{answer.problem}</p>;
  const { status, ms, requestId, text } = answer;
  return (
    <>
      <p class="line">
        <span class={`badge ${status < 400 ? "good" : "bad"}`}>{status}</span> {ms} ms
        {requestId !== null && (
          <span class="faint">
            request <code>{requestId}</code>
          </span>
        )}
      </p>
      {text !== "" && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
        <section class="answer" tabIndex={0} aria-label={`Answer to ${id}`}>
          <pre>{text}</pre>
        </section>
      )}
    </>
  );
}
