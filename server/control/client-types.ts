import type * as z from "zod";
import type { deployment } from "../deployments/seed";
import type { SeedDocument as Document } from "../seed/document";
import type { fault } from "./faults";
import type { installBody } from "./routes/integrations";
import type { Snapshot as State } from "./routes/snapshot";

/** The types of the control plane's client. The build spells them out, because programs import them. */

/** Accounts and objects that a server starts with, or gets in a test. */
export type SeedDocument = Document;
export type Deployment = z.input<typeof deployment>;
export type Fault = z.input<typeof fault>;
export type Installation = z.input<typeof installBody>;
export type Snapshot = State;
