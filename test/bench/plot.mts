import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Plan } from "./plan.mts";
import { installTools, moduleOf } from "./tools.mts";

const folder = path.join(import.meta.dirname, "../../docs/pictures");

export interface Plot {
  /** Its file is `docs/pictures/<name>.svg`. */
  name: string;
  title: string;
  /** The name of the values along it, such as `connections`. */
  along: string;
  values: readonly (number | string)[];
  /** The measured quantity, with its unit. */
  measured: string;
  /** One line each; `bars` makes them bars side by side, and `stacked` bars that stand upon each other. */
  series: readonly { name: string; values: readonly number[] }[];
  bars?: boolean;
  stacked?: boolean;
  logarithmic?: boolean;
}

/** The part of ECharts that is used here: it draws without a browser. */
interface Echarts {
  init(
    element: null,
    theme: null,
    options: object,
  ): { setOption(option: object): void; renderToSVGString(): string; dispose(): void };
}

/**
 * Draws a plot into the documents, unless the plan is only a rehearsal.
 * @returns the Markdown that shows it
 */
export async function draw(plot: Plot, { isRehearsal }: Pick<Plan, "isRehearsal">): Promise<string> {
  installTools();
  const { init }: Echarts = await import(pathToFileURL(moduleOf.echarts).href);
  const chart = init(null, null, { renderer: "svg", ssr: true, width: 720, height: 360 });
  chart.setOption(optionOf(plot));
  // The title is for those who do not see it.
  const svg = chart
    .renderToSVGString()
    .replace(/^<svg[^>]*>/, (tag) => `${tag}\n<title>${plot.title}</title>`);
  chart.dispose();
  if (!isRehearsal) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, `${plot.name}.svg`), `${svg}\n`);
  }
  return `![${plot.title}](pictures/${plot.name}.svg)`;
}

function optionOf({
  title,
  along,
  values,
  measured,
  series,
  stacked = false,
  bars = stacked,
  logarithmic = false,
}: Plot): object {
  return {
    // The pages that show it may be dark.
    backgroundColor: "#ffffff",
    animation: false,
    title: { text: title, left: "center", textStyle: { fontSize: 14 } },
    legend: { bottom: 0, itemGap: 24 },
    grid: { left: 80, right: 30, top: 50, bottom: 75 },
    xAxis: { type: "category", name: along, nameLocation: "middle", nameGap: 28, data: values.map(String) },
    yAxis: { type: logarithmic ? "log" : "value", name: measured, nameLocation: "middle", nameGap: 48 },
    series: series.map(({ name, values: heights }) => ({
      name,
      type: bars ? "bar" : "line",
      ...(stacked ? { stack: "all" } : {}),
      data: heights.map((height) => Number(height.toPrecision(3))),
    })),
  };
}
