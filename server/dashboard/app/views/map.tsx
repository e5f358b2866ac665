import { useState } from "preact/hooks";
import type { AccountMap } from "../../wire";
import { useRested, useView } from "../api";
import { useShared } from "../context";
import { type Box, lay } from "../layout";
import { Empty, Heading, Problem, Search } from "../parts";

/** The account as a drawing of redirects, domains and projects. */
export function MapView() {
  const { account } = useShared();
  const [search, setSearch] = useState("");
  const rested = useRested(search.trim());
  const { data, error } = useView<AccountMap>("map", { account, search: rested });
  return (
    <>
      <Heading title="Map" count={data?.projects.length}>
        <Search label="Search projects" value={search} onChange={setSearch} />
      </Heading>
      <Problem text={error} />
      {data?.projects.length === 0 && (
        <Empty>No projects yet. Declare one, and it appears here with its domains.</Empty>
      )}
      {data && data.projects.length > 0 && <Drawing map={data} />}
      {data && data.more > 0 && (
        <p class="faint">{data.more.toLocaleString("en")} more projects are not shown. Search to see them.</p>
      )}
    </>
  );
}

function Drawing({ map }: { map: AccountMap }) {
  const { boxes, edges, width, height } = lay(map);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section class="map" aria-label="Drawing of the account" tabIndex={0}>
      <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-labelledby="drawn">
        <title id="drawn">
          Domains on the left, those that redirect first, and their projects on the right
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
