import { Badge, type Column } from "../design/index.js";
import { EventType } from "../domain/event-type.jsx";
import { nameOfHandset } from "../domain/handset-name.jsx";
import { OutcomeBadge } from "../domain/outcome-badge.jsx";
import { lookOfOutcome } from "../domain/outcome-look.js";
import { IsoTime } from "../domain/time.jsx";
import { formatDuration } from "../format/index.js";
import type { LogLine } from "../../protocol/index.js";

const all: readonly Column<LogLine>[] = [
  {
    name: "time",
    title: "Time",
    cell: (line) => (
      <span class="events-time">
        <IsoTime iso={line.at} show="recent-date" />
      </span>
    ),
  },
  {
    name: "type",
    title: "Type",
    cell: (line) => (
      <span>
        <EventType type={line.type} codeClass="design-list-widest" />
        {line.copy_of !== null && (
          <span class="events-copy" title={`A copy of ${line.copy_of}`}>
            {" copy"}
          </span>
        )}
      </span>
    ),
  },
  {
    name: "handset",
    title: "Handset",
    cell: (line) => <Name of={nameOfHandset(line.handset)} about={line.handset} />,
    isWideOnly: true,
  },
  { name: "person", title: "Person", cell: (line) => <Person of={line.person} />, isWideOnly: true },
  { name: "text", title: "Text", cell: (line) => line.text ?? "", isWideOnly: true },
  {
    name: "outcome",
    title: "Delivery",
    cell: ({ outcome, status, error, is_open: isOpen, ignored }) => (
      <OutcomeBadge outcome={outcome} status={status} error={error} next={isOpen ? "due" : "none"} ignored={ignored} />
    ),
  },
  {
    name: "took",
    title: "Took",
    align: "end",
    isWidestOnly: true,
    cell: (line) => (line.duration_ms === null ? "" : formatDuration(line.duration_ms)),
  },
  {
    name: "tries",
    title: "Tries",
    align: "end",
    isWidestOnly: true,
    cell: (line) => line.tries,
  },
  { name: "said", title: "Person and text", isNarrowOnly: true, cell: (line) => <Said {...line} /> },
  { name: "id", title: "Event", isWidestOnly: true, align: "end", cell: (line) => line.id },
];

/** To an audience: who, what, when, and how it went, in words. */
const presented: readonly Column<LogLine>[] = all
  .filter(({ isWidestOnly }) => isWidestOnly !== true)
  .map((column) => {
    if (column.name === "handset") return { ...column, title: "Phone" };
    if (column.name === "type") return { ...column, title: "What" };
    if (column.name === "outcome")
      return { ...column, title: "How it went", cell: (line) => <PlainOutcome {...line} /> };
    return column;
  });

/** The columns of the log. */
export function eventColumns({ isPresented }: { readonly isPresented: boolean }): readonly Column<LogLine>[] {
  return isPresented ? presented : all;
}

/** One track for each column. @param hasDates - times of earlier days have their date */
export function eventTracks({ hasDates, isPresented }: { readonly hasDates: boolean; readonly isPresented: boolean }): {
  readonly [width in "wide" | "medium" | "narrow"]: string;
} {
  const time = hasDates ? "8.5rem" : "4.5rem";
  const presentedWide = `${time} 6rem minmax(6rem, 1.5fr) minmax(6rem, 1.5fr) minmax(6rem, 2.5fr) 8rem`;
  if (isPresented) {
    return {
      wide: presentedWide,
      medium: presentedWide,
      narrow: `${hasDates ? "4.5rem" : "auto"} minmax(0, 1fr) auto`,
    };
  }
  return {
    wide: `${time} 9rem minmax(7rem, 1fr) minmax(8rem, 1.3fr) minmax(8rem, 3fr) 8.5rem 4rem 2.5rem 4.5rem`,
    medium: `${time} 6.5rem minmax(6rem, 1fr) minmax(6rem, 1.2fr) minmax(6rem, 2fr) 8.5rem`,
    narrow: "4.5rem minmax(3.75rem, 1fr) minmax(0, 8.5rem)",
  };
}

function Person({ of }: { readonly of: LogLine["person"] }) {
  if (of === null) return null;
  const { name, selector, phone } = of;
  return (
    <Name of={name ?? selector ?? phone} about={[name, selector, phone].filter((one) => one !== null).join(", ")} />
  );
}

/** How an event went, without the codes of HTTP. */
function PlainOutcome({ outcome, is_open: isOpen }: Pick<LogLine, "outcome" | "is_open">) {
  const { tone, icon } = lookOfOutcome({ outcome, next: isOpen ? "due" : "none" });
  return (
    <Badge tone={tone} icon={icon}>
      {outcome === "accepted" ? "Arrived" : outcome === "waiting" ? "On its way" : isOpen ? "Will try again" : "Failed"}
    </Badge>
  );
}

/** Who, and what: the second line of a narrow row. */
function Said({ person, text, handset }: Pick<LogLine, "person" | "text" | "handset">) {
  const name = person === null ? nameOfHandset(handset) : (person.name ?? person.selector ?? person.phone);
  return (
    <>
      <span class="events-who">{name}</span>
      {text !== null && text !== "" && ` ${text}`}
    </>
  );
}

/** A name. A narrow column cuts its group, not its number: `market-pe…/28`. */
function Name({ of, about = of }: { readonly of: string; readonly about?: string }) {
  const numberAt = of.search(/\/\d+$/);
  if (numberAt < 0) return <span title={about}>{of}</span>;
  return (
    <span class="events-name" title={about}>
      <span class="design-cut">{of.slice(0, numberAt)}</span>
      <span>{of.slice(numberAt)}</span>
    </span>
  );
}
