import { z } from "zod";

/**
 * Parts of the schemas of the answers from which a snapshot is written. A snapshot leaves out the fields that an answer
 * leaves out.
 */

/** Null and absent both mean "not set". */
export const maybe = <T extends z.ZodType>(shape: T) =>
  shape
    .nullish()
    .transform((value) => value ?? undefined)
    .optional();
export const string = z.string();
export const text = maybe(string);
export const number = maybe(z.number());
export const boolean = maybe(z.boolean());
export const texts = maybe(z.array(string));
/** When an object was created and last changed, in milliseconds since the epoch. */
export const times = { createdAt: number, updatedAt: number };

export const pagination = maybe(z.looseObject({ next: maybe(z.union([z.number(), z.string()])) }));
