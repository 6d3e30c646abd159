import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Room } from "./level.js";

/** Measures the grid's space, and repeats it when the space or the window changes. */
export function useRoom() {
  const ref = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState<Room>();
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return undefined;
    const measure = (): void => {
      const scale = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
      const { top, width } = element.getBoundingClientRect();
      const scrolled = scrollParent(element).scrollTop;
      const next = {
        width: Math.floor(width),
        height: Math.max(innerHeight * 0.5, innerHeight - Math.max(0, top + scrolled) - 24 * scale),
        scale,
        isTouch: matchMedia("(pointer: coarse)").matches,
      };
      setRoom((before) => (before !== undefined && isSame(before, next) ? before : next));
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    // The content above the grid may change its height.
    if (element.parentElement !== null) observer.observe(element.parentElement);
    // The frame's bars around the scrolling part may change, too.
    observer.observe(scrollParent(element));
    addEventListener("resize", measure);
    measure();
    return () => {
      observer.disconnect();
      removeEventListener("resize", measure);
    };
  }, []);
  return { ref, room };
}

/** The scrolling ancestor of an element: a box of the frame, or the page. */
export function scrollParent(element: Element): Element {
  for (let parent = element.parentElement; parent !== null; parent = parent.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(parent).overflowY)) return parent;
  }
  return document.scrollingElement ?? document.documentElement;
}

/** Whether two rooms differ by at most a few pixels of height, which needs no new layout. */
function isSame(one: Room, other: Room): boolean {
  return (
    one.width === other.width &&
    Math.abs(one.height - other.height) < 8 &&
    one.scale === other.scale &&
    one.isTouch === other.isTouch
  );
}
