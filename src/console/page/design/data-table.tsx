import type { ComponentChildren } from "preact";
import "./data-table.css";

export interface Column<Row> {
  /** Unique in the table. */
  readonly name: string;
  readonly title: ComponentChildren;
  readonly cell: (row: Row) => ComponentChildren;
  /** Numbers stand at the end. */
  readonly align?: "start" | "end";
  /** CSS width; absent: what its cells need. */
  readonly width?: string;
  /** It is dropped on phones. */
  readonly isWideOnly?: boolean;
  /** In a `VirtualList`: it is dropped beside a side panel, too. */
  readonly isWidestOnly?: boolean;
  /** It is cut with an ellipsis instead of breaking into lines. */
  readonly isCut?: boolean;
}

/**
 * A table that scrolls sideways in its own box. `link` makes a row a target: its first cell is the link, and a click
 * anywhere on the row follows it.
 */
export function DataTable<Row>({
  caption,
  isCaptionSeen = false,
  columns,
  rows,
  keyOf,
  link,
  isSelected,
  empty,
}: {
  /** What the table has, for screen readers at least. */
  readonly caption: string;
  readonly isCaptionSeen?: boolean;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string | number;
  readonly link?: (row: Row) => string | undefined;
  readonly isSelected?: (row: Row) => boolean;
  /** Instead of the table when there are no rows: an `EmptyState`. */
  readonly empty: ComponentChildren;
}) {
  if (rows.length === 0) return <>{empty}</>;
  return (
    <div class="design-table-box" role="group" aria-label={caption} tabIndex={0}>
      <table class="design-table">
        <caption class={isCaptionSeen ? "design-table-caption" : "design-unseen"}>{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                key={column.name}
                scope="col"
                class={classOf(column)}
                style={column.width === undefined ? {} : { inlineSize: column.width }}
              >
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const href = link?.(row);
            return (
              <tr
                key={keyOf(row)}
                class={href === undefined ? "" : "design-table-link"}
                aria-selected={isSelected?.(row)}
                onClick={(event) => {
                  if (href !== undefined && !isOnControl(event)) event.currentTarget.querySelector("a")?.click();
                }}
              >
                {columns.map((column, index) => (
                  <td key={column.name} class={classOf(column)}>
                    {index === 0 && href !== undefined ? <a href={href}>{column.cell(row)}</a> : column.cell(row)}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

/** A click on a link or a control of the row, or the end of a selection of its text, is not a click on the row. */
function isOnControl(event: MouseEvent): boolean {
  const isControl = event.target instanceof Element && event.target.closest("a, button, input, select, label") !== null;
  return isControl || (getSelection()?.toString() ?? "") !== "";
}

function classOf({ align, isWideOnly, isCut }: Pick<Column<never>, "align" | "isWideOnly" | "isCut">): string {
  return [
    align === "end" ? "design-table-end" : "",
    isWideOnly === true ? "design-table-wide" : "",
    isCut === true ? "design-table-cut" : "",
  ]
    .filter((name) => name !== "")
    .join(" ");
}
