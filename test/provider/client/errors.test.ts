import { concealed } from "../../../provider/client/errors";

describe("a message", () => {
  it.each([
    [
      "a password, wherever it is a word",
      "hunter2",
      "hunter2 is not (hunter2), or hunter22",
      "[secret] is not ([secret]), or hunter22",
    ],
    ["what is long, wherever it stands", "k9XbQ2mZ7pLr4TnV8sWd", "akk9XbQ2mZ7pLr4TnV8sWdb", "ak[secret]b"],
    [
      "a word, where it is quoted alone",
      "production",
      'got "production" and `production`',
      'got "[secret]" and `[secret]`',
    ],
    ["a short text, where it is quoted alone", "a", "'a' is a letter", "'[secret]' is a letter"],
    [
      "what JSON writes in another way",
      'pass"word\n1',
      'got {"value":"pass\\"word\\n1"}',
      'got {"value":"[secret]"}',
    ],
    ["what has signs of patterns in it", "a+b(c)*[d]1", "got a+b(c)*[d]1 there", "got [secret] there"],
    ["letters beyond ASCII", "пароль-№1", "value пароль-№1.", "value [secret]."],
  ])("lacks %s", (_, secret, text, expected) => {
    expect(concealed(text, [secret])).toBe(expected);
  });

  it.each([
    ["production", "A variable A exists for a target of production and the same branch."],
    ["env", "The environment variable has env in it."],
    ["true", "decrypt must be true or false."],
    ["65536", "A value has at most 65536 characters."],
    ["a", "A key may have letters, digits and '_'."],
    ["", "Nothing."],
  ])("stays whole when a value, %s, might be a word of its own", (value, text) => {
    expect(concealed(text, [value])).toBe(text);
  });

  it("lacks the longer one of two secrets, of which one is in the other", () => {
    expect(concealed("got hunter2-hunter3", ["hunter2", "hunter2-hunter3"])).toBe("got [secret]");
  });
});

it.each(["a", "\u00e9", "$"])("conceals a secret of the greatest size, all of %s", (letter) => {
  const secret = letter.repeat(65_536);
  expect(concealed(`got ${secret}, twice ${secret}`, [secret])).toBe("got [secret], twice [secret]");
});
