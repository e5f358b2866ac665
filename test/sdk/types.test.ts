import type { Input, Output } from "@pulumi/pulumi";
import type { z } from "zod";
import type { Resource } from "../../provider/core/resource";
import type { domainVerification } from "../../provider/resources/domain-verification";
import type { envVar } from "../../provider/resources/env-var";
import type { envVars } from "../../provider/resources/env-vars";
import type { project } from "../../provider/resources/project";
import type { projectDomain } from "../../provider/resources/project-domain";
import type { promotion } from "../../provider/resources/promotion";
import type * as types from "../../sdk/types";

/** What the compiler works out of a schema: the same as the interfaces that are written out, only harder to read. */
type Declared<T> = Input<Parts<T>>;
type Parts<T> = T extends string
  ? T
  : T extends readonly (infer U)[]
    ? Declared<U>[]
    : T extends object
      ? { [K in keyof T]: Declared<T[K]> }
      : T;
type ArgsOf<R extends Resource> = {
  [K in keyof z.output<R["inputs"]>]: Declared<z.output<R["inputs"]>[K]>;
};
type OutputsOf<R extends Resource> = {
  readonly [K in keyof z.output<R["inputs"]>]-?: Output<z.output<R["inputs"]>[K]>;
} & { readonly [K in keyof z.output<R["outputs"]>]-?: Output<z.output<R["outputs"]>[K]> };

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

it("are what the schemas say, in both directions, as the type checker sees this file", () => {
  const same: {
    project: Same<Omit<ArgsOf<typeof project>, "name">, Omit<types.ProjectArgs, "name">>;
    projectOutputs: Same<OutputsOf<typeof project>, types.ProjectOutputs>;
    projectDomain: Same<ArgsOf<typeof projectDomain>, types.ProjectDomainArgs>;
    projectDomainOutputs: Same<OutputsOf<typeof projectDomain>, types.ProjectDomainOutputs>;
    domainVerification: Same<ArgsOf<typeof domainVerification>, types.DomainVerificationArgs>;
    domainVerificationOutputs: Same<OutputsOf<typeof domainVerification>, types.DomainVerificationOutputs>;
    envVar: Same<ArgsOf<typeof envVar>, types.EnvVarArgs>;
    envVarOutputs: Same<OutputsOf<typeof envVar>, types.EnvVarOutputs>;
    envVars: Same<ArgsOf<typeof envVars>, types.EnvVarsArgs>;
    envVarsOutputs: Same<OutputsOf<typeof envVars>, types.EnvVarsOutputs>;
    promotion: Same<ArgsOf<typeof promotion>, types.PromotionArgs>;
    promotionOutputs: Same<OutputsOf<typeof promotion>, types.PromotionOutputs>;
  } = {
    project: true,
    projectOutputs: true,
    projectDomain: true,
    projectDomainOutputs: true,
    domainVerification: true,
    domainVerificationOutputs: true,
    envVar: true,
    envVarOutputs: true,
    envVars: true,
    envVarsOutputs: true,
    promotion: true,
    promotionOutputs: true,
  };
  expect(Object.values(same)).not.toContain(false);
});
