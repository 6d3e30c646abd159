/**
 * The path in front of the server's own paths: a proxy may serve the lab under one. The page is at `<prefix>/console/`;
 * the development server has it at `/`.
 */
export function prefixOfPage(path: string): string {
  return /^(.*)\/console\//s.exec(path)?.[1] ?? "";
}

/** A path of the server, such as `/lab/clock`, as the browser requests it. */
export function serverPath(path: string): string {
  return prefixOfPage(location.pathname) + path;
}
