import type { Served, ServeOptions } from "./serve.js";

/**
 * Serves the messaging service: the REST API and the control API over a lab whose clock goes with the wall's. It is loaded
 * when it is called, since a run without an API needs nothing of it.
 *
 * @throws LabError for options and environments that do not allow it; StoreError when the disk does not take it
 */
export async function serve(options: ServeOptions): Promise<Served> {
  return (await import("./serve.js")).serve(options);
}
