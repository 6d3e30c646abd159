import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Column } from "./data-table.jsx";
import { followRow, type ListCursor } from "./list-cursor.js";
import { ScrollMap } from "./scroll-map.js";
import "./virtual-list.css";

/** Rows drawn above and below the visible ones. */
const SPARE = 6;
/** Width up to which a list is narrow. */
const NARROW_REM = 42;

export interface VirtualListProps<Row> {
  /** Name of the list for screen readers. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  /**
   * CSS `grid-template-columns`, one track for each column. `medium`: without the `isWidestOnly` columns; `narrow`:
   * also without the `isWideOnly` ones.
   */
  readonly tracks: { readonly wide: string; readonly medium?: string; readonly narrow?: string };
  readonly count: number;
  /** The row at an index; undefined: it is loading, and the caller draws the list again afterwards. */
  readonly rowAt: (index: number) => Row | undefined;
  readonly keyOf: (row: Row) => string | number;
  /** Pixels. */
  readonly rowHeight?: number;
  /** Pixels, where the list is narrow and has `isNarrowOnly` columns; default: `rowHeight`. */
  readonly narrowRowHeight?: number;
  /** Called on Enter or a click. */
  readonly onOpen?: (row: Row, index: number) => void;
  /** Whether a row is open beside the list. */
  readonly isOpened?: (row: Row) => boolean;
  /** Called when the range of drawn rows changes: `first` inclusive, `last` exclusive. */
  readonly onRange?: (first: number, last: number) => void;
  readonly empty: ComponentChildren;
}

/**
 * A table of up to millions of rows of one height: only the visible ones are in the document. It fills its container,
 * which needs a height. Arrow keys, Page Up and Down, Home and End move the cursor, which stays on its row while rows
 * are added above it; Enter opens the row.
 */
export function VirtualList<Row>({
  label,
  columns,
  tracks,
  count,
  rowAt,
  keyOf,
  rowHeight: wideRowHeight = 36,
  narrowRowHeight = wideRowHeight,
  onOpen,
  isOpened,
  onRange,
  empty,
}: VirtualListProps<Row>) {
  const box = useRef<HTMLDivElement>(null);
  const [map] = useState(() => new ScrollMap());
  const [view, setView] = useState(0);
  const [isNarrow, setNarrow] = useState(false);
  const rowHeight = isNarrow ? narrowRowHeight : wideRowHeight;
  const [offset, setOffset] = useState(0);
  const [cursor, setCursor] = useState<ListCursor>();
  const keyAt = (index: number): string | number | undefined => {
    const row = rowAt(index);
    return row === undefined ? undefined : keyOf(row);
  };
  const followed = cursor === undefined ? undefined : followRow(cursor, { count, keyAt });
  useEffect(() => setCursor(followed), [followed?.index, followed?.key]);
  const current = followed?.index;
  const total = count * rowHeight;

  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const measure = (): void => {
      setView(element.clientHeight);
      // As in the list's style.
      setNarrow(
        element.offsetWidth <= NARROW_REM * Number.parseFloat(getComputedStyle(document.documentElement).fontSize),
      );
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, [count === 0]);

  const moveTo = (to: number): void => {
    const element = box.current;
    if (element === null) return;
    const top = map.moveTo(to, { total, view });
    setOffset(map.offset);
    if (element.scrollTop !== top) element.scrollTop = top;
  };

  const first = Math.max(0, Math.floor(offset / rowHeight) - SPARE);
  const last = Math.min(count, Math.ceil((offset + view) / rowHeight) + SPARE);
  useEffect(() => onRange?.(first, last), [first, last, onRange]);

  const choose = (index: number): void => {
    const to = Math.max(0, Math.min(count - 1, index));
    setCursor({ index: to, key: keyAt(to) });
    if (to * rowHeight < offset) moveTo(to * rowHeight);
    else if ((to + 1) * rowHeight > offset + view) moveTo((to + 1) * rowHeight - view);
  };
  const open = (index: number): void => {
    const row = rowAt(index);
    if (row !== undefined) onOpen?.(row, index);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor(view / rowHeight) - 1);
    const at = current ?? -1;
    const to = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + page,
      PageUp: at - page,
      Home: 0,
      End: count - 1,
    }[event.key];
    if (to !== undefined) choose(to);
    else if (event.key === "Enter" && current !== undefined) open(current);
    else return;
    event.preventDefault();
  };

  if (count === 0) return <>{empty}</>;
  const indexes = Array.from({ length: Math.max(0, last - first) }, (_, index) => first + index);
  // Rows are placed relative to the scroll position, which differs from their offset in a list of millions.
  const lead = first * rowHeight - offset;
  return (
    <div
      class="design-list"
      style={{
        "--list-tracks": tracks.wide,
        "--list-medium": tracks.medium ?? tracks.wide,
        "--list-narrow": tracks.narrow ?? tracks.wide,
        "--list-row": `${rowHeight}px`,
      }}
    >
      <div
        ref={box}
        class="design-list-box"
        role="grid"
        aria-label={label}
        aria-rowcount={count + 1}
        aria-activedescendant={
          current !== undefined && current >= first && current < last ? idOf(label, current) : undefined
        }
        tabIndex={0}
        onKeyDown={onKeyDown}
        onScroll={(event) => {
          const element = event.currentTarget;
          setOffset(map.scrolled(element.scrollTop, { total, view }));
        }}
      >
        <div class="design-list-head design-fine" role="row" aria-rowindex={1}>
          {columns.map((column) => (
            <span key={column.name} role="columnheader" class={cellClass(column)}>
              {column.title}
            </span>
          ))}
        </div>
        <div class="design-list-spacer" role="presentation" style={{ blockSize: `${map.spacerOf(total)}px` }}>
          <div
            class="design-list-rows"
            role="presentation"
            style={{ transform: `translateY(${(box.current?.scrollTop ?? 0) + lead}px)` }}
          >
            {indexes.map((index) => {
              const row = rowAt(index);
              return (
                <div
                  key={row === undefined ? `at-${index}` : keyOf(row)}
                  id={idOf(label, index)}
                  role="row"
                  aria-rowindex={index + 2}
                  aria-selected={index === current}
                  {...(row !== undefined && isOpened?.(row) === true && { "aria-current": "true" })}
                  class={onOpen === undefined ? "design-list-row" : "design-list-row design-list-open"}
                  onClick={(event) => {
                    if (event.target instanceof Element && event.target.closest("a, button") !== null) return;
                    choose(index);
                    open(index);
                  }}
                >
                  {row === undefined ? (
                    <span role="gridcell" class="design-list-blank" aria-label="Loading" />
                  ) : (
                    columns.map((column) => (
                      <span key={column.name} role="gridcell" class={cellClass(column)}>
                        {column.cell(row)}
                      </span>
                    ))
                  )}
                </div>
              );
            })}
          </div>
        </div>
      </div>
    </div>
  );
}

function idOf(label: string, index: number): string {
  return `list-${label.replaceAll(/\W+/g, "-")}-${index}`;
}

function cellClass({
  align,
  isWideOnly,
  isWidestOnly,
  isNarrowOnly,
}: Pick<Column<never>, "align" | "isWideOnly" | "isWidestOnly" | "isNarrowOnly">): string {
  return [
    "design-list-cell",
    align === "end" ? "design-list-end" : "",
    isWideOnly === true || isWidestOnly === true ? "design-list-wide" : "",
    isWidestOnly === true ? "design-list-widest" : "",
    isNarrowOnly === true ? "design-list-second" : "",
  ]
    .filter((name) => name !== "")
    .join(" ");
}
