import { render } from "preact";
import { useCallback, useEffect, useMemo, useState } from "preact/hooks";
import type { State } from "../wire";
import { type Address, hrefOf, useAddress } from "./address";
import { listen, signOut, useView } from "./api";
import { type Shared, SharedContext } from "./context";
import { Icon } from "./icons";
import { Jump } from "./jump";
import { distance, Heading } from "./parts";
import { ThemeSwitch } from "./theme";
import { DeploymentView } from "./views/deployment";
import { DomainsView } from "./views/domains";
import { EventsView } from "./views/events";
import { IntegrationsView } from "./views/integrations";
import { MailView } from "./views/mail";
import { MapView } from "./views/map";
import { ObjectsView } from "./views/objects";
import { ProjectView } from "./views/project";
import { ProjectsView } from "./views/projects";
import { RequestsView } from "./views/requests";
import { RunsView } from "./views/runs";
import { SimulationView } from "./views/simulation";
import { StatesView } from "./views/states";
import { VariablesView } from "./views/variables";

const groups = [
  [
    "Account",
    [
      ["projects", "Projects", ProjectsView],
      ["domains", "Domains", DomainsView],
      ["variables", "Variables", VariablesView],
      ["map", "Map", MapView],
      ["integrations", "Integrations", IntegrationsView],
      ["objects", "All objects", ObjectsView],
    ],
  ],
  [
    "Activity",
    [
      ["runs", "Runs", RunsView],
      ["requests", "Requests", RequestsView],
      ["events", "Events", EventsView],
      ["mail", "Mail", MailView],
    ],
  ],
  [
    "Server",
    [
      ["simulation", "Simulation", SimulationView],
      ["states", "States and seed", StatesView],
    ],
  ],
] as const;

const pages = groups.flatMap(([, views]) => [...views]);

/** Scrolls to the top of a new view, and moves the focus there, so that screen readers continue there. */
function followMove(to: Address, from: Address): void {
  document.querySelector(".places [aria-current]")?.scrollIntoView({ inline: "center", block: "nearest" });
  // A drawer opens and closes over its list, which keeps its scroll position.
  if (to.view === from.view && drawers.has(to.view)) return;
  if (to.view === from.view && to.key === from.key) return;
  document.getElementById("content")?.focus({ preventScroll: true });
  scrollTo(0, 0);
}

/** Views that show a single object in a drawer over the list. */
const drawers = new Set(["requests"]);

const kept = "slipway-account";

function App() {
  const { view: name, key, query } = useAddress(followMove);
  const { data: state, error } = useView<State>("state");
  const named = query.get("account");
  const [chosen, choose] = useState(() => named ?? localStorage.getItem(kept));
  const [live, setLive] = useState(false);
  const [notice, setNotice] = useState<{ text: string; isProblem: boolean }>();
  useEffect(() => listen(setLive), []);
  // Links in answers of the API name the account.
  useEffect(() => {
    if (named !== null) choose(named);
  }, [named]);
  useEffect(() => {
    const timer = setTimeout(() => setNotice(undefined), 8_000);
    return () => clearTimeout(timer);
  }, [notice]);
  const tell = useCallback((text: string, isProblem = false): void => setNotice({ text, isProblem }), []);
  const accounts = state?.accounts ?? [];
  const account = (accounts.find(({ id }) => id === chosen) ?? accounts[0])?.id ?? "";
  const shared = useMemo((): Shared | undefined => state && { state, account, tell }, [state, account, tell]);
  if (!state || !shared) return <p class="empty">{error ?? "Loading…"}</p>;
  const isDeployment = name === "deployments" && key !== undefined;
  const isProjects = name === "" || isDeployment;
  const [id, , Page] =
    pages.find(([one]) => one === name) ??
    (isProjects ? (["projects", "Projects", ProjectsView] as const) : ([undefined, "", NotFound] as const));
  return (
    <SharedContext.Provider value={shared}>
      <button type="button" class="skip" onClick={() => document.getElementById("content")?.focus()}>
        Skip to the content
      </button>
      <header class="top">
        <a class="brand" href="#/projects">
          <img src="/_dashboard/files/icon.svg" width="22" height="22" alt="" /> Slipway
        </a>
        <label class="account">
          <span class="hidden">Account</span>
          <select
            value={account}
            onChange={({ currentTarget: { value } }) => {
              localStorage.setItem(kept, value);
              choose(value);
              location.hash = hrefOf(id ?? "projects");
            }}
          >
            {accounts.map((one) => (
              <option key={one.id} value={one.id}>
                {one.slug} · {one.plan} {one.kind}
              </option>
            ))}
          </select>
        </label>
        <span class="fill" />
        <Jump views={pages.map(([view, label]) => [view, label])} account={account} />
        <ServerClock state={state} live={live} />
        <span class={live ? "live on" : "live"} role="status">
          {live ? "Live" : "Reconnecting…"}
        </span>
        <button type="button" class="quiet" onClick={() => void signOut()}>
          Sign out
        </button>
      </header>
      <div class="body">
        <nav class="places" aria-label="Views">
          {groups.map(([title, views]) => (
            <ul key={title} aria-label={title}>
              {views.map(([one, label]) => (
                <li key={one}>
                  <a href={hrefOf(one)} aria-current={one === id ? "page" : undefined}>
                    <Icon name={one} /> {label}
                  </a>
                </li>
              ))}
              {title === "Server" && (
                <li>
                  <a href="/docs">
                    <Icon name="docs" /> API reference
                  </a>
                </li>
              )}
            </ul>
          ))}
          <ThemeSwitch />
          <p class="about">
            Slipway {state.version} · {state.engine}
            {state.profile === "hosted" && " · hosted profile"}
          </p>
        </nav>
        <main id="content" tabIndex={-1}>
          {isDeployment ? (
            <DeploymentView key={`${account}/${key}`} deployment={key} />
          ) : id === "projects" && key !== undefined ? (
            <ProjectView key={`${account}/${key}`} project={key} />
          ) : (
            <Page key={account} />
          )}
        </main>
      </div>
      <div class="notices" aria-live="polite">
        {notice && <p class={notice.isProblem ? "notice bad" : "notice"}>{notice.text}</p>}
      </div>
    </SharedContext.Provider>
  );
}

/** Shown for an address that no view has. */
function NotFound() {
  return (
    <>
      <Heading title="Page not found" />
      <p class="empty">
        The dashboard has no page at <code>{location.hash}</code>. Go to <a href="#/projects">Projects</a>.
      </p>
    </>
  );
}

/** The server's time, which may have been advanced. It stands still while the server is out of reach. */
function ServerClock({ state, live }: { state: State; live: boolean }) {
  const [asked, setAsked] = useState(Date.now());
  const [now, setNow] = useState(Date.now());
  useEffect(() => setAsked(Date.now()), [state]);
  useEffect(() => {
    if (!live) return;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [live]);
  const time = new Date(state.now + Math.max(0, now - asked)).toISOString();
  return (
    <a class="clock" href="#/simulation" title="The server's clock">
      <span class="hidden">The server’s clock: </span>
      {time.slice(0, 10)} <b>{time.slice(11, 19)}</b>
      {state.offsetMs > 0 && <span class="moved"> {distance(-state.offsetMs).replace("ago", "ahead")}</span>}
    </a>
  );
}

const root = document.getElementById("app");
if (root) render(<App />, root);
