import { eventKey } from "../../measure/index.js";
import type { RecordingReader } from "../../store/index.js";
import { formatCount } from "../number-format.js";
import { attemptTraits } from "./attempt-traits.js";
import { EventTraits } from "./event-traits.js";
import { type SharedTrait, sharedTraits, type TraitRow } from "./shared-traits.js";

/** Traits of the affected events that are compared, the most frequent ones. */
const TRAITS_MAX = 250;

/** Affected events that are compared, at most. */
const AFFECTED_MAX = 100_000;

/**
 * What the affected events have in common and the others lack, a sentence each; none where chance explains each trait.
 * Reads the events three times, and the attempts once.
 *
 * @param affected - by `eventKey`
 * @param options - `noun`: plural, `missing events`; `isCompared`: events that the affected ones are compared with, by default those
 *   of their types
 */
export function commonTraits(
  recording: RecordingReader,
  affected: ReadonlySet<number>,
  options: {
    readonly noun: string;
    /** Of the hours. */
    readonly timezone: string;
    /** Traits that say nothing, because they follow from what is wrong. */
    readonly without?: readonly string[];
    readonly isCompared?: (event: {
      readonly channel: number;
      readonly number: number;
      readonly type: string;
      readonly copy: object | null;
    }) => boolean;
  },
): string[] {
  if (affected.size < 2 || affected.size > AFFECTED_MAX) return [];
  const attempts = attemptTraits(recording);
  const wanted = frequentTraits(recording, affected, { attempts, without: [], ...options });
  const rows = new Map<string, { traits: ReadonlySet<string>; affected: number; others: number }>();
  const { types } = wanted;
  const isCompared = options.isCompared ?? (({ type }) => types.has(type));
  const traits = traitsIn(recording, options);
  for (const event of recording.eventRows()) {
    const key = eventKey(event);
    const all = traits.traitsOf({ ...event, isCopy: event.copy !== null }, attempts.get(key));
    const isAffected = affected.has(key);
    if (!isAffected && !isCompared(event)) continue;
    const held = [...all].filter((trait) => wanted.traits.has(trait)).toSorted();
    const name = held.join("\n");
    let row = rows.get(name);
    if (row === undefined) rows.set(name, (row = { traits: new Set(held), affected: 0, others: 0 }));
    if (isAffected) row.affected++;
    else row.others++;
  }
  const texts = new Map([...traits.texts].filter(([trait]) => wanted.traits.has(trait)));
  return sharedTraits([...rows.values()] satisfies TraitRow[], texts).flatMap((one) => sentencesOf(one, options.noun));
}

function traitsIn(recording: RecordingReader, { timezone }: { readonly timezone: string }): EventTraits {
  const names = new Map(Array.from(recording.channels(), ({ id, name }) => [id, name]));
  const { startsAtMs } = recording.meta();
  return new EventTraits({ nameOf: (channel) => names.get(channel) ?? `channel ${channel}`, startsAtMs, timezone });
}

/** The traits that many of the affected events have, and the types of these events. */
function frequentTraits(
  recording: RecordingReader,
  affected: ReadonlySet<number>,
  {
    attempts,
    timezone,
    without,
  }: {
    readonly attempts: ReturnType<typeof attemptTraits>;
    readonly timezone: string;
    readonly without: readonly string[];
  },
): { readonly traits: ReadonlySet<string>; readonly types: ReadonlySet<string> } {
  const counts = new Map<string, number>();
  const types = new Set<string>();
  const traits = traitsIn(recording, { timezone });
  for (const event of recording.eventRows()) {
    const key = eventKey(event);
    const all = traits.traitsOf({ ...event, isCopy: event.copy !== null }, attempts.get(key));
    if (!affected.has(key)) continue;
    types.add(event.type);
    for (const trait of all) counts.set(trait, (counts.get(trait) ?? 0) + 1);
  }
  const frequent = [...counts]
    .filter(([trait, count]) => count >= 2 && !without.includes(trait))
    .toSorted(([, a], [, b]) => b - a);
  return { traits: new Set(frequent.slice(0, TRAITS_MAX).map(([trait]) => trait)), types };
}

function sentencesOf({ within, ...shared }: SharedTrait, noun: string): string[] {
  const { with: held, of, text } = shared;
  const who =
    held === of
      ? of === 2
        ? `Both ${noun}`
        : `All ${formatCount(of)} ${noun}`
      : `${formatCount(held)} of ${formatCount(of)} ${noun}`;
  return [
    `${who} ${text}${othersText(shared)}.`,
    ...within.map(
      (one) => `Of these, ${one.with === one.of ? "all" : formatCount(one.with)} ${one.text}${othersText(one)}.`,
    ),
  ];
}

/** `, and 40 of the 4,102 others`; `, and none of the 4,102 others` */
function othersText({ othersWith, others }: Pick<SharedTrait, "othersWith" | "others">): string {
  return `, and ${othersWith === 0 ? "none" : formatCount(othersWith)} of the ${formatCount(others)} others`;
}
