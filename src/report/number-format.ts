/** Created on first use: the constructor is slow. */
let grouped: Intl.NumberFormat | undefined;

/** `21,600`. */
export function formatCount(count: number): string {
  grouped ??= new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
  return grouped.format(count);
}

/** `1 copy`, `2 copies`. */
export function countOf(count: number, one: string, more = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : more}`;
}

/** A gap of the ledger: `3 vanished without a cause`. */
export function gapText(gap: number): string {
  return gap > 0
    ? `${formatCount(gap)} vanished without a cause`
    : `${formatCount(-gap)} ended that never began, or ended twice`;
}

const SECOND_MS = 1000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** `0.35 ms`, `19.2 ms`, `812 ms`, `9.1 s`, `2 min 5 s`, `1 h 30 min`, `2 d 4 h`: two units at most. */
export function readableDuration(spanMs: number): string {
  if (spanMs < 0) return `-${readableDuration(-spanMs)}`;
  // Each bound is where rounding would yield 1000 ms, 60 s or 60 min.
  if (spanMs < 999.5) return `${shortNumber(spanMs)} ms`;
  if (spanMs < 59_950) return `${shortNumber(spanMs / SECOND_MS)} s`;
  if (spanMs < HOUR_MS - SECOND_MS / 2) return twoUnits(spanMs, [MINUTE_MS, "min"], [SECOND_MS, "s"]);
  if (spanMs < DAY_MS - MINUTE_MS / 2) return twoUnits(spanMs, [HOUR_MS, "h"], [MINUTE_MS, "min"]);
  return twoUnits(spanMs, [DAY_MS, "d"], [HOUR_MS, "h"]);
}

type Unit = readonly [ms: number, name: string];

function twoUnits(spanMs: number, [largeMs, large]: Unit, [smallMs, small]: Unit): string {
  const smalls = Math.round(spanMs / smallMs);
  const perLarge = largeMs / smallMs;
  const rest = smalls % perLarge;
  const larges = formatCount(Math.floor(smalls / perLarge));
  return rest === 0 ? `${larges} ${large}` : `${larges} ${large} ${rest} ${small}`;
}

/** Two decimals below 1, one below 100, none above. */
function shortNumber(value: number): string {
  return String(Number(value.toFixed(value < 0.995 ? 2 : value < 99.95 ? 1 : 0)));
}
