import { fleetNetworks } from "../../protocol/index.js";
import { Button, Checkbox, Input, Menu, Popover, SearchBox, Select } from "../design/index.js";
import { formatCount, formatCounted } from "../format/index.js";
import { isPresenting } from "../navigation/presenting.js";
import type { FleetDesk } from "./fleet-desk.js";
import { type FleetQuery, type Grouping, isFiltered, type DetailLevel, type SortKey } from "./fleet-query.js";
import "./toolbar.css";

const groupLabels: readonly { value: Grouping; label: string }[] = [
  { value: "group", label: "By group" },
  { value: "state", label: "By state" },
  { value: "network", label: "By network" },
  { value: "none", label: "Ungrouped" },
];

const levelLabels: readonly { value: DetailLevel | "auto"; label: string }[] = [
  { value: "auto", label: "Best size" },
  { value: "cards", label: "Cards" },
  { value: "tiles", label: "Tiles" },
  { value: "cells", label: "Cells" },
  { value: "table", label: "Table" },
];

type Order = `${SortKey}+` | `${SortKey}-`;
const orders: readonly { value: Order; label: string }[] = [
  { value: "name+", label: "Sorted by name" },
  { value: "state+", label: "Worst state first" },
  { value: "battery+", label: "Lowest battery first" },
  { value: "queue-", label: "Longest queue first" },
  { value: "seen+", label: "Longest unseen first" },
  { value: "events-", label: "Most events first" },
];

/** Filters, order, level of detail and ways to select. */
export function Toolbar({
  desk,
  query,
  onAsk,
  isSelecting,
  onSelecting,
}: {
  readonly desk: FleetDesk;
  readonly query: FleetQuery;
  readonly onAsk: (query: FleetQuery) => void;
  readonly isSelecting: boolean;
  readonly onSelecting: (isSelecting: boolean) => void;
}) {
  const shown = desk.arrangement.value.order;
  const asked = [query.networks.length > 0, query.batteryBelow !== undefined, query.queueAbove !== undefined];
  const noun = isPresenting.value ? "phone" : "handset";
  const filters = asked.filter(Boolean).length;
  return (
    <div class="fleet-toolbar design-row">
      <SearchBox
        label="Name, or a range such as clinic/0..9"
        placeholder={isPresenting.value ? "Name" : "Name or clinic/0..9"}
        value={query.name}
        onChange={(name) => onAsk({ ...query, name })}
      />
      {!isPresenting.value && (
        <Popover
          trigger={({ isOpen, toggle }) => (
            <Button icon="filter" isPressed={isOpen || filters > 0} onPress={toggle}>
              {filters === 0 ? "Filter" : `Filter (${filters})`}
            </Button>
          )}
        >
          {() => <FilterFields query={query} onAsk={onAsk} />}
        </Popover>
      )}
      <ViewFields query={query} onAsk={onAsk} isLabelUnseen />
      <span class="fleet-count design-number" role="status">
        {isFiltered(query)
          ? `${formatCount(shown.length)} of ${formatCounted(desk.model.count, noun)}`
          : formatCounted(shown.length, noun)}
      </span>
      {query.level !== "table" && (
        <Button
          isPressed={isSelecting}
          title="A click selects a handset instead of opening it"
          onPress={() => onSelecting(!isSelecting)}
        >
          Select by click
        </Button>
      )}
      <Menu
        label="Select"
        items={[
          {
            label: `All shown: ${formatCounted(shown.length, "handset")}`,
            isDisabled: shown.length === 0,
            onChoose: () => desk.selection.select(shown, { keep: false }),
          },
          {
            label: "Ten of them at random",
            isDisabled: shown.length === 0,
            onChoose: () => desk.selection.select(drawn(shown, 10), { keep: false }),
          },
          {
            label: "The others",
            isDisabled: shown.length === 0,
            onChoose: () => {
              const others = shown.filter((index) => !desk.selection.has(index));
              desk.selection.select(others, { keep: false });
            },
          },
          { label: "None", onChoose: () => desk.selection.clear() },
        ]}
      />
    </div>
  );
}

/** Group, order and level of detail. */
function ViewFields({
  query,
  onAsk,
  isLabelUnseen = false,
}: {
  readonly query: FleetQuery;
  readonly onAsk: (query: FleetQuery) => void;
  readonly isLabelUnseen?: boolean;
}) {
  const order: Order = `${query.sort}${query.isDescending ? "-" : "+"}`;
  const isListed = orders.some(({ value }) => value === order);
  return (
    <>
      <Select
        label="Group"
        isLabelUnseen={isLabelUnseen}
        isDisabled={query.level === "table"}
        value={query.by}
        options={groupLabels}
        onChange={(by) => onAsk({ ...query, by })}
      />
      <Select
        label="Order"
        isLabelUnseen={isLabelUnseen}
        value={order}
        options={isListed ? orders : [...orders, { value: order, label: "As in the table" }]}
        onChange={(chosen) =>
          onAsk({ ...query, sort: chosen.slice(0, -1) as SortKey, isDescending: chosen.endsWith("-") })
        }
      />
      <Select
        label="Level of detail"
        isLabelUnseen={isLabelUnseen}
        value={query.level}
        options={levelLabels}
        onChange={(level) => onAsk({ ...query, level })}
      />
    </>
  );
}

function FilterFields({ query, onAsk }: { readonly query: FleetQuery; readonly onAsk: (query: FleetQuery) => void }) {
  const number = (text: string): number | undefined => (/^\d{1,6}$/.test(text.trim()) ? Number(text) : undefined);
  return (
    <div class="fleet-filter design-stack">
      <div class="fleet-filter-view">
        <ViewFields query={query} onAsk={onAsk} />
      </div>
      <fieldset>
        <legend>Network</legend>
        {fleetNetworks.map((name, index) => (
          <Checkbox
            key={name}
            label={name === "none" ? "No network" : name}
            isOn={query.networks.includes(index)}
            onChange={(isOn) => {
              const others = query.networks.filter((one) => one !== index);
              onAsk({ ...query, networks: isOn ? [...others, index].sort((a, b) => a - b) : others });
            }}
          />
        ))}
      </fieldset>
      <Input
        kind="number"
        label="Battery below, percent"
        value={query.batteryBelow?.toString() ?? ""}
        onChange={(text) => onAsk({ ...query, batteryBelow: number(text) })}
      />
      <Input
        kind="number"
        label="More waiting than"
        value={query.queueAbove?.toString() ?? ""}
        onChange={(text) => onAsk({ ...query, queueAbove: number(text) })}
      />
    </div>
  );
}

/** A random sample of handsets. Acts name each handset, so a replay does not depend on the sample. */
function drawn(from: Uint32Array, count: number): Uint32Array {
  const drawing = from.slice();
  const most = Math.min(count, drawing.length);
  for (let at = 0; at < most; at++) {
    const other = at + Math.floor(Math.random() * (drawing.length - at));
    [drawing[at], drawing[other]] = [drawing[other] ?? 0, drawing[at] ?? 0];
  }
  return drawing.slice(0, most);
}
