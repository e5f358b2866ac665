import { z } from "zod";
import { resource } from "../../../provider/core/resource";
import type { UniqueKeys } from "../../../provider/core/unique-keys";

it("refuses a definition with unique keys whose resource owns no object", () => {
  const shape = { type: "Note", handler: "note", scopes: [], importId: "", outputs: z.object({}) };
  const uniqueKeys = {} as UniqueKeys;
  const made = (inputs: object, more?: object) => () =>
    resource({ ...shape, inputs: z.strictObject(inputs), ownership: { uniqueKeys, ...more } } as never);
  expect(made({ key: z.string() })).toThrow(
    "Note has uniqueKeys, and therefore needs objects or the input adopt",
  );
  expect(made({ key: z.string() }, { objects: (_: unknown, id: string) => [id] })).not.toThrow();
  expect(made({ adopt: z.boolean().optional() })).not.toThrow();
});
