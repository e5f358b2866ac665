import type { DeliveryItem, EventItem } from "../../wire";
import { hrefOf } from "../address";
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
      empty={(search) =>
        search === ""
          ? "No events yet. Changes to projects, domains and variables appear here."
          : "No event matches."
      }
    >
      {(events) => (
        <table>
          <caption class="hidden">Events, the newest first, with their deliveries</caption>
          <thead>
            <tr>
              <th scope="col">Event</th>
              <th scope="col">Project</th>
              <th scope="col">When</th>
              <th scope="col">Deliveries</th>
            </tr>
          </thead>
          <tbody>
            {events.map((event) => (
              <tr key={event.id}>
                <th scope="row">
                  <details>
                    <summary>
                      {event.type} {event.subject !== null && <b>{event.subject}</b>}
                    </summary>
                    <pre>{JSON.stringify(event.payload, null, 2)}</pre>
                  </details>
                </th>
                <td data-label="Project">
                  {event.project ? (
                    <a href={hrefOf("projects", event.project.id)}>{event.project.name}</a>
                  ) : (
                    <span class="faint">–</span>
                  )}
                </td>
                <td data-label="When">
                  <Time at={event.createdAt} />
                </td>
                <td data-label="Deliveries">
                  {event.deliveries.length === 0 && <span class="faint">no subscriber</span>}
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
  // A delivery that waits for its first attempt has no button, because the server sends it soon.
  const verb = state !== "waiting" ? "Redeliver" : attempts > 0 ? "Retry now" : undefined;
  return (
    <div class="delivery">
      <span class="line">
        <Badge tone={tones[state]}>
          {state}
          {attempts > 1 && ` after ${attempts} attempts`}
        </Badge>
        <code>{url}</code>
        {verb !== undefined && (
          <button
            type="button"
            aria-label={`${verb} ${event.type} to ${url}`}
            onClick={() =>
              void run("redeliver", { event: event.id, receiver }, `${event.type} is sent again.`)
            }
          >
            {verb}
          </button>
        )}
      </span>
      {lastError !== null && <small>{lastError}</small>}
    </div>
  );
}
