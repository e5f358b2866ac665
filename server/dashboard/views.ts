import type { ControlState } from "../control/state";
import { listStates } from "../control/state-store";
import type { Services } from "../platform/services";
import { showDeployment } from "./deployments";
import { listKinds, listObjects } from "./objects";
import { drawMap, listDomains, listProjects, listVariables, showProject } from "./projects";
import {
  listEvents,
  listInstallations,
  listMail,
  listRequests,
  showRequest,
  showSimulation,
  showState,
} from "./records";
import { listRuns, showRun } from "./runs";
import type { StateItem } from "./wire";

interface ViewContext {
  services: Services;
  state: ControlState;
  /** The query of the request. */
  query: URLSearchParams;
}

type View = (context: ViewContext) => Promise<unknown>;

const text = (query: URLSearchParams, name: string): string => query.get(name) ?? "";

function whole(query: URLSearchParams, name: string): number | undefined {
  const value = Number(query.get(name) ?? Number.NaN);
  return Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** The search of a list, and the number of items on earlier pages. */
const listing = (query: URLSearchParams) => ({
  search: text(query, "search"),
  skip: whole(query, "until") ?? 0,
});

const scope = (query: URLSearchParams) => ({
  account: text(query, "account"),
  project: query.get("project") ?? undefined,
});

/** The views, by their names in paths: `/_dashboard/view/projects`. Views only read. */
export const views: Readonly<Record<string, View>> = {
  state: ({ services, state }) => showState(services, state),
  projects: ({ services: { store }, query }) =>
    store.read((tx) =>
      listProjects(tx, text(query, "account"), {
        byName: query.get("sort") === "name",
        ...listing(query),
      }),
    ),
  project: ({ services: { store }, query }) =>
    store.read((tx) => showProject(tx, text(query, "account"), text(query, "project"))),
  deployment: ({ services: { store }, query }) =>
    store.read((tx) => showDeployment(tx, text(query, "account"), text(query, "deployment"))),
  domains: ({ services: { store }, query }) =>
    store.read((tx) => listDomains(tx, text(query, "account"), listing(query))),
  variables: ({ services: { store }, query }) =>
    store.read((tx) => listVariables(tx, text(query, "account"), listing(query))),
  kinds: ({ services: { store }, query }) => store.read((tx) => listKinds(tx, scope(query))),
  objects: ({ services: { store }, query }) =>
    store.read((tx) => listObjects(tx, scope(query), { kind: text(query, "kind"), ...listing(query) })),
  integrations: ({ services: { store }, query }) =>
    store.read((tx) => listInstallations(tx, text(query, "account"))),
  events: ({ services: { store }, query }) =>
    store.read((tx) =>
      listEvents(tx, text(query, "account"), { type: text(query, "search"), before: whole(query, "until") }),
    ),
  mail: ({ services: { store }, query }) => store.read((tx) => listMail(tx, whole(query, "until"))),
  simulation: ({ services, state }) => showSimulation(services, state),
  states: ({ services: { store } }): Promise<StateItem[]> => store.read(listStates),
  requests: ({ services: { store }, state, query }) =>
    store.read((tx) =>
      listRequests(tx, state, {
        search: text(query, "search"),
        refused: query.get("refused") === "1",
        before: whole(query, "until"),
      }),
    ),
  request: ({ services: { store }, state, query }) =>
    store.read((tx) => showRequest(tx, state, whole(query, "sequence"))),
  runs: async ({ state, query }) => listRuns(state, whole(query, "until") ?? 0),
  run: async ({ state, query }) => showRun(state, text(query, "run")),
  map: ({ services: { store }, query }) =>
    store.read((tx) => drawMap(tx, text(query, "account"), text(query, "search"))),
};
