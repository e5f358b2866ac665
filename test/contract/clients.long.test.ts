/** @jest-environment ./test/contract/environment.cjs */
import { routes } from "../../server/routes";
import { accessGroupCalls } from "./calls/access-groups";
import { accountCalls } from "./calls/account";
import { aliasCalls } from "./calls/aliases";
import { certificateCalls } from "./calls/certificates";
import { checkCalls } from "./calls/checks";
import { environmentCalls } from "./calls/custom-environments";
import { deploymentCalls } from "./calls/deployments";
import { domainCalls } from "./calls/domains";
import { edgeConfigCalls } from "./calls/edge-configs";
import { envCalls } from "./calls/env";
import { featureFlagCalls } from "./calls/feature-flags";
import { firewallCalls } from "./calls/firewall";
import { furtherCalls } from "./calls/further";
import { integrationCalls } from "./calls/integrations";
import { microfrontendCalls } from "./calls/microfrontends";
import { ownershipCalls } from "./calls/ownership";
import { populatedCalls } from "./calls/populated";
import { stateCalls } from "./calls/project-state";
import { projectCalls } from "./calls/projects";
import { promotionCalls } from "./calls/promotions";
import { recordCalls } from "./calls/records";
import { refusals } from "./calls/refusals";
import { routingCalls } from "./calls/routing";
import { sharedEnvCalls } from "./calls/shared-env";
import { Contract } from "./contract";
import { generations, nameless } from "./generations";
import { broken, type Operation, operations, specified } from "./operations";

const key = (operation: string): string => {
  const [method = "", path = ""] = operation.split(" ");
  return nameless(method, path);
};
const served = new Set(routes.map(({ method, path }) => nameless(method, path)));

/** How many of the specification's operations a generation lacks. */
const lacking = { k3: 4, k6: 2, k28: 2 };

describe("the table of operations", () => {
  it("names only what the server answers", () => {
    expect(Object.keys(operations).filter((operation) => !served.has(key(operation)))).toEqual([]);
  });

  it("leaves out no operation of the specification", () => {
    expect(Object.keys(specified)).toHaveLength(23);
  });
});

describe.each(generations)("the official client, %s,", (generation) => {
  const contract = new Contract(generation);
  const listed = Object.keys(operations).filter((operation) =>
    operations[operation as Operation].includes(generation),
  );

  it("has the operations that the table lists, and no other that the server answers", () => {
    const had = [...contract.sdk.operations.keys()].filter((operation) => served.has(operation));
    expect(had.sort()).toEqual([...listed, ...broken[generation]].map(key).sort());
  });

  it("calls operations what the server's own document calls them", () => {
    if (generation !== "k28") return;
    const called = routes.flatMap(({ method, path, operationId }) => {
      const name = contract.sdk.operations.get(nameless(method, path))?.name;
      return name === undefined ? [] : [[operationId, name]];
    });
    expect(called.length).toBeGreaterThan(50);
    for (const [own, official] of called) expect(own).toBe(official);
  });

  it("lacks few of the specification's operations", () => {
    const missing = Object.keys(specified).filter((operation) => !listed.includes(operation));
    expect(missing).toHaveLength(lacking[generation]);
  });

  it("runs each of them", () => {
    expect([...contract.covered].sort()).toEqual([...listed].sort());
  });

  it("refuses an answer that is not as it should be", async () => {
    const { name } = await contract.project();
    const spoilt = contract.client.altering(
      (body) => body.replaceAll('"22.x"', '"1.x"'),
      contract.server.token,
    );
    await expect(spoilt.call("GET /v9/projects", { search: name })).rejects.toThrow("ValidationError");
  });

  projectCalls(contract);
  populatedCalls(contract);
  stateCalls(contract);
  promotionCalls(contract);
  deploymentCalls(contract);
  aliasCalls(contract);
  domainCalls(contract);
  recordCalls(contract);
  firewallCalls(contract);
  edgeConfigCalls(contract);
  envCalls(contract);
  sharedEnvCalls(contract);
  environmentCalls(contract);
  featureFlagCalls(contract);
  certificateCalls(contract);
  checkCalls(contract);
  furtherCalls(contract);
  ownershipCalls(contract);
  routingCalls(contract);
  accountCalls(contract);
  accessGroupCalls(contract);
  microfrontendCalls(contract);
  integrationCalls(contract);
  refusals(contract);
});
