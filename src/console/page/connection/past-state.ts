import { signal } from "@preact/signals";
import type { PastView, ReadyPast } from "../../protocol/index.js";

/** The page's state of the past: `time/past.ts` writes these signals, views read them. */

/** The server's answer about the past; undefined: not requested yet. */
export const past = signal<PastView | undefined>(undefined);
/** Reason why the past or a moment could not be loaded; undefined: no failure. */
export const pastFailure = signal<string | undefined>(undefined);
/** Whether the page shows the exact state of its moment, not an earlier frame. */
export const isExact = signal(false);
/** Virtual milliseconds of the shown frame; undefined: the page still shows the live lab. */
export const pictureMs = signal<number | undefined>(undefined);
/** The moment of the shown story; undefined: now. */
export const storyMs = signal<number | undefined>(undefined);

/** The past, once it is ready. */
export function readyPast(): ReadyPast | undefined {
  return past.value?.state === "ready" ? past.value : undefined;
}
