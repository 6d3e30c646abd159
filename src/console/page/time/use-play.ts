import { useEffect, useRef, useState } from "preact/hooks";
import { moment } from "../connection/moment.js";

/** Interval between two steps of the playback. */
const TICK_MS = 250;

/** Plays the past at a speed. */
export function usePlay({
  speed,
  untilMs,
  go,
}: {
  readonly speed: number;
  readonly untilMs: number;
  readonly go: (atMs: number) => void;
}): { readonly isPlaying: boolean; readonly toggle: (fromMs: number) => void; readonly stop: () => void } {
  const [isPlaying, setPlaying] = useState(false);
  const from = useRef<number>(0);
  useEffect(() => {
    if (!isPlaying) return undefined;
    let last = performance.now();
    const timer = setInterval(() => {
      const now = performance.now();
      const atMs = Math.min(untilMs, (moment.peek() ?? from.current) + (now - last) * speed);
      last = now;
      go(atMs);
      if (atMs >= untilMs) setPlaying(false);
    }, TICK_MS);
    return () => clearInterval(timer);
  }, [isPlaying, speed, untilMs]);
  return {
    isPlaying,
    toggle(fromMs) {
      if (isPlaying) return setPlaying(false);
      from.current = fromMs;
      go(fromMs);
      setPlaying(true);
    },
    stop: () => setPlaying(false),
  };
}
