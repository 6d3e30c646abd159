import { printable } from "../../wire/index.js";
import type { Output } from "./io.js";

/** Draws lines in place of the lines that it drew before. */
export type Live = ((text: string) => void) & { readonly clear: () => void };

/**
 * Live lines on standard error; undefined when it is not a terminal. The library is imported only for a terminal, as
 * that takes a tenth of a command's start time.
 */
export async function liveOn({ isTTY }: Output): Promise<Live | undefined> {
  if (!isTTY) return undefined;
  const { createLogUpdate } = await import("log-update");
  const update = createLogUpdate(process.stderr, { showCursor: true });
  return Object.assign((text: string) => update(printable(text, { hasStyle: true })), { clear: () => update.clear() });
}
