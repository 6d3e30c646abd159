import type { ComponentChildren } from "preact";
import "./data-table.css";

export interface Column<Row> {
  /** Unique in the table. */
  readonly name: string;
  readonly title: ComponentChildren;
  readonly cell: (row: Row) => ComponentChildren;
  /** Numbers are aligned at the end. */
  readonly align?: "start" | "end";
  /** CSS width; absent: automatic. */
  readonly width?: string;
  /** Whether the column is hidden on phones. */
  readonly isWideOnly?: boolean;
  /** Whether a `VirtualList` also hides it beside a side panel. */
  readonly isWidestOnly?: boolean;
  /** Whether it is the second line of a narrow `VirtualList`, and shown nowhere else. */
  readonly isNarrowOnly?: boolean;
  /** Whether long text is cut with an ellipsis instead of wrapped. */
  readonly isCut?: boolean;
}

/**
 * A table that scrolls sideways in its own box. With `link`, the first cell of a row is a link, and a click anywhere on
 * the row follows it.
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
  /** Caption, which may be visible to screen readers only. */
  readonly caption: string;
  readonly isCaptionSeen?: boolean;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string | number;
  readonly link?: (row: Row) => string | undefined;
  readonly isSelected?: (row: Row) => boolean;
  /** An `EmptyState` that replaces a table without rows. */
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

/** Whether a click belongs to a link, a control or a text selection in the row, not to the row. */
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
