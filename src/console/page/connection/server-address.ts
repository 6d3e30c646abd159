/**
 * The path prefix of the server's paths, which a proxy may add. The page is at `<prefix>/console/`; the development
 * server has it at `/`.
 */
export function prefixOfPage(path: string): string {
  return /^(.*)\/console\//s.exec(path)?.[1] ?? "";
}

/** Adds the prefix to a path of the server, such as `/lab/clock`. */
export function serverPath(path: string): string {
  return prefixOfPage(location.pathname) + path;
}
