import { objectsOf } from "../../../cli/import/objects";
import type { RecordedResource } from "../../../cli/objects/recorded";

const tool = { name: "Terraform", forget: "terraform state rm" };
const recorded = (type: string, values: RecordedResource["values"]): RecordedResource => ({
  ...{ address: `${type}.this`, names: ["this"], type, values },
  ...{ isTainted: false, secretTexts: [], isDeposed: false },
});
const project = recorded("vercel_project", { id: "prj_web", name: "web" });
const parts = ["vercel_project_crons", "vercel_project_deployment_retention"];

it.each(parts)("%s moves with its project, which has the setting", (type) => {
  const part = recorded(type, { project_id: "prj_web" });
  const { objects, notes, lacking } = objectsOf([part, project], tool);
  expect(objects.map((object) => object.type)).toEqual(["Project"]);
  expect([notes, lacking]).toEqual([[], []]);
});

it.each([...parts, "vercel_project_protection_bypass"])("%s stays without its project", (type) => {
  const part = recorded(type, { project_id: "prj_other", secret: "x".repeat(32) });
  const { objects, notes, lacking } = objectsOf([project, part], tool);
  expect(objects.map((object) => object.type)).toEqual(["Project"]);
  expect(notes).toEqual([`${part.address} stays with Terraform: its project is not in the state.`]);
  expect(lacking).toEqual([part]);
});
