import type { ExactRequest } from "../../scenario/index.js";
import { editedForm, rawPairs } from "./raw-form.js";

/** How times are written: the events a minute apart, or each cut to whole minutes or seconds. */
export type TimeStyle = "minutes apart" | "whole minutes" | "whole seconds";

const timeNames: ReadonlySet<string> = new Set(["time", "occurred_on", "last_seen"]);

/** The requests with plain times in their bodies; equal times stay equal, and the order stays. Other bytes stay. */
export function plainTimes(requests: readonly ExactRequest[], style: TimeStyle): ExactRequest[] {
  const all = [
    ...new Set(
      requests.flatMap(({ body }) =>
        (rawPairs(body) ?? []).filter(({ key }) => timeNames.has(key)).map(({ value }) => value),
      ),
    ),
  ];
  const read = all.flatMap((value) => timeOf(value) ?? []);
  const ordered = [...new Set(read.map(({ ms }) => ms))].sort((a, b) => a - b);
  const firstMs = Math.floor((ordered[0] ?? 0) / 60_000) * 60_000;
  const plainMs = new Map(
    ordered.map((ms, place) => {
      if (style === "minutes apart") return [ms, firstMs + place * 60_000];
      const unit = style === "whole minutes" ? 60_000 : 1000;
      return [ms, Math.floor(ms / unit) * unit];
    }),
  );
  const firstAtMs = requests[0]?.atMs ?? 0;
  let lastAtMs = 0;
  return requests.map((request, place) => {
    const own = (rawPairs(request.body) ?? []).find(({ key }) => timeNames.has(key));
    const ms = own === undefined ? undefined : timeOf(own.value)?.ms;
    const body = editedForm(rawPairs(request.body) ?? [], ({ key, value }) => {
      const time = timeNames.has(key) ? timeOf(value) : undefined;
      const plain = time === undefined ? undefined : plainMs.get(time.ms);
      return time === undefined || plain === undefined ? value : time.write(plain);
    });
    const apart = ms === undefined ? place * 60_000 : (plainMs.get(ms) ?? firstMs) - firstMs;
    const rounded = Math.round((request.atMs - firstAtMs) / 1000) * 1000;
    const atMs =
      request.with === "previous" ? lastAtMs : Math.max(lastAtMs, style === "minutes apart" ? apart : rounded);
    lastAtMs = atMs;
    return { ...request, atMs, body };
  });
}

/** Reads a time and how it is written. */
function timeOf(value: string): { readonly ms: number; readonly write: (ms: number) => string } | undefined {
  if (/^\d{13}$/.test(value)) return { ms: Number(value), write: String };
  if (/^\d{10}$/.test(value)) return { ms: 1000 * Number(value), write: (ms) => String(Math.floor(ms / 1000)) };
  const [, clock, fraction = "", zone = ""] =
    /^(\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d)(\.\d+)?(Z|[+-]\d\d:?\d\d)?$/.exec(value) ?? [];
  if (clock === undefined) return undefined;
  const ms = Date.parse(`${clock.replace(" ", "T")}${fraction.slice(0, 4)}Z`);
  if (Number.isNaN(ms)) return undefined;
  const separator = clock[10] ?? "T";
  return {
    ms,
    write: (plain) => {
      const [day = "", rest = ""] = new Date(plain).toISOString().split("T");
      const digits =
        fraction === ""
          ? ""
          : `.${rest
              .slice(9, 12)
              .padEnd(fraction.length - 1, "0")
              .slice(0, fraction.length - 1)}`;
      return `${day}${separator}${rest.slice(0, 8)}${digits}${zone}`;
    },
  };
}
