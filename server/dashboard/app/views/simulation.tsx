import type { Simulation } from "../../wire";
import { useView } from "../api";
import { useAct } from "../context";
import { Badge, distance, Empty, Heading, Problem } from "../parts";

/** The clock, the embedded zone, the next builds and the faults. */
export function SimulationView() {
  const { data, error } = useView<Simulation>("simulation");
  return (
    <>
      <Heading title="Clock, DNS, builds and faults" />
      <Problem text={error} />
      {data && (
        <>
          <ClockPart data={data} />
          <BuildPart data={data} />
          <DnsPart data={data} />
          <FaultPart data={data} />
        </>
      )}
    </>
  );
}

const steps: [string, number][] = [
  ["1 minute", 60_000],
  ["1 hour", 3_600_000],
  ["1 day", 86_400_000],
  ["31 days", 31 * 86_400_000],
];

function ClockPart({ data }: { data: Simulation }) {
  const run = useAct();
  return (
    <section aria-labelledby="clock">
      <h2 id="clock">Clock</h2>
      <p>
        The server’s time is <b>{new Date(data.now).toISOString().replace("T", " ").slice(0, 19)}</b> UTC,{" "}
        {data.offsetMs > 0 ? `${distance(-data.offsetMs).replace("ago", "ahead")} of` : "the time of"} the
        machine. It only moves forward.
      </p>
      <div class="tools">
        {steps.map(([label, advanceMs]) => (
          <button
            key={label}
            type="button"
            onClick={() => void run("advance-clock", { advanceMs }, `The clock was advanced by ${label}.`)}
          >
            + {label}
          </button>
        ))}
      </div>
    </section>
  );
}

