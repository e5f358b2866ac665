import type { InstallationItem } from "../../wire";
import { useView } from "../api";
import { useAct, useShared } from "../context";
import { Badge, Empty, Heading, Problem, Time } from "../parts";

export function IntegrationsView() {
  const { account } = useShared();
  const { data, error } = useView<InstallationItem[]>("integrations", { account });
  return (
    <>
      <Heading title="Integrations" count={data?.length} />
      <Problem text={error} />
      {data?.length === 0 && (
        <Empty>
          No integration is installed on this account. Install one with{" "}
          <code>{"POST /_control/integrations/{slug}/install"}</code>.
        </Empty>
      )}
      <div class="cards">
        {data?.map((one) => (
          <Installation key={one.id} installation={one} />
        ))}
      </div>
    </>
  );
}

function Installation({ installation: one }: { installation: InstallationItem }) {
  const run = useAct();
  const target = { installation: one.id };
  return (
    <section class="card" aria-labelledby={one.id}>
      <div class="heading">
        <h2 id={one.id}>{one.name}</h2>
        {one.disabledReason === null ? (
          <Badge tone="good">enabled</Badge>
        ) : (
          <Badge tone="bad">disabled: {one.disabledReason}</Badge>
        )}
        <span class="fill" />
        {one.disabledReason !== null && (
          <button type="button" onClick={() => void run("enable", target, `${one.name} is enabled.`)}>
            Enable
          </button>
        )}
      </div>
      <p class="facts">
        <code>{one.id}</code>
        <span>
          installed by {one.user ?? "a deleted user"} <Time at={one.createdAt} />
        </span>
        <span>
          {one.projects === null ? "all projects" : `projects: ${one.projects.join(", ") || "none"}`}
        </span>
        {one.deleteAt !== null && (
          <Badge tone="bad">
            will be deleted <Time at={one.deleteAt} />
          </Badge>
        )}
      </p>
      <h3>Scopes</h3>
      <ul class="scopes" aria-label="Confirmed scopes">
        {one.scopes.map((scope) => (
          <li key={scope}>
            <code>{scope}</code>
          </li>
        ))}
        {one.scopes.length === 0 && <li>none</li>}
      </ul>
      {one.pending.length > 0 && (
        <div class="pending">
          <h3>Requested scopes</h3>
          <ul class="scopes" aria-label="Pending scopes">
            {one.pending.map((scope) => (
              <li key={scope}>
                <code>{scope}</code>
              </li>
            ))}
          </ul>
          <button
            type="button"
            class="main"
            onClick={() =>
              void run("confirm-scopes", target, `${one.name} has the scopes that it asked for.`)
            }
          >
            Confirm {one.pending.length === 1 ? "this scope" : `these ${one.pending.length} scopes`}
          </button>
        </div>
      )}
    </section>
  );
}
