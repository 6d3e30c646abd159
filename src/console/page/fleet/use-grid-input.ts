import { type RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Arrangement } from "./arrangement.js";
import type { FleetDesk } from "./fleet-desk.js";
import { boxOf, eachIn, type GridLayout, movedBy, type Place, positionAt } from "./layout.js";
import { scrollParent } from "./use-room.js";

/** Pixels that a pointer moves before a press is a drag. */
const DRAG_FROM = 6;

interface Options {
  readonly desk: FleetDesk;
  readonly arrangement: Arrangement;
  readonly layout: GridLayout;
  readonly surface: RefObject<HTMLElement | null>;
  readonly isSelecting: boolean;
  readonly onOpen: (index: number) => void;
}

interface Drag {
  readonly x: number;
  readonly y: number;
  readonly keep: boolean;
  isMoved: boolean;
}

/**
 * Pointer and keys of the grid: focus, hover, opening and selecting. State refers to handsets by index, not position.
 */
export function useGridInput({ desk, arrangement, layout, surface, isSelecting, onOpen }: Options) {
  const [focused, setFocused] = useState<number>();
  const [hovered, setHovered] = useState<number>();
  const [isFocusSeen, setFocusSeen] = useState(false);
  const [dragged, setDragged] = useState<Place>();
  const drag = useRef<Drag | undefined>(undefined);
  const anchor = useRef<number | undefined>(undefined);
  const { order, positions, blocks } = arrangement;
  // A hidden handset has neither focus nor pointer.
  const shownOr = (index: number | undefined): number | undefined =>
    index !== undefined && (positions[index] ?? -1) >= 0 ? index : undefined;

  const pointOf = (event: MouseEvent): { x: number; y: number } => {
    const { left, top } = surface.current?.getBoundingClientRect() ?? { left: 0, top: 0 };
    return { x: event.clientX - left, y: event.clientY - top };
  };
  const indexAt = (event: MouseEvent): number | undefined => {
    const { x, y } = pointOf(event);
    const position = positionAt(layout, x, y);
    return position === -1 ? undefined : order[position];
  };
  /** Selects from the anchor to a handset. */
  const selectTo = (index: number, keep: boolean): void => {
    const [from, to] = [positions[anchor.current ?? index] ?? 0, positions[index] ?? 0];
    desk.selection.select(order.subarray(Math.min(from, to), Math.max(from, to) + 1), { keep });
  };

  const moveFocus = (key: string, isExtending: boolean): void => {
    const at = shownOr(focused);
    const page = surface.current === null ? 400 : scrollParent(surface.current).clientHeight;
    const position = at === undefined ? 0 : movedBy(layout, positions[at] ?? 0, key, page);
    const next = order[position];
    if (next === undefined) return;
    if (isExtending) {
      anchor.current ??= at ?? next;
      selectTo(next, false);
    } else anchor.current = undefined;
    setFocused(next);
    setFocusSeen(true);
    scrollTo(surface.current, layout, position);
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.target !== event.currentTarget || event.altKey) return;
    const at = shownOr(focused);
    const isCommand = event.ctrlKey || event.metaKey;
    if (isCommand && event.key.toLowerCase() === "a") desk.selection.select(order, { keep: false });
    else if (isCommand) return;
    else if (/^(Arrow(Up|Down|Left|Right)|Home|End|PageUp|PageDown)$/.test(event.key))
      moveFocus(event.key, event.shiftKey);
    else if (event.key === "Enter" && at !== undefined) onOpen(at);
    else if (event.key === " " && event.shiftKey && at !== undefined) {
      const position = positions[at] ?? 0;
      const block = blocks.find(({ start, count }) => position >= start && position < start + count);
      if (block !== undefined) desk.selection.toggleAll(order.subarray(block.start, block.start + block.count));
    } else if (event.key === " " && at !== undefined) {
      anchor.current = at;
      desk.selection.toggle(at);
    } else if (event.key === "Escape" && desk.selection.count > 0) desk.selection.clear();
    else return;
    event.preventDefault();
  };

  const onClick = (event: MouseEvent): void => {
    if (drag.current?.isMoved === true) {
      drag.current = undefined;
      return;
    }
    drag.current = undefined;
    const index = indexAt(event);
    if (index === undefined) {
      if (!event.shiftKey && !event.ctrlKey && !event.metaKey) desk.selection.clear();
      return;
    }
    setFocused(index);
    if (event.shiftKey) selectTo(index, event.ctrlKey || event.metaKey);
    else if (event.ctrlKey || event.metaKey || isSelecting) {
      anchor.current = index;
      desk.selection.toggle(index);
    } else {
      anchor.current = index;
      onOpen(index);
    }
  };

  const onPointerDown = (event: PointerEvent): void => {
    setFocusSeen(false);
    // A moving finger scrolls.
    if (event.pointerType === "touch" || event.button !== 0) return;
    drag.current = { ...pointOf(event), keep: event.shiftKey || event.ctrlKey || event.metaKey, isMoved: false };
  };
  const onPointerMove = (event: PointerEvent): void => {
    const from = drag.current;
    if (event.pointerType !== "touch" && from === undefined) {
      const index = indexAt(event);
      if (index !== hovered) setHovered(index);
      return;
    }
    if (from === undefined || event.buttons === 0) return;
    const { x, y } = pointOf(event);
    if (!from.isMoved && Math.hypot(x - from.x, y - from.y) < DRAG_FROM) return;
    if (!from.isMoved && event.currentTarget instanceof Element) event.currentTarget.setPointerCapture(event.pointerId);
    from.isMoved = true;
    setHovered(undefined);
    setDragged(rectangle(from, { x, y }));
  };
  const onPointerUp = (): void => {
    const from = drag.current;
    if (from === undefined || dragged === undefined) return;
    const { left, top, width, height } = dragged;
    const indexes: number[] = [];
    eachIn(layout, { left, top, right: left + width, bottom: top + height }, (position) => {
      const index = order[position];
      if (index !== undefined) indexes.push(index);
    });
    desk.selection.select(indexes, { keep: from.keep });
    setDragged(undefined);
  };
  const onPointerCancel = (): void => {
    drag.current = undefined;
    setDragged(undefined);
  };

  // Escape cancels a selection by box.
  useEffect(() => {
    if (dragged === undefined) return undefined;
    const stop = (event: KeyboardEvent): void => {
      if (event.key === "Escape") setDragged(undefined);
    };
    addEventListener("keydown", stop);
    return () => removeEventListener("keydown", stop);
  }, [dragged === undefined]);

  return {
    focused: shownOr(focused),
    hovered: shownOr(hovered),
    isFocusSeen,
    dragged,
    handlers: {
      onKeyDown,
      onClick,
      onPointerDown,
      onPointerMove,
      onPointerUp,
      onPointerCancel,
      onPointerLeave: () => setHovered(undefined),
      onFocus: (event: FocusEvent) => {
        if (!(event.target instanceof Element) || !event.target.matches(":focus-visible")) return;
        setFocusSeen(true);
        if (shownOr(focused) === undefined) setFocused(order[0]);
      },
      onBlur: () => setFocusSeen(false),
    },
  };
}

function rectangle(from: { x: number; y: number }, to: { x: number; y: number }): Place {
  return {
    left: Math.min(from.x, to.x),
    top: Math.min(from.y, to.y),
    width: Math.abs(from.x - to.x),
    height: Math.abs(from.y - to.y),
  };
}

/** Scrolls so that a cell with a margin is visible. */
function scrollTo(surface: HTMLElement | null, layout: GridLayout, position: number): void {
  const box = { left: 0, top: 0 };
  if (surface === null || !boxOf(layout, position, box)) return;
  const scroller = scrollParent(surface);
  const isPage = scroller === document.scrollingElement;
  const view = isPage ? { top: 0, bottom: innerHeight } : scroller.getBoundingClientRect();
  const top = surface.getBoundingClientRect().top + box.top;
  const bottom = top + layout.cell.height;
  // Heights of the sticky bars above and below.
  const [above, below] = [96, 120];
  if (top < view.top + above) scroller.scrollTop += top - view.top - above;
  else if (bottom > view.bottom - below) scroller.scrollTop += bottom - view.bottom + below;
}
