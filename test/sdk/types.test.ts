import type { CustomResource, Input, Output } from "@pulumi/pulumi";
import type { z } from "zod";
import type { Resource } from "../../provider/core/resource";
import type { resources } from "../../provider/resources";
import type * as sdk from "../../sdk";

/** The type that the compiler infers from a schema: the same as the generated interface, only harder to read. */
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
} & {
  // A resource may have no outputs of its own.
  readonly [K in keyof R["outputs"]["shape"]]-?: Output<z.output<R["outputs"]["shape"][K]>>;
};

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

type Resources = typeof resources;
type ClassOf<K extends keyof Resources> = (typeof sdk)[Capitalize<K>];
/** Inputs that are supplied by default may be left out: the compiler cannot see that in a schema. */
type Supplied<K> = K extends "project" ? "name" : never;

/** The resources whose class takes or has anything but what the schemas say. */
type Differing = {
  [K in keyof Resources]: [
    Same<
      Omit<ArgsOf<Resources[K]>, Supplied<K>>,
      Omit<NonNullable<ConstructorParameters<ClassOf<K>>[1]>, Supplied<K>>
    >,
    Same<OutputsOf<Resources[K]>, Omit<InstanceType<ClassOf<K>>, keyof CustomResource>>,
  ] extends [true, true]
    ? never
    : K;
}[keyof Resources];

it("are what the schemas say, in both directions, as the type checker sees this file", () => {
  const none: [Differing] extends [never] ? true : Differing = true;
  expect(none).toBe(true);
});
