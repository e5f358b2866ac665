import type { StateItem } from "../../wire";
import { useView } from "../api";
import { useAct, useShared } from "../context";
import { Confirm, Empty, Heading, Problem, Time } from "../parts";

/** All data of the server: saved states, seeds, and the reset. */
export function StatesView() {
  const { state } = useShared();
  if (!state.isControlled)
    return (
      <>
        <Heading title="States and seed" />
        <Empty>
          The control plane is off. Start the server with <code>--control-token</code> to save states, apply
          seeds and reset the data here.
        </Empty>
      </>
    );
  return (
    <>
      <Heading title="States and seed" />
      <StatesPart />
      <SeedPart />
      <ResetPart />
    </>
  );
}

function StatesPart() {
  const { data, error, reload } = useView<StateItem[]>("states");
  const run = useAct();
  const act = async (action: string, name: string, done: string): Promise<boolean> => {
    const isDone = (await run(action, { name }, done)) !== undefined;
    reload();
    return isDone;
  };
  const save = async (event: Event): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const name = String(new FormData(form).get("name"));
    if (await act("save-state", name, `The data are saved as ${name}.`)) form.reset();
  };
  return (
    <section aria-labelledby="states">
      <h2 id="states">
        Saved states <span class="count">{data?.length ?? ""}</span>
      </h2>
      <Problem text={error} />
      {data?.length === 0 && (
        <Empty>No state is saved. Save one before a test, and go back to it afterwards.</Empty>
      )}
      {data !== undefined && data.length > 0 && (
        <table>
          <caption class="hidden">Saved states</caption>
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Saved</th>
              <th scope="col">
                <span class="hidden">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {data.map(({ name, savedAt }) => (
              <tr key={name}>
                <th scope="row">
                  <code>{name}</code>
                </th>
                <td data-label="Saved">
                  <Time at={savedAt} />
                </td>
                <td class="actions">
                  <Confirm
                    label="Go back"
                    describedAs={`Go back to ${name}`}
                    question={`All data of all accounts are replaced by those of ${name}.`}
                    onConfirm={() => void act("load-state", name, `The data are those of ${name}.`)}
                  />
                  <Confirm
                    label="Delete"
                    describedAs={`Delete ${name}`}
                    question={`The saved state ${name} is deleted. The data of the server stay.`}
                    onConfirm={() => void act("remove-state", name, `${name} is deleted.`)}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <form class="tools" onSubmit={(event) => void save(event)}>
        <label>
          Name
          <input name="name" required maxLength={64} pattern="[A-Za-z0-9_.\-]+" />
        </label>
        <button type="submit">Save the data</button>
      </form>
    </section>
  );
}

function SeedPart() {
  const run = useAct();
  const apply = async (event: Event): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const text = String(new FormData(form).get("text"));
    if ((await run("seed", { text }, "The seed is applied.")) !== undefined) form.reset();
  };
  return (
    <section aria-labelledby="seed">
      <h2 id="seed">Seed</h2>
      <form onSubmit={(event) => void apply(event)}>
        <label>
          YAML or JSON, as in a seed file
          <textarea
            name="text"
            required
            rows={8}
            spellcheck={false}
            placeholder={"projects:\n  - { team: acme, name: web }"}
          />
        </label>
        <button type="submit">Apply</button>
      </form>
    </section>
  );
}

function ResetPart() {
  const run = useAct();
  return (
    <section aria-labelledby="reset">
      <h2 id="reset">Reset</h2>
      <p>
        The data, faults, planned builds and the log of requests become those of the start. Saved states stay.
      </p>
      <Confirm
        label="Reset"
        question="All data of all accounts are replaced by those that the server started with."
        onConfirm={() => void run("reset", {}, "The data are those of the start.")}
      />
    </section>
  );
}
