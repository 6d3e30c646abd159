import type { Io } from "./io.js";

/** What ends by Ctrl-C: the first one aborts the signal, the second one ends the process. */
export function listenForInterrupt(io: Io): { readonly signal: AbortSignal; readonly stopListening: () => void } {
  const controller = new AbortController();
  const stopListening = io.onInterrupt(() => {
    if (controller.signal.aborted) io.exit(130);
    controller.abort();
  });
  return { signal: controller.signal, stopListening };
}
