import { countSelected, groupsOf, memberOf, type PhonePattern, phoneOf, type Selector } from "../../world/index.js";
import type { DocumentReader } from "../sheet/document-reader.js";
import type { Path, ReportProblem } from "../sheet/raw-value.js";

/** Maximum of members of a group: the kernel is measured up to this number. */
export const mostMembers = 1_000_000;

/** Reports a phone pattern that cannot give each member a different number. */
export function checkCounter(reader: DocumentReader, group: Path, pattern: PhonePattern, count: number): void {
  const room = pattern.digits === 0 ? 1 : 10 ** pattern.digits - pattern.first;
  if (count <= room) return;
  const digits = Math.max(pattern.digits, String(count - 1).length);
  reader.reportProblem([...group, "phone"], {
    code: "counter-too-small",
    message:
      pattern.digits === 0
        ? `has no counter, but the group has ${count} members`
        : `counts ${room} members, but the group has ${count}`,
    hint: `a counter that is large enough: {${"0".repeat(digits)}}, in place of the last digits`,
  });
}

/** Reports a phone pattern of a step that cannot give each selected member a different number. */
export function checkRoom(pattern: PhonePattern, selector: Selector, report: ReportProblem): void {
  const groups = groupsOf(selector);
  const last = Math.max(...groups.map(({ to }) => to));
  const counter = "0".repeat(String(last).length);
  if (pattern.digits === 0) {
    if (countSelected(selector) === 1) return;
    return report({
      code: "counter-too-small",
      message: `has no counter, but the step selects ${countSelected(selector)} handsets`,
      hint: `a counter that is large enough: {${counter}}, in place of the last digits`,
    });
  }
  if (groups.length > 1) {
    return report({
      code: "counter-too-small",
      message: `counts the members of one group, but the step selects ${groups.length} groups`,
      hint: "make a step of each group",
    });
  }
  if (last < 10 ** pattern.digits - pattern.first) return;
  report({
    code: "counter-too-small",
    message: `has no number for ${groups[0]?.group}/${last}: its counter ends at ${"9".repeat(pattern.digits)}`,
    hint: `write more digits, such as {${counter}0}`,
  });
}

/** A sender has one member: neither a phone nor the service can tell members with the same sender apart. */
export function checkSender(reader: DocumentReader, group: Path, { prefix }: PhonePattern, count: number): void {
  if (count === 1) return;
  reader.reportProblem([...group, "count"], {
    code: "duplicate-phone",
    message: `makes ${count} members of one sender, '${prefix}': what is sent to it could reach only one of them`,
    hint: "leave 'count' out: one member sends as often as 'traffic' says",
  });
}

/** A group whose members have phone numbers. */
export interface Numbered {
  readonly path: Path;
  readonly name: string;
  readonly phone: PhonePattern;
  readonly count: number;
}

/** Reports members of different groups with the same number or sender, at the later group. */
export function checkDuplicates(reader: DocumentReader, groups: readonly Numbered[]): void {
  for (const { earlier, later, number } of sharedNumbers(groups)) {
    const isPhone = number.startsWith("+");
    reader.reportProblem([...later.path, isPhone ? "phone" : "sender"], {
      code: "duplicate-phone",
      message: `gives ${number} to ${memberName(later, number)}, but it is the ${isPhone ? "number" : "sender"} of ${memberName(earlier, number)}`,
      hint: isPhone ? "give each group a range of its own" : "give each group a sender of its own, or make one of them",
    });
  }
}

interface Shared {
  readonly earlier: Numbered;
  readonly later: Numbered;
  readonly number: string;
}

/**
 * For each group the first earlier group with which it shares a number.
 *
 * A sweep over the sorted ranges of numbers compares only overlapping ones: O(n log n) if no ranges overlap.
 */
function sharedNumbers(groups: readonly Numbered[]): Shared[] {
  const ranges = groups
    .filter(({ phone }) => phone.digits > 0 || phone.prefix !== "") // a group without numbers shares none
    .map((group, place) => ({ group, place, from: phoneOf(group.phone, 0), to: phoneOf(group.phone, group.count - 1) }))
    .toSorted((a, b) => a.from.length - b.from.length || compareText(a.from, b.from));
  const found = new Map<number, { readonly place: number; readonly shared: Shared }>();
  let open: typeof ranges = [];
  for (const range of ranges) {
    open = open.filter(({ from, to }) => from.length === range.from.length && to >= range.from);
    for (const other of open) {
      const [earlier, later] = other.place < range.place ? [other, range] : [range, other];
      const known = found.get(later.place);
      if (known !== undefined && known.place <= earlier.place) continue;
      const number = commonNumber(earlier.group, later.group);
      if (number === undefined) continue;
      found.set(later.place, { place: earlier.place, shared: { earlier: earlier.group, later: later.group, number } });
    }
    open.push(range);
  }
  return [...found.entries()].toSorted(([a], [b]) => a - b).map(([, { shared }]) => shared);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * The smallest number that both groups have.
 *
 * The longer prefix fixes the first digits, the longer suffix the last ones; the digits between are free. Each group's
 * counter bounds them to a range, so the ranges are intersected without trying numbers.
 */
function commonNumber(one: Numbered, other: Numbered): string | undefined {
  const length = phoneOf(one.phone, 0).length;
  if (length !== phoneOf(other.phone, 0).length) return undefined;
  const prefix = longer(one.phone.prefix, other.phone.prefix);
  const suffix = longer(one.phone.suffix, other.phone.suffix);
  if (![one, other].every(({ phone }) => prefix.startsWith(phone.prefix) && suffix.endsWith(phone.suffix))) {
    return undefined;
  }
  const free = length - prefix.length - suffix.length;
  if (free <= 0) {
    const number = prefix + suffix.slice(suffix.length - (length - prefix.length));
    return memberOf(one, number) !== undefined && memberOf(other, number) !== undefined ? number : undefined;
  }
  const [a, b] = [freeRange(one, prefix, suffix, free), freeRange(other, prefix, suffix, free)];
  const from = Math.max(0, a.from, b.from);
  return from > Math.min(10 ** free - 1, a.to, b.to) ? undefined : prefix + String(from).padStart(free, "0") + suffix;
}

/** The range of the free digits in which the numbers belong to the group. */
function freeRange(
  { phone, count }: Numbered,
  prefix: string,
  suffix: string,
  free: number,
): { from: number; to: number } {
  const above = prefix.slice(phone.prefix.length);
  const below = suffix.slice(0, suffix.length - phone.suffix.length);
  const scale = 10 ** below.length;
  const fixed = Number(above || "0") * 10 ** (free + below.length) + Number(below || "0");
  const last = Math.min(phone.first + count, 10 ** phone.digits) - 1;
  return { from: Math.ceil((phone.first - fixed) / scale), to: Math.floor((last - fixed) / scale) };
}

function longer(one: string, other: string): string {
  return one.length >= other.length ? one : other;
}

function memberName(group: Numbered, number: string): string {
  return `${group.name}/${memberOf(group, number) ?? 0}`;
}
