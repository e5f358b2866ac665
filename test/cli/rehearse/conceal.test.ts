import { concealerOf, namesIn } from "../../../cli/rehearse/conceal";
import type { AccountState } from "../../../cli/rehearse/copy";

const change = {
  effect: "delete",
  kind: "domain",
  name: "www.acme.com",
  fields: [{ field: "buildCommand", before: 'build --key="k3y of acme"', after: null }],
};

it("removes secrets from names, settings and messages", () => {
  const hook = { ...change, kind: "webhook", name: "https://hooks.example.com/T0K3N-of-hook", fields: [] };
  const found = {
    changes: [change, hook],
    refusals: [{ resource: null, message: 'It has "T0K3N-of-hook-2" and "two\\nlines".' }],
  };
  const usual = ["T0K3N-of-hook", "k3y of acme", "T0K3N-of-hook-2", "two\nlines"];
  expect(concealerOf({ declared: [], usual }, [])(found)).toEqual({
    changes: [
      { ...change, fields: [{ field: "buildCommand", before: 'build --key="[secret]"', after: null }] },
      { ...hook, name: "https://hooks.example.com/[secret]" },
    ],
    refusals: [{ resource: null, message: 'It has "[secret]" and "[secret]".' }],
  });
});

it("keeps the names of the account, and the words of a report, where a variable has such a value", () => {
  const state = {
    document: {
      copyOf: "https://api.example.com",
      domains: [{ name: "www.acme.com" }],
      env: [{ key: "API_ORIGIN", gitBranch: null }, { key: "NODE_ENV" }],
    },
    aliases: new Map([["shop-acme.vercel.app", "dpl_1"]]),
    deployments: new Map(),
  } as AccountState;
  const found = { ...change, alias: "shop-acme.vercel.app", targets: ["production"], key: "API_ORIGIN" };
  const values = [
    "www.acme.com",
    "acme.com",
    "production",
    "delete",
    "buildCommand",
    "shop-acme",
    "API_ORIGIN",
  ];
  expect(concealerOf({ declared: [], usual: values }, namesIn(state))(found)).toEqual(found);
});

it("hides what a program declares as secret in names and ids too", () => {
  const found = { id: "prj_1/www.acme.com", name: "www.acme.com", fields: [{ field: "mode", after: "eu" }] };
  expect(concealerOf({ declared: ["www.acme.com", "eu"], usual: [] }, ["www.acme.com"])(found)).toEqual({
    ...{ id: "prj_1/[secret]", name: "[secret]", fields: [{ field: "mode", after: "[secret]" }] },
  });
});

it.each([
  ["its JSON form", 'a "quoted" key', 'The body was "a \\"quoted\\" key".'],
  ["JSON in a text", 'a "quoted" key', JSON.stringify(JSON.stringify('a "quoted" key'))],
  ["its URL form", "key of/acme", "POST /v1/x?key=key%20of%2Facme"],
  ["the query of a URL", "https://logs.example.com/in?token=canary-1", "The query token=canary-1 is wrong."],
  ["a word of a command", "NPM_TOKEN=canary-1 npm run build", "buildCommand fails: NPM_TOKEN=canary-1 npm…"],
  [
    "a line of a key",
    "-----BEGIN KEY-----\nCanaryOfKey12\n-----END KEY-----",
    "It has\n    CanaryOfKey12\n    here.",
  ],
])("hides a secret in %s", (_, secret, message) => {
  const hidden = concealerOf({ declared: [secret], usual: [] }, [])(message);
  expect(hidden).toContain("[secret]");
  expect(hidden).not.toMatch(/canary|quoted|acme/i);
});
