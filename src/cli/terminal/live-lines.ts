import { printable } from "../../wire/index.js";
import type { Output } from "./io.js";

/** Draws lines in place of the ones it drew before. */
export type Live = ((text: string) => void) & { readonly clear: () => void };

/**
 * Live lines on standard error; undefined where that is no terminal. The library is loaded only for a terminal: it takes
 * a tenth of a command's start time.
 */
export async function liveOn({ isTTY }: Output): Promise<Live | undefined> {
  if (!isTTY) return undefined;
  const { createLogUpdate } = await import("log-update");
  const update = createLogUpdate(process.stderr, { showCursor: true });
  return Object.assign((text: string) => update(printable(text, { hasStyle: true })), { clear: () => update.clear() });
}
