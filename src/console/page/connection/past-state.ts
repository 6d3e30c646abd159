import { signal } from "@preact/signals";
import type { PastView, ReadyPast } from "../../protocol/index.js";

/** What the page knows of the past: `time/past.ts` writes these signals, views read them. */

/** What the server knows of the past; undefined: not asked yet. */
export const past = signal<PastView | undefined>(undefined);
/** Why the past could not be asked for, or a moment not be shown; undefined: nothing failed. */
export const pastFailure = signal<string | undefined>(undefined);
/** Whether the page shows the exact state of its moment, or an earlier picture. */
export const isExact = signal(false);
/** Virtual milliseconds of the picture that the page shows; undefined: none, it still shows the live lab. */
export const pictureMs = signal<number | undefined>(undefined);
/** The moment of the story that the page shows; undefined: now. */
export const storyMs = signal<number | undefined>(undefined);

/** The past, once it can be looked at. */
export function readyPast(): ReadyPast | undefined {
  return past.value?.state === "ready" ? past.value : undefined;
}
