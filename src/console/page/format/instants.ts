/** Formats instants in a time zone: `08:15:02`, `Mon 3 Mar 2025`. */

/** Start and time zone of virtual time. `LabFacts` has both. */
export interface TimeFrame {
  /** The instant 0, milliseconds since 1970. */
  readonly startsAtMs: number;
  /** IANA name. */
  readonly timezone: string;
}

/**
 * `time`: 08:15:02; `minute`: 08:15; `millis`: 08:15:02.417; `day`: Mon 3 Mar 2025; `date`: 3 Mar; `date-time`: 3 Mar,
 * 08:15:02; `moment`: Mon 3 Mar, 08:15:02; `sortable`: 2025-03-03 08:15:02.
 */
export type InstantShow = "time" | "minute" | "millis" | "day" | "date" | "date-time" | "moment" | "full" | "sortable";

/** A virtual instant, in the lab's time zone. @param atMs - milliseconds since the lab's start */
export function formatInstant(atMs: number, frame: TimeFrame, show: InstantShow = "time"): string {
  return formatWall(frame.startsAtMs + atMs, show, frame.timezone);
}

/** An instant of the wall clock. @param wallMs - milliseconds since 1970 @param timezone - absent: the user's */
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
    case "sortable":
      return new Date(asUtc(wallMs, timezone ?? "")).toISOString().slice(0, 19).replace("T", " ");
    default:
      return show satisfies never;
  }
}

/**
 * Parses an instant in the page's formats, in the lab's time zone: `10:30`, `2026-03-05 10:30:02`; with `Z` or an
 * offset, ISO 8601. A time without a date is the last such time up to now, or on the lab's first day if there was none.
 *
 * @param atMs - now: milliseconds since the lab's start
 * @returns milliseconds since 1970; undefined: the text is not an instant
 */
export function parseInstant(text: string, frame: TimeFrame, atMs: number): number | undefined {
  const written = /^(?:(\d{4})-(\d\d)-(\d\d)[T ])?(\d?\d):(\d\d)(?::(\d\d))?(?:\.\d+)?(Z|[+-]\d\d:?\d\d)?$/.exec(
    text.trim(),
  );
  if (written === null) return undefined;
  const [, year, month, day, hour = "", minute = "", second = "00", offset] = written;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  if (year !== undefined && month !== undefined && day !== undefined) {
    const ms = Date.parse(`${year}-${month}-${day}T${hour.padStart(2, "0")}:${minute}:${second}${offset ?? "Z"}`);
    if (Number.isNaN(ms)) return undefined;
    return offset === undefined ? inZone(ms, frame.timezone) : ms;
  }
  if (offset !== undefined) return undefined;
  const timeMs = ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1000;
  const onDayOf = (wallMs: number): number =>
    inZone(startOfDay(asUtc(wallMs, frame.timezone)) + timeMs, frame.timezone);
  const nowMs = frame.startsAtMs + atMs;
  const candidates = [onDayOf(nowMs), onDayOf(nowMs - DAY_MS)];
  return candidates.find((ms) => ms <= nowMs && ms >= frame.startsAtMs) ?? onDayOf(frame.startsAtMs);
}

const DAY_MS = 86_400_000;

function startOfDay(ms: number): number {
  return ms - (((ms % DAY_MS) + DAY_MS) % DAY_MS);
}

/** The local time of a zone at an instant, encoded as if it were UTC. */
function asUtc(wallMs: number, timezone: string): number {
  const { year, month, day, hour, minute, second } = partsOf(wallMs, timezone);
  return Date.parse(`${day} ${month} ${year} ${hour}:${minute}:${second} UTC`);
}

/** The instant of a zone's local time `shownMs`, encoded as UTC. A local time in a DST gap moves behind the gap. */
function inZone(shownMs: number, timezone: string): number {
  const near = shownMs - (asUtc(shownMs, timezone) - shownMs);
  return near - (asUtc(near, timezone) - shownMs);
}

/** The format for instants of a span: with dates if it covers more than one day. */
export function showWithin(fromMs: number, untilMs: number, frame: TimeFrame): "time" | "date-time" {
  return formatInstant(fromMs, frame, "day") === formatInstant(untilMs, frame, "day") ? "time" : "date-time";
}

/** The instant for `<time datetime>`. */
export function isoInstant(atMs: number, { startsAtMs }: Pick<TimeFrame, "startsAtMs">): string {
  return new Date(startsAtMs + atMs).toISOString();
}

/** Cache of formats: creating one takes longer than using it a thousand times. */
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
    // The browser does not support the zone.
    return new Intl.DateTimeFormat("en-GB", { ...shape, timeZone: "UTC" });
  }
}
