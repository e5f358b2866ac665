import type { ObjectItem, ObjectKind } from "../../wire";
import { changeFilters, hrefOf, useAddress } from "../address";
import { useView } from "../api";
import { useShared } from "../context";
import { List } from "../list";
import { Empty, Heading, Problem, Time } from "../parts";

/** All objects of an account or a project, by kind. The members of an object are those of the control snapshot. */
export function ObjectsView() {
  const { account } = useShared();
  const { query } = useAddress();
  const project = query.get("project") ?? undefined;
  const scope = { account, project };
  const { data: kinds, error } = useView<ObjectKind[]>("kinds", scope);
  if (!kinds) {
    return (
      <>
        <Heading title="All objects" />
        <Problem text={error} />
      </>
    );
  }
  const kind = query.get("kind") ?? kinds.find(({ total }) => total > 0)?.name;
  if (kind === undefined) {
    return (
      <>
        <Heading title="All objects" />
        <Empty>
          {project === undefined ? (
            "The account has no objects yet."
          ) : (
            <>
              No project <code>{project}</code> has objects.{" "}
              <a href={hrefOf("objects")}>Show those of the account</a>
            </>
          )}
        </Empty>
      </>
    );
  }
  return (
    <List<ObjectItem>
      title="All objects"
      view="objects"
      filter={{ ...scope, kind }}
      search="Search names and ids"
      controls={<Kinds kinds={kinds} chosen={kind} project={project} />}
      empty={(search) => (search === "" ? "There are no objects of this kind." : "No object matches.")}
    >
      {(items) => <ObjectTable items={items} kind={kind} />}
    </List>
  );
}

function Kinds({
  kinds,
  chosen,
  project,
}: {
  kinds: ObjectKind[];
  chosen: string;
  project: string | undefined;
}) {
  return (
    <>
      {project !== undefined && (
        <a href={hrefOf("objects", undefined, { kind: chosen })}>
          Only of <code>{project}</code>: show all
        </a>
      )}
      <label>
        <span class="hidden">Kind</span>
        <select
          value={chosen}
          onChange={({ currentTarget: { value } }) =>
            changeFilters({ kind: value, search: undefined, pages: undefined }, true)
          }
        >
          {kinds.map(({ name, total }) => (
            <option key={name} value={name}>
              {name} · {total.toLocaleString("en")}
            </option>
          ))}
        </select>
      </label>
    </>
  );
}

function ObjectTable({ items, kind }: { items: ObjectItem[]; kind: string }) {
  return (
    <table>
      <caption class="hidden">Objects of the kind {kind}</caption>
      <thead>
        <tr>
          <th scope="col">Object</th>
          <th scope="col">Project</th>
          <th scope="col">Changed</th>
        </tr>
      </thead>
      <tbody>
        {items.map(({ id, label, members }) => (
          <tr key={id}>
            <th scope="row">
              <details>
                <summary>
                  {label !== null && <b>{label}</b>} <code>{id}</code>
                </summary>
                <pre>{JSON.stringify(members, null, 2)}</pre>
              </details>
            </th>
            <td data-label="Project">
              {typeof members.projectId === "string" ? (
                <a href={hrefOf("projects", members.projectId)}>
                  <code>{members.projectId}</code>
                </a>
              ) : (
                <span class="faint">–</span>
              )}
            </td>
            <td data-label="Changed">
              <Changed at={members.updatedAt ?? members.createdAt} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const Changed = ({ at }: { at: unknown }) =>
  typeof at === "number" ? <Time at={at} /> : <span class="faint">–</span>;
