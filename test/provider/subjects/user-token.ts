import { userToken } from "../../../provider/resources/user-token";
import { existing, life, type Row, type Subject } from "../subject";

const noEdit: Row["drift"] = "no request of the API changes a token";

const path = "/v3/user/tokens";
const [first, second] = [Date.UTC(2100, 0, 1), Date.UTC(2101, 0, 1)];

export const subject: Subject = {
  resource: userToken,
  handler: "usertoken",
  prepare: async () => ({ given: { name: "deploy" } }),
  async look(w, id) {
    const { token } = (await w.curl("GET", `/v5/user/tokens/${id}`)) as { token?: Record<string, unknown> };
    if (!token) throw new Error("404: no such token");
    return { ...token, expiresAt: token.expiresAt ?? null };
  },
  async all(w) {
    const { tokens } = (await w.curl("GET", "/v6/user/tokens")) as unknown as {
      tokens: Record<string, unknown>[];
    };
    return tokens
      .filter(({ name }) => name !== "development")
      .map(({ name, expiresAt, teamId }) => ({ name, expiresAt, teamId }));
  },
  listed: {
    query: {},
    names: ["development", "development", "listed"],
    prepare: existing(path, { name: "listed" }),
  },
  rows: [
    {
      path: "name",
      first: "deploy",
      second: "report",
      changed: "replace",
      cleared: /^name is missing/,
      shown: (name) => ({ name }),
      drift: noEdit,
    },
    {
      path: "expiresAt",
      first,
      second,
      changed: "replace",
      cleared: "replace",
      shown: (expiresAt = null) => ({ expiresAt }),
      drift: noEdit,
    },
  ],
  operations: life(
    userToken,
    () => ({ name: "deploy" }),
    () => ({ name: "report", expiresAt: first }),
  ).map((operation) => ({ ...operation, nameless: true as const })),
};
