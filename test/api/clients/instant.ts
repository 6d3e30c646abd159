/**
 * An instant to the microsecond, like Python's `datetime`: a value that is read from a record and sent back as a filter
 * must select that record again, for which JavaScript's `Date` is too coarse.
 */
export class Instant {
  /** Microseconds since 1970-01-01T00:00:00Z. */
  readonly micros: bigint;

  constructor(micros: bigint) {
    this.micros = micros;
  }

  /** Reads ISO 8601 (date, optional time, fraction and zone; no zone is UTC); undefined when it is something else. */
  static parse(text: string): Instant | undefined {
    const match = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(Z|[+-]\d\d(?::?\d\d)?)?)?$/.exec(
      text,
    );
    if (match === null) return undefined;
    const [, day, clock = "00:00", seconds = "00", fraction = "", zone = "Z"] = match;
    const atMs = Date.parse(`${day}T${clock}:${seconds}Z`);
    // Date reads 31 February as a day in March; a day that does not format back to itself is invalid.
    if (Number.isNaN(atMs) || !new Date(atMs).toISOString().startsWith(`${day}T${clock}`)) return undefined;
    return new Instant(BigInt(atMs - offsetMs(zone)) * 1000n + BigInt(fraction.padEnd(6, "0").slice(0, 6)));
  }

  /**
   * `YYYY-MM-DDTHH:MM:SS.ffffffZ`, the form in which the Python client sends moments
   * (docs/reference/service-api.md#python-client-requests).
   */
  toString(): string {
    const atMs = this.micros / 1000n - (this.micros % 1000n < 0n ? 1n : 0n);
    const rest = this.micros - atMs * 1000n;
    return `${new Date(Number(atMs)).toISOString().slice(0, -1)}${String(rest).padStart(3, "0")}Z`;
  }
}

function offsetMs(zone: string): number {
  if (zone === "Z") return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(3).replace(":", "") || 0);
  return (zone.startsWith("-") ? -1 : 1) * minutes * 60_000;
}
