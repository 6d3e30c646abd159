import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { LabError } from "../base/index.js";

/** What an application of the bundled receiver learns of an event. */
export interface ApplicationEvent {
  /** `mo_sms`, `mo_miss`… */
  readonly type: string;
  readonly phone: string;
  /** Empty: the event has none. */
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly atMs: number;
  /** The idempotency key (docs/reference/webhook.md#retries); null: it has none. */
  readonly key: string | null;
  /** The first value of a field. */
  field(name: string): string | undefined;
}

/** The text to send to the event's phone; undefined or empty: none. */
export type ReplyTo = (event: ApplicationEvent) => string | undefined;

/** Begins an application that remembers nothing. */
export type Application = () => ReplyTo;

/**
 * Loads the module of an application, which exports the function `application`. Its code runs in this process.
 *
 * @param path - undefined: there is none
 * @param folder - the path counts from it
 * @throws LabError `bad-options`
 */
export async function loadApplication(path: string | undefined, folder: string): Promise<Application | undefined> {
  if (path === undefined) return undefined;
  const file = resolve(folder, path);
  const hint = "name a JavaScript module that exports the function `application`, or another receiver with --receiver";
  if (!existsSync(file))
    throw new LabError("bad-options", `there is no application ${file} for the receiver`, { hint });
  let module: { readonly application?: unknown };
  try {
    module = (await import(pathToFileURL(file).href)) as typeof module;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new LabError("bad-options", `the receiver's application ${file} cannot be loaded: ${why}`, {
      hint,
      cause: error,
    });
  }
  const { application } = module;
  if (typeof application !== "function") {
    throw new LabError("bad-options", `${file} exports no function 'application'`, { hint });
  }
  return application as Application;
}
