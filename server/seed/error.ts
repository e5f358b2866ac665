type Place = readonly (string | number)[];

/** A well-formed seed document cannot be applied because of this place in it. */
export class SeedError extends Error {
  override readonly name = "SeedError";

  constructor(
    readonly place: Place,
    readonly problem: string,
  ) {
    super(`${formatPlace(place)}: ${problem}`);
  }
}

/** `teams[0].members[1].user` */
export function formatPlace(place: readonly PropertyKey[]): string {
  const text = place.map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step)}`)).join("");
  return text.replace(/^\./, "") || "the document";
}
