import { z } from "zod";
import { resource } from "../../../provider/core/resource";
import type { UniqueKeys } from "../../../provider/core/unique-keys";

it("refuses a definition with unique keys whose resource owns no object", () => {
  const shape = { type: "Note", handler: "note", scopes: [], importId: "", outputs: z.object({}) };
  const definition = { ...shape, uniqueKeys: {} as UniqueKeys, inputs: z.strictObject({ key: z.string() }) };
  const made = (more: object) => () => resource({ ...definition, ...more } as never);
  expect(made({})).toThrow("Note has uniqueKeys, and therefore needs objects or the input adopt");
  expect(made({ objects: (_: unknown, id: string) => [id] })).not.toThrow();
  expect(made({ inputs: z.strictObject({ adopt: z.boolean().optional() }) })).not.toThrow();
});
