import type { DeliveryItem, EventItem } from "../../wire";
import { useAct, useShared } from "../context";
import { List } from "../list";
import { Badge, Time, type Tone } from "../parts";

export function EventsView() {
  const { account } = useShared();
  return (
    <List<EventItem>
      title="Events"
      view="events"
      filter={{ account }}
      search="Search types"
      empty={() => "Nothing happened yet."}
    >
      {(events) => (
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
            {events.map((event) => (
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
    </List>
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
