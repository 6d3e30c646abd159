import type { ComponentType } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { connection, fleet } from "../connection/state.js";
import { Button, EmptyState, keptChoice, Loading, ViewHead } from "../design/index.js";
import { formatCounted } from "../format/index.js";
import { goTo, linkTo, linkToBeside, replaceWith, type Route } from "../navigation/routes.js";
import { ActionBar } from "./action-bar.jsx";
import { FleetDesk } from "./fleet-desk.js";
import { FleetGrid } from "./fleet-grid.jsx";
import { type FleetQuery, readFleetQuery, unfiltered, writeFleetQuery } from "./fleet-query.js";
import { FleetTable } from "./fleet-table.jsx";
import { Legend, pointerWays } from "./legend.jsx";
import { chooseLevel } from "./level.js";
import { indexOfName, nameOf } from "./names.js";
import { StateChips } from "./state-chips.jsx";
import { Toolbar } from "./toolbar.jsx";
import { useRoom } from "./use-room.js";
import "./fleet.css";

/** Whether charts are shown. By default not on a phone, where they would push the handsets off the screen. */
const chartsShown = keptChoice("charts", ["yes", "no"], innerWidth >= 700 ? "yes" : "no");

/** The fleet view: charts and all handsets. */
export function FleetView({ route }: { readonly route: Route }) {
  const desk = useMemo(() => new FleetDesk(), []);
  useEffect(() => desk.open(), [desk]);
  const search = route.query.toString();
  const query = useMemo(() => readFleetQuery(new URLSearchParams(search)), [search]);
  // A table has no groups.
  useEffect(() => desk.ask(query.level === "table" ? { ...query, by: "none" } : query), [desk, query]);
  const [isSelecting, setSelecting] = useState(false);
  const isKnown = fleet.value !== undefined;
  const opened = indexOfName(fleet.value?.groups ?? [], route.query.get("open") ?? "");
  const ask = (next: FleetQuery): void => replaceQuery(route, next);
  const open = (index: number): void => goTo(linkToBeside(nameOf(desk.model.groups, index)));
  return (
    <div class="fleet">
      <ViewHead
        title="Fleet"
        actions={
          <>
            <Button
              kind="quiet"
              icon="chart"
              isPressed={chartsShown.value === "yes"}
              onPress={() => (chartsShown.value = chartsShown.value === "yes" ? "no" : "yes")}
            >
              Charts
            </Button>
            <Legend />
          </>
        }
      />
      {isKnown ? (
        <>
          {chartsShown.value === "yes" && <Charts />}
          <StateChips desk={desk} chosen={query.states} onChoose={(states) => ask({ ...query, states })} />
          <Toolbar desk={desk} query={query} onAsk={ask} isSelecting={isSelecting} onSelecting={setSelecting} />
          <Handsets desk={desk} query={query} opened={opened} isSelecting={isSelecting} onAsk={ask} onOpen={open} />
          <ActionBar desk={desk} />
        </>
      ) : (
        connection.value !== "refused" && <Loading label="Waiting for the lab" lines={6} />
      )}
    </div>
  );
}

/** The handsets that match the filters, as a table or in the grid. */
function Handsets({
  desk,
  query,
  opened,
  isSelecting,
  onAsk,
  onOpen,
}: {
  readonly desk: FleetDesk;
  readonly query: FleetQuery;
  readonly opened: number | undefined;
  readonly isSelecting: boolean;
  readonly onAsk: (query: FleetQuery) => void;
  readonly onOpen: (index: number) => void;
}) {
  const { ref, room } = useRoom();
  const arrangement = desk.arrangement.value;
  const shown = arrangement.order.length;
  const wanted = query.level === "auto" || query.level === "table" ? undefined : query.level;
  const chosen = useMemo(
    () => (room === undefined || shown === 0 ? undefined : chooseLevel(arrangement.blocks, room, wanted)),
    [arrangement, room, wanted, shown],
  );
  return (
    <section aria-label="Handsets" class="design-stack-tight">
      <p class="design-unseen" id="fleet-keys">
        {isSelecting ? "A click selects. " : "A click opens a handset. "}
        {pointerWays} Keys: arrows, Enter, Space.
      </p>
      {wanted === "cards" && chosen !== undefined && chosen.level !== "cards" && (
        <p class="design-aside">Too many for cards: filter them first.</p>
      )}
      <div ref={ref} class="fleet-room">
        {shown === 0 ? (
          <Nothing query={query} count={desk.model.count} onAsk={onAsk} />
        ) : query.level === "table" ? (
          <FleetTable desk={desk} query={query} opened={opened} onAsk={onAsk} onOpen={onOpen} />
        ) : (
          chosen !== undefined &&
          room !== undefined && (
            <FleetGrid
              desk={desk}
              arrangement={arrangement}
              chosen={chosen}
              room={room}
              query={query}
              opened={opened}
              isSelecting={isSelecting}
              onOpen={onOpen}
            />
          )
        )}
      </div>
    </section>
  );
}

function Nothing({
  query,
  count,
  onAsk,
}: {
  readonly query: FleetQuery;
  readonly count: number;
  readonly onAsk: (query: FleetQuery) => void;
}) {
  if (count === 0) {
    return (
      <EmptyState icon="phone" title="This lab has no handsets">
        Its scenario names none under “handsets”.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon="filter"
      title="No handset matches"
      actions={
        <Button icon="cross" onPress={() => onAsk(unfiltered(query))}>
          Show all {formatCounted(count, "handset")}
        </Button>
      }
    >
      {query.states.length > 0
        ? "No handset is in the chosen states now. Handsets that enter them appear automatically."
        : "Search for another name, or remove filters."}
    </EmptyState>
  );
}

/** The charts, whose code is loaded at first use. */
function Charts() {
  const [Loaded, setLoaded] = useState<{ readonly part: ComponentType<{ readonly ofRun?: boolean }> }>();
  useEffect(() => {
    let isStale = false;
    void import("../charts/fleet-charts.jsx").then(({ FleetCharts }) => {
      if (!isStale) setLoaded({ part: FleetCharts });
    });
    return () => {
      isStale = true;
    };
  }, []);
  return Loaded === undefined ? <div class="fleet-charts-place" /> : <Loaded.part />;
}

/** Writes the query into the URL without a history entry for each typed letter. */
function replaceQuery({ query: given }: Route, query: FleetQuery): void {
  const opened = given.get("open");
  const words = { ...writeFleetQuery(query), ...(opened !== null && { open: opened }) };
  replaceWith(linkTo("fleet", [], words));
}
