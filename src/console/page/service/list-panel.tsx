import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { ListUrl, RecordAt } from "../../protocol/index.js";
import { Button, type Column, DataTable, ErrorNote, Loading, Pager, Panel, SearchBox } from "../design/index.js";
import { formatCount } from "../format/index.js";
import { ApiRequestLine } from "./api-request-line.jsx";
import { PAGE_SIZE, useApiList } from "./use-api-list.js";
import "./list-panel.css";

/** A list of the REST API as a live table with pages, a filter of the current page, and the API request. */
export function ListPanel<const U extends ListUrl>({
  title,
  level = 2,
  about,
  path,
  columns,
  keyOf,
  link,
  isSelected,
  words,
  filters,
  actions,
  empty,
  onRows,
}: {
  readonly title: string;
  readonly level?: 2 | 3;
  readonly about?: ComponentChildren;
  /** Below `/api/v2/`. */
  readonly path: U;
  readonly columns: readonly Column<RecordAt<U>>[];
  readonly keyOf: (row: RecordAt<U>) => string | number;
  readonly link?: (row: RecordAt<U>) => string | undefined;
  readonly isSelected?: (row: RecordAt<U>) => boolean;
  /** The text of a row that the filter searches; absent: the list has no filter. */
  readonly words?: (row: RecordAt<U>) => string;
  readonly filters?: ComponentChildren;
  readonly actions?: ComponentChildren;
  /** An `EmptyState`. */
  readonly empty: ComponentChildren;
  /** Called when other records are on the page. */
  readonly onRows?: (rows: readonly RecordAt<U>[]) => void;
}) {
  const [search, setSearch] = useState("");
  const box = useRef<HTMLDivElement>(null);
  const isUnderPointer = useRef(false);
  const list = useApiList(path, {
    keyOf,
    isHeld: () => isUnderPointer.current || (box.current?.getBoundingClientRect().top ?? 0) < 0,
  });
  const keys = list.rows.map(keyOf).join();
  useEffect(() => onRows?.(list.rows), [keys]);
  const wanted = search.trim().toLowerCase();
  const rows =
    wanted === "" || words === undefined
      ? list.rows
      : list.rows.filter((row) => words(row).toLowerCase().includes(wanted));
  const hasPages = list.onNext !== undefined || list.onPrevious !== undefined;
  const isSearched = words !== undefined && (list.rows.length > 0 || wanted !== "");
  return (
    <Panel title={title} level={level} about={about} actions={actions} isFlush>
      {(filters !== undefined || isSearched) && (
        <div class="service-filters design-row">
          {filters}
          {isSearched && (
            <SearchBox
              label={`Filter ${title.toLowerCase()}`}
              placeholder={hasPages ? "Filter this page" : "Filter"}
              value={search}
              onChange={setSearch}
            />
          )}
        </div>
      )}
      {list.error !== undefined && (
        <div class="service-note">
          <ErrorNote error={list.error} onRetry={list.reload} />
        </div>
      )}
      <div
        ref={box}
        class="service-table"
        onPointerEnter={() => (isUnderPointer.current = true)}
        onPointerLeave={() => (isUnderPointer.current = false)}
      >
        {list.fresh > 0 && (
          <div class="service-fresh" role="status">
            <Button size="small" icon="chevronUp" onPress={list.showFresh}>
              {list.fresh === PAGE_SIZE ? "Many new" : `${list.fresh} new`}
            </Button>
          </div>
        )}
        {list.isLoading ? (
          <Loading lines={6} />
        ) : (
          (list.error === undefined || list.rows.length > 0) && (
            <DataTable
              caption={title}
              columns={columns}
              rows={rows}
              keyOf={keyOf}
              link={link}
              isSelected={isSelected}
              empty={
                wanted === "" ? (
                  empty
                ) : (
                  <p class="service-nothing design-muted">
                    Nothing {hasPages ? "on this page " : ""}has “{search.trim()}”.
                  </p>
                )
              }
            />
          )
        )}
      </div>
      <div class="service-foot design-row">
        <ApiRequestLine path={list.path} />
        {hasPages && (
          <Pager
            where={whereWords(list.page, list.rows.length)}
            onPrevious={list.onPrevious}
            onNext={list.onNext}
            label={`Pages of ${title.toLowerCase()}`}
          />
        )}
      </div>
    </Panel>
  );
}

function whereWords(page: number, rows: number): string {
  const from = page * PAGE_SIZE;
  return `${formatCount(from + 1)} to ${formatCount(from + rows)}`;
}
