import { useEffect, useState } from "preact/hooks";
import { clock, lab } from "../connection/state.js";
import { Button, Input, SearchBox, Select } from "../design/index.js";
import { eventLabel, eventTypeWords } from "../domain/event-words.js";
import { failedOutcomes, outcomeLooks } from "../domain/outcome-look.js";
import { isPresenting } from "../navigation/presenting.js";
import { formatWall, parseInstant } from "../format/index.js";
import type { FilterName, LogFilter } from "./log-filter.js";

const types = Object.keys(eventTypeWords);

function optionOf(type: string): { readonly value: string; readonly label: string } {
  const label = eventLabel(type);
  return { value: type, label: label === type || isPresenting.value ? label : `${label} · ${type}` };
}

/** What may be wrong with events, as `handset events` filters it. */
const affectedWords: Readonly<Record<string, string>> = {
  doubles: "Acted on twice",
  "without-effect": "Without effect",
  reordered: "After a later one",
  refused: "Answered with an error",
  late: "Late",
};

/** The choice among the types that sets the filter `copies`. */
const COPIES = "copies";

/** Delay between the last key and the search, in milliseconds. */
const TYPED_MS = 350;

/** The filters of the log. The address contains them, so a link keeps them. */
export function FilterBar({
  filter,
  onChange,
}: {
  readonly filter: LogFilter;
  readonly onChange: (filter: LogFilter) => void;
}) {
  const set = (name: FilterName, value: string): void => {
    const { [name]: _, ...rest } = filter;
    onChange(value === "" ? rest : { ...rest, [name]: value });
  };
  const text = useTyped(filter.contains ?? "", (value) => set("contains", value));
  const of = useTyped(filter.of ?? "", (value) => set("of", value));
  const person = useTyped(filter.person ?? "", (value) => set("person", value));
  const [isOpen, setOpen] = useState(false);
  const asked = Object.keys(filter).filter((name) => name !== "contains").length;
  return (
    <div class={`events-filters${isOpen ? " events-filters-open" : ""}`} role="search" aria-label="Filters of the log">
      <SearchBox
        label="Search in fields"
        placeholder={isPresenting.value ? "Search" : "Search in fields"}
        value={text.value}
        onChange={text.change}
        onEnter={text.flush}
      />
      <div class="events-more">
        <Button icon="filter" isPressed={isOpen || asked > 0} onPress={() => setOpen(!isOpen)}>
          {asked === 0 ? "Filter" : `Filter (${asked})`}
        </Button>
      </div>
      <div class="events-fields">
        <Select
          label="Type"
          value={filter.copies === "true" ? COPIES : (filter.type ?? "")}
          onChange={(value) => {
            const { type: _, copies: __, ...rest } = filter;
            onChange({ ...rest, ...(value === COPIES ? { copies: "true" } : value !== "" && { type: value }) });
          }}
          options={[
            { value: "", label: "All" },
            optionOf("mo_sms"),
            { value: "mo_call,mo_miss,mt_call,mt_miss", label: "All calls" },
            { value: "mt_sent,mt_dlvd", label: "Sent and delivered" },
            { value: COPIES, label: "Copies of another event" },
            ...types.slice(1).map(optionOf),
            ...(filter.type !== undefined && !isOffered(filter.type)
              ? [{ value: filter.type, label: filter.type }]
              : []),
          ]}
        />
        <Select
          label="Delivery"
          value={filter.outcome ?? ""}
          onChange={(value) => set("outcome", value)}
          options={[
            { value: "", label: "All" },
            { value: failedOutcomes, label: "All failures" },
            ...Object.entries(outcomeLooks).map(([value, { word }]) => ({ value, label: word })),
          ]}
        />
        <Select
          label="Trouble"
          value={filter.affected ?? ""}
          onChange={(value) => set("affected", value)}
          options={[
            { value: "", label: "All" },
            ...Object.entries(affectedWords).map(([value, label]) => ({ value, label })),
            ...(filter.affected !== undefined && !(filter.affected in affectedWords)
              ? [{ value: filter.affected, label: filter.affected }]
              : []),
          ]}
        />
        <Select
          label="Status"
          value={filter.status ?? ""}
          onChange={(value) => set("status", value)}
          options={[
            { value: "", label: "All" },
            ...["2xx", "3xx", "4xx", "5xx"].map((value) => ({ value, label: value })),
            { value: "none", label: "No answer" },
            ...(filter.status !== undefined && !/^([2345]xx|none)$/.test(filter.status)
              ? [{ value: filter.status, label: filter.status }]
              : []),
          ]}
        />
        <Input label="Handset" placeholder="clinic/0" value={of.value} onChange={of.change} />
        <Input label="Person" placeholder="farmers/3" value={person.value} onChange={person.change} />
        <Input
          label="Until"
          placeholder="10:30"
          value={shownTime(filter.before)}
          onChange={(value) => {
            const at = timeOf(value);
            if (at !== undefined || value === "") set("before", at ?? "");
          }}
        />
      </div>
      {Object.keys(filter).length > 0 && (
        <Button kind="quiet" icon="cross" onPress={() => onChange({})}>
          Clear
        </Button>
      )}
    </div>
  );
}

function isOffered(type: string): boolean {
  return types.includes(type) || /^(mo_call,mo_miss,mt_call,mt_miss|mt_sent,mt_dlvd)$/.test(type);
}

/** Converts a typed instant to ISO 8601 in UTC; undefined: it is invalid. A minute includes all its seconds. */
function timeOf(text: string): string | undefined {
  const frame = lab.value;
  if (frame === undefined) return undefined;
  const ms = parseInstant(text, frame, clock.peek()?.nowMs ?? 0);
  if (ms === undefined) return undefined;
  const isMinute = !/:\d\d:\d\d/.test(text);
  return new Date(isMinute ? ms + 59_999 : ms).toISOString();
}

/** Formats an instant in the lab's time zone, as `timeOf` reads it. */
function shownTime(before: string | undefined): string {
  const frame = lab.value;
  const ms = Date.parse(before ?? "");
  if (frame === undefined || Number.isNaN(ms)) return before ?? "";
  return formatWall(ms, "sortable", frame.timezone);
}

/** The value of a field, which takes effect when the user stops typing. */
function useTyped(value: string, onChange: (value: string) => void) {
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  useEffect(() => {
    if (typed === value) return undefined;
    const timer = setTimeout(() => onChange(typed.trim()), TYPED_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return { value: typed, change: setTyped, flush: () => onChange(typed.trim()) };
}
