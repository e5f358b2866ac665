export const projectPath = (idOrName: string, version = "v9"): string =>
  `/${version}/projects/${encodeURIComponent(idOrName)}`;

export const domainPath = (project: string, name: string): string =>
  `${projectPath(project)}/domains/${encodeURIComponent(name)}`;

export const variablePath = (project: string, id: string, version = "v9"): string =>
  `${projectPath(project, version)}/env/${encodeURIComponent(id)}`;
