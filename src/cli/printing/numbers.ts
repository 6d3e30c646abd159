/** 21600 as `21,600`. */
export function count(value: number): string {
  return value.toLocaleString("en-US");
}

/** Virtual milliseconds as `04:38:10`; hours may exceed 24. */
export function clock(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const part = (value: number): string => String(value).padStart(2, "0");
  return `${part(Math.floor(seconds / 3600))}:${part(Math.floor(seconds / 60) % 60)}:${part(seconds % 60)}`;
}

/** Wall milliseconds for people: `8 s`, `1 min 20 s`, `3 h`, `2 h 30 min`, `5 d 4 h`. Two units at most. */
export function longSpan(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  const units: readonly (readonly [name: string, seconds: number])[] = [
    ["d", 86_400],
    ["h", 3600],
    ["min", 60],
    ["s", 1],
  ];
  const first = units.findIndex(([, size]) => seconds >= size);
  if (first === -1) return "0 s";
  let rest = seconds;
  return units
    .slice(first, first + 2)
    .flatMap(([name, size]) => {
      const number = Math.floor(rest / size);
      rest -= number * size;
      return number === 0 ? [] : [`${number} ${name}`];
    })
    .join(" ");
}

/** A wall instant as local time of day, `19:12`; with the date if it is a day or more ahead. */
export function timeOfDay(atMs: number): string {
  const at = new Date(atMs);
  const part = (value: number): string => String(value).padStart(2, "0");
  const time = `${part(at.getHours())}:${part(at.getMinutes())}`;
  if (atMs - Date.now() < 86_400_000) return time;
  return `${at.getFullYear()}-${part(at.getMonth() + 1)}-${part(at.getDate())} ${time}`;
}
