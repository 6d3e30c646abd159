import type { FleetGroup } from "../../protocol/index.js";
import { displayName } from "../domain/display-name.js";

/** Index of a handset in columns and arrays: its channel minus 1. */
export type HandsetIndex = number;

/** Index in `groups` of a handset's group; -1: none. Binary search: groups are consecutive. */
export function groupOf(groups: readonly FleetGroup[], index: HandsetIndex): number {
  let low = 0;
  let high = groups.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const group = groups[middle];
    if (group === undefined) return -1;
    const first = group.firstChannel - 1;
    if (index < first) high = middle - 1;
    else if (index >= first + group.count) low = middle + 1;
    else return middle;
  }
  return -1;
}

/** The selector of a handset: `clinic/3`. */
export function nameOf(groups: readonly FleetGroup[], index: HandsetIndex): string {
  const group = groups[groupOf(groups, index)];
  return group === undefined ? `channel ${index + 1}` : `${group.name}/${memberOf(group, index)}`;
}

/** A handset as people call it: `Old Harbour 3`, or its selector if its group has no display name. */
export function titleOf(groups: readonly FleetGroup[], index: HandsetIndex): string {
  const group = groups[groupOf(groups, index)];
  return group === undefined ? nameOf(groups, index) : displayName(group, memberOf(group, index));
}

/** The number of a handset in its group: the 3 of `clinic/3`. */
export function memberOf(group: FleetGroup, index: HandsetIndex): number {
  return group.firstIndex + index - (group.firstChannel - 1);
}

/** The index of a selector such as `clinic/3`; undefined: there is no such handset. */
export function indexOfName(groups: readonly FleetGroup[], name: string): HandsetIndex | undefined {
  const [, groupName, member] = /^(.+)\/(\d{1,9})$/.exec(name) ?? [];
  const group = groups.find((one) => one.name === groupName);
  if (group === undefined) return undefined;
  const place = Number(member) - group.firstIndex;
  return place >= 0 && place < group.count ? group.firstChannel - 1 + place : undefined;
}

/**
 * The fewest selectors for exactly these handsets: `clinic` for a whole group, `clinic/0..9` for neighbours.
 *
 * @param indexes - ascending, each once
 */
export function selectorsOf(groups: readonly FleetGroup[], indexes: ArrayLike<HandsetIndex>): string[] {
  const selectors: string[] = [];
  let at = 0;
  while (at < indexes.length) {
    const from = indexes[at] ?? 0;
    const group = groups[groupOf(groups, from)];
    if (group === undefined) {
      at += 1;
      continue;
    }
    const end = group.firstChannel - 1 + group.count;
    let to = from;
    while (at + 1 < indexes.length && indexes[at + 1] === to + 1 && to + 1 < end) {
      at += 1;
      to += 1;
    }
    at += 1;
    const isWhole = to - from + 1 === group.count && group.firstIndex === 0;
    const [first, last] = [memberOf(group, from), memberOf(group, to)];
    selectors.push(isWhole ? group.name : `${group.name}/${first === last ? first : `${first}..${last}`}`);
  }
  return selectors;
}
