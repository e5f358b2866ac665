import { declare } from "./infrastructure.ts";

export const { projectId, production } = declare("dpl_1");
