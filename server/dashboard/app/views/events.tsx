import { useState } from "preact/hooks";
import type { DeliveryItem, EventItem, Page } from "../../wire";
import { useRested, useView } from "../api";
import { useAct, useShared } from "../context";
import { Badge, Empty, Heading, Pager, Problem, Search, Time, type Tone, usePage } from "../parts";

export function EventsView() {
  const { account } = useShared();
  const [search, setSearch] = useState("");
  const rested = useRested(search.trim());
  const [until, setUntil] = usePage(`${account} ${rested}`);
  const { data, error } = useView<Page<EventItem>>("events", { account, search: rested, until });
  return (
    <>
      <Heading title="Events" count={data?.total}>
        <Search label="Search types" value={search} onChange={setSearch} />
      </Heading>
      <Problem text={error} />
      {data?.items.length === 0 && <Empty>Nothing happened yet.</Empty>}
      {data && data.items.length > 0 && (
        <table>
          <caption class="hidden">Events, the newest first, with their deliveries</caption>
          <thead>
            <tr>
              <th scope="col">Event</th>
              <th scope="col">When</th>
              <th scope="col">Deliveries</th>
            </tr>
          </thead>
          <tbody>
            {data.items.map((event) => (
              <tr key={event.id}>
                <th scope="row">
                  <details>
                    <summary>{event.type}</summary>
                    <pre>{JSON.stringify(event.payload, null, 2)}</pre>
                  </details>
                </th>
                <td data-label="When">
                  <Time at={event.createdAt} />
                </td>
                <td data-label="Deliveries">
                  {event.deliveries.length === 0 && <span class="faint">nobody subscribed</span>}
                  {event.deliveries.map((delivery) => (
                    <Delivery key={delivery.receiver} event={event} delivery={delivery} />
                  ))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {data && (
        <Pager
          next={data.next}
          isFirst={until === undefined}
          shown={data.items.length}
          total={data.total}
          onNext={setUntil}
          onFirst={() => setUntil(undefined)}
        />
      )}
    </>
  );
}

const tones: Record<DeliveryItem["state"], Tone> = { delivered: "good", waiting: "wait", dead: "bad" };

function Delivery({ event, delivery }: { event: EventItem; delivery: DeliveryItem }) {
  const run = useAct();
  const { receiver, url, state, attempts, lastError } = delivery;
  return (
    <div class="delivery">
      <span class="line">
        <Badge tone={tones[state]}>
          {state}
          {attempts > 1 && ` after ${attempts} attempts`}
        </Badge>
        <code>{url}</code>
        <button
          type="button"
          aria-label={`Redeliver ${event.type} to ${url}`}
          onClick={() => void run("redeliver", { event: event.id, receiver }, `${event.type} is sent again.`)}
        >
          Redeliver
        </button>
      </span>
      {lastError !== null && <small>{lastError}</small>}
    </div>
  );
}
