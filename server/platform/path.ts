/** A path in a document: `teams[0].members[1].user`; empty for the document itself. */
export const formatPath = (path: readonly PropertyKey[]): string =>
  path
    .map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step)}`))
    .join("")
    .replace(/^\./, "");
