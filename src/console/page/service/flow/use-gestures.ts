import { useEffect, useRef } from "preact/hooks";
import { type Camera, zoomedAt } from "./camera.js";

/** Pixels that a pointer moves before a press is a drag. */
const DRAG_LEAST = 4;

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Positions of the pointers and the graph when the number of pointers last changed. */
interface Grip {
  readonly from: Camera;
  readonly middle: Point;
  /** Distance between two pointers; 0 for one pointer. */
  readonly distance: number;
}

/**
 * Moves the graph with one pointer, and zooms it with two, around the point between them. A press without a move is a
 * click.
 *
 * @returns handlers for the graph's frame
 */
export function usePointers(camera: { readonly current: Camera }, apply: (to: Camera) => void) {
  const pointers = useRef(new Map<number, Point>());
  const grip = useRef<Grip | undefined>(undefined);
  const grasp = (): void => {
    const held = heldBy(pointers.current);
    grip.current = held && { from: camera.current, ...held };
  };
  const release = ({ pointerId }: PointerEvent): void => {
    if (pointers.current.delete(pointerId)) grasp();
  };
  return {
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0 || pointers.current.size === 2) return;
      pointers.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
      grasp();
    },
    onPointerMove: (event: PointerEvent & { readonly currentTarget: HTMLElement }) => {
      if (grip.current === undefined || !pointers.current.has(event.pointerId)) return;
      pointers.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
      const { from, middle, distance } = grip.current;
      const held = heldBy(pointers.current);
      if (held === undefined) return;
      const [dx, dy] = [held.middle.x - middle.x, held.middle.y - middle.y];
      if (distance === 0 && Math.abs(dx) + Math.abs(dy) < DRAG_LEAST) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      const { left, top } = event.currentTarget.getBoundingClientRect();
      const factor = distance === 0 ? 1 : held.distance / distance;
      const zoomed = zoomedAt(from, factor, { x: middle.x - left, y: middle.y - top });
      apply({ ...zoomed, x: zoomed.x + dx, y: zoomed.y + dy });
    },
    onPointerUp: release,
    onPointerCancel: release,
  };
}

/** The point between the pointers and their distance. */
function heldBy(
  pointers: ReadonlyMap<number, Point>,
): { readonly middle: Point; readonly distance: number } | undefined {
  const [one, other = one] = pointers.values();
  if (one === undefined || other === undefined) return undefined;
  return {
    middle: { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 },
    distance: Math.hypot(one.x - other.x, one.y - other.y),
  };
}

/** Zooms with the wheel, at the pointer. The listener is not passive, because it must keep the page from scrolling. */
export function useWheel(
  frame: { readonly current: HTMLElement | null },
  zoom: (factor: number, at: Point) => void,
): void {
  const act = useRef(zoom);
  act.current = zoom;
  useEffect(() => {
    const element = frame.current;
    if (element === null) return undefined;
    const onWheel = (event: WheelEvent): void => {
      event.preventDefault();
      const box = element.getBoundingClientRect();
      const pixels = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? event.deltaY * 16 : event.deltaY;
      // Browsers report a pinch on a touch pad as a wheel event with Ctrl, in smaller steps.
      const step = event.ctrlKey ? 100 : 500;
      act.current(Math.exp(-pixels / step), { x: event.clientX - box.left, y: event.clientY - box.top });
    };
    element.addEventListener("wheel", onWheel, { passive: false });
    return () => element.removeEventListener("wheel", onWheel);
  }, []);
}