function DnsPart({ data }: { data: Simulation }) {
  const run = useAct();
  const add = async (event: Event): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const record = Object.fromEntries(new FormData(form));
    if ((await run("publish-record", record, `${record.name} is published.`)) !== undefined) form.reset();
  };
  return (
    <section aria-labelledby="dns">
      <h2 id="dns">
        Embedded zone <span class="count">{data.dns.length}</span>
      </h2>
      {data.dns.length === 0 && (
        <Empty>The zone is empty. Domains show the TXT records that verify them.</Empty>
      )}
      {data.dns.length > 0 && (
        <table>
          <caption class="hidden">Records</caption>
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Type</th>
              <th scope="col">Values</th>
              <th scope="col">
                <span class="hidden">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {data.dns.map(({ name, type, values }) => (
              <tr key={`${name} ${type}`}>
                <th scope="row">
                  <code>{name}</code>
                </th>
                <td data-label="Type">{type}</td>
                <td data-label="Values">
                  {values.map((one) => (
                    <code key={one} class="value">
                      {one}
                    </code>
                  ))}
                </td>
                <td class="actions">
                  <button
                    type="button"
                    aria-label={`Remove ${name} ${type}`}
                    onClick={() =>
                      void run("set-records", { name, type, values: [] }, `${name} ${type} is removed.`)
                    }
                  >
                    Remove
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <form class="tools" onSubmit={(event) => void add(event)}>
        <label>
          Name
          <input name="name" required />
        </label>
        <label>
          Type
          <select name="type">
            {["TXT", "A", "CNAME"].map((type) => (
              <option key={type}>{type}</option>
            ))}
          </select>
        </label>
        <label>
          Value
          <input name="value" required />
        </label>
        <button type="submit">Add record</button>
      </form>
    </section>
  );
}

function BuildPart({ data: { builds } }: { data: Simulation }) {
  const run = useAct();
  const plan = async (event: Event): Promise<void> => {
    event.preventDefault();
    const given = new FormData(event.currentTarget as HTMLFormElement);
    const fails = given.get("outcome") === "ERROR";
    const message = String(given.get("message") ?? "").trim();
    await run(
      "plan-builds",
      {
        buildMs: Math.round(Number(given.get("seconds")) * 1000),
        ...(fails && { error: message === "" ? {} : { message } }),
      },
      fails ? "The next builds fail." : "The next builds succeed.",
    );
  };
  const now = builds.isBlocked ? (
    "are blocked"
  ) : builds.error !== null ? (
    <>
      fail with <code>{builds.error}</code>
    </>
  ) : (
    "succeed"
  );
  return (
    <section aria-labelledby="builds">
      <h2 id="builds">Next builds</h2>
      <p>
        Builds that start from now on take {builds.buildMs / 1000} s and {now}. The form replaces this plan.
      </p>
      <form class="tools" key={JSON.stringify(builds)} onSubmit={(event) => void plan(event)}>
        <label>
          Outcome
          <select name="outcome" defaultValue={builds.error === null ? "READY" : "ERROR"}>
            <option value="READY">succeed</option>
            <option value="ERROR">fail</option>
          </select>
        </label>
        <label>
          Seconds
          <input
            name="seconds"
            type="number"
            min="0"
            max="86400"
            step="any"
            required
            defaultValue={String(builds.buildMs / 1000)}
          />
        </label>
        <label>
          Error message
          <input name="message" maxLength={1000} defaultValue={builds.error ?? ""} />
        </label>
        <button type="submit">Set</button>
      </form>
    </section>
  );
}

const kinds = [
  ["status", "answer with a status"],
  ["delay", "wait first"],
  ["slow", "send the answer slowly"],
  ["malformed", "cut the answer off"],
  ["drop-before", "drop the connection before it takes effect"],
  ["drop-after", "drop the connection once it has taken effect"],
] as const;

function FaultPart({ data }: { data: Simulation }) {
  const run = useAct();
  const add = async (event: Event): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const given = new FormData(form);
    const text = (name: string): string => String(given.get(name) ?? "");
    const kind = text("kind");
    const requests = text("requests");
    const fault = {
      ...(requests.startsWith("/") ? { path: requests } : { operation: requests }),
      kind,
      times: Number(text("times")),
      ...(text("method") === "" ? {} : { method: text("method") }),
      ...(kind === "status" ? { status: Number(text("status")) } : {}),
      ...(kind === "delay" || kind === "slow" ? { delayMs: 2000 } : {}),
    };
    await run("add-fault", fault, "The fault applies to the next matching requests.");
  };
  return (
    <section aria-labelledby="faults">
      <h2 id="faults">
        Faults <span class="count">{data.faults.length}</span>
      </h2>
      {data.faults.length === 0 ? (
        <Empty>No faults. Add one to see how a program handles it.</Empty>
      ) : (
        <>
          <ul class="plainlist">
            {data.faults.map((fault) => (
              <li key={fault.id}>
                <Badge tone="bad">{fault.kind === "status" ? fault.status : fault.kind}</Badge>{" "}
                <code>{fault.requests}</code> used {fault.met}{" "}
                {fault.times === null ? "times" : `of ${fault.times}`}{" "}
                <button
                  type="button"
                  class="quiet"
                  aria-label={`Remove the fault of ${fault.requests}`}
                  onClick={() => void run("remove-fault", { id: fault.id }, "The fault is removed.")}
                >
                  Remove
                </button>
              </li>
            ))}
          </ul>
          <button type="button" onClick={() => void run("clear-faults", {}, "All faults are removed.")}>
            Clear all faults
          </button>
        </>
      )}
      <form class="tools" onSubmit={(event) => void add(event)}>
        <label>
          Method
          <select name="method">
            <option value="">any</option>
            {["GET", "POST", "PATCH", "DELETE"].map((method) => (
              <option key={method}>{method}</option>
            ))}
          </select>
        </label>
        <label>
          Path or operation
          <input name="requests" required placeholder="/v9/projects/:id" />
        </label>
        <label>
          What happens
          <select name="kind">
            {kinds.map(([kind, label]) => (
              <option key={kind} value={kind}>
                {label}
              </option>
            ))}
          </select>
        </label>
        <label>
          Status
          <input name="status" type="number" min="400" max="599" defaultValue="503" />
        </label>
        <label>
          Times
          <input name="times" type="number" min="1" max="1000" defaultValue="1" />
        </label>
        <button type="submit">Add fault</button>
      </form>
    </section>
  );
}
