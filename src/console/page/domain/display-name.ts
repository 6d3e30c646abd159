import type { FleetGroup } from "../../protocol/index.js";

type NamedGroup = Pick<FleetGroup, "name" | "label">;

/** `Old Harbour 3` for a handset of a group with a display name, else its selector `old-harbour/3`. */
export function displayName({ name, label }: NamedGroup, index: number | string): string {
  return label === name ? `${name}/${index}` : `${label} ${index}`;
}

/** Reads a handset that a user typed, as `old-harbour/3` or `Old Harbour 3`. @returns its selector; undefined: no handset */
export function selectorIn(groups: readonly FleetGroup[], typed: string): string | undefined {
  const [, called = "", digits] = /^(.+?)[\s/]+(\d{1,9})$/.exec(typed.trim().toLowerCase()) ?? [];
  const index = Number(digits);
  const group = groups.find(
    ({ name, label, firstIndex, count }) =>
      [name.toLowerCase(), label.toLowerCase()].includes(called) && index >= firstIndex && index < firstIndex + count,
  );
  return group === undefined ? undefined : `${group.name}/${index}`;
}
