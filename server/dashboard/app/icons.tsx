/** The strokes of each view's icon, on a field of 16 by 16. */
const strokes: Record<string, string> = {
  projects: "M2 3.5h12v9H2zM2 6.5h12",
  domains: "M8 2a6 6 0 1 0 0 12A6 6 0 1 0 8 2M2 8h12M8 2c-4 4-4 8 0 12M8 2c4 4 4 8 0 12",
  variables: "M5 2.5c-3 0 0 5.5-3 5.5 3 0 0 5.5 3 5.5M11 2.5c3 0 0 5.5 3 5.5-3 0 0 5.5-3 5.5",
  map: "M2 3h4v4H2zM10 9h4v4h-4zM6 5h6v4",
  integrations: "M6 2v3M10 2v3M4 5h8v3a4 4 0 0 1-8 0zM8 12v2.5",
  objects: "M8 2l6 3-6 3-6-3zM2 8l6 3 6-3M2 11l6 3 6-3",
  runs: "M2 3.5h5M5 8h6M9 12.5h5",
  requests: "M2 5h10l-3-3M14 11H4l3 3",
  events: "M9 1.5 3.5 9H8l-1 5.5L12.5 7H8z",
  mail: "M2 3.5h12v9H2zM2 4l6 5 6-5",
  simulation: "M2 4.5h7M13 4.5h1M2 11.5h1M7 11.5h7M11 2.5v4M5 9.5v4",
  states: "M3 4c0-2 10-2 10 0v8c0 2-10 2-10 0zM3 4c0 2 10 2 10 0M3 8c0 2 10 2 10 0",
  docs: "M3 2h10v12H3zM6 5.5h4M6 8.5h4",
};

/** An icon beside a label. It is hidden from screen readers, because it repeats the label. */
export const Icon = ({ name }: { name: string }) => (
  <svg class="icon" width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
    <path d={strokes[name]} />
  </svg>
);
