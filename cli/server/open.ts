import { spawn } from "node:child_process";
import * as z from "zod";
import { command } from "../core/command";
import { UserError } from "../core/errors";
import { print, printJson, say } from "../core/output";
import { dashboardLink, findTarget, serverNote } from "./control";

export const open = command({
  summary: "opens the dashboard in the browser",
  description:
    "Opens the dashboard of the server in the browser, and prints the link, which works once. Without a desktop, such as " +
    "over SSH, it only prints the link.",
  flags: { print: { help: "only prints the link" } },
  examples: [
    ["slipway open", "the server of this folder"],
    ["slipway open --print", "for a browser of your choice"],
  ],
  notes: serverNote,
  output: z.strictObject({ url: z.string() }),
  async run({ flags, json }) {
    const target = findTarget();
    const url = await dashboardLink(target);
    if (url === undefined)
      throw new UserError(
        `The server at ${target.url} has no dashboard: it was started with --dashboard off.`,
      );
    if (json) return printJson({ url });
    print(url);
    if (flags.print || !hasDesktop()) return;
    if (!(await openInBrowser(url))) say("no browser could be started: open the link yourself");
  },
});

/** On Linux, a browser needs a display. In a session over SSH, it would open on another machine. */
const hasDesktop = (): boolean => {
  const { DISPLAY, WAYLAND_DISPLAY, SSH_CONNECTION } = process.env;
  if (SSH_CONNECTION) return false;
  return process.platform === "darwin" || process.platform === "win32" || Boolean(DISPLAY || WAYLAND_DISPLAY);
};

const openers: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

/** How long an opener may take until it counts as started, in milliseconds. Some end only with the browser. */
const startedMs = 2_000;

/** @returns false if the program that opens links cannot be started, or fails at once */
function openInBrowser(url: string): Promise<boolean> {
  const [file, ...args] = openers[process.platform] ?? ["xdg-open"];
  return new Promise((done) => {
    const started = setTimeout(() => resolve(true), startedMs);
    const resolve = (isOpen: boolean): void => {
      clearTimeout(started);
      done(isOpen);
    };
    const child = spawn(file, [...args, url], { stdio: "ignore", detached: true });
    child.once("error", () => resolve(false));
    child.once("exit", (code) => resolve(code === 0));
    child.unref();
  });
}
