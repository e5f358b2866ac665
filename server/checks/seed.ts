import * as z from "zod";
import { derivedId } from "../platform/ids";
import { SeedConflict } from "../seed/error";
import { id, name, ownedRow, owner, ownerOf, projectOf, section, times } from "../seed/section";
import { findRow, hasRow, insertRow } from "../store/rows";
import {
  projectChecks as described,
  deploymentChecks as describedChecks,
  checkRuns as describedRuns,
} from "./object";
import * as wire from "./schema";

const {
  name: checkName,
  isRerequestable,
  requires,
  blocks,
  targets,
  timeout,
  source,
} = wire.projectCheck.shape;

/** Adds a check to a project, unless it exists. */
export const projectChecks = section(
  "project_checks",
  ownedRow({
    ...{ ...owner, project: name, id: id.optional(), name: checkName },
    isRerequestable: isRerequestable.default(false),
    requires: requires.default("deployment-url"),
    blocks: blocks.default("none"),
    targets: targets.default([]),
    timeout: timeout.default(300_000),
    source: source.default({ kind: "webhook" }),
    ...times,
  }),
  async ({ tx, now }, given, place) => {
    const project = await projectOf(tx, given, place);
    const rowId = given.id ?? derivedId(described, project.id, given.name);
    if (await hasRow(tx, "project_checks", { id: rowId })) return;
    const { createdAt = now, updatedAt = createdAt } = given;
    await insertRow(tx, "project_checks", {
      ...{
        id: rowId,
        project_id: project.id,
        name: given.name,
        requires: given.requires,
        blocks: given.blocks,
      },
      is_rerequestable: given.isRerequestable ? 1 : 0,
      ...{
        targets: JSON.stringify(given.targets),
        source: JSON.stringify(given.source),
        timeout: given.timeout,
      },
      ...{ created_at: createdAt, updated_at: updatedAt },
    });
  },
  ({ team, user, project, id: rowId, name: checked }) => [rowId ?? [team, user, project, checked]],
);

const { status: runStatus, ...result } = wire.updateRun.shape;

/** Adds a run of a check of the deployment's project, unless it exists. */
export const checkRuns = section(
  "check_runs",
  ownedRow({
    ...{ ...owner, project: name, id: id.optional() },
    /** The id of the check. */
    check: z.string(),
    deployment: z.string(),
    status: runStatus.unwrap().default("queued"),
    ...result,
    ...times,
  }),
  async ({ tx, now }, { check, deployment, status, ...given }, place) => {
    const project = await projectOf(tx, given, place);
    if (!(await hasRow(tx, "project_checks", { id: check, project_id: project.id })))
      throw new SeedConflict([...place, "check"], `the project has no check ${check}`);
    if (
      !(await hasRow(tx, "deployments", {
        id: deployment,
        account_id: project.account_id,
        name: project.name,
      }))
    )
      throw new SeedConflict([...place, "deployment"], `the project has no deployment ${deployment}`);
    const {
      team: _,
      user: __,
      project: ___,
      id: own,
      createdAt = now,
      updatedAt = createdAt,
      ...set
    } = given;
    const rowId = own ?? derivedId(describedRuns, check, deployment);
    if (await hasRow(tx, "check_runs", { id: rowId })) return;
    await insertRow(tx, "check_runs", {
      ...{ id: rowId, project_id: project.id, check_id: check, deployment_id: deployment, status },
      ...{ result: JSON.stringify(set), created_at: createdAt, updated_at: updatedAt },
    });
  },
  ({ id: rowId, check, deployment }) => [rowId ?? [check, deployment]],
);

const {
  id: _id,
  deploymentId: _deployment,
  createdAt: _created,
  updatedAt: _updated,
  ...checkShape
} = wire.check.shape;

/** Adds a check of an integration to a deployment, unless it exists. */
export const deploymentChecks = section(
  "deployment_checks",
  ownedRow({
    ...{ ...owner, id: id.optional(), deployment: z.string() },
    ...checkShape,
    status: checkShape.status.default("registered"),
    blocking: checkShape.blocking.default(false),
    rerequestable: checkShape.rerequestable.default(false),
    ...times,
  }),
  async ({ tx, now }, { deployment, integrationId, name: called, status, ...given }, place) => {
    const account = await ownerOf(tx, given, place);
    if (!(await findRow(tx, "deployments", { id: deployment, account_id: account.id })))
      throw new SeedConflict([...place, "deployment"], `there is no deployment ${deployment}`);
    const { team: _, user: __, id: own, createdAt = now, updatedAt = createdAt, ...details } = given;
    const rowId = own ?? derivedId(describedChecks, deployment, called);
    if (await hasRow(tx, "deployment_checks", { id: rowId })) return;
    await insertRow(tx, "deployment_checks", {
      ...{
        id: rowId,
        account_id: account.id,
        deployment_id: deployment,
        integration_id: integrationId,
        name: called,
        status,
      },
      ...{ details: JSON.stringify(details), created_at: createdAt, updated_at: updatedAt },
    });
  },
  ({ id: rowId, deployment, name: called }) => [rowId ?? [deployment, called]],
);
