import type { AccountMap } from "../../wire";
import { hrefOf } from "../address";
import { useView } from "../api";
import { useShared } from "../context";
import { type Box, lay } from "../layout";
import { useSearch } from "../list";
import { Empty, Heading, Problem, Search } from "../parts";

/** The account as a drawing of redirects, domains and projects. */
export function MapView() {
  const { account } = useShared();
  const { search, setSearch, applied } = useSearch();
  const { data, error } = useView<AccountMap>("map", { account, search: applied });
  return (
    <>
      <Heading title="Map" count={data?.projects.length}>
        <Search label="Search projects" value={search} onChange={setSearch} />
      </Heading>
      <Problem text={error} />
      {data?.projects.length === 0 && (
        <Empty>
          {applied === ""
            ? "No domains yet. Declare a ProjectDomain, and it appears here with its project."
            : `No project with a domain has “${applied}” in its name.`}
        </Empty>
      )}
      {data && data.projects.length > 0 && <Drawing map={data} />}
      {data && data.more > 0 && (
        <p class="faint">{data.more.toLocaleString("en")} more projects are not shown. Search to see them.</p>
      )}
      {data && data.bare > 0 && (
        <p class="faint">
          Projects without a domain are not drawn: {data.bare.toLocaleString("en")}. See{" "}
          <a href={hrefOf("projects", undefined, { search: applied })}>the list</a>.
        </p>
      )}
    </>
  );
}

function Drawing({ map }: { map: AccountMap }) {
  const { boxes, edges, width, height } = lay(map);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
    <section class="map" aria-label="Drawing of the account" tabIndex={0}>
      <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-labelledby="drawn">
        <title id="drawn">
          Projects on the left, then the domains that serve them, then those that redirect
        </title>
        <defs>
          <marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
            <path d="M0 0 8 4 0 8z" />
          </marker>
        </defs>
        {edges.map(({ from, to, redirects, path }) => (
          <path
            key={`${from} ${to}`}
            class={redirects ? "edge redirect" : "edge"}
            d={path}
            marker-end="url(#tip)"
          >
            <title>{`${from} ${redirects ? "redirects" : "belongs"} to ${to}`}</title>
          </path>
        ))}
        {boxes.map((box) => (
          <MapBox key={`${box.kind} ${box.name}`} box={box} />
        ))}
      </svg>
    </section>
  );
}

function MapBox({ box }: { box: Box }) {
  const short = box.name.length > 30 ? `${box.name.slice(0, 29)}…` : box.name;
  return (
    <a href={`#/projects/${box.projectId}`}>
      <g class={`box ${box.kind} ${box.tone}`} transform={`translate(${box.x} ${box.y})`}>
        <rect width={box.width} height={box.height} rx="6" />
        <text x="12" y={box.height / 2 - 2}>
          {short}
        </text>{" "}
        <text class="small" x="12" y={box.height / 2 + 12}>
          {box.state}
        </text>
      </g>
    </a>
  );
}
