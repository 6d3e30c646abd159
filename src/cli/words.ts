/** 21600 as `21,600`. */
export function count(value: number): string {
  return value.toLocaleString("en-US");
}

/** Virtual milliseconds as `04:38:10`, hours going on past 24. */
export function clock(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const part = (value: number): string => String(value).padStart(2, "0");
  return `${part(Math.floor(seconds / 3600))}:${part(Math.floor(seconds / 60) % 60)}:${part(seconds % 60)}`;
}
