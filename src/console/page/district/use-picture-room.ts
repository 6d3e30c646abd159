import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { PictureRoom } from "./layout.js";

/** Lowest height of the picture, CSS pixels. */
const HEIGHT_MIN = 400;

/** Measures the space for the picture: what is left of the view below its head. */
export function usePictureRoom() {
  const ref = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState<PictureRoom>();
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return undefined;
    // The box of the frame that scrolls.
    const scroller = element.closest("main") ?? document.documentElement;
    const measure = (): void => {
      const above = element.getBoundingClientRect().top - scroller.getBoundingClientRect().top + scroller.scrollTop;
      const below = Number.parseFloat(getComputedStyle(scroller).paddingBottom);
      const width = Math.floor(element.clientWidth);
      const height = Math.max(HEIGHT_MIN, Math.floor(scroller.clientHeight - above - below));
      setRoom((before) => (before?.width === width && before.height === height ? before : { width, height }));
    };
    const observer = new ResizeObserver(measure);
    for (const one of [element, element.parentElement, scroller]) if (one !== null) observer.observe(one);
    measure();
    return () => observer.disconnect();
  }, []);
  return { ref, room };
}
