import { Processes } from "../../../cli/rehearse/process";

const terminals = [process.stdout, process.stderr].map((stream) => [stream, stream.isTTY] as const);
beforeEach(() => {
  for (const [stream] of terminals) stream.isTTY = false;
});
afterEach(() => {
  jest.restoreAllMocks();
  for (const [stream, isTTY] of terminals) stream.isTTY = isTTY;
});

it.each(["stdout", "stderr"] as const)(
  "conceals a secret in two parts of what comes on %s",
  async (stream) => {
    let shown = "";
    jest.spyOn(process[stream], "write").mockImplementation((text) => {
      shown += text;
      return true;
    });
    // The line is longer than what is read at a time, so that a part ends within it.
    const program = `process.${stream}.write(${JSON.stringify("top-secret")}.repeat(20_001) + "\\n")`;
    const code = await new Processes().show([process.execPath, "-e", program], {
      cwd: process.cwd(),
      env: process.env,
      conceal: (part) => part.replaceAll("top-secret", "*"),
    });
    expect(code).toBe(0);
    expect(shown).toBe(`${"*".repeat(20_001)}\n`);
  },
);
