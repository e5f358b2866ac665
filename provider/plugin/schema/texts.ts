/**
 * The descriptions of everything in the package, by path: `Project`, `Project.inputs.name`, `getProject.result.id`.
 * They are the comments of the sources, so a build collects them.
 */
export type Texts = Readonly<Record<string, string>>;

/** @throws Error when nothing describes the path: every part of the package has a description */
export function textAt(texts: Texts, path: string): string {
  const text = texts[path];
  if (text === undefined) throw new Error(`${path} has no description. Comment it where it is defined.`);
  return text;
}
