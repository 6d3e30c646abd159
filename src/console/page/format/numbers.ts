/** Formats numbers: groups of three digits, few decimals, a unit after a space. */

const counts = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const short = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

/** `12,345` */
export function formatCount(count: number): string {
  return counts.format(count);
}

/** `12.3K`: for narrow places. */
export function formatShort(count: number): string {
  return count < 10_000 ? counts.format(count) : short.format(count);
}

/** `0`, `0.4`, `12`, `1,204`: per second, or of any unit. */
export function formatRate(rate: number): string {
  if (rate === 0) return "0";
  if (rate < 0.1) return "< 0.1";
  return rate < 10 ? rate.toFixed(1) : counts.format(rate);
}

/** `3`, `0.4`, `12.3K`: a rate for narrow places. */
export function formatShortRate(rate: number): string {
  return Number.isInteger(rate) || rate >= 10 ? formatShort(rate) : formatRate(rate);
}

/** @param part - 0..1 */
export function formatPercent(part: number): string {
  if (part > 0 && part < 0.001) return "< 0.1%";
  if (part < 1 && part > 0.999) return "> 99.9%";
  return `${Number((part * 100).toFixed(1))}%`;
}

/** `512 B`, `3.4 kB`, `12 MB` */
export function formatBytes(bytes: number): string {
  const units = ["B", "kB", "MB", "GB"];
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : Number(value.toFixed(1))} ${units[unit]}`;
}

/** `1 phone`, `3 phones` */
export function formatCounted(count: number, one: string, many = `${one}s`): string {
  return `${counts.format(count)} ${count === 1 ? one : many}`;
}

/** Virtual seconds per real second: `3,600×`. */
export function formatSpeed(speed: number): string {
  return `${speed.toLocaleString("en")}×`;
}
