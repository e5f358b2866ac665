import type { AccountState, Document } from "../../../cli/rehearse/copy";
import { compare } from "../../../cli/rehearse/outcome";
import { conditions, meets, type Report } from "../../../cli/rehearse/report";
import type { Resource } from "../../../cli/rehearse/stack";
import { summarize } from "../../../cli/rehearse/summary";
import { unknownsOf } from "../../../cli/rehearse/unknowns";

const projects = [
  { id: "prj_web", name: "web" },
  { id: "prj_shop", name: "shop" },
];
const account = (rows: Omit<Document, "copyOf">): AccountState => ({
  document: { copyOf: "https://api.example.com", projects, ...rows },
  aliases: new Map(),
  deployments: new Map(),
});
const declared = (type: string, name: string, id: string, outputs: Resource["outputs"] = {}): Resource => ({
  ...{ urn: `urn:pulumi:dev::web::slipway:index:${type}::${name}`, type: `slipway:index:${type}` },
  ...{ id, custom: true, inputs: {}, outputs },
});
const domain = (name: string, more: object = {}) => ({ project: "prj_web", name, verified: true, ...more });

/** A run that turns domains into others, each declared by the resource of its place in the list. */
function rehearsed(before: object[], after: object[]) {
  const states = [account({ domains: before }), account({ domains: after })] as const;
  const resources = [before, after].map((rows) =>
    (rows as { project: string; name: string }[]).map(({ project, name }, at) =>
      declared("ProjectDomain", `domain-${at}`, `${project}/${name}`),
    ),
  );
  const compared = compare(...states, { before: resources[0] ?? [], after: resources[1] ?? [] });
  return {
    summary: summarize({ ...compared, refusals: [], exitCode: 0 }, "up"),
    changes: compared.changes,
    matches: conditions.filter((one) =>
      meets({ ...compared, refusals: [], unknown: [] } as unknown as Report, one),
    ),
    unknown: unknownsOf(
      states[0].document,
      compared,
      { copy: { assumedRecords: [] } as never, refusals: [], resources: [], refused: [], otherTokens: [] },
      states[1].document,
    ),
  };
}

describe("a domain of production", () => {
  it("is deleted when its resource gets another name, and the new name may belong to another account", () => {
    const { summary, changes, unknown } = rehearsed(
      [domain("old.com")],
      [domain("new.com", { verified: false })],
    );
    expect(summary).toBe("Deletes the production domain old.com of project web, and makes 1 other change.");
    expect(changes.map(({ effect, name, resource }) => [effect, name, resource])).toEqual([
      ["delete", "old.com", "domain-0"],
      ["create", "new.com", "domain-0"],
    ]);
    expect(unknown).toEqual(["whether another account has the domain new.com"]);
  });

  it("is named with the others that are deleted", () => {
    const { summary } = rehearsed([domain("a.com"), domain("b.com"), domain("c.com")], [domain("d.com")]);
    expect(summary).toBe(
      "Deletes the production domains a.com, b.com, c.com of project web, and makes 1 other change.",
    );
  });

  it("moves to another project", () => {
    const { summary, changes } = rehearsed([domain("a.com")], [domain("a.com", { project: "prj_shop" })]);
    expect(summary).toBe("Moves the production domain a.com of project web to project shop.");
    expect(changes).toMatchObject([
      { effect: "replace", fields: [{ field: "project", before: "web", after: "shop" }] },
    ]);
  });

  it("leaves production when it gets a branch", () => {
    const { summary, changes, matches } = rehearsed(
      [domain("a.com")],
      [domain("a.com", { gitBranch: "feat" })],
    );
    expect(summary).toBe("Takes the domain a.com of project web off production.");
    expect(changes).toMatchObject([{ effect: "change", isProduction: true, leavesProduction: true }]);
    expect(matches).toEqual(["change", "delete"]);
  });

  it("is not taken off production by another setting or by a branch that changes", () => {
    for (const [before, after] of [
      [domain("a.com"), domain("a.com", { redirect: "b.com" })],
      [domain("a.com", { gitBranch: "feat" }), domain("a.com", { gitBranch: "fix" })],
      [domain("a.com", { gitBranch: "feat" }), domain("a.com")],
    ] as const)
      expect(rehearsed([before], [after]).matches).toEqual(["change"]);
  });
});

it("names the resource that declares several variables, whose deleted ones are no replacements", () => {
  const variable = (id: string, key: string, value: string) => ({
    ...{ project: "prj_web", id, key, type: "plain", target: ["production"], value },
  });
  const all = (ids: Record<string, string>) =>
    declared("EnvVars", "settings", "prj_web/all", {
      projectId: "prj_web",
      records: Object.fromEntries(Object.entries(ids).map(([key, id]) => [key, { id, updatedAt: 1 }])),
    });
  const { changes } = compare(
    account({ env: [variable("env_a", "A", "1"), variable("env_b", "B", "1")] }),
    account({ env: [variable("env_a", "A", "2"), variable("env_c", "C", "1")] }),
    { before: [all({ A: "env_a", B: "env_b" })], after: [all({ A: "env_a", C: "env_c" })] },
  );
  expect(changes.map(({ effect, name, resource }) => `${effect} ${name} ${resource}`)).toEqual([
    "delete B (production) settings",
    "change A (production) settings",
    "create C (production) settings",
  ]);
});
