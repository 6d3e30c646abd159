import { type Column, Icon, VirtualList } from "../design/index.js";
import { StateBadge } from "../domain/state-badge.jsx";
import { clock } from "../connection/state.js";
import { formatCount } from "../format/index.js";
import { linkToHandset } from "../navigation/routes.js";
import { lastSeenWords, networkWords } from "./describe.js";
import type { FleetDesk } from "./fleet-desk.js";
import type { FleetQuery, SortKey } from "./fleet-query.js";
import { nameOf, titleOf } from "./names.js";
import "./fleet-table.css";

/** The fleet as a table: every fact as words and numbers, sorted by any column. */
export function FleetTable({
  desk,
  query,
  opened,
  onAsk,
  onOpen,
}: {
  readonly desk: FleetDesk;
  readonly query: FleetQuery;
  /** The handset that the side panel shows. */
  readonly opened: number | undefined;
  readonly onAsk: (query: FleetQuery) => void;
  readonly onOpen: (index: number) => void;
}) {
  void desk.frame.value;
  void desk.selected.value;
  const { model, selection } = desk;
  const { order } = desk.arrangement.value;
  const head = (sort: SortKey, label: string) => (
    <SortButton
      label={label}
      direction={query.sort === sort ? (query.isDescending ? "descending" : "ascending") : undefined}
      onPress={() => onAsk({ ...query, sort, isDescending: query.sort === sort && !query.isDescending })}
    />
  );
  const count = (name: "pending" | "retry" | "unsynced" | "events" | "texts", label: string): Column<number> => ({
    name,
    title: head(name, label),
    align: "end",
    isWidestOnly: true,
    cell: (index) => formatCount(model.columns[name][index] ?? 0),
  });
  const columns: readonly Column<number>[] = [
    {
      name: "select",
      title: <span class="design-unseen">Selected</span>,
      cell: (index) => (
        <input
          type="checkbox"
          class="fleet-table-check"
          aria-label={`Select ${titleOf(model.groups, index)}`}
          checked={selection.has(index)}
          onClick={(event) => event.stopPropagation()}
          onChange={() => selection.toggle(index)}
        />
      ),
    },
    {
      name: "name",
      title: head("name", "Name"),
      cell: (index) => {
        const [title, selector] = [titleOf(model.groups, index), nameOf(model.groups, index)];
        return (
          <>
            <a href={linkToHandset(selector)} title={selector}>
              {title}
            </a>
            {title !== selector && <span class="fleet-table-selector design-fine for-engineers"> {selector}</span>}
          </>
        );
      },
    },
    { name: "state", title: head("state", "State"), cell: (index) => <StateBadge state={model.stateAt(index)} /> },
    {
      name: "network",
      title: head("network", "Network"),
      isWideOnly: true,
      cell: (index) => networkWords(model, index),
    },
    {
      name: "battery",
      title: head("battery", "Battery"),
      align: "end",
      cell: (index) => `${model.columns.battery[index] ?? 0}%`,
    },
    count("pending", "Pending"),
    count("retry", "Retry"),
    count("unsynced", "Not synced"),
    count("texts", "Texts"),
    count("events", "Events"),
    {
      name: "seen",
      title: head("seen", "Last seen"),
      align: "end",
      isWideOnly: true,
      cell: (index) => lastSeenWords(model, index, clock.peek()?.nowMs),
    },
  ];
  return (
    <div class="fleet-table design-frame">
      <VirtualList
        label="Handsets"
        columns={columns}
        tracks={{
          wide: "2.25rem minmax(7rem, 1.4fr) minmax(8rem, 1fr) minmax(7rem, 1fr) repeat(6, minmax(5rem, 0.7fr)) minmax(8rem, 1fr)",
          medium: "2.25rem minmax(7rem, 1.4fr) 8rem minmax(6rem, 1fr) 5rem minmax(8rem, 1fr)",
          narrow: "1.5rem minmax(5rem, 1fr) 6.5rem 4rem",
        }}
        count={order.length}
        rowAt={(position) => order[position]}
        keyOf={(index) => index}
        onOpen={(index) => onOpen(index)}
        isOpened={(index) => index === opened}
        empty={null}
      />
    </div>
  );
}

function SortButton({
  label,
  direction,
  onPress,
}: {
  readonly label: string;
  readonly direction: "ascending" | "descending" | undefined;
  readonly onPress: () => void;
}) {
  return (
    <button
      type="button"
      class="fleet-table-sort design-inline design-bare"
      aria-pressed={direction !== undefined}
      onClick={onPress}
    >
      {label}
      {direction !== undefined && (
        <>
          <Icon name={direction === "ascending" ? "chevronUp" : "chevronDown"} />
          <span class="design-unseen">, {direction}</span>
        </>
      )}
    </button>
  );
}
