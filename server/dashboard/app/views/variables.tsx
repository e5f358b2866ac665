import { useState } from "preact/hooks";
import type { VariableItem } from "../../wire";
import { useAct, useShared } from "../context";
import { List } from "../list";
import { Badge, Copy, Time } from "../parts";

export function VariablesView() {
  const { account } = useShared();
  return (
    <List<VariableItem>
      title="Variables"
      view="variables"
      filter={{ account }}
      search="Search keys"
      empty={(search) =>
        search === ""
          ? "No variables yet. Declare an EnvVar, or add one with POST /v10/projects/{project}/env."
          : "No key matches."
      }
    >
      {(variables) => <VariableTable variables={variables} caption="Variables by key" />}
    </List>
  );
}

/** The variables of a project by environment. A variable with several environments is shown in each. */
export function VariablesByTarget({ variables }: { variables: VariableItem[] }) {
  const environments = [...new Set(variables.flatMap((one) => [...one.target, ...one.environments]))].sort(
    (a, b) => rank(a) - rank(b) || a.localeCompare(b),
  );
  return (
    <>
      {environments.map((environment) => {
        const own = variables.filter((one) => [...one.target, ...one.environments].includes(environment));
        return (
          <div key={environment} class="group">
            <h3>
              {environment} <span class="count">{own.length}</span>
            </h3>
            <VariableTable variables={own} caption={`Variables of ${environment}`} isOfOne />
          </div>
        );
      })}
    </>
  );
}

const order = ["production", "preview", "development"];
const rank = (environment: string): number =>
  order.includes(environment) ? order.indexOf(environment) : order.length;

function VariableTable({
  variables,
  caption,
  isOfOne = false,
}: {
  variables: VariableItem[];
  caption: string;
  isOfOne?: boolean;
}) {
  return (
    <table class="fixed">
      <caption class="hidden">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">Key</th>
          {!isOfOne && <th scope="col">Project</th>}
          {!isOfOne && <th scope="col">Environments</th>}
          <th scope="col">Type</th>
          <th scope="col">Value</th>
          <th scope="col">Changed</th>
        </tr>
      </thead>
      <tbody>
        {variables.map((variable) => (
          <tr key={variable.id}>
            <th scope="row">
              <code>{variable.key}</code>
              {variable.comment && <small>{variable.comment}</small>}
            </th>
            {!isOfOne && (
              <td data-label="Project">
                <a href={`#/projects/${variable.projectId}`}>{variable.project}</a>
              </td>
            )}
            {!isOfOne && (
              <td data-label="Environments">{[...variable.target, ...variable.environments].join(", ")}</td>
            )}
            <td data-label="Type">
              {variable.type}
              {variable.gitBranch !== null && <small>branch {variable.gitBranch}</small>}
            </td>
            <td data-label="Value" class="reveal">
              <Value variable={variable} />
            </td>
            <td data-label="Changed">
              <Time at={variable.updatedAt} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A value, shown on request. It is hidden again when the variable changes. */
function Value({ variable }: { variable: VariableItem }) {
  const { account } = useShared();
  const run = useAct();
  const [shown, setShown] = useState<{ value: string; of: number }>();
  if (variable.type === "sensitive") return <Badge>sensitive: never shown</Badge>;
  if (shown && shown.of === variable.updatedAt) {
    return (
      <span class="line">
        <code class="value">{shown.value === "" ? "(empty)" : shown.value}</code>
        <Copy text={shown.value} label={`the value of ${variable.key}`} />
        <button type="button" class="quiet" onClick={() => setShown(undefined)}>
          Hide
        </button>
      </span>
    );
  }
  const reveal = async (): Promise<void> => {
    const target = { account, project: variable.projectId, variable: variable.id };
    const found = await run<{ value: string }>("reveal", target);
    if (found) setShown({ value: found.value, of: variable.updatedAt });
  };
  return (
    <button type="button" aria-label={`Show the value of ${variable.key}`} onClick={() => void reveal()}>
      Show
    </button>
  );
}
