import { absentFrom, ifFound, isNotFound } from "../client/errors";
import { deploymentPath, edgeConfigPath, environmentPath, projectPath, sharedEnvPath } from "../client/paths";
import * as responses from "../client/responses";
import type { IdInput } from "../core/existing-ids";
import { groupPath, readGroup } from "./access-group/records";
import { readStore } from "./blob-store/records";
import { groupsPath, readGroup as readMicrofrontendGroup } from "./microfrontend/records";

/** The inputs with ids that several resources share. */

export const accessGroupIdInput: IdInput = {
  noun: "access group",
  hint: "Give the `id` of an `AccessGroup` of the team, not its name.",
  async read(client, id) {
    const found = await readGroup(client, id);
    if (found.accessGroupId !== id) throw absentFrom(groupPath(id), `${id} is the name of an access group.`);
  },
};

/** Ids of projects, which the service does not accept by name. */
export const projectIdsInput: IdInput = {
  noun: "project id",
  hint: "Give the `id` of a `Project`, or of `getProject`, not its name.",
  async read(client, id) {
    const found = await client.identify(id);
    if (found.id === id) return;
    throw absentFrom(projectPath(id), `${id} is the name of a project.`);
  },
};

export const microfrontendGroupIdInput: IdInput = {
  noun: "microfrontend group",
  hint: "Give the `id` of a `MicrofrontendGroup` of the team, not its name.",
  async read(client, id) {
    const found = await readMicrofrontendGroup(client, id);
    if (found.id !== id) throw absentFrom(groupsPath, `${id} is the name of a microfrontend group.`);
  },
};

export const edgeConfigIdInput: IdInput = {
  noun: "Edge Config",
  hint: "Give the id of an Edge Config of the account; `getEdgeConfig` finds it by slug.",
  read: (client, id) => client.get(edgeConfigPath(id), responses.edgeConfig),
};

export const blobStoreIdInput: IdInput = {
  noun: "Blob store",
  hint: "Give the `id` of a `BlobStore` of the account; `getBlobStore` finds it by name.",
  read: readStore,
};

export const deploymentIdInput: IdInput = {
  noun: "deployment",
  hint: "Give the id of a deployment of this project; `getDeployment` finds it by branch or commit.",
  read: (client, id) => client.get(deploymentPath(id), responses.oneDeployment),
};

export const environmentIdInput: IdInput = {
  noun: "custom environment",
  hint: "Give the output `environmentId` of a `CustomEnvironment` of the same project.",
  async read(client, id, { project }) {
    if (typeof project !== "string") return;
    try {
      await client.get(environmentPath(project, id), responses.customEnvironment);
    } catch (error) {
      // The same run may create the project.
      const isOfMissingProject = isNotFound(error) && (await ifFound(client.project(project))) === undefined;
      if (!isOfMissingProject) throw error;
    }
  },
};

export const sharedVariableIdInput: IdInput = {
  noun: "shared variable",
  hint: "Give the `id` of a `SharedEnvVar` of the team.",
  read: (client, id) => client.get(sharedEnvPath(id), responses.sharedVariable),
};
