import type { RefObject } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";
import { scrollParent } from "./use-room.js";

/** Vertical pixels of a surface. */
export interface SpanInView {
  readonly top: number;
  readonly bottom: number;
}

/** The span moves in steps of this many pixels, so that scrolling draws seldom. */
const STEP = 400;

/** The part of a tall surface that is on the screen, and a step before and after it. */
export function useSpanInView(surface: RefObject<HTMLElement | null>): SpanInView {
  const [span, setSpan] = useState<SpanInView>({ top: 0, bottom: 2 * STEP });
  useLayoutEffect(() => {
    const element = surface.current;
    if (element === null) return undefined;
    const scrolling = scrollParent(element);
    const measure = (): void => {
      const from = scrolling.getBoundingClientRect();
      const { top } = element.getBoundingClientRect();
      const next = {
        top: STEP * (Math.floor((from.top - top) / STEP) - 1),
        bottom: STEP * (Math.ceil((from.bottom - top) / STEP) + 1),
      };
      setSpan((before) => (before.top === next.top && before.bottom === next.bottom ? before : next));
    };
    const observer = new ResizeObserver(measure);
    observer.observe(scrolling);
    observer.observe(element);
    scrolling.addEventListener("scroll", measure, { passive: true });
    measure();
    return () => {
      observer.disconnect();
      scrolling.removeEventListener("scroll", measure);
    };
  }, [surface]);
  return span;
}
