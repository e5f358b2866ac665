import { vault } from "../../../server/platform/vault";

const [own, other] = [vault(Buffer.alloc(32, 1)), vault(Buffer.alloc(32, 2))];
const sealed = own.seal("row_1", "secret");

it.each<[string, typeof own, string, string]>([
  ["another row", own, "row_2", sealed],
  ["another key", other, "row_1", sealed],
  ["another text", own, "row_1", sealed.replace(/\.(.)/, (_, first) => `.${first === "A" ? "B" : "A"}`)],
  ["no sealed text", own, "row_1", "secret"],
])("a text opens under its key for its row alone, and not with %s", (_, opener, row, text) => {
  expect([own.open("row_1", sealed), own.tryOpen("row_1", sealed)]).toEqual(["secret", "secret"]);
  expect(() => opener.open(row, text)).toThrow();
  expect(opener.tryOpen(row, text)).toBeUndefined();
});

it("a text is sealed differently each time, and has one digest under each key", () => {
  expect(own.seal("row_1", "secret")).not.toBe(sealed);
  expect(own.digest("secret")).toBe(vault(Buffer.alloc(32, 1)).digest("secret"));
  const digests = [own.digest("secret"), own.digest("secrets"), other.digest("secret")];
  expect(new Set(digests).size).toBe(3);
});
