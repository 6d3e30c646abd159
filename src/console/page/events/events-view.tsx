import { useCallback, useEffect, useMemo } from "preact/hooks";
import { requestMoment } from "../connection/moment.js";
import { isOfLostServer } from "../connection/retry.js";
import { useShownMoment } from "../connection/shown-moment.js";
import { besideOf, goTo, linkTo, linkToBeside, replaceWith, type Route } from "../navigation/routes.js";
import { spansDays } from "../domain/time.jsx";
import { Button, EmptyState, ErrorNote, Loading, ViewHead, VirtualList } from "../design/index.js";
import { formatCount, formatCounted, formatPercent } from "../format/index.js";
import { eventColumns, eventTracks } from "./event-columns.jsx";
import type { ShownLog, SearchState } from "./event-log.js";
import { FilterBar } from "./filter-bar.jsx";
import { isPresenting } from "../navigation/presenting.js";
import { filterIn, filterQuery, isEmpty, type LogFilter } from "./log-filter.js";
import "./events.css";
import { SearchedLog } from "./searched-log.js";
import { WholeLog } from "./whole-log.js";

/** The log of deliveries, newest first. */
export function EventsView({ route }: { readonly route: Route }) {
  const filter = filterIn(route.query);
  const query = filterQuery(filter);
  const atMs = requestMoment.value;
  const log = useMemo(() => openLog(filter, atMs), [query, atMs]);
  useEffect(() => () => log.close(), [log]);
  const change = (next: LogFilter): void => {
    const open = route.query.get("open");
    replaceWith(linkTo("events", [], { ...next, ...(open !== null && { open }) }));
  };
  return (
    <div class="events design-stack">
      <ViewHead
        title="Events"
        about={
          isPresenting.value
            ? "What the phones tell, newest first."
            : "Events that the service posts to the receiver, newest first."
        }
      />
      <FilterBar filter={filter} onChange={change} />
      <LogList
        key={`${query}@${atMs}`}
        log={log}
        route={route}
        isFiltered={!isEmpty(filter)}
        onClear={() => change({})}
      />
    </div>
  );
}

function LogList({
  log,
  route,
  isFiltered,
  onClear,
}: {
  readonly log: ShownLog;
  readonly route: Route;
  readonly isFiltered: boolean;
  readonly onClear: () => void;
}) {
  void log.version.value;
  const isPresented = isPresenting.value;
  useShownMoment(log.isKnown.value ? log.ofMs : "none");
  const count = log.count.value;
  const waiting = log.waiting.value;
  const search = log.search.value;
  const error = log.error.value;
  const open = besideOf(route);
  const openId = open?.view === "chain" ? open.words[0] : undefined;
  const onRange = useCallback((first: number, last: number) => log.show(first, last), [log]);
  return (
    <>
      <div class="events-bar design-row">
        {search === undefined ? (
          <span class="design-muted design-number">{formatCounted(count + waiting, "event")}</span>
        ) : (
          <SearchProgress search={search} found={count + waiting} onToggle={() => log.toggleSearch()} />
        )}
        <span class="design-push" aria-live="polite">
          {waiting > 0 && (
            <Button
              size="small"
              icon="chevronUp"
              onPress={() => {
                log.showNew();
                document.querySelector(".events-list .design-list-box")?.scrollTo({ top: 0 });
              }}
            >
              {`${formatCount(waiting)}${log.isMoreWaiting ? "+" : ""} new`}
            </Button>
          )}
        </span>
      </div>
      {error !== undefined && !isOfLostServer(error) && <ErrorNote error={error} />}
      <div class="events-list design-frame">
        <VirtualList
          label="Events"
          columns={eventColumns({ isPresented })}
          tracks={eventTracks({ hasDates: spansDays.value, isPresented })}
          count={count}
          rowHeight={isPresented ? 48 : 36}
          narrowRowHeight={isPresented ? 68 : 58}
          rowAt={(index) => log.rowAt(index)}
          keyOf={({ row }) => row}
          onRange={onRange}
          onOpen={({ id }) => goTo(linkToBeside(id === openId ? undefined : `event:${id}`))}
          isOpened={({ id }) => id === openId}
          empty={
            log.isKnown.value || error !== undefined ? (
              <Nothing search={search} isFiltered={isFiltered} onClear={onClear} />
            ) : (
              <Loading label="Loading the events" />
            )
          }
        />
      </div>
    </>
  );
}

function SearchProgress({
  search,
  found,
  onToggle,
}: {
  readonly search: SearchState;
  readonly found: number;
  readonly onToggle: () => void;
}) {
  const { searched, total, isRunning, isDone } = search;
  const part = total === 0 ? 0 : Math.min(1, searched / total);
  return (
    <div class="events-progress design-row">
      <span class="design-number">{formatCounted(found, "event")} found</span>
      {!isDone && (
        <>
          <progress value={part} max={1} aria-label="Part of the log that is searched" />
          <span class="design-muted design-number">
            {formatCount(searched)} of {formatCount(total)} searched ({formatPercent(part)})
          </span>
          <Button size="small" icon={isRunning ? "stop" : "play"} onPress={onToggle}>
            {isRunning ? "Stop" : "Search on"}
          </Button>
        </>
      )}
    </div>
  );
}

function Nothing({
  search,
  isFiltered,
  onClear,
}: {
  readonly search: SearchState | undefined;
  readonly isFiltered: boolean;
  readonly onClear: () => void;
}) {
  if (!isFiltered) {
    return (
      <EmptyState icon="events" title="No events yet">
        Send a text as a person, or let the clock run: each text, call and outcome makes an event.
      </EmptyState>
    );
  }
  if (search?.isDone === false) {
    return (
      <EmptyState icon="search" title={search.isRunning ? "Searching" : "Nothing found so far"}>
        {search.isRunning ? "No event has matched yet." : "The search was stopped before the end of the log."}
      </EmptyState>
    );
  }
  return (
    <EmptyState icon="filter" title="No event matches" actions={<Button onPress={onClear}>Clear the filters</Button>}>
      The whole log was searched. New events that match appear here.
    </EmptyState>
  );
}

/**
 * Opens the log. Without filters any place is reached at once; with filters it is searched from the newest on.
 *
 * @param ofMs - the moment of the past about which requests ask: nothing is added to its log. Undefined: now
 */
function openLog(filter: LogFilter, ofMs: number | undefined): ShownLog {
  return isEmpty(filter) ? new WholeLog(ofMs) : new SearchedLog(filter, ofMs);
}
