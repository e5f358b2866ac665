import type { Plain } from "../../../provider/core/values";
import type { Harness } from "../stack";
import type { Row } from "../subject";

/** Parts of the rows of drains. */

/** A secret that tests look for. */
export const key = (letter: string): string => `canary${letter.repeat(32)}`;

/** A drain, with the members of its delivery. */
export async function drain(w: Harness, id: string): Promise<Plain> {
  const answer: Plain = await w.curl("GET", `/v1/drains/${id}`);
  return { ...answer, ...(answer.delivery as object) };
}

export const patchDrain = (body: object): Row["drift"] => {
  return (w, id) => w.curl("PATCH", `/v1/drains/${id}`, body);
};

export const updated = { changed: "update", cleared: "update" } as const;

export const named = (first: string, second: string): Row => ({
  ...{ path: "name", first, second },
  changed: "update",
  cleared: /^name is missing/,
  shown: (name) => ({ name }),
  drift: patchDrain({ name: "by hand" }),
});

/** A secret that signs deliveries. */
export const signingSecret: Row = {
  path: "secret",
  first: key("1"),
  second: key("2"),
  ...updated,
  shown: () => ({}),
  drift: "the API does not return it",
};

/** @param delivery changes the delivery by hand @param shown the members of an answer with these headers */
export const headerRows = (
  delivery: (change: object) => Row["drift"],
  shown: (headers: object) => Plain,
): Row[] => [
  {
    path: "headers",
    first: { "x-key": "canary-one" },
    second: { "x-key": "canary-two", "x-other": "" },
    ...updated,
    // Without headers, a drain has an empty object or none.
    shown: (headers) => shown((headers ?? {}) as object),
    drift: delivery({ headers: { "x-key": "by hand" } }),
  },
  {
    path: "headers.*",
    first: "canary-one",
    second: "canary-two",
    ...updated,
    shown: (value) => shown(value === undefined ? {} : { K: value }),
    drift: delivery({ headers: {} }),
  },
];
