/**
 * The descriptions of everything in the package, by path: `Project`, `Project.inputs.name`, `getProject.result.id`.
 * The build collects them from the comments of the sources.
 */
export type Texts = Readonly<Record<string, string>>;

/** @throws Error when the path has no description, because every part of the package must have one */
export function textAt(texts: Texts, path: string): string {
  const text = texts[path];
  if (text === undefined) throw new Error(`${path} has no description. Add a comment to its definition.`);
  return text;
}
