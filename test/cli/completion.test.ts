import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { commands, groups } from "../../cli/commands";
import { bashScript, fishScript, zshScript } from "../../cli/completion/shells";
import { completionWords } from "../../cli/completion/words";
import { slipway } from "../support/cli";

const words = completionWords(commands, groups);
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "slipway-completion-"));
  writeFileSync(join(folder, "completion.bash"), bashScript(words));
  writeFileSync(join(folder, "seed.yaml"), "");
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The words that bash offers at the end of a line: its own completion function, called as readline does. */
function completions(line: string): string[] {
  const script = `
    source completion.bash
    eval "set -- $(complete -p slipway)"
    COMP_WORDS=(${line.endsWith(" ") ? `${line} ''` : line})
    COMP_CWORD=$(( \${#COMP_WORDS[@]} - 1 ))
    _slipway
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr, status } = spawnSync("bash", ["--norc", "-c", script], {
    cwd: folder,
    encoding: "utf8",
  });
  expect([status, stderr]).toEqual([0, ""]);
  return stdout.split("\n").filter((word) => word !== "");
}

/** Whether a shell takes a script, if this machine has it. */
function accepts(shell: string, args: string[], script: string): boolean {
  // fish reads no script from the socket that Node.js gives as standard input.
  const file = join(folder, "script");
  writeFileSync(file, script);
  const { error, status } = spawnSync(shell, [...args, file], { encoding: "utf8" });
  return (error as NodeJS.ErrnoException | undefined)?.code === "ENOENT" || status === 0;
}

describe("the completion in bash", () => {
  it.each([
    ["slipway lo", ["logs"]],
    ["slipway d", ["demo", "deploy", "dns", "doctor"]],
    ["slipway dns ", ["set", "rm"]],
    ["slipway logs --re", ["--refused"]],
    ["slipway fault add ", ["status", "delay", "slow", "malformed", "drop-before", "drop-after"]],
    ["slipway fault add --times 2 st", ["status"]],
    ["slipway fault add status --sk", ["--skip"]],
    ["slipway deploy web --state RE", ["READY"]],
    ["slipway serve --log-level d", ["debug"]],
    ["slipway completion z", ["zsh"]],
    ["slipway rehearse --fail-on rep", ["replace"]],
    ["slipway rehearse --fail-on delete,re", ["delete,replace", "delete,refusal"]],
    ["slipway --v", ["--version"]],
    ["slipway nothing ", []],
    // Names of files.
    ["slipway seed ", []],
    ["slipway logs --path ", []],
  ])("offers after `%s`: %j", (line, expected) => {
    expect(completions(line)).toEqual(expected);
  });

  it("knows every command", () => {
    const offered = completions("slipway ");
    for (const { name } of commands) expect(offered).toContain(name.split(" ")[0]);
  });

  it("completes words and files when Tab is pressed in a terminal", () => {
    const slipway = join(folder, "slipway");
    writeFileSync(slipway, '#!/bin/bash\necho "called with $*"\n');
    chmodSync(slipway, 0o755);
    const env = { ...process.env, PATH: `${folder}:${process.env.PATH}`, TERM: "dumb", INPUTRC: "/dev/null" };
    // `script` gives bash a terminal.
    const { stdout } = spawnSync("script", ["-qec", "bash --norc -i", "/dev/null"], {
      cwd: folder,
      encoding: "utf8",
      env,
      input: "source completion.bash\nslipway comple\tba\t\nslipway seed se\t\nexit\n",
      timeout: 20_000,
    });
    expect(stdout).toMatch(/called with completion bash\s/);
    expect(stdout).toMatch(/called with seed seed\.yaml\s/);
  });
});

describe("slipway completion", () => {
  it("prints scripts that the shells accept", async () => {
    expect((await slipway(["completion", "bash"])).stdout).toBe(bashScript(words));
    expect((await slipway(["completion", "fish"])).stdout).toBe(fishScript(words));
    expect((await slipway(["completion", "zsh"])).stdout).toBe(zshScript(words));
    expect(accepts("bash", ["-n"], bashScript(words))).toBe(true);
    expect(accepts("zsh", ["-n"], zshScript(words))).toBe(true);
    expect(accepts("fish", ["--no-execute"], fishScript(words))).toBe(true);
  });

  it("prints scripts for zsh and fish that know groups, choices and the values of flags", () => {
    const [zsh, fish] = [zshScript(words), fishScript(words)];
    const effects = "create change delete replace move refusal unknown";
    for (const line of [
      "    'fault') found=('add:makes the next requests fail, wait or lose their connection' 'list:shows the faults that remain' 'clear:removes all faults'); _describe command found; return ;;",
      "        --state) compadd -- READY ERROR CANCELED QUEUED INITIALIZING BUILDING; return ;;",
      "        --path) _files; return ;;",
      `        --fail-on) _values -s , value ${effects}; return ;;`,
      "      (( arguments == 0 )) && compadd -- status delay slow malformed drop-before drop-after",
    ])
      expect(zsh.split("\n")).toContain(line);
    const within = (command: string) => `complete -c slipway -n '__fish_seen_subcommand_from ${command}'`;
    for (const line of [
      "complete -c slipway -f -n '__fish_seen_subcommand_from fault; and not __fish_seen_subcommand_from add list clear' -a clear -d 'removes all faults'",
      `${within("fault; and __fish_seen_subcommand_from add")} -f -a 'status delay slow malformed drop-before drop-after'`,
      `${within("logs")} -l follow -s f -d 'waits for more requests, until Ctrl-C'`,
      `${within("logs")} -l path -r -d 'only this path; /v9/projects/* is everything below it'`,
    ])
      expect(fish.split("\n")).toContain(line);
    expect(fish).toContain(
      ` -r -f -a "(__fish_complete_list , 'string split : ${effects.replaceAll(" ", ":")}')" `,
    );
    expect(fish).toMatch(
      /^complete -c slipway -f -n 'not __fish_seen_subcommand_from demo init serve [^']*' -a doctor -d /m,
    );
  });

  it("suggests the shell that was meant", async () => {
    const { code, stderr } = await slipway(["completion", "bsh"]);
    expect(code).toBe(2);
    expect(stderr).toContain("Choose one of bash, zsh, fish. Did you mean bash?");
  });
});
