import { memberOf, type PhonePattern, phoneOf } from "../../world/index.js";
import type { Sheet } from "../sheet.js";
import type { Path } from "../written.js";

/** How many members a group may have: what the kernel is measured up to. */
export const mostMembers = 1_000_000;

/** A group's phone pattern must give each member a number of its own. */
export function checkCounter(sheet: Sheet, group: Path, pattern: PhonePattern, count: number): void {
  const room = pattern.digits === 0 ? 1 : 10 ** pattern.digits - pattern.first;
  if (count <= room) return;
  const digits = Math.max(pattern.digits, String(count - 1).length);
  sheet.tell([...group, "phone"], {
    code: "counter-too-small",
    message:
      pattern.digits === 0
        ? `has no counter, but the group has ${count} members`
        : `counts ${room} members, but the group has ${count}`,
    hint: `a counter that is large enough: {${"0".repeat(digits)}}, in place of the last digits`,
  });
}

/** Whoever gets a text from a sender, or answers one, can tell members of the same sender apart no more than a phone can. */
export function checkSender(sheet: Sheet, group: Path, { prefix }: PhonePattern, count: number): void {
  if (count === 1) return;
  sheet.tell([...group, "count"], {
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

/** No two members of different groups may have the same number or sender. Told at the later group. */
export function checkDuplicates(sheet: Sheet, groups: readonly Numbered[]): void {
  groups.forEach((later, place) => {
    for (const earlier of groups.slice(0, place)) {
      const same = commonNumber(earlier, later);
      if (same === undefined) continue;
      const isPhone = same.startsWith("+");
      sheet.tell([...later.path, isPhone ? "phone" : "sender"], {
        code: "duplicate-phone",
        message: `gives ${same} to ${memberName(later, same)}, but it is the ${isPhone ? "number" : "sender"} of ${memberName(earlier, same)}`,
        hint: isPhone
          ? "give each group a range of its own"
          : "give each group a sender of its own, or make one of them",
      });
      break;
    }
  });
}

/** Some number that both groups have. The smaller one is counted through, so it costs at most its size. */
function commonNumber(one: Numbered, other: Numbered): string | undefined {
  const [small, large] = one.count <= other.count ? [one, other] : [other, one];
  const first = phoneOf(small.phone, 0);
  if (first.length !== phoneOf(large.phone, 0).length) return undefined;
  if (small.phone.digits === large.phone.digits && small.phone.prefix === large.phone.prefix) {
    const from = Math.max(small.phone.first, large.phone.first);
    const isBeyond = from >= Math.min(small.phone.first + small.count, large.phone.first + large.count);
    if (isBeyond || small.phone.suffix !== large.phone.suffix) return undefined;
    return phoneOf(small.phone, from - small.phone.first);
  }
  const shortest = Math.min(small.phone.prefix.length, large.phone.prefix.length);
  if (small.phone.prefix.slice(0, shortest) !== large.phone.prefix.slice(0, shortest)) return undefined;
  for (let member = 0; member < small.count; member++) {
    const number = phoneOf(small.phone, member);
    if (memberOf(large, number) !== undefined) return number;
  }
  return undefined;
}

function memberName(group: Numbered, number: string): string {
  return `${group.name}/${memberOf(group, number) ?? 0}`;
}
