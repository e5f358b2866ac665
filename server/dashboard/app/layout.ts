import type { AccountMap } from "../wire";

/** The layout of the map: columns of projects, serving domains and redirecting domains. */

export interface Box {
  kind: "domain" | "project";
  name: string;
  projectId: string;
  state: string;
  tone: "good" | "wait" | "bad" | "plain";
  x: number;
  y: number;
  width: number;
  height: number;
}

interface Edge {
  from: string;
  to: string;
  redirects: boolean;
  path: string;
}

const width = 220;
const height = 42;
const gapX = 64;
const gapY = 12;
const groupGap = 26;
const columns = [0, 1, 2].map((column) => 8 + column * (width + gapX)) as [number, number, number];

export function lay({ projects, domains }: AccountMap): {
  boxes: Box[];
  edges: Edge[];
  width: number;
  height: number;
} {
  const boxes: Box[] = [];
  const edges: Edge[] = [];
  let top = 8;
  for (const project of projects) {
    const own = domains.filter(({ projectId }) => projectId === project.id);
    const redirecting = own.filter(({ redirect }) => redirect !== null);
    const serving = own.filter(({ redirect }) => redirect === null);
    const rows = Math.max(1, redirecting.length, serving.length);
    const tall = rows * height + (rows - 1) * gapY;
    const place = (index: number, count: number): number =>
      top + (tall - (count * height + (count - 1) * gapY)) / 2 + index * (height + gapY);
    const box = (
      name: string,
      column: 0 | 1 | 2,
      y: number,
      rest: Pick<Box, "kind" | "state" | "tone">,
    ): Box => {
      const made = { name, projectId: project.id, x: columns[column], y, width, height, ...rest };
      boxes.push(made);
      return made;
    };
    const home = box(project.name, 0, place(0, 1), {
      kind: "project",
      state: project.paused ? "paused" : project.live ? "live" : "not deployed",
      tone: project.paused ? "bad" : project.live ? "good" : "plain",
    });
    const drawn = new Map<string, Box>();
    for (const [column, list] of [
      [1, serving],
      [2, redirecting],
    ] as const) {
      for (const [index, { name, verified, redirect }] of list.entries()) {
        const role = redirect === null ? "serves" : `redirects to ${redirect}`;
        drawn.set(
          name,
          box(name, column, place(index, list.length), {
            kind: "domain",
            state: verified ? (redirect === null ? "verified" : "redirects") : `unverified, ${role}`,
            tone: verified ? "good" : "wait",
          }),
        );
      }
    }
    for (const { name, redirect } of own) {
      const from = drawn.get(name);
      // A redirect may lead to the project's own name, or to a removed domain.
      const to = redirect === null ? home : (drawn.get(redirect) ?? home);
      if (from) edges.push({ from: name, to: to.name, redirects: redirect !== null, path: curve(from, to) });
    }
    top += tall + groupGap;
  }
  const right = Math.max(0, ...boxes.map(({ x }) => x));
  return { boxes, edges, width: right + width + 8, height: top };
}

function curve(from: Box, to: Box): string {
  const [startY, endY] = [from.y + from.height / 2, to.y + to.height / 2];
  if (from.x === to.x) {
    // A redirect to another redirect is drawn around the right side.
    return `M${from.x + from.width} ${startY}C${from.x + from.width + 50} ${startY} ${to.x + to.width + 50} ${endY} ${to.x + to.width + 2} ${endY}`;
  }
  const endX = to.x + to.width;
  const half = (from.x - endX) / 2;
  return `M${from.x} ${startY}C${from.x - half} ${startY} ${endX + half} ${endY} ${endX + 2} ${endY}`;
}
