import { effect, signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { ReadOf, ReadUrl } from "../../protocol/index.js";
import { labGet } from "./lab-client.js";
import { moment, requestMoment } from "./moment.js";
import { isServerGone } from "./retry.js";
import { clock, connection, fleet, labNumber } from "./state.js";
import { type Requested, useAnswer } from "./use-answer.js";

/** Shortest time between two requests. */
const LEAST_MS = 500;
/** Polling interval while virtual time advances, for values that depend on time only. */
const IDLE_MS = 2500;

/** Counts the acts of this page. */
const acts = signal(0);

/** Repeats all live requests. Call it after an act, which may not change the fleet's columns. */
export function refreshLive(): void {
  acts.value = acts.peek() + 1;
}

/**
 * Requests a path of the control API, and again when a handset changes: at most twice a second, one request at a time,
 * and not in a hidden tab. Unlike `useRequest`, a change while an answer is under way does not abort it.
 *
 * @param channel - of the handset; undefined: any handset's change asks again
 */
export function useLive<U extends ReadUrl>(path: U | undefined, channel: number | undefined): Requested<ReadOf<U>> {
  const { keep, ...answer } = useAnswer<ReadOf<U>>(path);
  const ask = useRef<() => void>(() => undefined);
  // Answers depend on the moment.
  const atMs = requestMoment.value;
  useEffect(() => {
    if (path === undefined) return undefined;
    const stop = new AbortController();
    let isDirty = true;
    let isBusy = false;
    let isRefused = false;
    let lastMs = -LEAST_MS;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const pump = (): void => {
      clearTimeout(timer);
      if (stop.signal.aborted || isBusy || isRefused || document.hidden || isServerGone()) return;
      const waitMs = Math.max(0, lastMs + (isDirty ? LEAST_MS : IDLE_MS) - performance.now());
      if (waitMs > 0) {
        timer = setTimeout(pump, waitMs);
        return;
      }
      if (isDirty || clock.peek()?.isPaused !== true) void fetchNow();
      else timer = setTimeout(pump, IDLE_MS);
    };
    const fetchNow = async (): Promise<void> => {
      isBusy = true;
      isDirty = false;
      lastMs = performance.now();
      isRefused = !(await keep(labGet(path, { signal: stop.signal }), atMs, stop.signal));
      isBusy = false;
      pump();
    };
    const markDirty = (): void => {
      isDirty = true;
      pump();
    };
    /** After something that may change a refusal. */
    const askAgain = (): void => {
      isRefused = false;
      markDirty();
    };
    ask.current = askAgain;
    let seenActs = acts.peek();
    let wasGone = isServerGone();
    const unfollow = effect(() => {
      void labNumber.value;
      const acted = acts.value;
      const changed = fleet.value?.changed;
      const isChanged = channel === undefined || changed === undefined || changed.includes(channel);
      // Frames of the past are not changes.
      if (acted !== seenActs) askAgain();
      else if (isChanged && moment.peek() === undefined) markDirty();
      seenActs = acted;
    });
    const unwatch = effect(() => {
      const isGone = connection.value === "lost";
      if (wasGone && !isGone) askAgain();
      wasGone = isGone;
    });
    // The first request does not wait for a change.
    pump();
    document.addEventListener("visibilitychange", markDirty, { signal: stop.signal });
    return () => {
      stop.abort();
      clearTimeout(timer);
      unfollow();
      unwatch();
    };
  }, [path, channel, atMs]);
  return { ...answer, reload: () => ask.current() };
}
