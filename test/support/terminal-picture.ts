/** Draws what a terminal showed, with its colours, as an SVG that is sharp at every size. */

const cell = { width: 8.4, height: 19 };
const padding = 20;
const bar = 36;

const colours: Record<number, string> = {
  30: "#8b949e",
  31: "#ff8f87",
  32: "#7ee2a8",
  33: "#f2c877",
  34: "#9db8ff",
  35: "#d7a8ff",
  36: "#7fd7e8",
  37: "#e7e9ee",
  90: "#8b949e",
};

interface Run {
  text: string;
  colour: string | undefined;
  isBold: boolean;
}

/** A text as it is read, without the codes that colour it. */
export const withoutColours = (text: string): string =>
  text
    .split(codes)
    .filter((_, i) => i % 2 === 0)
    .join("");

const codes = new RegExp(`${String.fromCharCode(27)}\\[([\\d;]*)m`);

/** A line's parts, each with its colour. */
function runsOf(line: string): Run[] {
  let colour: string | undefined;
  let isBold = false;
  // Texts and the codes between them, alternately.
  return line.split(codes).flatMap((part, i) => {
    if (i % 2 === 0) return part === "" ? [] : [{ text: part, colour, isBold }];
    const numbers = (part === "" ? "0" : part).split(";").map(Number);
    // 38;5;n is a colour of the larger palette, which begins with these eight and their bright ones.
    const [kind, , ofPalette = 16] = numbers;
    if (kind === 38) colour = ofPalette < 16 ? colours[30 + (ofPalette % 8)] : undefined;
    else
      for (const number of numbers) {
        if (number === 0) [colour, isBold] = [undefined, false];
        else if (number === 1) isBold = true;
        else if (number === 39) colour = undefined;
        else colour = colours[number >= 90 ? number - 60 : number] ?? colour;
      }
    return [];
  });
}

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** @param title what stands in the window's bar, and is read out in the place of the picture */
export function terminalPicture(title: string, text: string): string {
  const lines = text.split("\n").map(runsOf);
  const longest = Math.max(...lines.map((runs) => runs.reduce((sum, run) => sum + run.text.length, 0)));
  const width = Math.ceil(longest * cell.width + 2 * padding);
  const height = lines.length * cell.height + bar + padding;
  const rows = lines.map((runs, i) => {
    const spans = runs.map(({ text: part, colour, isBold }) => {
      const style = `${colour ? ` fill="${colour}"` : ""}${isBold ? ' font-weight="700"' : ""}`;
      return `<tspan${style}>${escaped(part)}</tspan>`;
    });
    return `<text x="${padding}" y="${bar + (i + 0.75) * cell.height}" xml:space="preserve">${spans.join("")}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(title)}">
<rect width="${width}" height="${height}" rx="8" fill="#171a21"/>
<circle cx="20" cy="18" r="5" fill="#4b5261"/><circle cx="38" cy="18" r="5" fill="#4b5261"/><circle cx="56" cy="18" r="5" fill="#4b5261"/>
<g font-family="ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" fill="#e7e9ee">
<text x="${width / 2}" y="22" text-anchor="middle" fill="#a3adbd" font-size="12">${escaped(title)}</text>
${rows.join("\n")}
</g>
</svg>
`;
}
