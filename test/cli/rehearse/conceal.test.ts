import { concealed, namesIn } from "../../../cli/rehearse/conceal";
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
  expect(concealed(found, ["T0K3N-of-hook", "k3y of acme", "T0K3N-of-hook-2", "two\nlines"], [])).toEqual({
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
  expect(concealed(found, values, namesIn(state))).toEqual(found);
});
