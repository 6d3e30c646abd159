import { useEffect, useRef, useState } from "preact/hooks";
import { isPresenting } from "../navigation/presenting.js";
import { doneSteps, shownOf, type WayShown, type WayStep } from "./way-steps.js";

/** How long a step is shown before the next one lights up. Milliseconds. */
const STEP_MS = 300;
/** The same before an audience. */
const PRESENTED_MS = 700;

/**
 * How many steps of the way are drawn as done: one more after another, however fast they were.
 *
 * @param key - of the text; undefined: not known yet
 */
export function useWayShown(key: string | undefined, steps: readonly WayStep[]): number {
  const [, draw] = useState(0);
  const before = useRef<WayShown | undefined>(undefined);
  if (key !== undefined) before.current = shownOf(before.current, key, steps);
  const shown = before.current?.shown ?? 0;
  const done = doneSteps(steps);
  useEffect(() => {
    if (key === undefined || shown >= done) return undefined;
    const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const timer = setTimeout(
      () => {
        before.current = { key, shown: isStill ? done : shown + 1 };
        draw((count) => count + 1);
      },
      isStill ? 0 : isPresenting.peek() ? PRESENTED_MS : STEP_MS,
    );
    return () => clearTimeout(timer);
  }, [key, shown, done]);
  return shown;
}
