import { recordsOfAccount } from "../../../cli/objects/dns-record";
import type { Client } from "../../../provider/client/client";

it("the DNS records of the account are those of users, by domain, the oldest of each first", async () => {
  const lists: Record<string, object[]> = {
    "/v5/domains": [{ name: "b.example" }, { name: "a.example" }],
    "/v5/domains/a.example/records": [
      { id: "rec_2", creator: "user_1" },
      { id: "rec_none", creator: "system" },
      { id: "rec_1", creator: "user_1" },
    ],
    "/v5/domains/b.example/records": [{ id: "rec_3", creator: "user_2" }],
  };
  const client = { list: async (path: string) => lists[path] ?? [] } as unknown as Client;
  const found = await recordsOfAccount(client);
  expect(found.map(({ id, domain }) => [id, domain])).toEqual([
    ["rec_1", "a.example"],
    ["rec_2", "a.example"],
    ["rec_3", "b.example"],
  ]);
});
