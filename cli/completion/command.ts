import { command } from "../core/command";
import { bashScript, fishScript, zshScript } from "./shells";
import { completionWords } from "./words";

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript };

export const completion = command({
  summary: "prints a script that completes commands in a shell",
  description: "Prints a script that completes commands, flags and their values in a shell.",
  arguments: [{ name: "shell", choices: ["bash", "zsh", "fish"], help: "the shell" }],
  examples: [
    ["echo 'source <(slipway completion bash)' >> ~/.bashrc", "for every bash from now on"],
    ["source <(slipway completion bash)", "for this bash"],
    ["source <(slipway completion zsh)", "for this zsh, after compinit"],
    ["slipway completion fish > ~/.config/fish/completions/slipway.fish", "for every fish from now on"],
  ],
  run({ args: [shell], commands, groups }) {
    process.stdout.write(scripts[shell as keyof typeof scripts](completionWords(commands, groups)));
  },
});
