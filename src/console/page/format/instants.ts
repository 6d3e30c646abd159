/** Instants for people, in a time zone: `08:15:02`, `Mon 3 Mar 2025`. */

/** Where virtual time begins and how it is shown: `LabFacts` is one. */
export interface TimeFrame {
  /** The instant 0, milliseconds since 1970. */
  readonly startsAtMs: number;
  /** IANA name. */
  readonly timezone: string;
}

/** `time`: 08:15:02; `minute`: 08:15; `millis`: 08:15:02.417; `day`: Mon 3 Mar 2025; `date`: 3 Mar; `date-time`: 3 Mar, 08:15:02; `moment`: Mon 3 Mar, 08:15:02. */
export type InstantShow = "time" | "minute" | "millis" | "day" | "date" | "date-time" | "moment" | "full";

/** A virtual instant, in the lab's time zone. @param atMs - milliseconds since the lab's start */
export function formatInstant(atMs: number, frame: TimeFrame, show: InstantShow = "time"): string {
  return formatWall(frame.startsAtMs + atMs, show, frame.timezone);
}

/** An instant of the wall clock. @param wallMs - milliseconds since 1970 @param timezone - absent: the reader's */
export function formatWall(wallMs: number, show: InstantShow = "time", timezone?: string): string {
  const parts = partsOf(wallMs, timezone);
  const minute = `${parts.hour}:${parts.minute}`;
  const time = `${minute}:${parts.second}`;
  switch (show) {
    case "minute":
      return minute;
    case "time":
      return time;
    case "millis":
      return `${time}.${String(((Math.floor(wallMs) % 1000) + 1000) % 1000).padStart(3, "0")}`;
    case "day":
      return `${parts.weekday} ${parts.day} ${parts.month} ${parts.year}`;
    case "date":
      return `${parts.day} ${parts.month}`;
    case "date-time":
      return `${parts.day} ${parts.month}, ${time}`;
    case "moment":
      return `${parts.weekday} ${parts.day} ${parts.month}, ${time}`;
    case "full":
      return `${parts.weekday} ${parts.day} ${parts.month} ${parts.year}, ${time}`;
    default:
      return show satisfies never;
  }
}

/** How to show instants of a span: with dates if it has more than one day. */
export function showWithin(fromMs: number, untilMs: number, frame: TimeFrame): "time" | "date-time" {
  return formatInstant(fromMs, frame, "day") === formatInstant(untilMs, frame, "day") ? "time" : "date-time";
}

/** The instant as `<time datetime>` has it. */
export function isoInstant(atMs: number, { startsAtMs }: Pick<TimeFrame, "startsAtMs">): string {
  return new Date(startsAtMs + atMs).toISOString();
}

/** Making a format takes longer than a thousand uses of it. */
const formats = new Map<string, Intl.DateTimeFormat>();

type Parts = Readonly<Record<"weekday" | "day" | "month" | "year" | "hour" | "minute" | "second", string>>;

function partsOf(wallMs: number, timezone = ""): Parts {
  let format = formats.get(timezone);
  if (format === undefined) {
    format = formatOf(timezone);
    formats.set(timezone, format);
  }
  return Object.fromEntries(format.formatToParts(wallMs).map(({ type, value }) => [type, value])) as unknown as Parts;
}

function formatOf(timezone: string): Intl.DateTimeFormat {
  const shape = {
    weekday: "short",
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hourCycle: "h23",
  } as const;
  try {
    return new Intl.DateTimeFormat("en-GB", { ...shape, ...(timezone !== "" && { timeZone: timezone }) });
  } catch {
    // The browser does not know the zone.
    return new Intl.DateTimeFormat("en-GB", { ...shape, timeZone: "UTC" });
  }
}
